#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The colors of pages, light and dark: texts reach 4.5:1 against what is behind them and marks 3:1, as WCAG AA has it."""

import colorsys
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent / "emitters"
FILES = ["flame/colors.css", "page/chart.css", "page/frame.css", "page/table.css"]
SERIES = [f"c{i}" for i in range(1, 9)]
BACKS = ["page", "panel"]
# Of rows: pointed at, chosen, with a bar.
OVER = ["hover", "active", "bar"]
TEXTS = [("ink", back) for back in BACKS + OVER] + [("soft", back) for back in BACKS + ["hover", "active"]] + [
    ("accent", back) for back in BACKS + ["hover"]] + [
    ("page", "accent"),  # the current page in the navigation
    ("match", "page"), ("match", "panel")]
MARKS = [(mark, back) for mark in SERIES + ["accent", "match", "high", "medium"] for back in BACKS]


def themes():
    """{name: {variable: value}} of the blocks of custom properties."""
    light, dark, chosen = {}, {}, {}  # dark: as the system has it; chosen: the dark theme that a reader has chosen
    of = {":root": light, ':root:not([data-theme="light"])': dark, ':root[data-theme="dark"]': chosen}
    for name in FILES:
        text = (ROOT / name).read_text(encoding="utf-8")
        for selector, block in re.findall(r"(:root[^{}]*)\{([^}]*)\}", text):
            declared = dict(re.findall(r"--([\w-]+):\s*([^;]+);", block))
            of.get(selector.strip(), {}).update(declared)
    differences = set(dark.items()) ^ set(chosen.items())
    assert not differences, f"the two dark themes differ in {sorted(differences)}"
    return {"light": light, "dark": {**light, **dark}}


class Theme:
    def __init__(self, variables):
        self.variables = variables

    def color(self, text):
        """(red, green, blue), 0 to 1."""
        text = text.strip()
        if text.startswith("#"):
            return tuple(int(text[i:i + 2], 16) / 255 for i in (1, 3, 5))
        if found := re.fullmatch(r"var\(--([\w-]+)\)", text):
            return self.named(found[1])
        found = re.fullmatch(r"color-mix\(in srgb, (.+) (\d+)%, (.+)\)", text)
        assert found, text
        part = int(found[2]) / 100
        behind = self.named("page") if found[3] == "transparent" else self.color(found[3])
        return tuple(part * a + (1 - part) * b for a, b in zip(self.color(found[1]), behind))

    def named(self, name):
        return self.color(self.variables[name])

    def percent(self, name):
        return float(self.variables[name].rstrip("%")) / 100

    def frame(self, hue, lightness, saturation=None):
        return colorsys.hls_to_rgb(hue / 360, self.percent(lightness), saturation or self.percent("saturation"))


def luminance(color):
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a, b):
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


class Contrasts(unittest.TestCase):
    def test_texts_and_marks(self):
        for name, variables in themes().items():
            theme = Theme(variables)
            for pairs, least in ((TEXTS, 4.5), (MARKS, 3)):
                for front, back in pairs:
                    with self.subTest(theme=name, front=front, back=back):
                        self.assertGreaterEqual(contrast(theme.named(front), theme.named(back)), least)

    def test_names_on_parts_of_a_whole(self):
        rule = re.search(r"\.shares > span \{.*background: color-mix\(in srgb, var\(--c\) (\d+)%, var\(--page\)\)", (ROOT / "page/chart.css").read_text())
        for name, variables in themes().items():
            theme = Theme(variables)
            for series in SERIES:
                with self.subTest(theme=name, series=series):
                    back = theme.color(f"color-mix(in srgb, var(--{series}) {rule[1]}%, var(--page))")
                    self.assertGreaterEqual(contrast(theme.named("ink"), back), 4.5)

    def test_names_of_frames_and_spans(self):
        for name, variables in themes().items():
            theme = Theme(variables)
            # Those of changes are red or blue, the stronger the larger the change (emitters/flame/chart.js).
            frames = [(hue, lightness, None) for hue in range(0, 360, 5) for lightness in ("lightness", "pale")]
            frames += [(hue, "strong", 0.85) for hue in (4, 212)] + [(hue, "pale", 0.35) for hue in (4, 212)]
            for frame in frames:
                with self.subTest(theme=name, frame=frame):
                    self.assertGreaterEqual(contrast(theme.named("frame-ink"), theme.frame(*frame)), 4.5)

    def test_every_color_is_compared(self):
        compared = {name for pair in TEXTS + MARKS for name in pair} | {"frame-ink", "line"}  # a line carries no meaning
        for variables in themes().values():
            colors = {name for name, value in variables.items() if value.startswith(("#", "color-mix", "var"))}
            self.assertEqual(colors - compared, set())


if __name__ == "__main__":
    unittest.main()
