#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""page_test.py PROGRAM: what `report` writes, in a browser: every page without an error, the numbers of JSON,
clicks and keys, names that look like markup. Skipped (77) where there is no Chromium."""

import json
import re
import shlex
import shutil
import sys
import unittest

from browser import find
from in_browser import CONTENTS, InPage
from program import ROOT, run

DATA = ROOT / "testdata"
PROFILES = [
    "tensorflow/convnet/profile.pb", "xspace/gpu_train.xplane.pb", "xspace/input_pipeline.xplane.pb",
    "xspace/allocations.xplane.pb", "pytorch/gpu_training.pt.trace.json.gz", "problems/jax_two_hosts",
    "problems/tf_keras_healthy_python.xplane.pb.gz", "hlo/dumps", "pytorch/gpu_training.snapshot.pickle.gz",
]
# The rows in the document, with the cells of all columns as JSON has them.
ROWS = """[...document.querySelectorAll('.table')].map((section) => {
  const ids = [...section.querySelectorAll('th')].map((head) => head.dataset.id);
  const rows = [...section.querySelectorAll('tbody tr[data-row]')].map((row) =>
      [...row.cells].map((cell) => cell.dataset.value === undefined ? null : cell.dataset.value));
  return [section.dataset.table, ids, rows];
})"""


def written(value):
    """A value of JSON as a cell has it."""
    if value is True or value is False:
        return str(value).lower()
    if isinstance(value, list):
        return "|".join(value)
    return value


def alike(cell, value):
    if value is None or value == [] or cell is None:
        return not value and cell is None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(cell) == float(value)
    return isinstance(value, dict) or cell == written(value) or any(ord(c) < 32 or c == "\ufffd" for c in written(value))


class Pages(InPage):
    def test_every_page_of_every_kind_of_profile(self):
        for path in PROFILES:
            self.report(DATA / path)
            for entry in self.browser.run(CONTENTS)["entries"]:
                with self.subTest(path, page=entry["view"]):
                    self.go(entry["view"])
                    self.assertEqual(self.browser.problems, [])
                    self.assertEqual(self.browser.run("document.querySelector('#main h1').textContent"), entry["view"])
            self.go("")
            self.assertEqual(self.browser.problems, [], path)

    def test_commands_run_in_a_shell_as_they_are_copied(self):
        path = self.folder / "it's {1,2} [new] $HOME #1.pt.trace.json.gz"
        shutil.copy(DATA / "pytorch/gpu_training.pt.trace.json.gz", path)
        self.report(path, "-device", "python3 470")
        for name, command in (("", "summary"), ("events", "events -device 'python3 470'"),
                              ("trace", "timeline trace.json.gz -device 'python3 470'")):
            self.go(name)
            self.assertEqual(self.copied(), [["tfprof", str(path), "-c", command]], name)

    def test_copied_commands_open_the_same(self):
        path = self.folder / "rank3.pt.trace.json.gz"
        shutil.copy(DATA / "pytorch/gpu_training.pt.trace.json.gz", path)
        self.report(path, "--as", "kineto", "--ranks", "0:3,7")
        self.go("events")
        self.assertEqual(self.copied(), [["tfprof", "--as", "kineto", "--ranks", "0:3,7", str(path), "-c", "events"]])
        logs = self.folder / "logs/plugins/profile"
        for name in ("a", "b"):
            (logs / name).mkdir(parents=True)
            shutil.copy(DATA / "xspace/gpu_train.xplane.pb", logs / name / "host.xplane.pb")
        self.report(self.folder / "logs", "--run", "a")
        self.go("kernels")
        self.assertEqual(self.copied(), [["tfprof", "--run", "a", str(self.folder / "logs"), "-c", "kernels"]])

    def copied(self):
        """The words of the commands that the page copies, as a shell reads them."""
        titles = self.browser.run("[...document.querySelectorAll('.copy')].map((button) => button.title)")
        return [shlex.split(title.removeprefix("Copies: ")) for title in titles]

    def test_filters_apply_to_every_page(self):
        path = DATA / "pytorch/gpu_training.pt.trace.json.gz"
        filters = ["-step", "3", "-device", "GPU:0"]
        self.report(path, *filters)
        contents = self.browser.run(CONTENTS)
        self.assertEqual(contents["timeline"], "timeline trace.json.gz -step 3 -device GPU:0")
        filtered = 0
        self.assertEqual(contents["left_out"], ["the page has only what these select: -step 3 -device GPU:0"])
        for entry in contents["entries"]:
            for key in entry["answers"]:
                self.go(entry["view"], show=key)
                command = self.browser.run("document.querySelector('.heading code').textContent")
                notes = self.browser.run("[...document.querySelectorAll('.notes li')].map((note) => note.textContent)")
                unread = re.search(r" ignores( -\w+)+$", "".join(note for note in notes if "covers the whole profile" in note))
                for option, value in zip(filters[::2], filters[1::2]):
                    with self.subTest(key, option=option):
                        has = f"{option} {shlex.quote(value)}" in command
                        self.assertNotEqual(has, bool(unread and option in unread[0]))
                        filtered += has
                self.compare(path, entry["view"], key, command)
        self.assertGreater(filtered, 40)

    def test_numbers_are_those_of_json(self):
        self.browser.resize(1600, 4000)
        self.addCleanup(self.browser.resize, 1280, 800)
        compared = 0
        for path in PROFILES:
            self.report(DATA / path)
            contents = self.browser.run(CONTENTS)
            for entry in contents["entries"]:
                for command in entry["answers"]:
                    compared += self.compare(DATA / path, entry["view"], command, command)
        self.assertGreater(compared, 5000)

    def compare(self, path, view, key, command):
        """Compares the rows in the document with the answer to `command`; returns how many cells."""
        _, out, _ = run(path, "-c", command + " -format json -n 10000")
        tables = json.loads(out)["tables"]
        several = {"show": key, "columns": "all", **{name + ".columns": "all" for name in tables}}
        self.go(view, **several)
        cells = 0
        for name, ids, rows in self.browser.run(ROWS):
            with self.subTest(path.name, command=command, table=name):
                columns = [column["id"] for column in tables[name]["columns"]]
                self.assertEqual(ids, [column for column in columns if column not in ("depth", "parent")])
                for cells_here, row in zip(rows, tables[name]["rows"]):
                    cells += len(ids)
                    for column, cell in zip(ids, cells_here):
                        self.assertTrue(alike(cell, row[column]), (column, cell, row[column]))
        return cells

    def test_texts_are_those_of_the_terminal(self):
        """Numbers of real traces in all units, against the cells of Markdown tables."""
        compared = 0
        for path in PROFILES:
            self.report(DATA / path)
            for entry in self.browser.run(CONTENTS)["entries"]:
                if entry["lacks"] or entry["view"] in ("scope", "graph", "code", "op", "advise"):
                    continue
                command = entry["answers"][0]
                _, out, _ = run(DATA / path, "-c", command + " -format md -n 10000" +
                                (" -fold false" if entry["view"] in ("ls", "op_stats", "launch") else ""))
                cells = {cell.strip().replace("\\|", "|") for line in out.split("\n") if line.startswith("|")
                         for cell in re.split(r"(?<!\\)\|", line)}
                self.go(entry["view"])
                shown = self.browser.run("[...document.querySelectorAll('.table td.right')].map((cell) => cell.textContent)")
                with self.subTest(path, command=command):
                    self.assertEqual(set(shown) - cells, set())
                compared += len(shown)
        self.assertGreater(compared, 3000)

    def test_sorting_filtering_and_back(self):
        self.report(DATA / "tensorflow/convnet/profile.pb")
        run_ = self.browser.run
        self.go("op")
        self.browser.click("th[data-id=name] button")
        self.assertEqual(run_("document.querySelector('th[data-id=name]').ariaSort"), "ascending")
        names = run_("[...document.querySelectorAll('tbody tr[data-row]')].map((row) => row.cells[0].textContent)")
        self.assertEqual(names, sorted(names))
        self.assertIn("sort=name", run_("location.hash"))
        self.browser.press("/")
        for letter in "/^conv2d/":
            self.browser.press(letter)
        self.browser.wait("document.querySelector('.count').textContent.includes(' of ')")
        names = run_("[...document.querySelectorAll('tbody tr[data-row]')].map((row) => row.cells[0].textContent)")
        self.assertEqual(names, ["Conv2D", "Conv2DBackpropFilter", "Conv2DBackpropInput"])
        self.assertIn("filter=%2F%5Econv2d%2F", run_("location.hash"))
        self.browser.press("Escape")
        self.browser.press("]")
        self.browser.wait("document.getElementById('main').dataset.page !== 'op'")
        run_("history.back()")
        self.browser.wait("document.getElementById('main').dataset.page === 'op'")
        self.browser.wait("document.querySelector('.filter').value === '/^conv2d/'")
        self.assertEqual(self.browser.problems, [])

    def test_keys_in_a_tree(self):
        self.report(DATA / "tensorflow/convnet/profile.pb")
        self.go("scope")
        run_ = self.browser.run
        run_("document.querySelector('.scroll').focus()")
        self.browser.press("ArrowDown")
        self.browser.press("ArrowLeft")
        self.assertEqual(run_("document.querySelectorAll('tbody tr[data-row]').length"), 1)
        self.browser.press("ArrowRight")
        self.browser.wait("document.querySelectorAll('tbody tr[data-row]').length > 20")
        self.browser.press("Enter")
        self.assertFalse(run_("document.querySelector('.detail').hidden"))

    def test_flame_graphs(self):
        self.report(DATA / "tensorflow/convnet/profile.pb")
        self.go("flame", view="scope")
        run_, browser = self.browser.run, self.browser
        rows = json.loads(run(DATA / "tensorflow/convnet/profile.pb", "-c", "scope -format json -max_depth 1000")[1])["tables"]["scope"]["rows"]
        gradients = next(row for row in rows if row["name"] == "gradients")
        width = "document.querySelector('.frame[data-frame=\"1\"]').getBoundingClientRect().width"
        whole = "document.querySelector('.flame').getBoundingClientRect().width"
        self.assertEqual(run_("document.querySelector('.frame[data-frame=\"1\"]').textContent"), "gradients")
        self.assertAlmostEqual(run_(f"{width} / {whole}"), gradients["inclusive_us"] / rows[0]["inclusive_us"], 2)
        browser.click('.frame[data-frame="1"]')
        self.assertIn("zoom=1", run_("location.hash"))
        self.assertAlmostEqual(run_(f"{width} / {whole}"), 1, 2)
        browser.press("Escape")
        run_("document.querySelector('.flame').focus()")
        browser.press("Escape")
        self.assertNotIn("zoom", run_("location.hash"))
        for root, below in (("top", 1), ("bottom", -1)):
            self.go("flame", view="scope", root=root)
            top = "document.querySelector('.frame[data-frame=\"{}\"]').getBoundingClientRect().top"
            self.assertEqual(run_(f"Math.sign({top.format(1)} - {top.format(0)})"), below)
            run_("document.querySelector('.flame').focus()")
            browser.press("ArrowDown" if root == "top" else "ArrowUp")
            self.assertNotEqual(run_("document.querySelector('.frame.active').dataset.frame"), "0")
        self.assertEqual(browser.problems, [])

    def test_graphs(self):
        run_, browser = self.browser.run, self.browser
        self.report(DATA / "xspace/input_pipeline.xplane.pb")
        self.go("tfdata")
        stages = json.loads(run(DATA / "xspace/input_pipeline.xplane.pb", "-c", "tfdata -format json")[1])["tables"]["stages"]["rows"]
        pipeline = max({row["pipeline"] for row in stages}, key=lambda one: sum(row["time_us"] for row in stages if row["pipeline"] == one))
        wanted = {row["name"]: row["state"] for row in stages if row["pipeline"] == pipeline}
        shown = run_("[...document.querySelectorAll('.node')].map((node) => [node.querySelector('.title').textContent, node.classList.contains('marked')])")
        self.assertEqual({name: marked for name, marked in shown}, {name: state is not None for name, state in wanted.items()})
        edges = sum(len([name for name in row["operands"] if name in wanted]) for row in stages if row["pipeline"] == pipeline)
        self.assertEqual(run_("document.querySelectorAll('.edge').length"), edges)
        browser.click(".node:last-of-type")
        self.assertIn("stages.node=", run_("location.hash"))
        self.report(DATA / "hlo/dumps")
        self.go("hlo")
        self.assertGreater(run_("document.querySelectorAll('.node').length"), 10)
        run_("{ const groups = document.querySelector('.chart select'); groups.selectedIndex = groups.options.length - 1; groups.dispatchEvent(new Event('change')); }")
        self.assertIn("instructions.node=", run_("location.hash"))
        self.assertEqual(browser.problems, [])

    def test_critical_paths(self):
        """The graphs mark the nodes of the answer, and lead along them."""
        run_, browser = self.browser.run, self.browser
        for path, view, name in ((DATA / "xspace/jax_loop.xplane.pb", "hlo", "instruction"), (DATA / "tensorflow/convnet/profile.pb", "graph", "name")):
            self.report(path)
            wanted = [row["name"] for row in json.loads(run(path, "-c", "critical_path -format json")[1])["tables"]["critical_path"]["rows"]]
            self.go("critical_path")
            self.assertEqual([row[0] for row in run_(f"[...document.querySelectorAll('.table tbody tr[data-row]')].map((row) => [row.querySelector('[data-value]').dataset.value])")], wanted)
            self.go(view)
            browser.wait("document.querySelector('.ways button') && document.querySelector('.ways').textContent.includes('path')")
            if not run_("document.querySelector('.node.chosen.critical') !== null"):
                run_("[...document.querySelectorAll('.ways button')].find((one) => one.textContent === 'critical path').click()")
            button = "[...document.querySelectorAll('.ways button')].find((one) => one.textContent === '%s')"
            while run_(button % "‹ path" + " !== undefined"):
                run_(button % "‹ path" + ".click()")
            seen = []
            while True:
                label = run_("document.querySelector('.node.chosen.critical').getAttribute('aria-label')")
                seen.append(label.split(", ")[0])
                self.assertIn(f"path {len(seen)}", label)
                if run_(button % "path ›" + " === undefined"):
                    break
                run_(button % "path ›" + ".click()")
            self.assertEqual(seen, wanted, view)
            self.assertEqual(browser.problems, [])

    def test_roofs(self):
        profile = DATA / "xspace/xla_train.xplane.pb"
        self.report(profile)
        self.go("roofline")
        devices = json.loads(run(profile, "-c", "roofline -format json")[1])["tables"]["devices"]["rows"]
        peaks = {row[peak] for row in devices for peak in ("peak_flops_per_s", "peak_vector_flops_per_s")}
        self.assertEqual(len(peaks), 2)
        self.assertEqual(self.browser.run("document.querySelectorAll('path.roof').length"), len(peaks))
        self.assertEqual(self.browser.problems, [])

    def test_fusions_open(self):
        run_, browser = self.browser.run, self.browser
        self.report(DATA / "xspace/xla_train.xplane.pb")
        rows = json.loads(run(DATA / "xspace/xla_train.xplane.pb", "-c", "hlo -all -format json")[1])["tables"]["instructions"]["rows"]
        fusion = next(row for row in rows if row["opcode"] == "fusion")
        inside = {row["instruction"] for row in rows if row["computation"] == fusion["called"][0]}
        # From what ran to all instructions.
        self.go("hlo", **{"hlo.node": 0})
        self.assertIn("open ", run_("document.querySelector('.ways').textContent"))
        browser.click(".ways a")
        browser.wait("location.hash.includes('named=')")
        self.go("hlo", show="hlo -all", **{"instructions.named": fusion["instruction"]})
        titles = "[...document.querySelectorAll('.node title, .node .title')].map((title) => title.textContent)"
        chosen = "document.querySelector('.node.chosen').getAttribute('aria-label')"
        self.assertTrue(run_(chosen).startswith(fusion["instruction"]))
        browser.click(".node.chosen")
        browser.wait(f"!({chosen}).startsWith({json.dumps(fusion['instruction'])})")
        self.assertEqual(set(run_(titles)), inside)
        browser.press("Backspace")
        browser.wait(f"({chosen}).startsWith({json.dumps(fusion['instruction'])})")
        browser.press("Enter")
        browser.wait(f"!({chosen}).startsWith({json.dumps(fusion['instruction'])})")
        self.assertIn("instructions.program=", self.link_of_a_fusion())
        # Instructions of several programs have one name.
        profile = DATA / "xspace/jax_loop.xplane.pb"
        self.report(profile)
        rows = json.loads(run(profile, "-c", "hlo -all -format json")[1])["tables"]["instructions"]["rows"]
        programs = [row["program"] for row in rows if row["instruction"] == "wrapped_broadcast"]
        self.assertEqual(len(programs), 2)
        for program in programs:
            self.go("hlo", show="hlo -all", **{"instructions.named": "wrapped_broadcast", "instructions.program": program})
            row = int(run_("document.querySelector('.node.chosen').dataset.row"))
            self.assertEqual((rows[row]["instruction"], rows[row]["program"]), ("wrapped_broadcast", program))
        self.assertEqual(browser.problems, [])

    def link_of_a_fusion(self):
        self.go("hlo", **{"hlo.node": 0})
        return self.browser.run("document.querySelector('.ways a').href")

    def test_edges_of_a_tensorflow_graph(self):
        path = DATA / "tensorflow/mnist_softmax/profile.pb"
        self.report(path)
        rows = json.loads(run(path, "-c", "graph -max_depth 1000 -format json")[1])["tables"]["graph"]["rows"]
        inputs = {row["name"]: set(row["operands"]) for row in rows}
        several = next(row["name"] for row in rows if sum(row["name"] in other["operands"] for other in rows) > 2)
        self.go("graph", **{"graph.named": several, "graph.around": 1})
        users = {name for name, operands in inputs.items() if several in operands}
        around = users | inputs[several] | {several}
        edges = sum(len(inputs[name] & around) for name in around)
        self.assertEqual(self.browser.run("document.querySelectorAll('.node').length"), len(around))
        self.assertEqual(self.browser.run("document.querySelectorAll('.edge').length"), edges)

    def test_scopes_of_a_graph(self):
        path = DATA / "tensorflow/convnet/profile.pb"
        self.report(path)
        rows = json.loads(run(path, "-c", "scope -max_depth 1000 -format json")[1])["tables"]["scope"]["rows"]
        inputs = {row["name"]: row["operands"] for row in json.loads(run(path, "-c", "graph -max_depth 1000 -format json")[1])["tables"]["graph"]["rows"]}

        def inside(scope):
            depth = next((row["depth"] for row in rows if row["name"] == scope), 0)
            return {row["name"] for row in rows if row["depth"] == depth + 1 and (not scope or row["name"].startswith(scope + "/"))}

        def edges(scope):
            def part(name):
                return next((one for one in inside(scope) if name == one or name.startswith(one + "/")), None)

            between = {(part(operand), part(name)) for name, operands in inputs.items() for operand in operands}
            return {(a, b) for a, b in between if a and b and a != b}

        run_, browser = self.browser.run, self.browser
        shown = "[...document.querySelectorAll('.node')].map((node) => node.getAttribute('aria-label').split(',')[0])"
        self.go("graph", **{"graph.by": "scope"})
        browser.wait("document.querySelector('.node.chosen')")
        self.assertEqual(set(run_(shown)), inside(""))
        self.assertEqual(run_("document.querySelectorAll('.edge').length"), len(edges("")))
        scope = next(name for name in run_(shown) if "/" not in name and len(inside(name)) > 2)
        run_(f"[...document.querySelectorAll('.node')].find((node) => node.getAttribute('aria-label').split(',')[0] === {json.dumps(scope)}).dispatchEvent(new MouseEvent('click'))")
        browser.press("Enter")
        browser.wait(f"({shown}).every((name) => name.startsWith({json.dumps(scope + '/')}))")
        self.assertEqual(set(run_(shown)), inside(scope))
        self.assertEqual(run_("document.querySelectorAll('.edge').length"), len(edges(scope)))
        browser.press("Backspace")
        browser.wait(f"({shown}).includes({json.dumps(scope)})")
        self.assertEqual(browser.problems, [])

    def test_source_lines(self):
        path = DATA / "tensorflow/mnist_softmax/profile.pb"
        row = next(row for row in json.loads(run(path, "-c", "code -format json")[1])["tables"]["code"]["rows"] if row["source_file"])
        text = "x = <b>model</b>(images)  # é"
        source = self.folder / "src" / row["source_file"].rsplit("/", 1)[-1]
        source.parent.mkdir()
        source.write_text("\n" * (row["source_line"] - 1) + "    " + text + "\n", encoding="utf-8")
        self.report(path, "-sources", source.parent)
        self.go("code")
        cells = "[...document.querySelectorAll('tbody tr[data-row]')].map((row) => row.cells[1].textContent)"
        self.assertIn(text, self.browser.run(cells))
        self.assertEqual(self.browser.run("document.querySelector('th:nth-child(2)').dataset.id"), "source_text")
        self.assertEqual(run("report", self.folder / "x.html", path, "-sources", self.folder / "none")[0], 3)

    def test_roles_and_focus(self):
        """Each control is reached with Tab, shows that it has the focus, and has a name; charts say what they show."""
        for path in ("xspace/gpu_train.xplane.pb", "tensorflow/convnet/profile.pb"):
            self.report(DATA / path)
            for entry in ["", "trace", "flame"] + [entry["view"] for entry in self.browser.run(CONTENTS)["entries"] if not entry["lacks"]]:
                self.go(entry)
                with self.subTest(path, page=entry):
                    nameless = self.browser.run("""[...document.querySelectorAll('button, a, input, select, canvas, svg[role], [tabindex="0"], [role=img]')]
                        .filter((one) => !one.hidden && one.checkVisibility() && !one.closest('svg [role]') && !(one.getAttribute('aria-label') || one.textContent.trim() || one.title ||
                            one.placeholder || one.labels?.length)).map((one) => one.outerHTML.slice(0, 120))""")
                    self.assertEqual(nameless, [])
                    self.assertEqual(self.browser.run("document.querySelectorAll('main h1').length"), 1)
                    bare = self.browser.run("[...document.querySelectorAll('main figure')].filter((one) => !one.querySelector('figcaption a') && !document.querySelector('.table')).length")
                    self.assertEqual(bare, 0)  # each chart has its table
                    self.assertEqual(self.browser.run("[...document.querySelectorAll('nav [aria-current=page]')].length"), 1)
                    self.assertEqual(self.browser.run("[...document.querySelectorAll('.board > svg')].filter((one) => !['img', 'group', 'slider'].includes(one.getAttribute('role'))).length"), 0)
        self.go("op")
        self.browser.run("document.activeElement.blur()")
        reached = set()
        for _ in range(60):
            self.browser.press("Tab")
            tag, ring = self.browser.run("[document.activeElement.className || document.activeElement.tagName, getComputedStyle(document.activeElement).outlineStyle]")
            reached.add(tag)
            self.assertTrue(ring != "none" or tag == "BODY", tag)
        self.assertTrue({"filter", "scroll", "copy"} <= reached, reached)

    def test_pages_stand_in_groups(self):
        self.report(DATA / "xspace/gpu_train.xplane.pb")
        views = [entry["view"] for entry in self.browser.run(CONTENTS)["entries"]]
        links = self.browser.run("[...document.querySelectorAll('nav .links a')].map((link) => link.dataset.page)")
        self.assertEqual(sorted(set(links) - {"", "trace", "flame", "help"}), sorted(views))
        self.assertEqual(len(links), len(set(links)))
        shown = self.browser.run("[...document.querySelectorAll('nav .links > a')].map((link) => link.dataset.page)")
        for name in shown[1:]:  # ] goes through them in this order
            self.browser.press("]")
            self.browser.wait(f"document.getElementById('main').dataset.page === {json.dumps(name)}")

    def test_long_names_give_way(self):
        """A table is not wider than the page because of its texts."""
        self.report(DATA / "pytorch/gpu_training.pt.trace.json.gz")
        for name in ("kernels", "ls", "events"):
            self.go(name)
            self.browser.wait("[...document.querySelectorAll('.scroll')].every((one) => one.scrollWidth <= one.clientWidth)", 5)

    def test_names_stay_beside_their_numbers(self):
        self.report(DATA / "tensorflow/convnet/profile.pb")
        self.go("scope")
        self.browser.run("void (document.querySelector('.scroll').scrollLeft = 400)")
        left = "document.querySelector('%s').getBoundingClientRect().left"
        self.browser.wait(f"document.querySelector('.scroll').scrollLeft === 400 && {left % 'tbody tr[data-row] td:nth-child(2)'} < {left % '.scroll'}")
        for cell in ("th:first-child", "tbody tr[data-row] td:first-child"):
            self.assertAlmostEqual(self.browser.run(left % cell), self.browser.run(left % ".scroll"), delta=2)

    def test_what_is_made_again_keeps_the_focus(self):
        self.report(DATA / "tensorflow/convnet/profile.pb")
        self.go("flame", view="scope")
        self.browser.run("{ const root = document.querySelector('[data-control=root]'); root.focus(); root.value = 'bottom'; root.dispatchEvent(new Event('change')); }")
        self.browser.wait("location.hash.includes('root=bottom') && document.activeElement.dataset.control === 'root'")
        self.assertEqual(self.browser.run("document.querySelectorAll('.table').length"), 1)
        self.assertEqual(self.browser.problems, [])

    def test_memory_at_the_peak_and_pods(self):
        self.report(DATA / "xspace/allocations.xplane.pb")
        self.go("memory")
        rows = json.loads(run(DATA / "xspace/allocations.xplane.pb", "-c", "memory -format json")[1])["tables"]["active_allocations"]["rows"]
        shown = self.browser.run("[...document.querySelectorAll('.shares')].map((bar) => bar.children.length)")
        self.assertEqual(sum(shown), len(rows))
        self.report(DATA / "problems/jax_two_hosts")
        self.go("pod")
        pod = json.loads(run(DATA / "problems/jax_two_hosts", "-c", "pod -format json")[1])["tables"]["pod"]["rows"]
        bars = self.browser.run("[...document.querySelectorAll('g.bar')].map((bar) => Number(bar.dataset.row))")
        self.assertEqual([pod[row]["index"] for row in bars], sorted(row["index"] for row in pod))
        self.go("overview")  # one row a step, with its slowest host: labels are below their bars
        middles = "[...document.querySelectorAll('%s')].map((one) => { const box = one.getBoundingClientRect(); return box.left + box.width / 2; })"
        bars = self.browser.run(middles % "g.bar")
        labels = self.browser.run(middles % "g.bar ~ .tick")
        self.assertEqual(len(labels), len(bars))
        for bar, label in zip(bars, labels):
            self.assertAlmostEqual(bar, label, delta=2)
        self.assertEqual(self.browser.problems, [])

    def test_help_has_every_column(self):
        path = DATA / "xspace/gpu_train.xplane.pb"
        self.report(path)
        self.go("help")
        for view in ("kernels", "memory"):
            self.browser.run(f"document.querySelector('details[data-view={view}] summary').click()")
            self.browser.wait(f"document.querySelector('details[data-view={view}] dl')")
            shown = self.browser.run(f"[...document.querySelectorAll('details[data-view={view}] dl code')].map((id) => id.textContent)")
            tables = json.loads(run(path, "-c", view + " -format json")[1])["tables"]
            self.assertEqual(set(shown), {column["id"] for table in tables.values() for column in table["columns"]})
        self.assertEqual(self.browser.problems, [])

    def test_pages_without_rows_stand_apart(self):
        self.report(DATA / "problems/jax_two_hosts")
        apart = self.browser.run("[...document.querySelectorAll('nav details a')].map((link) => link.textContent)")
        self.assertIn("tfdata", apart)
        self.assertNotIn("op", apart)
        self.go("tfdata")
        self.assertIn("no tf.data iterator was recorded", self.browser.run("document.querySelector('.notes').textContent"))
        self.report(DATA / "hlo/dumps")  # nothing ran: no flame has a width
        self.assertNotIn("flame", self.browser.run("[...document.querySelectorAll('nav a')].map((link) => link.dataset.page)"))

    def test_memory_at_any_time(self):
        path = DATA / "pytorch/gpu_training.snapshot.pickle.gz"
        self.report(path)
        run_, browser = self.browser.run, self.browser
        moments = next(entry for entry in run_(CONTENTS)["entries"] if entry["view"] == "memory")["moments"]
        self.assertEqual(len(moments), 12)
        for command in moments[::5]:
            self.compare(path, "memory", command, command)
        self.go("memory")
        self.assertEqual(run_("document.querySelector('.board > svg').getAttribute('role')"), "slider")
        run_("document.querySelector('.board > svg').focus()")
        browser.press("Home")
        now = "Number(document.querySelector('.board > svg').getAttribute('aria-valuenow'))"
        before = run_(now)
        for _ in range(7):
            browser.press("ArrowRight")
        wanted = run_(now)
        self.assertGreater(wanted, before)
        self.assertIn("GPU:0", run_("document.querySelector('.board > svg').getAttribute('aria-valuetext')"))
        browser.press("Enter")
        browser.wait("document.querySelector('[data-table=moment]')")
        nearest = min(moments, key=lambda command: abs(float(command.split()[-1].removesuffix("us")) * 1e6 - wanted))
        self.assertEqual([words[-1] for words in self.copied()[:2]], [nearest, f"memory -at {wanted / 1e6:.12g}us"])
        browser.wait("document.querySelector('.board line.moment').hasAttribute('x1')")
        rows = json.loads(run(path, "-c", nearest + " -format json")[1])["tables"]["moment"]["rows"]
        self.assertEqual(float(run_("document.querySelector('[data-table=moment] td:nth-child(2)').dataset.value")), rows[0]["in_use_bytes"])
        run_("history.back()")
        browser.wait("document.querySelector('[data-table=allocators]')")
        self.report("-max-size", "200KB", path)  # without room for moments
        self.assertEqual([entry["view"] for entry in run_(CONTENTS)["entries"] if entry["moments"]], [])
        self.assertEqual(run_(CONTENTS)["left_out"][-1], "memory is shown at its peak and as a curve")
        self.report(DATA / "tensorflow/convnet/profile.pb")  # without allocations there are no moments
        self.assertEqual([entry["view"] for entry in run_(CONTENTS)["entries"] if entry["moments"]], [])
        self.assertEqual(browser.problems, [])

    def test_what_times_consist_of(self):
        path = DATA / "xspace/gpu_train.xplane.pb"
        self.report(path)
        rows = json.loads(run(path, "-c", "op_stats -format json")[1])["tables"]["with_idle"]["rows"]
        self.go("op_stats")
        labels = self.browser.run("[...document.querySelectorAll('.shares')].map((bar) => bar.getAttribute('aria-label'))")
        for side in ("Device", "Host"):
            label = next(one for one in labels if one.startswith("Self time on: " + side))
            ops = [row["op"] for row in sorted(rows, key=lambda row: -row["time_us"]) if row["side"] == side and row["time_us"]]
            self.assertEqual([label.index(op) for op in ops], sorted(label.index(op) for op in ops))
        self.assertEqual(self.browser.problems, [])

    def test_a_page_is_below_its_limit(self):
        path = DATA / "pytorch/gpu_training.pt.trace.json.gz"
        sizes = [self.report("-max-size", limit, path).stat().st_size for limit in ("10MB", "350KB", "300KB")]
        self.assertLess(sizes[0], 450_000)
        self.assertLess(sizes[1], 350_000)
        self.assertLess(sizes[2], 300_000)
        left_out = self.browser.run(CONTENTS)["left_out"]
        self.assertEqual(left_out[0], "tables have at most 10 rows")
        self.assertEqual([text for text in left_out if text.startswith("the page takes")], [])

    def test_a_base_adds_comparisons(self):
        files = (DATA / "tensorflow/convnet/profile.pb", "--base", DATA / "tensorflow/mnist_softmax/profile.pb")
        self.report(*files)
        entry = next(entry for entry in self.browser.run(CONTENTS)["entries"] if entry["view"] == "diff")
        self.assertIn("diff -view scope", entry["answers"])
        self.go("diff", columns="all")
        rows = json.loads(run(*files, "-c", "diff -format json")[1])["tables"]["op"]["rows"]
        shown = next(rows_ for name, _, rows_ in self.browser.run(ROWS) if name == "op")
        self.assertEqual([row[0] for row in shown[:10]], [list(row.values())[0] for row in rows[:10]])
        self.assertEqual(self.browser.problems, [])

    def test_flame_graphs_of_instructions(self):
        path = DATA / "problems/jax_two_hosts"
        self.report(path)
        for by in ("category", "program"):
            rows = json.loads(run(path, "-c", f"hlo -by {by} -format json")[1])["tables"]["op_profile"]["rows"]
            self.go("flame", view=f"hlo by {by}")
            width = "document.querySelector('.frame[data-frame=\"%d\"]').getBoundingClientRect().width"
            largest = max((row for row in rows if row["depth"] == 1), key=lambda row: row["time_us"])
            at = [row for row in rows if row["time_us"]].index(largest)
            self.assertAlmostEqual(self.browser.run(f"{width % at} / ({width % 0})"), largest["time_us"] / rows[0]["time_us"], 2)
            self.assertEqual(self.copied()[0][-1], f"hlo -by {by}")
        self.assertEqual(self.browser.problems, [])

    def test_flame_graphs_of_changes(self):
        files = (DATA / "tensorflow/convnet/profile.pb", "--base", DATA / "tensorflow/mnist_softmax/profile.pb")
        self.report(*files)
        page = self.folder / "changes.html"
        status, _, err = run(*files, "flame", page, "-diff", "-view", "scope")
        self.assertEqual(status, 0, err)
        wanted = json.loads(re.search(r'id="profile">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)[1])
        self.go("flame", view="scope", colors="change")
        facts = "[...document.querySelectorAll('.chosen span')].map((one) => one.textContent)"
        total = sum(wanted["self"])
        self.assertIn(f"total {total:.0f} us, 100.0 %", self.browser.run(facts))
        self.assertIn(f"base {wanted['base'][0] / 1000:.2f} ms", self.browser.run(facts))
        self.assertEqual(self.copied()[0][-1], "flame changes.html -diff -view scope")
        self.go("flame", view="scope")
        self.assertEqual([one for one in self.browser.run(facts) if one.startswith("base")], [])
        self.report(files[0])  # without a base there is no choice
        self.go("flame", view="scope")
        self.assertNotIn("change since", self.browser.run("document.querySelector('.tools').textContent"))
        self.assertEqual(self.browser.problems, [])

    def test_names_stay_text(self):
        hostile = ["</script><script>window.broken = 1</script>", "<img src=x onerror='window.broken=1'>", "a\"b'c",
                   "x\u202egnp.js", "two\nlines\x1b[31m", "{{contents}}", "<!--", "]]>"]
        events = [{"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5,
                   "args": {"External id": i}} for i, name in enumerate(hostile)]
        for cat in ("kernel", "python_function", "user_annotation"):
            events += [{**event, "cat": cat, "tid": 7, "ts": event["ts"] + 1000} for event in events[:len(hostile)]]
        path = self.folder / "<b>odd &amp; \"name\".pt.trace.json"
        path.write_text(json.dumps({"schemaVersion": 1, "deviceProperties": [], "traceEvents": events}), encoding="utf-8")
        self.report(path)
        seen = ""
        for entry in self.browser.run(CONTENTS)["entries"]:
            self.go(entry["view"])
            seen += self.browser.run("document.getElementById('main').textContent")
        self.assertEqual(self.browser.problems, [])
        self.assertIsNone(self.browser.run("window.broken ?? null"))
        self.assertEqual(self.browser.run("document.querySelectorAll('main img, main script, main b > b').length"), 0)
        for name in hostile:
            shown = name.replace("\n", "\\x0a").replace("\x1b", "\\x1b").replace("\u202e", "\\xe2\\x80\\xae")
            self.assertTrue(shown in seen, shown)
        self.assertIn(path.name, self.browser.run("document.getElementById('nav').textContent"))


if __name__ == "__main__":
    if find() is None:
        print("skipped: no Chromium")
        sys.exit(77)
    unittest.main()
