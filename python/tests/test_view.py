"""`tailback view` in a real browser: browsed, filtered, compared, linked; and attacked."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from test_live import Watched, browser, until

__all__ = ["browser"]

SPEC = """
name = "<img src=x onerror=alert(1)>"
topology = { kind = "torus", radix = [4, 4] }
router = { virtual_channels = 2, buffer_flits = 8 }
traffic = { pattern = "uniform", size = { kind = "fixed", flits = 4 } }
workload = { warmup_cycles = 100, measure_cycles = 600, drain_cycles = 2000 }
probes = { load_map_every_cycles = 100, anatomy_every_cycles = 100 }
[sweep]
"traffic.load" = [0.1, 0.3, 0.8]
admission = ["off", "alo"]
"""


class Shown:
    """A server over folders of results."""

    def __init__(self, tailback: Path, *folders: Path) -> None:
        self.process = subprocess.Popen(
            [tailback, "view", *folders, "--no-open", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        words = self.process.stdout.readline().split()
        assert words[:2] == ["listening", "on"]
        self.url = words[2]
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?key=[0-9a-f]{32}", self.url)
        self.here, self.key = self.url.split("?key=")

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=10)

    def get(self, path: str, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
        request = urllib.request.Request(self.here + path, headers=headers or {})
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory, tailback_command: Path) -> Path:
    """Two folders of the same sweep, the second with other buffers, in one."""
    folder = tmp_path_factory.mktemp("results")
    spec = folder / "sweep.toml"
    spec.write_text(SPEC, encoding="utf-8")
    for name, flits in [("before", 8), ("after", 16)]:
        buffers = ["--set", f"router.buffer_flits={flits}"]
        subprocess.run(
            [tailback_command, "run", spec, "--out", folder / name, *buffers],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        assert (folder / name / "records.jsonl").is_file()
    return folder


@pytest.fixture
def shown(results: Path, tailback_command: Path) -> Iterator[Shown]:
    shown = Shown(tailback_command, results)
    yield shown
    if shown.process.poll() is None:
        assert shown.end() == 130


def opened(
    browser: Browser, url: str, size: tuple[int, int] = (1440, 900), more: str = ""
) -> tuple[Page, Watched]:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    watched = Watched(page, [], [])
    page.on("console", lambda message: watched.complaints.append(message.text))
    page.on("pageerror", lambda error: watched.complaints.append(str(error)))
    page.on("request", lambda request: watched.asked.append(request.url))
    page.goto(url + more)
    until(page, "document.body.dataset.state === 'live'")
    return page, watched


def rows(page: Page) -> int:
    return page.locator("#table tbody tr").count()


def test_results_are_browsed_filtered_and_linked(browser: Browser, shown: Shown) -> None:
    page, watched = opened(browser, shown.url)
    assert rows(page) == 12
    assert page.locator("#folders .choice").count() == 2
    until(page, "document.querySelector('#figure img')?.naturalWidth > 100")
    page.get_by_label("alo").check()
    until(page, "document.querySelectorAll('#table tbody tr').length === 6")
    page.locator("#folders").get_by_label("before").uncheck()
    until(page, "document.querySelectorAll('#table tbody tr').length === 3")
    page.select_option("#axis-y", "hops_mean")
    until(page, "document.body.dataset.state === 'live'")
    page.get_by_role("button", name="traffic.load").click()
    page.get_by_role("button", name="traffic.load").click()
    first = page.locator("#table tbody tr").first
    assert "0.8" in first.inner_text()
    first.click()
    until(page, "document.querySelector('#point dl.lines') !== null")
    told = page.locator("#point").inner_text()
    assert "admission alo" in told
    assert "traffic.load 0.8" in told
    assert page.locator("#point .sheet img").count() >= 1, "its maps"
    time_shown = page.locator("#point .player output")
    assert time_shown.inner_text() == "cycles 0 to 100"
    page.locator("#point .player").get_by_role("button", name="Play").click()
    until(page, "document.querySelector('#point .player output').textContent !== 'cycles 0 to 100'")
    address = page.url
    other, again = opened(browser, address)
    until(other, "document.querySelector('#point dl.lines') !== null")
    assert rows(other) == 3
    assert "0.8" in other.locator("#table tbody tr").first.inner_text()
    assert other.locator("#axis-y").input_value() == "hops_mean"
    again.close()
    page.go_back()
    until(page, "document.getElementById('point').hidden")
    watched.close()


def test_by_keyboard_alone(browser: Browser, shown: Shown) -> None:
    page, watched = opened(browser, shown.url)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") == "open":
            break
    page.keyboard.press("Enter")
    until(page, "document.querySelector('#point dl.lines') !== null")
    assert page.evaluate("document.activeElement.className") == "title"
    page.keyboard.press("Escape")
    until(page, "document.getElementById('point').hidden")
    page.keyboard.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    until(page, "document.body.dataset.state === 'live'")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark", "the address has it"
    watched.close()


def test_a_figure_is_read_with_a_pointer(browser: Browser, shown: Shown) -> None:
    page, watched = opened(browser, shown.url)
    page.get_by_role("button", name="Explore").click()
    chart = page.locator("#figure .chart svg").first
    chart.scroll_into_view_if_needed()
    chart.hover()
    until(page, "document.querySelector('#figure .tip:not([hidden]) b') !== null")
    page.get_by_role("button", name="Show the picture").click()
    assert page.locator("#figure img").count() == 1
    watched.close()


def test_a_large_folder_is_sorted_whole(
    browser: Browser, results: Path, tmp_path: Path, tailback_command: Path
) -> None:
    line = (results / "before/records.jsonl").read_text(encoding="utf-8").splitlines()[0]
    record = json.loads(line)
    with (tmp_path / "records.jsonl").open("w", encoding="utf-8") as file:
        for number in range(2500):
            more = {"point_id": f"{number:016x}", "traffic.load": number / 4096}
            file.write(json.dumps({**record, **more}) + "\n")
    shown = Shown(tailback_command, tmp_path)
    page, watched = opened(browser, shown.url, more="#sort=traffic.load-")
    assert "2,500 points. The first 2,000 are shown" in page.locator("#summary").inner_text()
    assert page.locator("#table tbody tr td").first.inner_text().startswith("0.6101")
    assert "and 2,300 more values" in page.locator("#filters").inner_text()
    page.get_by_role("button", name="traffic.load").click()
    until(page, "document.querySelector('#table tbody td').textContent.startsWith('0.000')")
    watched.close()
    assert shown.end() == 130


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (390, 844)])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_cut_off(
    browser: Browser, shown: Shown, size: tuple[int, int], theme: str
) -> None:
    page, watched = opened(browser, shown.url, size, f"#theme={theme}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#table tbody tr").first.click()
    until(page, "document.querySelector('#point dl.lines') !== null")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    watched.close()


def test_what_cannot_be_shown_is_told(browser: Browser, shown: Shown) -> None:
    page, watched = opened(browser, shown.url, more="#where=admission%3Dnone")
    assert "admission = none" in page.locator("#refused").inner_text()
    watched.close()


def test_a_sweep_that_grows_is_read_again(
    browser: Browser, results: Path, tmp_path: Path, tailback_command: Path
) -> None:
    folder = tmp_path / "grows"
    folder.mkdir()
    lines = (results / "before/records.jsonl").read_text(encoding="utf-8").splitlines(True)
    (folder / "records.jsonl").write_text("".join(lines[:2]), encoding="utf-8")
    shown = Shown(tailback_command, folder)
    page, watched = opened(browser, shown.url)
    assert rows(page) == 2
    (folder / "records.jsonl").write_text("".join(lines), encoding="utf-8")
    page.keyboard.press("r")
    until(page, "document.querySelectorAll('#table tbody tr').length === 6")
    watched.close()
    start = time.monotonic()
    assert shown.end() == 130
    assert time.monotonic() - start < 2


def test_no_file_outside_is_read(results: Path, tmp_path: Path, tailback_command: Path) -> None:
    folder = tmp_path / "named"
    (folder / "pictures").mkdir(parents=True)
    secret = tmp_path / "secret.toml"
    secret.write_text("secret", encoding="utf-8")
    (folder / "records.jsonl").write_bytes((results / "before/records.jsonl").read_bytes())
    (folder / "spec.toml").write_text("mine", encoding="utf-8")
    (folder / "link.toml").symlink_to(secret)
    (folder / "series").symlink_to(tmp_path)
    (folder / "pictures/x.csv").symlink_to("/etc/passwd")
    shown = Shown(tailback_command, folder)
    key = f"key={shown.key}"
    try:
        assert shown.get(f"data/file?folder=0&name=spec.toml&{key}") == (200, b"mine")
        for name in [
            "link.toml", "../secret.toml", "..%2Fsecret.toml", "%2e%2e%2fsecret.toml",
            "..%252fsecret.toml", "pictures/../../secret.toml", "pictures/..%2f..%2fsecret.toml",
            "/etc/passwd", "%2Fetc%2Fpasswd", "series/secret.toml", "series/secret.csv",
            "pictures/x.csv", "pictures%5cx.csv", "spec.toml%00", "", ".", "pictures", "why.jsonl",
        ]:  # fmt: skip
            code, body = shown.get(f"data/file?folder=0&name={name}&{key}")
            assert code == 404, name
            assert b"secret" not in body, name
            assert b"root" not in body, name
        for query in ["folder=1&name=spec.toml", "folder=-1&name=spec.toml", "name=spec.toml",
                      "folder=0&id=../x", "folder=0&name=%zz"]:  # fmt: skip
            code, _ = shown.get(f"data/file?{query}&{key}")
            assert code in (400, 404), query
        for path in ["data/../../etc/passwd", "..%2f..%2fetc/passwd", "data/", "data/other",
                     "data/point?folder=0&id=..%2f..%2fx", "index.html", "socket"]:  # fmt: skip
            joined = f"{path}{'&' if '?' in path else '?'}{key}"
            code, body = shown.get(joined)
            assert code in (403, 404), path
            assert b"root:" not in body, path
    finally:
        assert shown.end() == 130


def test_nobody_reads_without_the_key(shown: Shown) -> None:
    _, page = shown.get(f"?key={shown.key}")
    assert b"<main>" in page
    port = shown.here.split(":")[2].rstrip("/")
    cookie = {"Cookie": f"tailback-{port}={shown.key}"}
    assert shown.get("view.js", cookie)[0] == 200
    for path in ["", "data/index", "data/file?folder=0&name=spec.toml", "data/index?key=0"]:
        assert shown.get(path)[0] == 403
        assert shown.get(path, cookie)[0] == 403, "the cookie opens files of the page only"
    for headers in [{"Host": "evil.example"}, {"Origin": "http://evil.example"}]:
        assert shown.get(f"data/index?key={shown.key}", headers)[0] == 403


def test_what_is_no_folder_of_results_is_refused(tmp_path: Path, tailback_command: Path) -> None:
    def refused(*folders: Path) -> str:
        done = subprocess.run(
            [tailback_command, "view", *folders, "--no-open"],
            capture_output=True, text=True, check=False, timeout=20,
        )  # fmt: skip
        assert done.returncode == 2
        assert done.stdout == ""
        return done.stderr

    assert "there is no folder" in refused(tmp_path / "none")
    assert "there are no results in" in refused(tmp_path)
    (tmp_path / "records.jsonl").write_text("{}\n", encoding="utf-8")
    assert "records.jsonl" in refused(tmp_path)
