"""`tailback live` in a real browser: steered, forked, saved; what is saved gives its digest."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]

SPEC = """
topology = { kind = "torus", radix = [8, 8] }
router = { virtual_channels = 2, buffer_flits = 16 }
traffic = { load = 0.2, pattern = "uniform", size = { kind = "fixed", flits = 8 } }
"""

# What a driver without a graphics card says of itself.
DRIVER = re.compile("GPU stall|GL Driver|Automatic fallback to software")


class Served:
    """A server and the pages that look at it."""

    def __init__(self, tailback: Path, folder: Path, *more: str, spec: str = SPEC) -> None:
        file = folder / "play.toml"
        file.write_text(spec, encoding="utf-8")
        self.started = time.time()
        self.process = subprocess.Popen(
            [tailback, "live", file, "--no-open", "--port", "0", *more],
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


def sought(page: Page, cycle: int) -> None:
    """Asks for a cycle."""
    page.keyboard.press("g")
    page.keyboard.type(str(cycle))
    page.keyboard.press("Enter")


def played_to(page: Page, end: int) -> None:
    """Goes to a cycle, and waits until the play is there: the field has what was typed at once."""
    sought(page, end)
    until(page, f"import('./store.js').then(({{ store }}) => store.cycle === {end})")


def set_load(page: Page, load: str) -> None:
    """Sets the load of all that is played, and waits until the play has it."""
    field = page.locator("#set-traffic-load-all")
    field.fill(load)
    field.press("Enter")
    has = f"store.variants.some((variant) => variant.settings.traffic.load === {load})"
    until(page, f"import('./store.js').then(({{ store }}) => {has})")


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
    set_load(page, "0.9")
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


def test_what_is_sought_has_words_and_curves(browser: Browser, served: Served) -> None:
    """A cycle far ahead is played to as fast as it goes: pages miss most, and still see all."""
    page, watched = opened(browser, served.url)
    played_to(page, 30000)
    told = "import('./store.js').then(({ store }) => store.%s)"
    until(page, told % "said.at(-1).cycle === 30000")
    until(page, told % "rows[0].length > 10")
    watched.close()


def test_another_past_is_another_variant(browser: Browser, served: Served) -> None:
    page, watched = opened(browser, served.url)
    played_to(page, 2000)
    played_to(page, 500)
    set_load(page, "0.7")
    until(page, "document.querySelectorAll('.map').length === 2")
    watched.close()


LOAD = "import('./store.js').then(({ store }) => store.variants[0].settings.traffic.load)"


def test_what_is_set_holds_before_what_is_asked_next(browser: Browser, served: Served) -> None:
    """Values are said ten times a second at most, but never after a seek that came after them."""
    page, watched = opened(browser, served.url)
    page.evaluate(
        """() => {
          for (const [id, value] of [
            ["set-traffic-load-all", "0.5"], ["set-traffic-load-all", "0.9"], ["cycle", "900"]
          ]) {
            const field = document.getElementById(id);
            field.value = value;
            field.dispatchEvent(new Event("change", { bubbles: true }));
          }
        }"""
    )
    # The field has what was typed at once; the play tells when it is there.
    until(page, "import('./store.js').then(({ store }) => store.cycle === 900)")
    until(page, f"{LOAD}.then((load) => load === 0.9)")
    changes = page.evaluate("import('./store.js').then(({ store }) => store.variants[0].changes)")
    assert [list(change["set"].values()) for change in changes] == [[0.9]]
    assert changes[0]["cycle"] <= 1
    watched.close()


def test_whoever_types_or_slides_is_not_interrupted(browser: Browser, served: Served) -> None:
    """Controls are drawn anew when settings change, but none that somebody has in the hand."""
    page, watched = opened(browser, served.url)
    field = page.locator("#set-traffic-load-all")
    field.fill("0.")
    other = "{ path: 'traffic.pattern', value: 'tornado', variant: null }"
    page.evaluate(f"import('./wire.js').then(({{ say }}) => say('set', {other}))")
    until(page, "document.getElementById('changes').textContent.includes('tornado')")
    page.keyboard.type("4")
    assert field.input_value() == "0.4"
    page.keyboard.press("Enter")
    until(page, f"{LOAD}.then((load) => load === 0.4)")
    until(page, "document.getElementById('kind-traffic-pattern-all').value === 'tornado'")
    assert page.evaluate("document.activeElement.id") == "set-traffic-load-all"
    page.keyboard.press("Escape")
    page.keyboard.press("Space")
    slider = page.locator("#set-traffic-load-all-slider")
    box = slider.bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.4 * box["width"], middle)
    page.mouse.down()
    for tenths in (5, 6, 7, 8):
        page.mouse.move(box["x"] + tenths * box["width"] / 10, middle)
        until(page, f"{LOAD}.then((load) => Math.abs(load - {tenths / 10}) < 0.05)")
    page.mouse.up()
    shown = float(field.input_value())
    assert abs(shown - 0.8) < 0.05
    until(page, f"{LOAD}.then((load) => load === {shown})")
    page.keyboard.press("ArrowRight")
    until(page, f"{LOAD}.then((load) => load > {shown})")
    assert page.evaluate("document.activeElement.id") == "set-traffic-load-all-slider"
    watched.close()


def pixels(canvas: str, look: str) -> str:
    """An expression of the page: what `look` returns of `data`, the pixels of a canvas."""
    return f"""(() => {{
      const canvas = document.querySelector("{canvas}");
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const g = copy.getContext("2d");
      g.drawImage(canvas, 0, 0);
      const {{ data }} = g.getImageData(0, 0, copy.width, copy.height);
      {look}
    }})()"""


def test_a_strip_tells_of_no_time_in_which_nobody_looked(
    browser: Browser, tmp_path: Path, tailback_command: Path
) -> None:
    """As fast as it goes, a line may be looked at every 2,048 cycles."""
    served = Served(tailback_command, tmp_path, "--set", "traffic.load=0.001")
    page, watched = opened(browser, served.url)
    played_to(page, 4096)
    until(page, "import('./store.js').then(({ store }) => store.now[0].cycle === 4096)")
    painted = pixels(
        "#strips canvas",
        """let columns = 0;
           for (let x = 0; x < copy.width; x += 1) {
             const at = 4 * (copy.width * (copy.height >> 1) + x);
             columns += [0, 1, 2].some((of) => data[at + of] !== data[4 * (copy.width - 1) + of]);
           }
           return [columns, copy.width];""",
    )
    before, wide = page.evaluate(painted)
    full = "{ variant: 0, line: { runs: [[2048, 2048, 1]], levels: 'f'.repeat(8) } }"
    page.evaluate(
        f"""Promise.all([import('./store.js'), import('./strip.js')]).then((both) => {{
          both[0].tell("line", {{ variants: [{full}] }});
          both[1].drawTime();
        }})"""
    )
    after, _ = page.evaluate(painted)
    assert 0 < after - before <= wide * 64 / 4096 + 2
    watched.close()
    assert served.end() == 130


def test_a_variant_is_named_by_what_it_is(
    browser: Browser, tmp_path: Path, tailback_command: Path
) -> None:
    served = Served(tailback_command, tmp_path, "--all", "--set", "sweep.'traffic.load'=[0.1,0.3]")
    page, watched = opened(browser, served.url)

    def named(*words: str) -> None:
        until(
            page,
            "[...document.querySelectorAll('.map header > b')].map((b) => b.textContent).join()"
            f" === '{','.join(words)}'",
        )

    named("load 0.1", "load 0.3")
    page.keyboard.press("f")
    named("load 0.1", "load 0.3", "load 0.1, off")
    page.select_option("#kind-admission-2", "alo")
    named("load 0.1", "load 0.3", "load 0.1, alo")
    set_load(page, "0.2")
    named("off", "off", "alo")
    watched.close()
    assert served.end() == 130


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (390, 844)])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("draw", ["gl", "2d"])
def test_the_map_is_seen(
    browser: Browser, served: Served, size: tuple[int, int], theme: str, draw: str
) -> None:
    page, watched = opened(browser, served.url, size, f"#theme={theme}&draw={draw}")
    played_to(page, 600)
    shades = pixels(
        "canvas.lanes",
        """const seen = new Set();
           for (let i = 0; i < data.length; i += 4) {
             if (data[i + 3]) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
           }
           return seen.size > 3;""",
    )
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


TREE = """
topology = { kind = "fat_tree", arity = 4, levels = 3 }
router = { virtual_channels = 2, buffer_flits = 32 }
routing = "up_down"
traffic = { load = 0.5, pattern = { kind = "hot_spot", nodes = [3], share_percent = 30 } }
"""


def test_a_network_without_rows(browser: Browser, tmp_path: Path, tailback_command: Path) -> None:
    """Its leaves are not the first routers; its strips show the links out of a router."""
    served = Served(tailback_command, tmp_path, spec=TREE)
    page, watched = opened(browser, served.url)
    played_to(page, 1500)
    page.keyboard.press("/")
    page.keyboard.type("node 3")
    page.keyboard.press("Enter")
    until(page, "document.getElementById('selected').textContent.includes('Router 32')")
    until(page, "document.getElementById('strips').textContent.includes('Out of router 32')")
    until(page, "document.getElementById('words').textContent.includes('node 3')")
    assert "to get in" in page.locator("#words").inner_text(), "some have waited long"
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    theme = page.evaluate("document.documentElement.dataset.theme")
    page.reload()
    until(page, "Number(document.body.dataset.pictures) > 0")
    assert page.evaluate("document.documentElement.dataset.theme") == theme, "the address has it"
    watched.close()
    assert served.end() == 130


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
    sought(page, 4096)
    until(page, "document.getElementById('play-text').textContent.startsWith('Back to ')")
    page.locator("#lessons").click()
    until(page, "document.querySelectorAll('#drawer li.done').length >= 1")
    watched.close()


def begun(page: Page) -> None:
    """Waits until a page that begins anew can be steered, and shows the steps of its lesson."""
    until(page, "Number(document.body.dataset.pictures) > 0")
    until(page, "!document.getElementById('play').disabled")
    until(page, "document.querySelectorAll('#drawer ol li').length > 0")


def done_to(page: Page, lesson: dict[str, Any]) -> None:
    """Does what a lesson says, step by step, as a lecturer would, until the last step is ticked."""
    play, text = page.locator("#play"), page.locator("#play-text")
    for at, step in enumerate(lesson["try"], 1):
        what = step["until"]["what"]
        if what == "mode":
            page.keyboard.press({"use": "2", "diff": "4"}[step["until"]["is"]])
        elif what == "selected":
            # The last link before the hot node.
            page.keyboard.press("/")
            page.keyboard.type("x- 1,4")
            page.keyboard.press("Enter")
        elif what == "behind":
            play.click()
            until(page, "document.getElementById('play-text').textContent === 'Play'")
            page.keyboard.press("Shift+ArrowRight")
        elif "point" in step:
            # Another network: the page begins anew.
            with page.expect_event("load"):
                page.get_by_role("button", name="do it").click()
            begun(page)
        elif "set" in step:
            page.get_by_role("button", name="do it").click()
        if what in ("cycle", "accepted", "tree", "done", "locked"):
            page.locator("#speed").fill("75")
            if text.inner_text() == "Play":
                play.click()
        until(page, f"document.querySelectorAll('#drawer li.done').length >= {at}")


def test_every_lesson_is_played_to_its_last_step(browser: Browser, served: Served) -> None:
    """What it says is reached: with the last step all are ticked."""
    tomllib = importlib.import_module("tomllib")
    text = (ROOT / "crates/live/lessons.toml").read_text(encoding="utf-8")
    page, watched = opened(browser, served.url)
    page.locator("#lessons").click()
    for number, lesson in enumerate(tomllib.loads(text)["lesson"]):
        with page.expect_event("load"):
            page.locator("#drawer .lesson").nth(number).click()
        begun(page)
        assert page.locator("#name").inner_text() == f"{lesson['spec']}.toml"
        done_to(page, lesson)
        if number == 0:
            # 64 cycles after 500 before the circle closed.
            assert page.locator("#cycle").input_value() not in ("0", "64")
        if lesson["spec"] == "11-all-reduce":
            until(page, "document.getElementById('play-text').textContent === 'Play'")
            assert "completed at 11,113" in page.locator("#maps").inner_text()
            assert "twisted torus 4 " in page.locator("#summary").inner_text()
            assert page.locator("#cycle").input_value() == "11,113"
            # Behind the end there is nothing.
            page.keyboard.press("g")
            page.keyboard.type("20000")
            page.keyboard.press("Enter")
            page.wait_for_timeout(300)
            assert page.locator("#cycle").input_value() == "11,113"
        page.get_by_role("button", name="All lessons").click()
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
        if path.is_file() and path.name != "view.html" and path.suffix != ".ts"
    ]
    weight = 0
    for file in [*files, "report-live.js", "report-live.css"]:
        request = urllib.request.Request(here + file, headers={"Cookie": cookie})
        if file == "index.html":
            request = urllib.request.Request(served.url)
        with urllib.request.urlopen(request) as answer:
            weight += len(gzip.compress(answer.read()))
    assert weight < 300_000


def closed(page: Page) -> None:
    page.get_by_role("button", name="Close").click()


def variants(page: Page, count: int) -> None:
    until(page, f"document.querySelectorAll('.map').length === {count}")


def replayed(tailback_command: Path, spec: str, tmp_path: Path) -> str:
    saved = tmp_path / "saved.toml"
    saved.write_text(spec, encoding="utf-8")
    ran = subprocess.run(
        [tailback_command, "run", saved, "--json"], check=True, capture_output=True, text=True
    )
    digest = json.loads(ran.stdout.splitlines()[0])["digest"]
    assert isinstance(digest, str)
    return digest


def congested(page: Page) -> None:
    set_load(page, "0.9")
    until(page, "document.getElementById('changes').textContent.includes('0.9')")
    page.keyboard.press("Escape")
    played_to(page, 1500)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_whoever_reads_the_page_by_its_tree_of_roles_misses_nothing(
    browser: Browser, served: Served, theme: str
) -> None:
    page, watched = opened(browser, served.url, more=f"#theme={theme}")
    axe = Axe()

    def found() -> list[str]:
        return [
            f"{violation['id']}: {node['html']}"
            for violation in axe.run(page).response["violations"]
            for node in violation["nodes"]
        ]

    assert found() == [], "at the start"
    congested(page)
    page.keyboard.press("f")
    variants(page, 2)
    page.keyboard.press("/")
    page.keyboard.type("x+ 3,2")
    page.keyboard.press("Enter")
    page.keyboard.press("m")
    assert found() == [], "two variants, a link selected"
    page.locator("#save-spec").click()
    page.locator("#digest").wait_for()
    assert found() == [], "a dialog"
    closed(page)
    page.locator("#lessons").click()
    assert found() == [], "the lessons"
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1024, "height": 768})
    assert found() == [], "tabs"
    watched.close()
    assert served.end() == 130


def test_what_a_router_is_starts_side_by_side_from_cycle_0(
    browser: Browser, served: Served, tmp_path: Path, tailback_command: Path
) -> None:
    page, watched = opened(browser, served.url)
    played_to(page, 640)
    congested(page)
    page.select_option("#side-path", "router.virtual_channels")
    page.locator("#side-value").fill("4")
    page.locator("#side-start").click()
    variants(page, 2)
    assert page.locator("#cycle").input_value() == "0"
    assert "virtual_channels 4" in page.locator(".map[data-variant='1']").inner_text()
    played_to(page, 1500)
    digest = dialog_digest(page)
    spec = page.locator("#spec-text").text_content() or ""
    assert "virtual_channels = 4" in spec
    assert "[[workload.changes]]" in spec
    assert replayed(tailback_command, spec, tmp_path) == digest
    closed(page)
    page.select_option("#side-path", "router.virtual_channels")
    page.locator("#side-value").fill("99")
    page.locator("#side-start").click()
    until(page, "document.getElementById('side-problem').textContent !== ''")
    watched.close()


def test_a_change_is_taken_back(
    browser: Browser, served: Served, tmp_path: Path, tailback_command: Path
) -> None:
    page, watched = opened(browser, served.url)
    played_to(page, 640)
    congested(page)
    page.keyboard.press("Control+z")
    until(page, "!document.getElementById('changes').textContent.includes('0.9')")
    played_to(page, 1500)
    digest = dialog_digest(page)
    spec = page.locator("#spec-text").text_content() or ""
    assert "[[workload.changes]]" not in spec
    assert replayed(tailback_command, spec, tmp_path) == digest
    watched.close()


def test_a_packet_tells_its_story_and_a_flow_is_followed(browser: Browser, served: Served) -> None:
    page, watched = opened(browser, served.url)
    congested(page)
    page.keyboard.press("/")
    page.keyboard.type("3,2")
    page.keyboard.press("Enter")
    packet = page.locator("#waiting .waiters button").first
    packet.wait_for()
    packet.click()
    stops = page.locator("ol.story li")
    stops.first.wait_for()
    assert "source queue" in stops.first.inner_text()
    assert "under way" in page.locator("#story").inner_text()
    page.get_by_role("button", name="follow its flow").click()
    until(page, "document.getElementById('flow').textContent !== ''")
    page.locator("#flow-from").fill("9999")
    page.get_by_role("button", name="Follow", exact=True).click()
    assert page.evaluate("!document.getElementById('flow-form').checkValidity()")
    page.locator("#flow-from").fill("0")
    page.locator("#flow-to").fill("1")
    page.locator("#flow-to").press("Enter")
    page.keyboard.press("Escape")
    played_to(page, 4000)
    until(page, "document.getElementById('flow').textContent.includes('arrived; median')")
    watched.close()


def test_what_was_seen_stays_while_the_play_stands(browser: Browser, served: Served) -> None:
    page, watched = opened(browser, served.url)
    played_to(page, 600)
    links = "store.now[0].links.some((n, i) => i % 4 === 0 && n > 20)"
    used = f"import('./store.js').then(({{ store }}) => {links})"
    until(page, used)
    page.keyboard.press("/")
    page.keyboard.type("x+ 3,2")
    page.keyboard.press("Enter")
    time.sleep(0.5)
    assert page.evaluate(used), "a look in the same cycle knows what the one before saw"
    watched.close()


def test_four_variants_and_no_fifth(browser: Browser, served: Served) -> None:
    page, watched = opened(browser, served.url)
    played_to(page, 500)
    for count in (2, 3, 4):
        page.keyboard.press("f")
        variants(page, count)
    page.keyboard.press("f")
    page.get_by_role("button", name="Keep all four").click()
    variants(page, 4)
    page.get_by_role("button", name="Drop variant C").click()
    variants(page, 3)
    watched.close()


@pytest.mark.parametrize("kind", ["webm", "png"])
def test_a_film_is_kept(browser: Browser, served: Served, kind: str) -> None:
    page, watched = opened(browser, served.url, more=f"#film={kind}")
    page.keyboard.press("Space")
    until(page, "Number(document.body.dataset.pictures) > 12")
    page.keyboard.press("Space")
    page.locator("#save").click()
    with page.expect_download() as kept:
        page.locator("#save-film").click()
    film = Path(kept.value.path()).read_bytes()
    assert kept.value.suggested_filename.endswith(kind)
    if kind == "webm":
        assert film.startswith(b"\x1a\x45\xdf\xa3")
    else:
        assert film.startswith(b"\x89PNG")
        assert film.count(b"fcTL") > 10
    assert len(film) > 5000
    watched.close()


def test_pictures_and_a_page_without_a_server(
    browser: Browser, served: Served, tmp_path: Path
) -> None:
    page, watched = opened(browser, served.url)
    congested(page)
    page.keyboard.press("f")
    variants(page, 2)
    page.keyboard.press("Space")
    until(page, "Number(document.body.dataset.pictures) > 30")
    page.keyboard.press("Space")
    page.locator("#save").click()
    kept = {}
    for kind in ("png", "svg", "page"):
        with page.expect_download() as download:
            page.locator(f"#save-{kind}").click()
        kept[kind] = Path(download.value.path()).read_bytes()
    assert kept["png"].startswith(b"\x89PNG")
    assert kept["svg"].count(b"<polyline") >= 256
    watched.close()
    assert served.end() == 130
    alone = tmp_path / "alone.html"
    alone.write_bytes(kept["page"])
    saved = browser.new_page(viewport={"width": 1440, "height": 900})
    complaints: list[str] = []
    saved.on("console", lambda message: complaints.append(message.text))
    saved.on("pageerror", lambda error: complaints.append(str(error)))
    saved.goto(alone.as_uri())
    variants(saved, 2)
    until(saved, "Number(document.body.dataset.pictures) > 0")
    end = saved.locator("#cycle").input_value()
    saved.keyboard.press("ArrowLeft")
    until(saved, f"document.getElementById('cycle').value !== '{end}'")
    assert "accepted" in saved.locator("#words").inner_text()
    saved.keyboard.press("f")
    until(saved, "document.getElementById('alert').textContent.includes('steers nothing')")
    saved.close()
    assert not [words for words in complaints if not DRIVER.search(words)]


def test_a_page_that_returns_sees_what_was(browser: Browser, served: Served) -> None:
    page, watched = opened(browser, served.url)
    played_to(page, 2000)
    rows = "import('./store.js').then(({ store }) => store.rows[0].length)"
    until(page, f"{rows}.then((count) => count > 10)")
    before = page.evaluate(rows)
    page.keyboard.press("Space")
    page.reload()
    until(page, "Number(document.body.dataset.pictures) > 0")
    assert page.evaluate(rows) >= before
    until(page, "Number(document.getElementById('cycle').value.replace(/,/g, '')) > 2000")
    watched.close()


def test_ten_pages_at_once_and_none_slows_the_play(browser: Browser, served: Served) -> None:
    first, one = opened(browser, served.url)
    others = [opened(browser, served.url) for _ in range(9)]
    first.keyboard.press("Space")
    for page, _ in [(first, one), *others]:
        until(page, "Number(document.getElementById('cycle').value.replace(/,/g, '')) > 100")
    assert all(page.locator("#play").is_disabled() for page, _ in others)
    one.close()
    until(others[0][0], "!document.getElementById('play').disabled")
    for _, watched in others:
        watched.close()


def test_a_browser_that_stands_still_slows_nothing(
    served: Served,
) -> None:
    """Whoever takes pictures and draws none misses some, and is told how many."""
    slow = client(served)
    slow.say(op="hello", versions=[1])
    slow.say(op="run", speed="max")
    seen, dropped, end = 0, 0, time.monotonic() + 60
    while time.monotonic() < end and (seen < 20_000 or dropped == 0):
        message = slow.message()
        if isinstance(message, str):
            seen = max(seen, json.loads(message).get("cycle", 0))
        elif message[2] in (1, 2):
            dropped += int.from_bytes(message[20:24], "little")
            time.sleep(0.4)
            slow.say(op="ack", n=int.from_bytes(message[4:8], "little"))
    assert seen >= 20_000
    assert dropped > 0


def client(served: Served) -> Any:
    sys.path.insert(0, str(ROOT / "tools"))
    return importlib.import_module("bench_live").Client(served.url)


def test_all_that_is_said_is_as_the_schema_has_it(served: Served) -> None:
    schema = json.loads((ROOT / "crates/live/live.schema.json").read_text(encoding="utf-8"))
    validator = importlib.import_module("jsonschema").Draft202012Validator
    validator.check_schema(schema)
    orders, told = (
        validator({**schema, "oneOf": [{"$ref": f"#/$defs/{name}"}]}) for name in ("order", "told")
    )
    one, heard = client(served), []

    def hear() -> Any:
        message = one.message()
        if isinstance(message, str):
            heard.append(json.loads(message))
            told.validate(heard[-1])
            return heard[-1]
        if message[2] in (1, 2):
            one.say(op="ack", n=int.from_bytes(message[4:8], "little"))
        return {}

    def ask(**order: Any) -> Any:
        orders.validate({"id": 1, **order})
        one.say(id=1, **order)
        while True:
            answer = hear()
            if answer.get("id") == 1:
                return answer.get("ok", answer.get("error"))

    ask(op="hello", versions=[1])
    ask(op="strip", links=[0, 4, 8])
    ask(op="set", path="traffic.load", value=0.9, variant=None)
    ask(op="step", cycles=200)
    line = ask(op="strip", links=[0, 4, 8])["variants"][0]["line"]
    assert line["runs"] == [[1, 1, 200]], "the line is seen in every cycle"
    assert len(line["levels"]) == 600
    assert set(line["levels"]) != {"0"}
    ask(op="fork", of=0, set={"admission": "alo"})
    ask(op="select", link=3)
    ask(op="follow", source=3, destination=9)
    one.say(op="close", routers=[9, 1, 2])
    assert ask(op="turn", inside=[1, 0])["code"] == "flat", "it has no tiles"
    ask(op="run", speed="max", until=4000)
    while hear().get("event") != "line":
        pass
    ask(op="event")
    ask(op="pause")
    for order in (
        {"op": "seek", "cycle": 300},
        {"op": "save", "variant": 0},
        {"op": "drop", "variant": 1},
    ):
        ask(**order)
    assert ask(op="story", variant=0, source=1, number=10**9)["code"]
    assert ask(op="set", path="traffic.load", value=-1)["code"] == "range"
    assert ask(op="set", path="run.seed", value=2)["code"] == "fixed"
    ask(op="undo")
    ask(op="beside", of=0, set={"router.virtual_channels": 4})
    ask(op="take")
    ask(op="lesson", number=0)
    seen = {message.get("event") for message in heard}
    assert seen >= {"state", "look", "line", "anew"}


def test_what_differs_makes_the_same_picture(
    browser: Browser, tmp_path: Path, tailback_command: Path
) -> None:
    """Cycle by cycle little differs, and the page gets no more. Who comes then gets the whole."""
    served = Served(tailback_command, tmp_path, "--set", "traffic.load=0.01")
    kinds: list[int] = []

    def got(frame: bytes | str) -> None:
        if isinstance(frame, bytes):
            kinds.append(frame[2])

    page = browser.new_page()
    page.on("websocket", lambda socket: socket.on("framereceived", got))
    page.goto(served.url)
    until(page, "Number(document.body.dataset.pictures) > 0")
    played_to(page, 400)
    kinds.clear()
    for cycle in range(401, 421):
        page.keyboard.press("ArrowRight")
        until(page, f"document.getElementById('cycle').value === '{cycle}'")
    assert kinds.count(2) >= 10, kinds
    seen = """import('./store.js').then(({ store }) => {
      const { cycle, links, routers } = store.now[0];
      return [cycle, ...links.filter((_, at) => at % 4 > 0), ...routers];
    })"""
    late = browser.new_page()
    late.goto(served.url)
    until(late, "Number(document.body.dataset.pictures) > 0")
    assert page.evaluate(seen) == late.evaluate(seen)
    late.close()
    page.close()
    assert served.end() == 130


def test_a_page_that_was_busy_gets_the_last_picture(served: Served) -> None:
    one, other = client(served), client(served)
    one.ask(op="hello", versions=[1])
    other.say(id=1, op="hello", versions=[1])
    one.ask(op="run", speed="max", until=3000)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        told = one.hear()
        if told and told.get("cycle") == 3000 and told.get("event") == "look":
            break
    # The other one has drawn nothing so far. Now it does, and the play stands.
    while time.monotonic() < end:
        message = other.message()
        if not isinstance(message, str) and message[2] in (1, 2):
            if int.from_bytes(message[8:16], "little") == 3000:
                return
            other.say(op="ack", n=int.from_bytes(message[4:8], "little"))
    raise AssertionError("it never saw cycle 3000")


def test_damaged_pictures_are_left_out(browser: Browser, served: Served) -> None:
    page, watched = opened(browser, served.url)
    drawn = page.evaluate(
        """async () => {
          const { binary } = await import("./wire.js");
          const { store } = await import("./store.js");
          const { links, routers } = store.places.counts;
          const bytes = 32 + 4 * links + 2 * routers;
          let state = 1;
          const draw = (below) => {
            state = (Math.imul(state, 1103515245) + 12345) >>> 0;
            return (state >>> 8) % below;
          };
          for (let n = 0; n < CASES; n += 1) {
            const buffer = new ArrayBuffer(
              [0, 31, 32, 44, bytes, bytes - 1, 33, 289, 33 + 2 * routers, draw(9000)][draw(10)]
            );
            const view = new DataView(buffer);
            if (buffer.byteLength >= 32) {
              [0x54, 1, draw(9), draw(5)].forEach((value, at) => view.setUint8(at, value));
              // Changes refer to a picture of the same time.
              if (draw(2)) view.setUint32(28, store.epoch, true);
              view.setUint32(24, draw(3) ? buffer.byteLength - 32 : draw(2 ** 24), true);
              const end = Math.min(buffer.byteLength, 60);
              for (let at = 32; at < end; at += 1) view.setUint8(at, draw(256));
              if (draw(4) === 0) view.setUint8(draw(32), draw(256));
            }
            binary(buffer);
          }
          return store.places.counts.links === links;
        }""".replace("CASES", os.environ.get("TAILBACK_LIVE_CASES", "20000"))
    )
    assert drawn
    page.reload()
    until(page, "Number(document.body.dataset.pictures) > 0")
    watched.close()


def test_a_circle_is_seen_to_close(browser: Browser, served: Served) -> None:
    page, watched = opened(browser, served.url)
    page.locator("#lessons").click()
    with page.expect_event("load"):
        page.locator("#drawer .lesson").first.click()
    until(page, "document.getElementById('name').textContent === '01-deadlock.toml'")
    page.get_by_role("button", name="Close").click()
    sought(page, 4096)
    until(page, "document.getElementById('words').textContent.includes('Deadlock since cycle')")
    since = int(
        re.findall(r"since cycle ([\d,]+)", page.locator("#words").inner_text())[0].replace(",", "")
    )
    page.locator("#play").click()
    start = max(0, since - 500)
    until(page, f"document.getElementById('cycle').value.replace(/,/g, '') === '{start}'")
    assert page.locator("#play-text").inner_text() == "Play"
    played_to(page, since - 1)
    assert page.locator("#play-text").inner_text() == "Play"
    page.keyboard.press("ArrowRight")
    until(page, "document.getElementById('play-text').textContent.startsWith('Back to ')")
    watched.close()


def test_a_ring_is_a_circle(browser: Browser, tmp_path: Path, tailback_command: Path) -> None:
    served = Served(tailback_command, tmp_path, "--set", "topology.radix=[16]")
    page, watched = opened(browser, served.url)
    heights = "Math.max(...store.places.spots.filter((_, i) => i % 2))"
    high = f"import('./store.js').then(({{ store }}) => {heights} > 1)"
    assert not page.evaluate(high)
    page.keyboard.press("l")
    assert page.evaluate(high)
    played_to(page, 500)
    assert page.evaluate(high), "and it stays one"
    page.keyboard.press("l")
    assert not page.evaluate(high)
    watched.close()
    assert served.end() == 130


def test_a_router_far_away_is_a_cell_in_the_colour_of_its_worst_queue(
    browser: Browser, served: Served
) -> None:
    page, watched = opened(browser, served.url)
    set_load(page, "0.45")
    page.keyboard.press("Escape")
    played_to(page, 500)
    unit = "import('./map.js').then(({ toPixel }) => toPixel(1, 0)[0] - toPixel(0, 0)[0])"
    while page.evaluate(unit) >= 5:
        page.keyboard.press("-")
    routers = page.evaluate("""import('./store.js').then(async ({ store }) => {
      const { drawMaps, toPixel } = await import('./map.js');
      drawMaps();
      const { ends, spots, counts } = store.places;
      const { links } = store.now[0];
      const worst = new Array(counts.routers).fill(0);
      for (let i = 0; i < counts.links; i += 1) {
        const level = Math.max(links[4 * i + 2], (links[4 * i + 3] & 3) >= 2 ? 96 : 0);
        worst[ends[3 * i + 1]] = Math.max(worst[ends[3 * i + 1]], level);
      }
      return worst.map((level, router) => {
        const at = toPixel(spots[2 * router], spots[2 * router + 1]);
        const [x, y] = at.map((value) => Math.floor(value * devicePixelRatio));
        return [level >> 4, x, y];
      });
    })""")
    seen = f"""return {routers}.map(([step, x, y]) => {{
      const at = 4 * (y * copy.width + x);
      return [step, data.slice(at, at + 4).join()];
    }});"""
    colours = page.evaluate(pixels("canvas[role=application]", seen))
    steps: dict[int, list[str]] = {}
    for step, colour in colours:
        steps.setdefault(step, []).append(colour)
    ramp = {step: max(of, key=of.count) for step, of in steps.items()}
    assert len(ramp) > 2
    assert len(set(ramp.values())) == len(ramp), "each step has a colour of its own"
    # Marks of roots cover many of so few.
    assert sum(ramp[step] == colour for step, colour in colours) > 32, steps
    watched.close()


def test_small_links_are_seen_through_a_lens(browser: Browser, served: Served) -> None:
    page, watched = opened(browser, served.url)
    played_to(page, 500)
    for _ in range(14):
        page.keyboard.press("-")
    dark = pixels(
        "canvas[role=application]",
        """let dark = 0;
           for (let i = 0; i < data.length; i += 4) {
             dark += data[i + 3] > 200 && data[i] < 60 ? 1 : 0;
           }
           return dark > 300;""",
    )
    assert not page.evaluate(dark)
    box = page.locator("canvas[role=application]").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    until(page, dark)
    page.mouse.move(5, 5)
    until(page, f"!({dark})")
    # The keyboard has it at what is selected.
    page.locator("canvas[role=application]").focus()
    page.keyboard.press("ArrowRight")
    until(page, dark)
    page.keyboard.press("Escape")
    until(page, f"!({dark})")
    watched.close()


def test_whoever_has_chosen_all_colours_sees_the_map(browser: Browser, served: Served) -> None:
    context = browser.new_context(forced_colors="active", viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(served.url)
    until(page, "Number(document.body.dataset.pictures) > 0")
    played_to(page, 600)
    differ = "ramps.forced && C.queue1 !== C.paper && C.queue1 !== C.road0"
    assert page.evaluate(f"import('./colour.js').then(({{ C, ramps }}) => {differ})")
    assert page.evaluate("document.querySelector('canvas.lanes').getContext('webgl2') === null")
    assert Axe().run(page).response["violations"] == []
    context.close()


def test_the_time_panel_is_as_high_as_somebody_wants(browser: Browser, served: Served) -> None:
    page, watched = opened(browser, served.url)
    for _ in range(3):
        page.keyboard.press("f")
    until(page, "document.querySelectorAll('.map').length === 4")
    played_to(page, 300)
    edge = page.get_by_role("separator", name="Height of the time panel")
    strips = page.locator("#strips .strip")

    def height() -> int:
        return int(edge.get_attribute("aria-valuenow") or 0)

    until(page, "document.querySelectorAll('#strips .strip').length === 2")
    own = height()
    edge.focus()
    for _ in range(8):
        page.keyboard.press("ArrowUp")
    assert height() == own + 8 * 16
    until(page, "document.querySelectorAll('#strips .strip').length === 4")
    box = edge.bounding_box()
    assert box
    page.mouse.move(box["x"] + 40, box["y"] + 3)
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] - 27)
    page.mouse.up()
    assert abs(height() - own - 8 * 16 - 30) <= 1
    kept = height()
    page.reload()
    until(page, "Number(document.body.dataset.pictures) > 0")
    until(page, "document.querySelectorAll('#strips .strip').length === 4")
    assert height() == kept, "the address has it"
    edge.focus()
    page.keyboard.press("Home")
    until(page, "document.querySelectorAll('#strips .strip').length === 1")
    page.keyboard.press("End")
    maps = page.locator("#maps").bounding_box()
    assert maps
    assert maps["height"] >= 119
    edge.dblclick()
    assert height() == own
    assert "time=" not in page.url
    assert strips.count() == 2
    assert Axe().run(page).response["violations"] == []
    watched.close()


def test_more_curves_are_chosen(browser: Browser, served: Served) -> None:
    page, watched = opened(browser, served.url)
    set_load(page, "0.9")
    until(page, "document.getElementById('changes').textContent.includes('0.9')")
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    until(page, "document.querySelectorAll('.map').length === 2")
    page.select_option("#kind-admission-1", "self_tuned")
    until(page, "document.getElementById('changes').textContent.includes('self_tuned')")
    page.keyboard.press("Escape")
    played_to(page, 3000)
    names = page.locator("#curves .label b")
    assert names.all_inner_texts() == ["Accepted", "Latency", "In flight", "Standing still"]
    page.get_by_role("button", name="More curves").click()
    for name in ("Full buffers", "Held", "Trees", "Head of line"):
        page.get_by_role("checkbox", name=name).check()
    page.get_by_role("checkbox", name="Latency").uncheck()
    page.keyboard.press("Escape")
    assert not page.locator("#tracks-menu").is_visible()
    chosen = ["Accepted", "In flight", "Standing still", "Full buffers", "Held", "Trees"]
    assert names.all_inner_texts() == [*chosen, "Head of line"]
    page.reload()
    until(page, "Number(document.body.dataset.pictures) > 0")
    assert names.all_inner_texts() == [*chosen, "Head of line"], "the address has them"
    seen = """import('./store.js').then(({ store }) => [0, 1].map((variant) => {
      const rows = store.rows[variant];
      const most = (of) => Math.max(...rows.map((row) => row[of] ?? 0));
      return { rows: rows.length, full: most('full'), held: most('held'),
               trees: most('trees'), behind: most('headOfLine') };
    }))"""
    free, throttled = page.evaluate(seen)
    assert free["rows"] > 10, "the server remembers them"
    assert free["full"] > 10
    assert free["trees"] > 0
    assert 0 < free["behind"] <= 1
    assert free["held"] == 0
    assert throttled["held"] > 0
    watched.close()


def test_tiles_are_turned(browser: Browser, tmp_path: Path, tailback_command: Path) -> None:
    """Which two of four dimensions lie inside: the server places them, and the address keeps it."""
    served = Served(tailback_command, tmp_path, "--set", "topology.radix=[2,3,4,5]")
    page, watched = opened(browser, served.url)
    steps = """import('./store.js').then(({ store }) => [1, 2, 6, 24].map((to) => {
      const { spots } = store.places;
      return [spots[2 * to] - spots[0], spots[2 * to + 1] - spots[1]];
    }))"""
    inside = """import('./store.js').then(({ store }) => {
      const { spots } = store.places;
      return [1, 2, 6, 24].flatMap((to, dimension) =>
        Math.hypot(spots[2 * to] - spots[0], spots[2 * to + 1] - spots[1]) === 1 ? dimension : []
      ).join();
    })"""
    assert page.evaluate(inside) == "0,1", "nothing has stood so far"

    def answered(dimensions: str) -> None:
        """The address has the choice when it is answered, and by then the places are there."""
        until(page, f"location.hash.includes('inside={dimensions.replace(',', '%2C')}')")
        assert page.evaluate(inside) == dimensions
        assert page.input_value("#inside") == dimensions

    page.select_option("#inside", "2,3")
    answered("2,3")
    assert page.evaluate(steps)[2:] == [[1, 0], [0, 1]]
    played_to(page, 600)
    assert page.evaluate(inside) == "2,3"
    # What a page asks for that has missed something.
    page.evaluate("import('./wire.js').then(({ say }) => say('hello', { versions: [1] }))")
    assert page.evaluate(inside) == "2,3", "who asks for the past keeps the choice"
    page.reload()
    until(page, "Number(document.body.dataset.pictures) > 0")
    until(page, "document.getElementById('inside').value === '2,3'")
    answered("2,3")
    # Of two choices in a row the last one holds.
    page.evaluate(
        """() => {
          const pick = document.getElementById("inside");
          for (const choice of ["1,2", "0,1"]) {
            pick.value = choice;
            pick.dispatchEvent(new Event("change"));
          }
        }"""
    )
    answered("0,1")
    set_load(page, "0.9")
    page.keyboard.press("Escape")
    played_to(page, 1500)
    until(page, "import('./store.js').then(({ store }) => store.now[0].cycle === 1500)")
    # The choices before have left a title, too.
    page.evaluate("document.getElementById('turn').title = ''")
    page.locator("#turn").click()
    until(page, "document.getElementById('turn').title.includes('So far')")
    shares = re.findall(r"(\w+) (\d+) %", page.locator("#turn").get_attribute("title") or "")
    assert [name for name, _ in shares] == ["x", "y", "z", "d3"]
    # Shares are shown as whole percents, so two may look alike.
    most = page.input_value("#inside")
    chosen = [int(shares[int(dimension)][1]) for dimension in most.split(",")]
    assert sorted(chosen) == sorted(int(share) for _, share in shares)[2:]
    until(page, f"{inside}.then((now) => now === '{most}')")
    watched.close()
    assert served.end() == 130


def test_four_variants_make_room_for_a_fifth(browser: Browser, served: Served) -> None:
    page, watched = opened(browser, served.url)
    played_to(page, 400)
    until(page, "import('./store.js').then(({ store }) => store.now[0].cycle === 400)")
    for count in range(2, 5):
        page.keyboard.press("f")
        until(page, f"document.querySelectorAll('.map').length === {count}")
    page.keyboard.press("f")
    page.get_by_role("button", name="Drop B").click()
    until(page, "import('./store.js').then(({ store }) => store.variants[3]?.letter === 1)")
    born = page.evaluate("import('./store.js').then(({ store }) => store.variants[3].born)")
    assert born == {"of": 3, "cycle": 400}, "the fork is of D, which was read"
    page.get_by_role("button", name="More curves").click()
    page.get_by_role("button", name="Values as a table").click()
    table = page.locator("#dialog table").first
    assert table.locator("th").first.inner_text() == "cycle"
    assert table.locator("td").first.inner_text() == "32"
    assert Axe().run(page).response["violations"] == []
    page.get_by_role("button", name="Close").click()
    watched.close()


def test_what_is_selected_is_seen_part_by_part(browser: Browser, served: Served) -> None:
    """A link by its channels, a router by its ports; and a number that is `auto` has a switch."""
    page, watched = opened(browser, served.url)
    set_load(page, "0.9")
    page.keyboard.press("Escape")
    played_to(page, 900)
    until(page, "import('./store.js').then(({ store }) => store.said.at(-1)?.cycle === 900)")
    for text in ("x+ 3,2", "x+ 4,3"):
        page.keyboard.press("/")
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        where = f"[{text[3:].replace(',', ', ')}]"
        until(page, f"document.getElementById('selected').textContent.includes('{where}')")
    until(page, "document.querySelectorAll('#channels .lvl').length === 2")
    page.keyboard.press("/")
    page.keyboard.type("4,3")
    page.keyboard.press("Enter")
    until(page, "(document.getElementById('ports')?.ariaLabel ?? '').includes('y+: output')")
    page.keyboard.press("Escape")
    page.select_option("#kind-admission-0", "global_threshold")
    until(page, "document.getElementById('changes').textContent.includes('global_threshold')")
    page.keyboard.press("Escape")
    played_to(page, 1000)
    auto = page.locator("#set-admission-threshold_buffers-0-auto")
    until(page, "document.getElementById('set-admission-threshold_buffers-0-auto') !== null")
    assert auto.is_checked()
    auto.uncheck()
    number = page.locator("#set-admission-threshold_buffers-0")
    number.fill("7")
    number.press("Enter")
    until(page, "document.getElementById('changes').textContent.includes('threshold_buffers 7')")
    page.keyboard.press("Escape")
    played_to(page, 1100)
    until(page, "!document.getElementById('set-admission-threshold_buffers-0-auto').checked")
    watched.close()


def test_a_link_that_waits_shows_what_it_waits_for(browser: Browser, served: Served) -> None:
    page, watched = opened(browser, served.url)
    set_load(page, "0.9")
    page.keyboard.press("Escape")
    played_to(page, 900)
    until(page, "import('./store.js').then(({ store }) => store.said.at(-1)?.cycle === 900)")
    # A branch with others before it.
    ends = page.evaluate(
        """Promise.all([import('./store.js'), import('./map.js')]).then((both) => {
          const [{ store }, { select }] = both;
          const { trees, roots } = store.now[0];
          const rank = 1 + roots.findIndex((root) => root.depth > 2);
          const root = roots[rank - 1];
          const branches = [...trees.keys()].filter((link) => trees[link] === rank);
          select({ link: branches.find((link) => store.places.ends[3 * link] !== root.router) });
          return [root.router, root.port];
        })"""
    )
    # The root is drawn at once; what lies between comes with the next words of the server.
    told = "store.words.find((w) => w.variant === 0).chain"
    until(page, f"import('./store.js').then(({{ store }}) => {told}.length > 0)")
    chain = page.evaluate(f"import('./store.js').then(({{ store }}) => {told})")
    assert chain[-1] == ends, "the root is the last one"
    until(page, f"document.querySelectorAll('#chain .lane').length === {len(chain)}")
    page.locator("#chain .lane").last.click()
    until(page, "document.getElementById('chain-words').textContent.startsWith('The root of tree')")
    watched.close()


def test_the_slider_of_the_load_has_the_bound(
    browser: Browser, tmp_path: Path, tailback_command: Path
) -> None:
    served = Served(tailback_command, tmp_path, "--set", "topology.radix=[16,4]")
    page, watched = opened(browser, served.url)
    checked = subprocess.run(
        [tailback_command, "check", tmp_path / "play.toml", "--set", "topology.radix=[16,4]"],
        check=True,
        capture_output=True,
        text=True,
    )
    bound = re.findall(r"channel-load bound +([\d.]+)", checked.stdout)[0]
    label = page.locator(".field .bound").get_attribute("aria-label") or ""
    assert f"{float(bound):.3f}" in label
    watched.close()
    assert served.end() == 130


def test_long_rows_are_matrices(browser: Browser, tmp_path: Path, tailback_command: Path) -> None:
    more = [
        "--set",
        "router.virtual_channels=4",
        "--set",
        'topology={kind="hyperx",sides=[14,2]}',
    ]
    served = Served(tailback_command, tmp_path, *more)
    page, watched = opened(browser, served.url)
    cell = """import('./store.js').then(({ store }) => {
      const { ends, spots, curves, pieceOf } = store.places;
      return Array.from({ length: store.places.counts.links }, (_, link) => link).every((link) => {
        const [from, to] = ends.subarray(3 * link, 3 * link + 2);
        const piece = curves.subarray(12 * pieceOf[link], 12 * pieceOf[link] + 12);
        const middle = (piece[0] + piece[2]) / 2;
        // Of the second dimension alone the matrices stand below.
        const lowest = Math.min(...spots.filter((_, i) => i % 2));
        if (Math.abs(from - to) === 14) return piece[1] < lowest;
        return middle === spots[2 * to] && piece[1] === spots[2 * from + 1];
      });
    })"""
    assert page.evaluate(cell)
    watched.close()
    assert served.end() == 130


@pytest.mark.parametrize(
    ("topology", "words"),
    [
        ("topology.twist=[[0,4],[0,0]]", "a torus with a twist is not one"),
        (
            'topology={kind="dragonfly",routers_per_group=4,global_links=2,nodes_per_router=2}',
            "has none",
        ),
    ],
)
def test_why_nothing_throttles(
    browser: Browser, tmp_path: Path, tailback_command: Path, topology: str, words: str
) -> None:
    more = ["--set", "router.virtual_channels=6", "--set", topology]
    served = Served(tailback_command, tmp_path, *more)
    page, watched = opened(browser, served.url)
    assert words in page.locator("#admission").inner_text()
    watched.close()
    assert served.end() == 130


WIDE_TREE = """
topology = { kind = "fat_tree", arity = 8, levels = 3 }
router = { virtual_channels = 2, buffer_flits = 32 }
routing = "up_down"
traffic = { load = 0.7, size = { kind = "fixed", flits = 8 } }
"""


def test_links_between_pods_are_bundled_until_somebody_zooms_in(
    browser: Browser, tmp_path: Path, tailback_command: Path
) -> None:
    served = Served(tailback_command, tmp_path, spec=WIDE_TREE)
    page, watched = opened(browser, served.url)
    played_to(page, 400)
    until(page, "import('./store.js').then(({ store }) => store.now[0].cycle === 400)")
    told = """import('./store.js').then(async ({ store }) => {
      const { bundles, lanes } = await import('./bundle.js');
      const { counts, open } = store.places;
      const picture = store.now[0];
      const fits = bundles().every((links, at) => {
        const [use, full] = lanes(picture).subarray(4 * (counts.links + at));
        const mean = links.reduce((sum, link) => sum + picture.links[4 * link], 0) / links.length;
        const worst = Math.max(...links.map((link) => picture.links[4 * link + 1]));
        return use === Math.round(mean) && full === worst;
      });
      return [open, counts.pieces, fits];
    })"""
    # 64 routers a level: 8 pods of 8 leaves, and 8 groups at the top, over a router of each pod.
    assert page.evaluate(told) == [False, 2 * 512 + 2 * 64, True]
    canvas = page.locator("canvas[role=application]")
    box = canvas.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for _ in range(4):
        page.keyboard.press("+")
    until(page, "import('./store.js').then(({ store }) => store.places.open)")
    assert page.evaluate(told) == [True, 4 * 512, True]
    page.keyboard.press("0")
    until(page, "import('./store.js').then(({ store }) => !store.places.open)")
    watched.close()
    assert served.end() == 130


@pytest.mark.parametrize("draw", ["gl", "2d"])
def test_what_is_seen_closely(browser: Browser, served: Served, draw: str) -> None:
    """From 40 pixels a link on: strands, packets, ports; each packet is where its story has it."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    kinds: list[int] = []

    def got(frame: bytes | str) -> None:
        if isinstance(frame, bytes):
            kinds.append(frame[2])

    page.on("websocket", lambda socket: socket.on("framereceived", got))
    page.goto(f"{served.url}#draw={draw}")
    until(page, "Number(document.body.dataset.pictures) > 0")
    set_load(page, "0.9")
    page.keyboard.press("Escape")
    played_to(page, 900)
    until(page, "import('./store.js').then(({ store }) => store.now[0].cycle === 900)")
    known = "import('./store.js').then(({ store }) => store.now[0].close?.known.size ?? 0)"
    until(page, f"{known}.then((size) => size === 64)")
    levels = """import('./store.js').then(({ store }) => {
      const { links, close } = store.now[0];
      const { flits } = store.variants[0].scale;
      let [same, seen] = [0, 0];
      for (const [link, dots] of close.behind) {
        const waiting = [0, 0];
        for (const dot of dots) if ((dot.signs & 10) === 2) waiting[dot.channel] += dot.flits;
        seen += dots.length;
        same += Math.abs(Math.max(...waiting) / flits - links[4 * link + 1] / 255) < 0.01;
      }
      return [same === close.behind.size, seen];
    })"""
    same, seen = page.evaluate(levels)
    assert same, "strands are as full as the fullest of their lane"
    assert seen > 100
    at = page.evaluate("""import('./map.js').then(({ aDot }) => aDot())""")
    box = page.locator("canvas[role=application]").bounding_box()
    assert box
    page.mouse.move(box["x"] + at["x"], box["y"] + at["y"])
    words = f"packet {at['number']:,} of node {at['source']} to node"
    until(page, f"document.getElementById('readout').textContent.startsWith('{words}')")
    page.mouse.click(box["x"] + at["x"], box["y"] + at["y"])
    until(page, "document.querySelectorAll('#selected ol.story li').length > 0")
    # Whoever sees the whole is told of no packets.
    for _ in range(8):
        page.keyboard.press("-")
    page.keyboard.press("Escape")
    until(page, "import('./store.js').then(({ store }) => store.now[0].close === undefined)")
    kinds.clear()
    page.keyboard.press("ArrowRight")
    until(page, "document.getElementById('cycle').value === '901'")
    assert 7 not in kinds
    page.close()


