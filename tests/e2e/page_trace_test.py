#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""page_trace_test.py PROGRAM: the trace in what `report` writes, in a browser: search, ranges, arrows and keys, and what
a page keeps of a long one. Skipped (77) where there is no Chromium."""

import json
import re
import sys
import unittest

from browser import find
from in_browser import CONTENTS, InPage
from program import ROOT, run

DATA = ROOT / "testdata"


class Trace(InPage):
    def test_the_trace(self):
        self.report(DATA / "pytorch/gpu_training.pt.trace.json.gz")
        self.go("trace")
        run_, browser = self.browser.run, self.browser
        events = json.loads(run(DATA / "pytorch/gpu_training.pt.trace.json.gz", "-c", "events -format json")[1])["tables"]["events"]["rows"]
        search = run_("document.querySelector('.filter').placeholder")
        self.assertIn("Search", search)
        browser.click(".filter")
        for letter in "sgemm":
            browser.press(letter)
        wanted = sum("sgemm" in event["name"].lower() for event in events)
        self.assertGreater(wanted, 0)
        browser.wait(f"document.querySelector('output').textContent === '{wanted} spans'")
        browser.press("Enter")
        browser.wait("document.querySelector('.chosen b')")
        name = run_("document.querySelector('.chosen b').textContent")
        self.assertIn("sgemm", name.lower())
        self.assertIn("span=", run_("location.hash"))
        # The command of the chosen span finds it.
        command = run_("document.querySelector('.chosen code').textContent")
        found = json.loads(run(DATA / "pytorch/gpu_training.pt.trace.json.gz", "-c", command + " -format json")[1])
        self.assertIn(name, [row["name"] for row in found["tables"]["events"]["rows"]])
        # Everything that ran, as a table: the whole trace has every event, and the time of each name.
        run_("document.querySelector('canvas').focus()")
        browser.press("Home")
        browser.press("Enter")
        browser.wait("document.querySelector('.ran .table')")
        run_("{ const filter = document.querySelector('.ran .filter'); filter.value = 'sgemm'; filter.dispatchEvent(new Event('input')); }")
        times = {}
        for event in events:
            if "sgemm" in event["name"].lower() and "GPU" in (event["process"] or ""):
                times[event["name"]] = times.get(event["name"], 0) + round(event["duration_us"] * 1e6)
        rows = run_("[...document.querySelectorAll('.ran tbody tr[data-row]')].map((row) => [...row.cells].map((cell) => cell.dataset.value))")
        shown = {row[0]: round(float(row[3]) * 1e6) for row in rows if row[1].startswith("GPU") and row[0] in times}
        self.assertTrue(shown)
        self.assertEqual(shown, {name: times[name] for name in shown})
        # W zooms to half or so, Home shows all again, and the address keeps it.
        browser.press("w")
        browser.wait("location.hash.includes('from=')")
        browser.press("Home")
        browser.wait("!location.hash.includes('from=')")
        self.assertEqual(browser.problems, [])

    def test_what_ran_in_a_range(self):
        """The sums of the page are those of the events of the CLI, cut to the range."""
        path = DATA / "pytorch/gpu_training.pt.trace.json.gz"
        self.report(path)
        begin, end = 22000.25, 23600.5
        self.go("trace", begin=begin, end=end)
        self.browser.wait("document.querySelector('.ran .table')")
        self.browser.run("{ const filter = document.querySelector('.ran .filter'); filter.value = 'GPU'; filter.dispatchEvent(new Event('input')); }")
        rows = self.browser.run("[...document.querySelectorAll('.ran tbody tr[data-row]')].map((row) => [...row.cells].map((cell) => cell.dataset.value))")
        shown = {row[0]: (int(row[2]), round(float(row[3]) * 1e6)) for row in rows if row[1].startswith("GPU")}
        want = {}
        for event in json.loads(run(path, "-c", "events -format json")[1])["tables"]["events"]["rows"]:
            start, stop = max(event["start_us"], begin), min(event["start_us"] + event["duration_us"], end)
            if "GPU" in (event["process"] or "") and start < stop:
                spans, time = want.get(event["name"], (0, 0))
                want[event["name"]] = (spans + 1, time + round((stop - start) * 1e6))
        self.assertGreater(len(shown), 3)
        self.assertEqual(shown, want)

    def test_the_trace_with_keys_alone(self):
        self.report(DATA / "pytorch/gpu_training.pt.trace.json.gz")
        self.go("trace")
        run_, browser = self.browser.run, self.browser
        chosen = "document.querySelector('.chosen b')?.textContent"
        facts = "document.querySelector('.chosen').textContent"
        browser.press(".")
        browser.wait(chosen)
        first = run_(facts)
        browser.press(".")
        browser.wait(f"{facts} !== {json.dumps(first)}")
        browser.press(",")
        browser.wait(f"{facts} === {json.dumps(first)}")
        browser.press(">")
        browser.wait(f"{facts} !== {json.dumps(first)}")
        browser.press("<")
        picture = "document.querySelector('canvas').toDataURL().length"
        frame = "new Promise((drawn) => requestAnimationFrame(drawn))"  # keys are drawn in the next one
        before = run_(f"{frame}.then(() => {frame}).then(() => {picture})")
        browser.press("o")
        browser.wait(f"{picture} !== {before}")
        browser.press("o")
        browser.wait(f"{picture} === {before}")
        self.assertEqual(browser.problems, [])

    def test_along_arrows(self):
        path = DATA / "pytorch/gpu_training.pt.trace.json.gz"
        self.report(path)
        self.go("trace", search="cudaLaunchKernel")
        run_, browser = self.browser.run, self.browser
        chosen = "document.querySelector('.chosen b')?.textContent"
        run_("document.querySelector('canvas').focus()")
        browser.press("n")
        browser.wait(f"{chosen} === 'cudaLaunchKernel'")
        self.assertIn("leads to", run_("document.querySelector('.chosen').textContent"))
        kernel = run_("document.querySelector('.arrows button').textContent")
        browser.press("j")
        browser.wait(f"{chosen} === {json.dumps(kernel)}")
        self.assertIn("GPU", run_("document.querySelector('.chosen').textContent"))
        browser.press("k")
        browser.wait(f"{chosen} === 'cudaLaunchKernel'")
        browser.click(".arrows button")
        browser.wait(f"{chosen} === {json.dumps(kernel)}")
        self.assertEqual(browser.problems, [])

    def test_a_page_that_would_be_too_large(self):
        events = [{"ph": "X", "cat": "cpu_op", "name": f"op{i % 50}", "pid": 1, "tid": 1, "ts": 10 * i, "dur": 300 if i % 40 == 0 else 1 + i % 7,
                   "args": {"External id": i}} for i in range(4000)]
        path = self.folder / "many.pt.trace.json"
        path.write_text(json.dumps({"schemaVersion": 1, "deviceProperties": [], "traceEvents": events}), encoding="utf-8")
        self.report("-max-size", "100KB", path)
        rows, *left_out = self.browser.run(CONTENTS)["left_out"]
        self.assertEqual(rows, "tables have at most 10 rows")
        kept = int(re.fullmatch(r"the trace has (\d+) of 4000 spans one by one, the longest, and short neighbors as one", left_out[0])[1])
        self.assertGreaterEqual(kept, 100)  # those of 300 us
        self.assertRegex(left_out[1], r"^the page takes .*, more than -max-size 97.7 KiB$")
        self.go("trace")
        self.assertIn(f"4,000 spans, {kept} of them one by one, the longest, short neighbors drawn as one", self.browser.run("document.querySelector('.summary').textContent"))
        # Sums leave out what is drawn together, and the title says how many.
        self.browser.press("Enter")
        self.browser.wait("document.querySelector('.ran .table')")
        together = int(re.search(r"without ([\d,]+) short spans that are drawn together", self.browser.run("document.querySelector('.ran h2').textContent"))[1].replace(",", ""))
        rows = self.browser.run("[...document.querySelectorAll('.ran tbody tr[data-row]')].map((row) => [...row.cells].map((cell) => cell.dataset.value))")
        self.assertEqual(sum(int(row[2]) for row in rows) + together, 4000)
        self.assertEqual(sum(int(row[2]) for row in rows), kept)
        self.assertEqual(self.browser.problems, [])

    def test_spans_that_findings_name_are_kept(self):
        path = DATA / "pytorch/gpu_training.pt.trace.json.gz"
        self.report("-max-size", "200KB", path)
        left_out = self.browser.run(CONTENTS)["left_out"][1]
        found = re.fullmatch(r"the trace has (\d+) of (\d+) spans one by one, (\d+) that findings name and the longest others, and short neighbors as one", left_out)
        self.assertTrue(found, left_out)
        kept, all_, named = (f"{int(number):,}" for number in found.groups())
        self.go("trace")
        self.assertIn(f"{all_} spans, {kept} of them one by one, {named} that findings name and the longest others, short neighbors drawn as one",
                      self.browser.run("document.querySelector('.summary').textContent"))


if __name__ == "__main__":
    if find() is None:
        print("skipped: no Chromium")
        sys.exit(77)
    unittest.main()
