#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""screens_test.py PROGRAM [--update]: what pages look like, against small pictures in tests/golden/page/. A picture
fits if few of its pixels are far from the golden. Skipped (77) where there is no Chromium, or where texts have other
widths than on the machine of the goldens, whose fonts are other ones. --update writes what is seen instead; look at the
pictures before committing them."""

import json
import pathlib
import sys
import tempfile
import unittest

import png
from browser import find
from in_browser import InBrowser
from program import ROOT, run

GOLDEN = ROOT / "tests/golden/page"
UPDATE = "--update" in sys.argv and not sys.argv.remove("--update")
PROFILE = ROOT / "testdata/pytorch/gpu_training.pt.trace.json.gz"
SCALE = 0.25
FAR = 40         # of 255, in any channel
MOST_FAR = 0.03  # of the pixels
SHEET = (794, 1123)  # A4 at 96 dpi
# Of texts in the fonts of pages.
WIDTHS = """(() => {
  const pen = document.createElement('canvas').getContext('2d');
  return ['body', 'code'].map((name) => {
    const style = getComputedStyle(document.querySelector(name));
    pen.font = `${style.fontWeight} 100px ${style.fontFamily}`;
    return Math.round(pen.measureText('Sphinx of black quartz, 0123456789 µs').width);
  });
})()"""


class Screens(InBrowser):
    def open(self, page, theme, media="screen", size=(1280, 800)):
        self.browser.resize(*size)
        self.browser.theme(theme, media)
        out = self.folder / "page.html"
        status, _, err = run("report", out, PROFILE)
        self.assertEqual(status, 0, err)
        self.load(out.as_uri() + "#/" + page)
        self.browser.wait("document.getElementById('main').dataset.at === location.hash")
        self.browser.run("document.fonts.ready.then(() => 0)")
        self.assertEqual(self.browser.problems, [])
        self.check_fonts()

    def check_fonts(self):
        path, widths = GOLDEN / "widths.json", self.browser.run(WIDTHS)
        if UPDATE:
            path.write_text(json.dumps(widths) + "\n")
        wanted = json.loads(path.read_text())
        if widths != wanted:
            self.skipTest(f"other fonts than those of the goldens: texts are {widths} wide, not {wanted}")

    def drawn(self, size):
        """The picture once it stays the same."""
        before = None
        for _ in range(50):
            data = self.browser.screen(*size, SCALE)
            if data == before:
                return data
            before = data
            self.browser.run("new Promise((done) => setTimeout(() => requestAnimationFrame(done), 200)).then(() => 0)")
        raise TimeoutError("the page does not come to rest")

    def compare(self, name, size=(1280, 800)):
        data = self.drawn(size)
        path = GOLDEN / (name + ".png")
        if UPDATE:
            path.write_bytes(data)
        width, height, seen = png.read(data)
        wanted_width, wanted_height, wanted = png.read(path.read_bytes())
        self.assertEqual((width, height), (wanted_width, wanted_height))
        far = sum(max(abs(a - b) for a, b in zip(*pair)) > FAR for rows in zip(seen, wanted) for pair in zip(*rows))
        if far > MOST_FAR * width * height:
            seen_at = pathlib.Path(tempfile.gettempdir()) / (name + ".seen.png")
            seen_at.write_bytes(data)
            self.fail(f"{seen_at} is another picture than {path}: {far} pixels are far")

    def test_overview(self):
        for theme in ("light", "dark"):
            self.open("", theme)
            self.compare("overview_" + theme)

    def test_trace(self):
        for theme in ("light", "dark"):
            self.open("trace?from=20200&to=25400", theme)
            self.compare("trace_" + theme)

    def test_paper(self):
        """Light whatever the screen is, with the steps on the first sheet."""
        self.open("", "dark", "print", SHEET)
        self.compare("paper", SHEET)
        box = self.browser.run("(() => { const b = [...document.querySelectorAll('figure')].find((one) => one.textContent.includes('step'))"
                               ".getBoundingClientRect(); return [b.top, b.bottom, b.width]; })()")
        self.assertLess(box[1], SHEET[1])
        self.assertGreater(box[2], SHEET[0] / 2)
        self.assertEqual(self.browser.run("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")

    @unittest.skipIf(UPDATE, "it compares another picture")
    def test_a_golden_finds_differences(self):
        self.open("", "light")
        self.compare("overview_light")
        self.browser.run("document.querySelector('figure').remove()")
        with self.assertRaises(AssertionError):
            self.compare("overview_light")
        (pathlib.Path(tempfile.gettempdir()) / "overview_light.seen.png").unlink()


if __name__ == "__main__":
    if find() is None:
        print("skipped: no Chromium")
        sys.exit(77)
    result = unittest.main(exit=False).result
    sys.exit(1 if not result.wasSuccessful() else 77 if result.skipped and not UPDATE else 0)
