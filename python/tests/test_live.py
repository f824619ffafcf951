"""`tailback live` in a real browser: steered, forked, saved; what is saved gives its digest."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

SPEC = """
topology = { kind = "torus", radix = [8, 8] }
router = { virtual_channels = 2, buffer_flits = 16 }
traffic = { load = 0.2, pattern = "uniform", size = { kind = "fixed", flits = 8 } }
"""

# What a driver without a graphics card says of itself.
DRIVER = re.compile("GPU stall|GL Driver|Automatic fallback to software")


class Served:
    """A server and the pages that look at it."""

    def __init__(self, tailback: Path, folder: Path, *more: str) -> None:
        spec = folder / "play.toml"
        spec.write_text(SPEC, encoding="utf-8")
        self.process = subprocess.Popen(
            [tailback, "live", spec, "--no-open", "--port", "0", *more],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        words = self.process.stdout.readline().split()
        assert words[:2] == ["listening", "on"]
        self.url = words[2]
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?key=[0-9a-f]{32}", self.url)

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=10)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    assert chromium, "the page is tested in Debian's chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--enable-unsafe-swiftshader"]
        )
        yield browser
        browser.close()


@pytest.fixture
def served(tmp_path: Path, tailback_command: Path) -> Iterator[Served]:
    served = Served(tailback_command, tmp_path, "--out", str(tmp_path / "plays"))
    yield served
    if served.process.poll() is None:
        assert served.end() == 130


class Watched(NamedTuple):
    """A page, with what it complained of and what it asked for."""

    page: Page
    complaints: list[str]
    asked: list[str]

    def close(self) -> None:
        self.page.close()
        assert not [words for words in self.complaints if not DRIVER.search(words)]
        here = self.asked[0].split("/?", 1)[0]
        assert all(url.startswith((here, "blob:", "data:")) for url in self.asked)


def opened(
    browser: Browser, url: str, size: tuple[int, int] = (1440, 900), more: str = ""
) -> tuple[Page, Watched]:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    watched = Watched(page, [], [])
    page.on("console", lambda message: watched.complaints.append(message.text))
    page.on("pageerror", lambda error: watched.complaints.append(str(error)))
    page.on("request", lambda request: watched.asked.append(request.url))
    page.goto(url + more)
    until(page, "Number(document.body.dataset.pictures) > 0")
    return page, watched


def until(page: Page, condition: str, seconds: float = 60) -> None:
    """Asks again and again: the page's policy lets no text become a script there."""
    end = time.monotonic() + seconds
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        time.sleep(0.05)


def played_to(page: Page, end: int) -> None:
    """Goes to a cycle, which is shown when it is there."""
    page.keyboard.press("g")
    page.keyboard.type(str(end))
    page.keyboard.press("Enter")
    until(page, f"document.getElementById('cycle').value.replace(/,/g, '') === '{end}'")


def dialog_digest(page: Page) -> str:
    page.locator("#save-spec").click()
    digest = page.locator("#digest")
    digest.wait_for()
    return digest.inner_text()


def test_a_play_is_steered_forked_saved_and_runs_again(
    browser: Browser, served: Served, tmp_path: Path, tailback_command: Path
) -> None:
    page, watched = opened(browser, served.url)
    played_to(page, 640)
    load = page.locator("#set-traffic-load-all")
    load.fill("0.9")
    load.press("Enter")
    until(page, "document.getElementById('changes').textContent.includes('640')")
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    until(page, "document.querySelectorAll('.map').length === 2")
    page.select_option("#kind-admission-1", "self_tuned")
    until(page, "document.getElementById('changes').textContent.includes('self_tuned')")
    page.keyboard.press("Escape")
    played_to(page, 3000)
    digests = {}
    for key in ("a", "b"):
        page.keyboard.press(key)
        digests[key] = dialog_digest(page)
        page.get_by_role("button", name="Close").click()
    assert digests["a"] != digests["b"]
    for key, digest in digests.items():
        saved = tmp_path / "plays" / f"play-{key}-3000.toml"
        text = saved.read_text(encoding="utf-8")
        assert "[[workload.changes]]" in text
        ran = subprocess.run(
            [tailback_command, "run", saved, "--json"], check=True, capture_output=True, text=True
        )
        assert json.loads(ran.stdout.splitlines()[0])["digest"] == digest
    watched.close()


def test_back_in_time_is_the_same_past(browser: Browser, served: Served) -> None:
    page, watched = opened(browser, served.url)
    played_to(page, 1000)
    before = dialog_digest(page)
    page.get_by_role("button", name="Close").click()
    played_to(page, 2500)
    page.keyboard.press("Home")
    until(page, "document.getElementById('cycle').value === '0'")
    played_to(page, 999)
    page.keyboard.press("ArrowRight")
    until(page, "document.getElementById('cycle').value === '1,000'")
    assert dialog_digest(page) == before
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("ArrowLeft")
    until(page, "document.getElementById('cycle').value === '999'")
    watched.close()


