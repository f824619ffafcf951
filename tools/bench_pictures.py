#!/usr/bin/env python3
"""Measures how many pictures a second a browser draws of a play, at several speeds.

    tools/bench_pictures.py TAILBACK [SPEC] [--set PATH=VALUE ...] [--slider AT ...] [--seconds S] [--graphics vulkan]

For each place of the page's speed slider (0 to 100, as fast as it goes) the play runs for so many seconds in a headless Chromium. Its software
renderer draws, or, with `--graphics`, a graphics card through Vulkan or OpenGL. Printed are pictures a second, cycles a second, how many of 100
pictures were left out as the page was behind, and how long a picture takes to draw: the median of 40, each waited for. It is no test: how fast
something is depends on the machine. Needs Playwright for Python (`target/python/bin/python` has it, after `make python`) and a Chromium
(`--chromium`).
"""

import argparse
import os
import shutil
import signal
import subprocess
import time

from playwright.sync_api import sync_playwright

NUMBERS = """() => [
  Number(document.body.dataset.pictures),
  Number(document.getElementById("cycle").value.replace(/,/g, "")),
  Number((document.getElementById("pill-text").textContent.match(/([\\d,]+) dropped/)?.[1] ?? "0").replace(/,/g, "")),
]"""


DRAWN = """async () => {
  const { drawMaps } = await import("./map.js");
  const gl = document.querySelector("canvas.lanes").getContext("webgl2");
  const times = [];
  for (let n = 0; n < 40; n += 1) {
    const start = performance.now();
    drawMaps();
    if (gl) gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    times.push(performance.now() - start);
  }
  const told = gl?.getExtension("WEBGL_debug_renderer_info");
  return [times.sort((a, b) => a - b)[20], told ? gl.getParameter(told.UNMASKED_RENDERER_WEBGL) : "a canvas without WebGL"];
}"""

SOFTWARE = ["--enable-unsafe-swiftshader"]
CARDS = {
    "vulkan": ["--use-angle=vulkan", "--enable-features=Vulkan", "--disable-vulkan-surface", "--ignore-gpu-blocklist"],
    "opengl": ["--use-angle=gl-egl", "--ignore-gpu-blocklist"],
}


def measured(page, slider, seconds):
    """Pictures and cycles a second, and the share of pictures that were left out, at a place of the slider."""
    page.evaluate("([at]) => { const e = document.getElementById('speed'); e.value = at; e.dispatchEvent(new Event('input')); }", [str(slider)])
    page.locator("#play").click()
    time.sleep(2.5)
    before, start = page.evaluate(NUMBERS), time.monotonic()
    time.sleep(seconds)
    after, took = page.evaluate(NUMBERS), time.monotonic() - start
    page.locator("#play").click()
    pictures, cycles, dropped = (b - a for a, b in zip(before, after, strict=True))
    return pictures / took, cycles / took, dropped / max(1, dropped + pictures)


def main():
    parser = argparse.ArgumentParser(description="pictures a second of a browser")
    parser.add_argument("tailback")
    parser.add_argument("spec", nargs="?", default="examples/first.toml")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--slider", type=int, nargs="+", default=[40, 60, 75, 100])
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--graphics", choices=CARDS, help="draw by a graphics card, through this interface")
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    options = parser.parse_args()
    sets = [f"--set={one}" for one in options.set or ["topology.radix=[32, 32]"]]
    print(f"{os.cpu_count()} cores; {' '.join(sets)}")
    with sync_playwright() as driver:
        flags = CARDS[options.graphics] if options.graphics else SOFTWARE
        browser = driver.chromium.launch(executable_path=options.chromium, args=["--no-sandbox", *flags])
        for slider in options.slider:
            command = [options.tailback, "live", options.spec, *sets, "--no-open", "--port", "0"]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
                page = browser.new_page(viewport={"width": 1440, "height": 900})
                page.goto(server.stdout.readline().split()[2])
                page.wait_for_selector("body[data-pictures]")
                pictures, cycles, dropped = measured(page, slider, options.seconds)
                milliseconds, renderer = page.evaluate(DRAWN)
                rates = f"{pictures:5.1f} pictures/s, {cycles:9,.0f} cycles/s, {100 * dropped:.0f} % left out"
                print(f"slider {slider:3}: {rates}, {milliseconds:.1f} ms a picture, {renderer}", flush=True)
                page.close()
                server.send_signal(signal.SIGINT)
        browser.close()


if __name__ == "__main__":
    main()
