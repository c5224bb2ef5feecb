#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""page.py PROGRAM TRACE: the pages of a large trace in Chromium. `report`: how long it takes, its size, when two of its
pages are drawn, and how many frames a second zooming has. `serve`: how long the page and the first part of the trace
take, and those that a picture requests when it is zoomed; and the frames.

    ./dev build
    build/release/tfprof_generate xspace large.xplane.pb --nodes 100000 --steps 100   # 10 M events
    python3 bench/page.py build/release/tfprof large.xplane.pb
    python3 bench/page.py --only report --max-size 20MB build/release/tfprof large.xplane.pb
"""

import argparse
import http.client
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/e2e"))
from block import header_of  # noqa: E402
from browser import Browser  # noqa: E402

ZOOMS = 200  # windows that are requested
PIXELS, ROWS = 1000, 40  # of the trace in a window of 1280 by 800
SECONDS = 3  # of zooming

# When a page is drawn: two frames after its content is there, ms after the navigation began.
DRAWN = """new MutationObserver((_, observer) => {
  if (!document.querySelector('#main[data-at] h1')) return;
  observer.disconnect();
  requestAnimationFrame(() => requestAnimationFrame((now) => { window.drawnAt = now; }));
}).observe(document, {childList: true, subtree: true, attributes: true})"""
# Zooms in and out with keys; resolves to the frames a second and the longest frame in ms.
ZOOMING = """new Promise((done) => {
  const canvas = document.querySelector('canvas.trace'), begin = performance.now();
  let before = begin, frames = 0, longest = 0;
  const step = (now) => {
    longest = Math.max(longest, now - before);
    before = now;
    frames += 1;
    const seconds = (now - begin) / 1000;
    if (seconds > %d) return done([frames / seconds, longest]);
    const key = Math.floor(seconds * 2) %% 2 ? 's' : 'w';
    canvas.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})""" % SECONDS


def report(program, trace, most, folder):
    page = folder / "page.html"
    begin = time.monotonic()
    done = subprocess.run([program, "report", page, "-max-size", most, trace], check=True, stderr=subprocess.PIPE, text=True)
    print(f"report: {time.monotonic() - begin:.1f} s, {page.stat().st_size / 1e6:.1f} MB: {done.stderr.strip().splitlines()[-1].split('page.html: ', 1)[-1]}")
    with Browser() as browser:
        browser.call("Page.addScriptToEvaluateOnNewDocument", source=DRAWN)
        for place in ("", "trace"):
            browser.open(page.as_uri() + "#/" + place)
            browser.wait("window.drawnAt", 120)
            print(f"report #/{place}: drawn after {browser.run('window.drawnAt'):.0f} ms")
        frames, longest = browser.run(ZOOMING)
        print(f"report #/trace: {frames:.0f} frames a second while zooming, the longest frame {longest:.0f} ms")


def serve(program, trace):
    process = subprocess.Popen([program, "serve", trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        measure(process.stdout.readline().strip())
    finally:
        process.terminate()
        process.wait(20)


def measure(address):
    split = urllib.parse.urlsplit(address)
    connection = http.client.HTTPConnection(split.hostname, split.port, timeout=600)

    def ask(path):
        begin = time.monotonic()
        connection.request("GET", split.path + path)
        body = connection.getresponse().read()
        return 1000 * (time.monotonic() - begin), body

    print(f"serve: page {ask('0/')[0]:.0f} ms with loading")
    took, whole = ask("0/trace")
    header = header_of(whole)
    print(f"serve: {header['ready']} of {len(header['tracks'])} tracks: {took:.0f} ms")
    while header["ready"] < len(header["tracks"]):
        more, whole = ask("0/trace")
        header, took = header_of(whole), took + more
    print(f"serve: all of {header['spans']['all']:,} spans in {len(header['rows']):,} rows, in few pieces: {took:.0f} ms, {len(whole) / 1e6:.1f} MB")
    rng, times, sizes = random.Random(1), [], []
    length = header["to"] - header["from"]
    for _ in range(ZOOMS):
        part = int(length / 2 ** rng.uniform(1, 16))
        begin = header["from"] + rng.randrange(length - part)
        first = rng.randrange(max(1, len(header["rows"]) - ROWS))
        # Half a screen more on the left and the right, a quarter above and below: as emitters/page/trace/model.js requests it.
        took, body = ask(f"0/trace?from={max(0, begin - part // 2)}&to={begin + part + part // 2}&min={part // PIXELS}"
                         f"&first={max(0, first - ROWS // 4)}&rows={ROWS + ROWS // 2}")
        times.append(took)
        sizes.append(len(body))
    times.sort()
    print(f"serve: {ZOOMS} zooms, median {statistics.median(times):.1f} ms, 95% below {times[int(0.95 * ZOOMS)]:.1f} ms, "
          f"longest {times[-1]:.1f} ms, {statistics.median(sizes) / 1e3:.0f} kB")
    with Browser() as browser:
        browser.open(address + "0/#/trace")
        browser.wait("document.querySelector('canvas.trace')", 120)
        frames, longest = browser.run(ZOOMING)
        print(f"serve #/trace: {frames:.0f} frames a second while zooming, the longest frame {longest:.0f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("trace", type=pathlib.Path)
    parser.add_argument("--max-size", default="200MB", help="of the page")
    parser.add_argument("--only", choices=["report", "serve"])
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if args.only != "serve":
            report(args.program.resolve(), args.trace, args.max_size, pathlib.Path(folder))
        if args.only != "report":
            serve(args.program.resolve(), args.trace)


if __name__ == "__main__":
    main()
