"""The site in a real browser, from files: search, pictures, links. `make site` has built it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from urllib.parse import unquote

import pytest
from playwright.sync_api import Page, sync_playwright

import tailback
from conftest import ROOT

SITE = ROOT / "target" / "site" / "html"
LINK = re.compile(r'<a [^>]*href="([^"]*)"')
ANCHOR = re.compile(r'(?:id|name)="([^"]*)"')


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    assert SITE.is_dir(), "`make site` builds it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page()
        loaded: list[str] = []
        page.on("request", lambda request: loaded.append(request.url))
        yield page
        assert [url for url in loaded if not url.startswith(("file:", "data:"))] == []
        browser.close()


def test_search_works_without_a_server(page: Page) -> None:
    page.goto(f"{(SITE / 'search.html').as_uri()}?q=datelines")
    page.wait_for_selector("ul.search a >> text=/^Routing$/")
    page.goto(f"{(SITE / 'search.html').as_uri()}?q=xyzzyx")
    page.wait_for_selector("text=did not match any documents")


def test_every_picture_of_the_gallery_is_shown(page: Page) -> None:
    page.goto((SITE / "gallery" / "index.html").as_uri())
    sizes = page.evaluate(
        "[...document.querySelectorAll('.sd-card img')].map(image => image.naturalWidth)"
    )
    assert len(sizes) >= 12
    assert min(sizes) > 100


def test_every_link_leads_somewhere() -> None:
    anchors = {
        path: set(ANCHOR.findall(path.read_text(encoding="utf-8"))) for path in SITE.rglob("*.html")
    }
    wrong = []
    for path in anchors:
        for link in LINK.findall(path.read_text(encoding="utf-8")):
            if re.match(r"[a-z]+:", link):
                continue
            file, _, part = unquote(link).partition("#")
            place = (path.parent / file).resolve() if file else path
            if not place.exists() or (part and part not in anchors.get(place, {part})):
                wrong.append(f"{path.relative_to(SITE)}: {link}")
    assert not wrong


def test_the_reference_has_all_of_the_package() -> None:
    modules = {"build"}
    missing = [
        name
        for name in set(tailback.__all__) - modules
        if not (SITE / "reference" / "generated" / f"tailback.{name}.html").is_file()
    ]
    assert not missing
