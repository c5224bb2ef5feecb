#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""serve_test.py PROGRAM: `tfprof serve` over HTTP, and its pages in a browser. Exits with 77 where there is no
Chromium, after the other tests."""

import gzip
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest
import urllib.parse

from block import header_of
from browser import find
from in_browser import InBrowser
from program import PROGRAM, ROOT, InFolder, run

DATA = ROOT / "testdata"
CONVNET = DATA / "tensorflow/convnet/profile.pb"
GPU = DATA / "xspace/gpu_train.xplane.pb"
CAPTURE = DATA / "capture/one_process"
PYTORCH = DATA / "pytorch/gpu_training.pt.trace.json.gz"


class Server:
    """A running `tfprof serve`; `address` is http://127.0.0.1:PORT/TOKEN/."""

    def __init__(self, *args):
        self.process = subprocess.Popen([PROGRAM, "serve", *map(str, args)], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", self.address)
        if not found:
            raise RuntimeError(self.process.stderr.read())
        self.port, self.token = int(found[1]), found[2]

    def ask(self, path, token=None, host=None, method="GET"):
        """(status, headers, body) of a path below the token."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(method, f"/{self.token if token is None else token}/{path}",
                           headers={"Host": host or f"127.0.0.1:{self.port}"})
        reply = connection.getresponse()
        body = reply.read()
        connection.close()
        return reply.status, reply.headers, body

    def json(self, line, of=0):
        status, _, body = self.ask(f"{of}/json?" + urllib.parse.urlencode({"line": line}))
        return status, json.loads(body)

    def raw(self, text):
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            connection.sendall(text)
            reply = b""
            while part := connection.recv(65536):
                reply += part
            return reply

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        status = self.process.wait(20)
        self.process.stdout.close()
        self.process.stderr.close()
        return status


class Serving(InFolder):
    def serve(self, *args):
        server = Server(*args)
        self.addCleanup(server.end)
        return server

    def test_a_page_and_its_answers(self):
        server = self.serve(CONVNET)
        status, headers, _ = server.ask("")
        self.assertEqual((status, headers["Location"]), (302, f"/{server.token}/0/"))
        status, headers, body = server.ask("0/")
        self.assertEqual(status, 200)
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        self.assertIn("frame-ancestors 'none'", headers["Content-Security-Policy"])
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        self.assertEqual(headers["Referrer-Policy"], "no-referrer")
        self.assertIsNone(headers["Access-Control-Allow-Origin"])
        self.assertIn(b"connect-src 'self'", body)
        for line in ("op", "scope -max_depth 3", "steps", "op -n 3 -order_by bytes"):
            want = json.loads(run(CONVNET, "-c", line + " -format json")[1])
            self.assertEqual(server.json(line), (200, want), line)
        self.assertEqual(server.json("op")[1]["schema_version"], 2)
        status, _, block = server.ask("0/block?line=op")
        self.assertEqual(status, 200)
        self.assertIn(b'"view":"op"', gzip.decompress(block))

    def test_only_those_who_know_the_token(self):
        server = self.serve(CONVNET)
        for token in ("", "0" * 32, server.token[:-1], server.token + "0", server.token.upper() + "x", "%00"):
            self.assertEqual(server.ask("0/", token=token)[0], 403, token)
        for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", f"127.0.0.1:{server.port + 1}",
                     f"127.0.0.1.evil.example:{server.port}"):
            self.assertEqual(server.ask("0/", host=host)[0], 403, host)
        self.assertEqual(server.ask("0/", host=f"localhost:{server.port}")[0], 200)

    def test_unknown_addresses_and_odd_requests(self):
        server = self.serve(CONVNET)
        for path in ("x", "0", "0/x", "0/../0/", "..%2f..%2fetc/passwd", "0/block/x", "-1/", "99999999999999999999/"):
            self.assertEqual(server.ask(path)[0], 404, path)
        self.assertEqual(server.ask("7/")[0], 422)
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "HEAD"):
            self.assertEqual(server.ask("0/", method=method)[0], 405, method)
        self.assertIn(b" 400 ", server.raw(b"\r\n\r\n"))
        self.assertIn(b" 400 ", server.raw(b"GET / HTTP/1.1\r\n\r\n"))  # no host
        self.assertIn(b" 400 ", server.raw(b"GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n"))
        self.assertIn(b" 400 ", server.raw(b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"))
        self.assertIn(b" 505 ", server.raw(b"GET / HTTP/2\r\nHost: x\r\n\r\n"))
        self.assertIn(b" 414 ", server.raw(b"GET /" + b"a" * 40000))
        self.assertEqual(server.ask("0/")[0], 200)

    def test_hostile_commands(self):
        server = self.serve(CONVNET)
        out = self.folder / "out"
        for line in (f"op > {out}", f"op >> {out}", f"op | tee {out}", f"save {out}", f"report {out}.html",
                     f"!touch {out}", f"source {out}", f"load {CONVNET}", f"diff {CONVNET}", "quit", "", "'", "op -x",
                     "op -show_name_regexes '('", f"op -output file:outfile={out}", f"op -output timeline:outfile={out}",
                     "op\nscope", "op; scope", "op -n " + "9" * 400, "peek " + "(" * 5000):
            status, body = server.json(line)
            self.assertIn(status, (200, 422), line)
            if status == 422:
                self.assertTrue(body["error"], line)
        self.assertEqual(list(self.folder.iterdir()), [])
        self.assertEqual(server.json("op")[0], 200)

    def test_errors_are_those_of_the_terminal(self):
        server = self.serve(CONVNET)
        status, body = server.json("opp")
        self.assertEqual((status, body["error"]), (422, "no view 'opp'"))
        self.assertIn("op", body["hint"])
        for line in ("", " "):
            self.assertEqual(server.json(line), (422, {"error": "no command", "where": "", "hint": "?line=op"}))
        self.assertRegex(server.json("op -nosuch 1")[1]["where"], r"^op -nosuch 1.*\n   \^~~~~~~$")  # a mark below it

    def test_parts_of_the_trace(self):
        server = self.serve(DATA / "pytorch/gpu_training.pt.trace.json.gz")

        def part(path):
            status, _, body = server.ask("0/" + path)
            self.assertEqual(status, 200, body)
            return header_of(body)

        whole = part("trace")
        self.assertNotIn("window", whole)
        self.assertEqual(whole["spans"]["count"], whole["spans"]["all"])
        to = whole["to"]
        rows = f"first=0&rows={len(whole['rows'])}"
        window = part(f"trace?from=0&to={to}&min={to // 100}&{rows}")
        self.assertLess(window["spans"]["count"], whole["spans"]["count"])
        self.assertEqual(len(window["rows"]), len(whole["rows"]))
        some = part(f"trace?from=0&to={to}&min={to // 100}&first=2&rows=3")
        self.assertEqual([row["count"] for row in some["rows"]], [row["count"] for row in window["rows"][2:5]])
        self.assertEqual(part(f"trace?from=0&to={to}&min=0&first=99999&rows=9")["spans"]["count"], 0)
        self.assertGreater(part(f"range?from=0&to={to}")["count"], 10)
        of_tracks = [part(f"flows?track={track}&from=0&to={to}")["flows"] for track in range(len(whole["tracks"]))]
        # Each begins on a track and ends on another one.
        self.assertEqual(sum(flows["count"] for flows in of_tracks), 2 * whole["flows"]["count"])
        for bad in ("trace?from=0", "trace?from=x&to=1&min=0&first=0&rows=1", "trace?from=-1&to=1&min=0&first=0&rows=1", "range?from=0",
                    "trace?from=0&to=99999999999999999999&min=0", "trace?from=0&to=1&min=0", "flows?from=0&to=1"):
            self.assertEqual(server.ask("0/" + bad)[0], 422, bad)

    def test_search_in_a_trace(self):
        server = self.serve(PYTORCH)
        names = [row["name"] for row in json.loads(run(PYTORCH, "-c", "events -format json")[1])["tables"]["events"]["rows"]]

        def search(**values):
            status, _, body = server.ask("0/search?" + urllib.parse.urlencode(values))
            self.assertEqual(status, 200, body)
            return json.loads(body)

        wanted = sum("sgemm" in name.lower() for name in names)
        first = search(text="SGEMM")
        self.assertEqual(first["count"], wanted)
        self.assertEqual(search(text="/sgemm|zzz/")["count"], wanted)
        self.assertEqual(search(text="nothing has this"), {"count": 0})
        seen, at = [], first
        for _ in range(wanted):
            seen.append((at["row"], at["start"]))
            at = search(text="sgemm", row=at["row"], start=at["start"])
        self.assertEqual(at, first)  # around the end
        self.assertEqual(seen, sorted(set(seen)))
        self.assertEqual(len(seen), wanted)
        last = search(text="sgemm", row=first["row"], start=first["start"], back="")
        self.assertEqual((last["row"], last["start"]), seen[-1])
        for bad in ("search?", "search?text=/(/", "search?text=a&row=9999&start=0", "search?text=a&row=1"):
            self.assertEqual(server.ask("0/" + bad)[0], 422, bad)
        whole = header_of(server.ask("0/trace")[2])
        window = header_of(server.ask(f"0/trace?from=0&to={whole['to']}&min={whole['to']}&first=0&rows=99&text=sgemm")[2])
        self.assertIn("matched", window)
        self.assertNotIn("matched", header_of(server.ask(f"0/trace?from=0&to={whole['to']}&min=0&first=0&rows=99")[2]))

    def test_steps_through_spans_that_begin_together(self):
        spans = [{"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": dur, "args": {"External id": i}}
                 for i, (name, ts, dur) in enumerate([("a", 0, 5), ("mark", 10, 0), ("mark", 10, 0), ("b", 10, 0), ("mark", 10, 0), ("mark", 20, 5)])]
        path = self.folder / "marks.pt.trace.json"
        path.write_text(json.dumps({"schemaVersion": 1, "deviceProperties": [], "traceEvents": spans}), encoding="utf-8")
        server = self.serve(path)

        def search(**values):
            return json.loads(server.ask("0/search?" + urllib.parse.urlencode({"text": "mark", **values}))[2])

        def place(found):
            return {key: found[key] for key in ("row", "start", "nth")}

        first = at = search()
        self.assertEqual(first["count"], 4)
        seen = []
        for _ in range(4):
            seen.append(place(at))
            at = search(**place(at))
        self.assertEqual(at, first)
        self.assertEqual(len({tuple(one.values()) for one in seen}), 4)
        back = []
        for _ in range(4):
            at = search(**place(at), back="")
            back.append(place(at))
        self.assertEqual(back, seen[::-1])
        self.assertEqual(server.ask("0/search?text=mark&row=0&start=10000000&nth=99")[0], 200)

    def test_several_profiles(self):
        server = self.serve(CONVNET, GPU)
        self.assertIn(b"<title>Profiles</title>", server.ask("")[2])
        runs = json.loads(server.ask("runs")[2])
        self.assertEqual({run_["name"] for run_ in runs}, {"profile.pb", "gpu_train.xplane.pb"})
        for run_ in runs:
            path = os.path.join(run_["folder"], run_["name"])
            want = json.loads(run(path, "-c", "summary -format json")[1])
            self.assertEqual(server.json("summary", run_["id"]), (200, want))

    def test_runs_of_a_log_directory(self):
        def add(name, age):
            run_ = self.folder / "plugins/profile" / name
            run_.mkdir(parents=True)
            shutil.copy(GPU, run_ / "host.xplane.pb")
            when = time.time() - age
            os.utime(run_ / "host.xplane.pb", (when, when))

        add("2026_01_01", 100)
        add("2026_01_02", 50)
        server = self.serve(self.folder)
        names = [run_["name"] for run_ in json.loads(server.ask("runs")[2])]
        self.assertEqual(names, ["2026_01_02", "2026_01_01"])
        add("2026_01_03", 1)
        runs = json.loads(server.ask("runs")[2])
        self.assertEqual([run_["name"] for run_ in runs], ["2026_01_03", "2026_01_02", "2026_01_01"])
        self.assertEqual([run_["id"] for run_ in runs], [2, 1, 0] if runs[1]["id"] == 1 else [2, 0, 1])
        self.assertEqual(server.json("summary", runs[0]["id"])[0], 200)

    def test_recordings_that_appear_later(self):
        def record(name, age, into=None):
            folder = (into or self.folder) / name
            shutil.copytree(CAPTURE, folder)
            for path in folder.rglob("*"):
                os.utime(path, (time.time() - age,) * 2)

        def names():
            return [run_["name"] for run_ in json.loads(server.ask("runs")[2])]

        server = self.serve(self.folder)
        self.assertEqual(names(), [])
        record("first", 100)
        self.assertEqual(names(), ["first"])
        self.assertIn(b"<title>Profiles</title>", server.ask("")[2])  # others may follow
        record("second", 50)
        self.assertEqual(names(), ["second", "first"])
        traces = self.folder / "third"
        traces.mkdir()
        shutil.copy(DATA / "pytorch/gpu_training.pt.trace.json.gz", traces)
        self.assertEqual(names(), ["third", "second", "first"])
        for run_ in json.loads(server.ask("runs")[2]):
            self.assertEqual(server.json("summary", run_["id"])[0], 200)

    def test_a_log_directory_with_other_files(self):
        (self.folder / "events.out.tfevents.1700000000.host").write_bytes(bytes(range(256)))
        server = self.serve(self.folder)
        self.assertEqual(json.loads(server.ask("runs")[2]), [])
        self.assertIn(b"<title>Profiles</title>", server.ask("")[2])
        run_ = self.folder / "plugins/profile/2026_01_01"
        run_.mkdir(parents=True)
        shutil.copy(GPU, run_ / "host.xplane.pb")
        self.assertEqual([one["name"] for one in json.loads(server.ask("runs")[2])], ["2026_01_01"])

    def test_a_folder_of_profile_files(self):
        shutil.copy(CONVNET, self.folder / "a.pb")
        (self.folder / "notes.txt").write_text("of mine\n")
        server = self.serve(self.folder)
        shutil.copy(DATA / "tensorflow/mnist_softmax/profile.pb", self.folder / "b.pb")
        shutil.copytree(CAPTURE, self.folder / "recording")
        runs = json.loads(server.ask("runs")[2])
        self.assertEqual({one["name"] for one in runs}, {"a.pb", "b.pb", "recording"})
        for one in runs:
            self.assertEqual(server.json("summary", one["id"])[0], 200)
        parts = self.serve(CONVNET.parent)  # run metadata with its graph
        self.assertEqual([one["name"] for one in json.loads(parts.ask("runs")[2])], ["convnet"])

    def test_files_of_a_pattern_that_appear_later(self):
        shutil.copy(CONVNET, self.folder / "a.pb")
        server = self.serve(self.folder / "*.pb")
        shutil.copy(CONVNET, self.folder / "b.pb")
        self.assertEqual({run_["name"] for run_ in json.loads(server.ask("runs")[2])}, {"a.pb", "b.pb"})

    def test_filters_apply_to_every_answer(self):
        server = self.serve(GPU, "-device", "GPU:0", "-step", "1")
        for line in ("kernels", "steps", "op_stats"):
            want = json.loads(run(GPU, "-c", line + " -step 1 -device GPU:0 -format json")[1])
            self.assertEqual(server.json(line), (200, want), line)
        for line, command in (("kernels", "kernels -step 1 -device GPU:0"), ("kernels%20-step%202", "kernels -step 2 -device GPU:0")):
            self.assertEqual(header_of(server.ask("0/block?line=" + line)[2])["command"], command)
        self.assertLess(len(header_of(server.ask("0/trace")[2])["groups"]), len(header_of(self.serve(GPU).ask("0/trace")[2])["groups"]))

    def test_filters_that_match_nothing(self):
        server = self.serve(GPU, "-device", "GPU:7")
        status, _, body = server.ask("0/")
        self.assertEqual(status, 422)
        self.assertIn(b"no device contains 'GPU:7'", body)
        self.assertIn(b"devices: ", body)
        status, _, body = self.serve(GPU, "-step", "99").ask("0/")
        self.assertEqual(status, 422)
        self.assertIn(b"no step 99", body)

    def test_a_base(self):
        base = DATA / "tensorflow/mnist_softmax/profile.pb"
        server = self.serve(CONVNET, "-base", base)
        want = json.loads(run(CONVNET, "--base", base, "-c", "diff -format json")[1])
        self.assertEqual(server.json("diff"), (200, want))
        changes = server.ask("0/block?line=" + urllib.parse.quote("flame changes.html -diff -view scope"))
        self.assertEqual(changes[0], 200, changes[2])
        self.assertIn("base", json.loads(gzip.decompress(changes[2])))

    def test_a_changed_file_is_read_again(self):
        path = self.folder / "profile.pb"
        shutil.copy(CONVNET, path)
        server = self.serve(path)
        before = server.json("op")[1]
        shutil.copy(DATA / "tensorflow/mnist_softmax/profile.pb", path)
        self.assertEqual(server.json("op")[1], before)  # as the open page shows it
        self.assertEqual(server.ask("0/")[0], 200)
        self.assertNotEqual(server.json("op")[1], before)

    def test_clients_that_go_away(self):
        server = self.serve(CONVNET)
        for _ in range(100):
            connection = socket.create_connection(("127.0.0.1", server.port))
            connection.sendall(f"GET /{server.token}/0/block?line=advise HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
                               .encode())
            connection.close()
        silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
        self.assertEqual(server.json("op")[0], 200)
        for connection in silent:
            connection.close()

    def test_ctrl_c_ends_it(self):
        server = self.serve(CONVNET)
        self.assertEqual(server.json("op")[0], 200)
        with socket.create_connection(("127.0.0.1", server.port)):  # an open connection does not keep it
            began = time.monotonic()
            self.assertEqual(server.end(), 0)
            self.assertLess(time.monotonic() - began, 5)

    def test_what_cannot_be_served(self):
        status, _, err = run("serve", self.folder / "none.pb")
        self.assertEqual(status, 3)
        self.assertIn("no such file or folder", err)
        status, _, err = run("serve")
        self.assertEqual(status, 2)
        self.assertIn("serve needs a profile", err)
        server = self.serve(CONVNET)
        status, _, err = run("serve", CONVNET, "-port", server.port)
        self.assertEqual(status, 3)
        self.assertIn("the port is taken", err)
        self.assertIn("-port 0", err)
        for bad in (("-port", "x"), ("-port", "70000"), ("-port",), ("-x", "1")):
            self.assertEqual(run("serve", CONVNET, *bad)[0], 2, bad)
        broken = self.folder / "broken.xplane.pb"
        broken.write_bytes(b"\xff" * 100)
        server = self.serve(broken)
        status, _, body = server.ask("0/")
        self.assertEqual(status, 422)
        self.assertIn(b"broken.xplane.pb", body)
        torn = self.folder / "torn.xplane.pb"
        torn.write_bytes(GPU.read_bytes()[:5000])
        self.assertIn(b"\n--partial loads what comes before the damage", self.serve(torn).ask("0/")[2])


@unittest.skipIf(find() is None, "no Chromium")
class Pages(InBrowser):
    def open(self, *args):
        server = Server(*args)
        self.addCleanup(server.end)
        self.load(server.address)
        return server

    def test_every_page(self):
        for path in (CONVNET, GPU):
            self.open(path)
            self.browser.wait("document.querySelector('#main h1')")
            for entry in self.browser.run("JSON.parse(document.getElementById('contents').textContent)")["entries"]:
                if entry["lacks"]:
                    continue
                with self.subTest(path, page=entry["view"]):
                    self.go(entry["view"])
                    shown = self.browser.run("document.querySelector('#main h1').textContent")
                    self.assertEqual(shown, entry["view"])
            self.go("trace")
            self.assertTrue(self.browser.run("document.querySelector('canvas.trace, .lacks') !== null"))
            # A view without an answer is a reply that the console lists, too.
            problems = [one for one in self.browser.problems if "status of 422" not in one]
            self.assertEqual(problems, [])

    def test_any_command(self):
        self.open(CONVNET)
        self.browser.wait("document.querySelector('#main h1')")
        self.go("ask", line="op -n 3")
        self.assertEqual(self.browser.run("document.querySelectorAll('.table tbody tr[data-row]').length"), 3)
        self.go("ask", line="opp <b>x</b>")
        self.assertIn("no view 'opp'", self.browser.run("document.querySelector('[role=alert]').textContent"))

    def test_memory_at_any_time(self):
        path = DATA / "pytorch/gpu_training.snapshot.pickle.gz"
        self.open(path)
        run_, browser = self.browser.run, self.browser
        browser.wait("document.querySelector('#main h1')")
        self.go("memory")
        x, y = run_("(() => { const box = document.querySelector('.board > svg').getBoundingClientRect(); return [box.left + box.width * 0.6, box.top + 40]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            browser.mouse(kind, x, y, button="left", clickCount=1)
        browser.wait("document.querySelector('[data-table=moment]')")
        command = run_("document.querySelector('.heading code').textContent")
        self.assertRegex(command, r"^memory -at [\d.]+us$")
        rows = json.loads(run(path, "-c", command + " -format json")[1])["tables"]["active_allocations"]["rows"]
        shown = run_("document.querySelectorAll('[data-table=active_allocations] tbody tr[data-row]').length")
        self.assertEqual(shown, len(rows))
        self.assertEqual(browser.problems, [])

    def test_a_large_trace(self):
        """More spans than a page gets at once: it searches, zooms and sums all of them."""
        count = 1_000_100
        path = self.folder / "large.pt.trace.json"
        events = (f'{{"ph":"X","cat":"kernel","name":"{"rare" if i % 200_000 == 7 else f"k{i % 5}"}","pid":0,"tid":7,"ts":{2 * i},"dur":1}}'
                  for i in range(count))
        path.write_text('{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"GPU"}],"traceEvents":[' + ",".join(events) + "]}", encoding="utf-8")
        self.open(path)
        run_, browser = self.browser.run, self.browser
        browser.wait("document.querySelector('#main h1')")
        self.go("trace")
        browser.wait("document.querySelector('.summary').textContent.includes('1,000,100 spans, short neighbors drawn as one')")
        browser.click(".filter")
        for letter in "rare":
            browser.press(letter)
        browser.wait("document.querySelector('output').textContent === '6 spans'")
        for number in range(2):  # Enter goes to a match that is far too short to be seen from here
            browser.press("Enter")
            browser.wait("document.querySelector('.chosen b')?.textContent === 'rare'")
            browser.wait(f"document.querySelector('.chosen').textContent.includes({json.dumps(['14.0 us', '400 ms'][number])})")
        # An expression that the browser takes and the program does not is wrong, whatever is drawn then.
        run_("{ const search = document.querySelector('.filter'); search.value = '/k(?=1)/'; search.dispatchEvent(new Event('input')); }")
        browser.wait("document.querySelector('.filter.wrong')")
        run_("document.querySelector('canvas').focus()")
        browser.press("Home")
        for key in "wwww":
            browser.press(key)
        browser.run("new Promise((done) => setTimeout(done, 500))")
        self.assertTrue(run_("document.querySelector('.filter').classList.contains('wrong')"))
        self.assertEqual(run_("performance.getEntriesByType('resource').filter((one) => /trace\\?.*%3F/.test(one.name)).length"), 0)
        self.assertEqual(len(browser.problems), 1)  # the console lists the refused search
        browser.problems.clear()
        run_("{ const search = document.querySelector('.filter'); search.value = 'rare'; search.dispatchEvent(new Event('input')); }")
        browser.wait("!document.querySelector('.filter.wrong') && document.querySelector('output').textContent === '6 spans'")
        # A range: the sums of the program are those of the events.
        begin, end = 1000.5, 1500.25
        self.go("trace", begin=begin, end=end)
        browser.wait("document.querySelector('.ran .table')")
        rows = run_("[...document.querySelectorAll('.ran tbody tr[data-row]')].map((row) => [...row.cells].map((cell) => cell.dataset.value))")
        shown = {row[0]: (int(row[2]), round(float(row[3]) * 1e6)) for row in rows}
        want = {}
        for i in range(count):
            start, stop = max(2 * i, begin), min(2 * i + 1, end)
            if start < stop:
                name = "rare" if i % 200_000 == 7 else f"k{i % 5}"
                spans, time_ = want.get(name, (0, 0))
                want[name] = (spans + 1, time_ + round((stop - start) * 1e6))
        self.assertEqual(shown, want)
        self.assertEqual(browser.problems, [])

    def test_runs_that_appear_while_the_list_is_open(self):
        def add(name, age):
            run_ = self.folder / "plugins/profile" / name
            run_.mkdir(parents=True)
            shutil.copy(GPU, run_ / "host.xplane.pb")
            os.utime(run_ / "host.xplane.pb", (time.time() - age,) * 2)

        add("first", 100)
        self.open(self.folder)
        names = "[...document.querySelectorAll('#runs a')].map((link) => link.textContent).join()"
        self.browser.wait(f"{names} === 'first'")
        self.browser.run("document.querySelector('#runs a').focus()")
        add("second", 1)
        self.browser.wait(f"{names} === 'second,first'", 20)
        self.assertEqual(self.browser.run("document.activeElement.textContent"), "first")
        self.assertEqual(self.browser.problems, [])

    def test_the_list_and_the_end(self):
        server = self.open(CONVNET, GPU)
        self.browser.wait("document.querySelectorAll('#runs tr').length === 2")
        self.browser.click("#runs a")
        self.browser.wait("document.getElementById('nav').textContent.includes('other profiles')")
        self.assertEqual(self.browser.problems, [])
        server.end()
        self.browser.run("void (location.hash = '#/ls')")
        self.browser.wait("document.querySelector('[role=alert]')?.textContent.includes('start it again')")


if __name__ == "__main__":
    program = unittest.main(exit=False)
    sys.exit(1 if not program.result.wasSuccessful() else 77 if find() is None else 0)