def test_another_past_is_another_variant(browser: Browser, served: Served) -> None:
    page, watched = opened(browser, served.url)
    played_to(page, 2000)
    played_to(page, 500)
    load = page.locator("#set-traffic-load-all")
    load.fill("0.7")
    load.press("Enter")
    until(page, "document.querySelectorAll('.map').length === 2")
    watched.close()


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (390, 844)])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("draw", ["gl", "2d"])
def test_the_map_is_seen(
    browser: Browser, served: Served, size: tuple[int, int], theme: str, draw: str
) -> None:
    page, watched = opened(browser, served.url, size, f"#theme={theme}&draw={draw}")
    played_to(page, 600)
    shades = """(() => {
          const lanes = document.querySelector("canvas.lanes");
          const copy = document.createElement("canvas");
          [copy.width, copy.height] = [lanes.width, lanes.height];
          const g = copy.getContext("2d");
          g.drawImage(lanes, 0, 0);
          const { data } = g.getImageData(0, 0, copy.width, copy.height);
          const seen = new Set();
          for (let i = 0; i < data.length; i += 4) {
            if (data[i + 3]) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
          }
          return seen.size > 3;
        })()"""
    until(page, shades)
    wide = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert wide, "nothing is cut off at the side"
    watched.close()


def test_all_by_keyboard(browser: Browser, served: Served) -> None:
    page, watched = opened(browser, served.url)
    assert page.evaluate("document.activeElement.id") == "play"
    page.keyboard.press("Space")
    until(page, "Number(document.getElementById('cycle').value.replace(/,/g, '')) > 50")
    page.keyboard.press("Space")
    for key, mode in [("2", "use"), ("3", "trees"), ("4", "diff"), ("1", "queues")]:
        page.keyboard.press(key)
        assert page.locator(f'[data-mode="{mode}"]').get_attribute("aria-pressed") == "true"
    page.keyboard.press("/")
    page.keyboard.type("x+ 3,2")
    page.keyboard.press("Enter")
    assert "x+ of [3, 2] to [4, 2]" in page.locator("#selected").inner_text()
    page.locator(".map canvas[role=application]").focus()
    page.keyboard.press("ArrowRight")
    assert "Router [4, 2]" in page.locator("#selected").inner_text()
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.keyboard.press("?")
    assert page.locator("#dialog").is_visible()
    page.keyboard.press("Escape")
    watched.close()


def test_a_second_page_watches(browser: Browser, served: Served) -> None:
    first, one = opened(browser, served.url)
    second, other = opened(browser, served.url)
    until(second, "!document.getElementById('take').hidden")
    assert second.locator("#play").is_disabled()
    second.locator("#take").click()
    until(first, "!document.getElementById('take').hidden")
    until(second, "!document.getElementById('play').disabled")
    one.close()
    other.close()


def test_names_stay_text_and_the_end_is_told(browser: Browser, served: Served) -> None:
    page, watched = opened(browser, served.url)
    start = time.monotonic()
    assert served.end() == 130
    assert time.monotonic() - start < 2
    until(page, "document.body.dataset.state === 'lost'")
    assert watched.page is page
    assert page.evaluate("document.querySelectorAll('main img').length") == 0


def test_a_lesson_is_played_and_ticks_what_was_reached(browser: Browser, served: Served) -> None:
    page, watched = opened(browser, served.url)
    page.locator("#lessons").click()
    assert page.locator("#drawer .lesson").count() == 12
    with page.expect_event("load"):
        page.locator("#drawer .lesson").first.click()
    until(page, "document.getElementById('name').textContent === '01-deadlock.toml'")
    until(page, "document.querySelectorAll('#drawer ol li').length === 2")
    page.get_by_role("button", name="Close").click()
    played_to(page, 4096)
    until(page, "document.getElementById('play-text').textContent === 'Back 500'")
    page.locator("#lessons").click()
    until(page, "document.querySelectorAll('#drawer li.done').length >= 1")
    watched.close()


def test_points_are_played_side_by_side(
    browser: Browser, tmp_path: Path, tailback_command: Path
) -> None:
    served = Served(tailback_command, tmp_path, "--all", "--set", 'sweep.admission=["off","alo"]')
    page, watched = opened(browser, served.url)
    until(page, "document.querySelectorAll('.map').length === 2")
    assert "alo" in page.locator("#maps").inner_text()
    played_to(page, 500)
    watched.close()
    assert served.end() == 130


def test_what_the_page_weighs(served: Served, browser: Browser) -> None:
    import gzip
    import urllib.request

    with urllib.request.urlopen(served.url) as answer:
        cookie = answer.headers["Set-Cookie"].split(";")[0]
    here = served.url.split("?", 1)[0]
    root = Path(__file__).parents[2] / "crates/live/page"
    files = [
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file() and path.name != "view.html"
    ]
    weight = 0
    for file in files:
        request = urllib.request.Request(here + file, headers={"Cookie": cookie})
        if file == "index.html":
            request = urllib.request.Request(served.url)
        with urllib.request.urlopen(request) as answer:
            weight += len(gzip.compress(answer.read()))
    assert weight < 300_000