def test_how_long_the_first_picture_takes(
    browser: Browser, tmp_path: Path, tailback_command: Path
) -> None:
    """Two seconds from the command are meant. It is printed: other tests run beside it."""
    first = (ROOT / "examples/first.toml").read_text(encoding="utf-8")
    served = Served(tailback_command, tmp_path, spec=first)
    page, watched = opened(browser, served.url)
    mark = "performance.timeOrigin + performance.getEntriesByName('first-picture')[0].startTime"
    there, alone = (page.evaluate(what) for what in (mark, f"{mark} - performance.timeOrigin"))
    took = there / 1000 - served.started
    print(f"first picture {took:.2f} s after the command, {alone:.0f} ms after the page began")
    watched.close()
    assert served.end() == 130


def test_a_map_of_32_by_32_is_drawn_in_time(
    browser: Browser, tmp_path: Path, tailback_command: Path
) -> None:
    served = Served(tailback_command, tmp_path, "--set", "topology.radix=[32,32]")
    page, watched = opened(browser, served.url)
    played_to(page, 300)
    drawn = """async () => {
      const { drawMaps } = await import("./map.js");
      const lanes = document.querySelector("canvas.lanes");
      const times = [];
      for (let n = 0; n < 60; n += 1) {
        const start = performance.now();
        drawMaps();
        const gl = lanes.getContext("webgl2");
        if (gl) gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
        times.push(performance.now() - start);
      }
      return times.sort((a, b) => a - b)[6];
    }"""
    # 15 ms where nothing else runs; here other tests do, so a later round may be the quiet one.
    times: list[float] = []
    while not times or (times[-1] >= 33 and len(times) < 20):
        times.append(page.evaluate(drawn))
    assert times[-1] < 33, times
    watched.close()
    assert served.end() == 130


def test_the_types_of_the_page_fit() -> None:
    """Plain modules with checked types: TypeScript looks at them, if npm can bring it."""
    home = ROOT / "target/typescript"
    compiler = home / "node_modules/.bin/tsc"
    if not compiler.exists():
        npm = shutil.which("npm")
        quick = ["--silent", "--fetch-retries=0", "--fetch-timeout=20000"]
        command = [str(npm), "install", *quick, "--prefix", str(home), "typescript@5.9.3"]
        if npm is None or subprocess.run(command, capture_output=True).returncode != 0:
            pytest.skip("npm brings no TypeScript here")
    options = "--noEmit --allowJs --checkJs --strict --target es2023 --module nodenext"
    more = "--moduleResolution nodenext --lib es2023,dom,dom.iterable --skipLibCheck"
    page = "crates/live/page"
    files = [f"{page}/{name}.js" for name in ("main", "view", "replay")]
    checked = subprocess.run(
        [compiler, *options.split(), *more.split(), *files],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    ours = [
        line
        for line in checked.stdout.splitlines()
        if line.startswith(page) and "/vendor/" not in line
    ]
    assert ours == []
