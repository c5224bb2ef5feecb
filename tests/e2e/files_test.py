#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""files_test.py PROGRAM: files that cannot be read, and what becomes of those that are written."""

import gzip
import json
import os
import random
import re
import resource
import signal
import stat
import subprocess
import time
import unittest

from program import DATA, PROFILE, PROGRAM, ROOT, InFolder, run


def no_core():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def field(number, payload):
    return bytes([number << 3 | 2, len(payload)]) + payload


def profile_of_a_node(code):
    """A ProfileProto of one node with the CodeDef `code`, of which text 1 is a.py."""
    node = field(1, b"n") + field(9, b"MatMul") + field(10, code)
    texts = field(4, b"\x08\x01" + field(2, b"a.py"))
    return field(1, b"\x08\x00" + field(2, node)) + b"\x10\x01" + texts


class Files(InFolder):
    def test_paths_that_cannot_be_read(self):
        empty = self.folder / "empty"
        empty.touch()
        for path, status in ((self.folder / "absent", 3), (self.folder, 3), (empty, 4),
                             (__file__, 4)):
            done = run(path)
            self.assertEqual((done[0], done[1]), (status, ""), (path, done))
            self.assertIn(str(path), done[2])
        for flag, path in (("graph", self.folder / "absent"), ("profile", self.folder)):
            self.assertEqual(run(f"--{flag}_path={path}")[0], 3)

    def test_selected_ranks_are_those_of_the_base_and_of_what_is_loaded(self):
        event = {"ph": "X", "cat": "cpu_op", "pid": 1, "tid": 1, "ts": 0}
        for folder, us in ("now", 10), ("before", 20):
            (self.folder / folder).mkdir()
            for rank in 0, 1:
                trace = {"distributedInfo": {"rank": rank, "world_size": 2},
                         "traceEvents": [{**event, "name": f"aten::of{rank}", "dur": us}]}
                (self.folder / folder / f"{rank}.pt.trace.json").write_text(json.dumps(trace))
        now, before = self.folder / "now", self.folder / "before"
        status, _, err = run("--ranks", "0", now, "--base", before, "diff")
        self.assertEqual(status, 0, err)
        self.assertIn(f"base: {before}/0.pt.trace.json", err)
        status, out, err = run("--ranks", "0", now, stdin=f"load {before}\nop -format csv\n")
        self.assertEqual(status, 0, err)
        self.assertNotIn("of1", out)

    def test_an_empty_file_is_an_empty_message_in_the_first_door(self):
        empty = self.folder / "empty"
        empty.touch()
        status, out, _ = run(f"--graph_path={empty}", stdin="scope\n")
        self.assertEqual(status, 0)
        self.assertIn("_TFProfRoot", out)

    def test_a_truncated_file_is_refused_or_kept_in_part(self):
        cut = self.folder / "cut.pb"
        cut.write_bytes(PROFILE.read_bytes()[:20000])
        status, out, err = run("-as", "profile", cut)
        self.assertEqual((status, out), (4, ""))
        self.assertIn(f"{cut}: byte", err)
        self.assertEqual(run("-as", "profile", "--partial", cut, "op")[0], 0)

    def test_code_that_cannot_be_read_is_told_by_every_question_about_it(self):
        whole, damaged = self.folder / "whole.pb", self.folder / "damaged.pb"
        frame = field(1, b"\x10\x07\x30\x01\x38\x01")
        whole.write_bytes(profile_of_a_node(frame))
        damaged.write_bytes(profile_of_a_node(b"\x02"))
        told = "malformed code traces, shown up to the damage, first at "
        self.assertNotIn("note:", "".join(run(whole, "code")[1:]))
        self.assertIn("a.py:7:a.py", run(whole, "code")[1])
        for question in ([damaged, "code"], [damaged, "diff", whole, "-view", "code"],
                         [whole, "diff", damaged, "-view", "code"],
                         [damaged, "save", self.folder / "saved.pb"],
                         [damaged, "save", self.folder / "saved_log", "-oplog"]):
            status, out, err = run(*question)
            self.assertEqual(status, 0, question)
            self.assertIn(f"{told}{damaged}: byte", out + err, question)

    def test_a_cut_profile_keeps_its_code(self):
        cut = self.folder / "cut.pb"
        cut.write_bytes(profile_of_a_node(field(1, b"\x10\x07\x30\x01"))[:-13] + b"\x22\x7f")
        status, out, _ = run("-as", "profile", "--partial", cut, "code")
        self.assertEqual(status, 0)
        self.assertIn(":7:", out)

    def test_one_bad_file_of_a_folder_is_named_or_left_out(self):
        hosts = self.folder / "plugins" / "profile" / "run"
        hosts.mkdir(parents=True)
        trace = DATA.parents[1] / "xspace" / "gpu_train.xplane.pb"
        (hosts / "a.xplane.pb").write_bytes(trace.read_bytes())
        empty = hosts / "b.xplane.pb"
        empty.touch()
        status, out, err = run(self.folder, "planes")
        self.assertEqual((status, out), (4, ""))
        self.assertIn(str(empty), err)
        self.assertIn("hint: --partial skips it", err)
        status, out, err = run("--partial", self.folder, "planes")
        self.assertEqual(status, 0)
        self.assertIn("/device:GPU:0", out)
        self.assertIn(f"skipped, first at {empty}", out + err)

    def test_a_file_is_replaced_in_whole_or_not_at_all(self):
        answer = self.folder / "answer.txt"
        answer.write_text("old")
        answer.chmod(0o640)
        self.assertEqual(run(PROFILE, "op", "-output", f"file:outfile={answer}")[0], 0)
        self.assertIn("MatMul", answer.read_text())
        self.assertEqual(stat.S_IMODE(answer.stat().st_mode), 0o640)
        before = answer.read_text()
        self.assertEqual(run(PROFILE, "op", "-step", "99", "-output", f"file:outfile={answer}")[0],
                         2)
        self.assertEqual(answer.read_text(), before)
        self.assertEqual(os.listdir(self.folder), ["answer.txt"])

    def test_links_devices_and_fifos_are_written_through(self):
        target, link = self.folder / "target", self.folder / "link"
        target.touch()
        link.symlink_to("target")
        self.assertEqual(run(PROFILE, "op", "-output", f"file:outfile={link}")[0], 0)
        self.assertTrue(link.is_symlink())
        self.assertIn("MatMul", target.read_text())
        self.assertEqual(run(PROFILE, "op", "-output", "file:outfile=/dev/null")[0], 0)
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        with subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE, text=True) as reader:
            self.assertEqual(run(PROFILE, "op", "-output", f"file:outfile={fifo}")[0], 0)
            self.assertIn("MatMul", reader.stdout.read())

    def test_an_answer_never_replaces_the_profile(self):
        profile, link = self.folder / "p.pb", self.folder / "link"
        profile.write_bytes(PROFILE.read_bytes())
        link.symlink_to(profile)
        for command in (f"op > {link}", f"op >> {profile}", f"op -output file:outfile={link}"):
            self.assertEqual(run(profile, "-c", command)[0], 2)
        self.assertEqual(profile.read_bytes(), PROFILE.read_bytes())

    def test_the_values_of_a_checkpoint_are_open_too(self):
        for name in ("graph.pb", "ckpt.index", "ckpt.data-00000-of-00001"):
            (self.folder / name).write_bytes((DATA / name).read_bytes())
        values = self.folder / "ckpt.data-00000-of-00001"
        files = [self.folder / "graph.pb", self.folder / "ckpt.index"]
        flags = [f"--graph_path={files[0]}", f"--checkpoint_path={self.folder}/ckpt"]
        for done in (run(*files, "-c", f"save {values}"), run(*files, "-c", f"op > {values}"),
                     run(*files, "-c", f"help >> {values}"),
                     run(files[0], self.folder / "ckpt", "-c", f"save {values} -overwrite"),
                     run(*flags, "op", "-output", f"file:outfile={values}")):
            self.assertEqual(done[0], 2, done)
            self.assertIn("would overwrite a file that is open", done[2])
        self.assertEqual(values.read_bytes(), (DATA / values.name).read_bytes())

    def test_an_answer_replaces_a_profile_only_when_told_to(self):
        graph = self.folder / "graph.pb"
        old = (DATA / "graph.pb").read_bytes()
        graph.write_bytes(old)
        for command in (f"op -output proto:outfile={graph}", f"op > {graph}", f"help > {graph}",
                        f"code -output pprof:outfile={graph}", f"op -output file:outfile={graph}"):
            status, _, err = run(PROFILE, "-c", command)
            self.assertEqual((status, graph.read_bytes() == old), (2, True), command)
            self.assertIn("is a profile (graphdef)", err)
        answer = self.folder / "op.pb"
        for _ in range(2):  # an answer is no profile
            for ending in ("", ".txt"):
                command = f"op -output proto:outfile={answer}{ending}"
                self.assertEqual(run(PROFILE, "-c", command)[0], 0)
        early = run(self.folder / "absent.pb", "op", "-output", f"file:outfile={graph}")
        self.assertEqual(early[0], 2, "told before anything is opened")
        self.assertEqual(run(PROFILE, "-c", f"op -overwrite > {graph}")[0], 0)
        self.assertIn("MatMul", graph.read_text())
        graph.write_bytes(old)  # the original replaces what it is told to
        first_door = [f"--profile_path={PROFILE}", "op"]
        self.assertEqual(run(*first_door, "-output", f"file:outfile={graph}")[0], 0)
        self.assertIn("MatMul", graph.read_text())

    def test_signals_that_end_it_leave_no_half_a_file(self):
        big = self.folder / "big.pbtxt"
        with open(big, "w") as text:
            for i in range(200000):
                text.write(f'node {{ name: "layer_{i}/weights" op: "NoOp" }}\n')
        answer = self.folder / "answer.json"
        command = [PROGRAM, str(big), "-c", f"scope -max_depth 100 -format json > {answer}"]

        def end_it_while_it_writes(number):
            answer.write_text("old")
            with subprocess.Popen(command, stderr=subprocess.DEVNULL,
                                  preexec_fn=no_core) as program:
                while program.poll() is None and len(os.listdir(self.folder)) == 2:
                    time.sleep(0.001)
                program.send_signal(number)
                return program.wait(timeout=60)

        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            # A busy machine may let it write everything before we look.
            statuses = (end_it_while_it_writes(number) for _ in range(20))
            self.assertEqual(next(filter(None, statuses), 0), -number)
            self.assertEqual(sorted(os.listdir(self.folder)), ["answer.json", "big.pbtxt"])
            self.assertEqual(answer.read_text(), "old")

    def test_a_limit_on_the_size_of_files_is_an_error(self):
        answer = self.folder / "answer.txt"
        done = subprocess.run(["bash", "-c", 'ulimit -f 1; exec "$@"', "bash", PROGRAM,
                               str(PROFILE), "scope", "-max_depth", "100", "-format", "json",
                               "-output", f"file:outfile={answer}"],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 5, done)
        self.assertIn("cannot write: File too large", done.stderr)
        self.assertEqual(os.listdir(self.folder), [])

    def test_what_cannot_be_written_is_an_error(self):
        for path in ("/dev/full", self.folder, self.folder / "no/such/file"):
            status, _, err = run(PROFILE, "op", "-output", f"file:outfile={path}")
            self.assertEqual(status, 5, path)
            self.assertIn(str(path), err)
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, str(PROFILE), "op"], stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.returncode, 5)
        self.assertIn("cannot write: No space left", done.stderr)

    def test_standard_output_that_is_full_is_an_error(self):
        for word in ("--version", "--help", "--man"):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([PROGRAM, word], stdout=full, stderr=subprocess.PIPE,
                                      text=True, timeout=60, check=False)
            self.assertNotEqual(done.returncode, 0, word)
            self.assertIn("No space left", done.stderr, word)

    def test_a_file_may_have_the_longest_name_that_there_is(self):
        for length in (248, 249, 255):
            name = self.folder / ("n" * length)
            self.assertEqual(run(PROFILE, "op", "-output", f"file:outfile={name}")[0], 0, length)
            self.assertIn("MatMul", name.read_text())

    def test_a_page_stays_below_its_limit_with_its_scripts(self):
        numbers = random.Random(1)
        events = [{"ph": "X", "cat": "cpu_op", "name": f"op{i % 50}", "pid": 1, "tid": 1, "ts": 1000 * i,
                   "dur": numbers.randrange(900), "args": {"External id": i}} for i in range(60_000)]
        trace, page = self.folder / "many.pt.trace.json", self.folder / "page.html"
        trace.write_text(json.dumps({"schemaVersion": 1, "deviceProperties": [], "traceEvents": events}), encoding="utf-8")
        self.assertEqual(run(trace, "report", page, "-max-size", "400KB")[0], 0)
        self.assertIn(page.stat().st_size, range(300_000, 400_001))

    def test_a_device_without_a_name_has_a_summary(self):
        plane = self.folder / "p.xplane.pb"
        event = b"\x22" + bytes([4]) + b"\x08\x01\x18\x05"
        line = b"\x1a" + bytes([len(event)]) + event
        names = b"\x22\x07\x08\x01\x12\x03\x12\x01x"
        plane.write_bytes(field(1, line + names))
        status, out, err = run("-as", "xspace", plane, "summary")
        self.assertEqual(status, 0, err)
        self.assertIn("(unnamed)", out)

    def test_a_negative_value_hides_rows_in_the_first_door_only(self):
        node = field(1, b"n") + field(9, b"Big") + b"\x40" + b"\xff" * 9 + b"\x01"
        profile = self.folder / "p.pb"
        profile.write_bytes(field(1, b"\x08\x00" + field(2, node)))
        for question in (["op", "-select", "occurrence"], ["scope", "-select", "occurrence"],
                         ["op", "-format", "csv"], ["op", "-format", "json"]):
            self.assertRegex(run("-as", "profile", profile, *question)[1], "Big|n ", question)
        self.assertNotIn("Big", run("-as", "profile", profile, "op", "-min_float_ops", "0")[1])
        self.assertNotIn("Big", run("-as", "profile", profile, "op", "-format", "classic")[1])
        self.assertNotIn("Big", run(f"--profile_path={profile}", stdin="op\n")[1])
        self.assertIn("negative float operations", "".join(run("-as", "profile", profile, "op")[1:]))

    def test_diff_of_names_that_are_nowhere(self):
        status, out, err = run(PROFILE, "-c", "show zzz", "-c", f"diff {PROFILE}")
        self.assertEqual(status, 0, err)
        self.assertIn("no name matches", out + err)

    def test_a_configuration_that_cannot_be_read_is_an_error(self):
        config = self.folder / "tfprof" / "config"
        config.parent.mkdir()
        environment = {**os.environ, "XDG_CONFIG_HOME": str(self.folder)}
        ask = lambda *more: subprocess.run([PROGRAM, *more, "echo", "x"], env=environment, text=True,
                                           capture_output=True, timeout=60, check=False)
        self.assertEqual(ask().returncode, 0)  # there is none
        os.mkfifo(config)
        refused = ask()
        self.assertEqual((refused.returncode, refused.stdout), (3, ""))
        self.assertIn("cannot read the configuration", refused.stderr)
        self.assertIn(str(config), refused.stderr)
        self.assertEqual(ask("--no-config").returncode, 0)

    def test_a_folder_holds_no_commands(self):
        for args in (("-f", self.folder), ("-c", f"source {self.folder}")):
            status, _, err = run(PROFILE, *args)
            self.assertEqual(status, 3, (args, err))
            self.assertIn(f"cannot read the commands\n  {self.folder}\n", err)

    def test_what_inflates_beyond_the_limit_is_a_damaged_file(self):
        packed = self.folder / "packed.gz"
        packed.write_bytes(gzip.compress(PROFILE.read_bytes()))
        status, _, err = run("--max-bytes=1000", packed, "op")
        self.assertEqual(status, 4, err)
        self.assertIn("hint: raise the limit with --max-bytes", err)
        self.assertEqual(run(packed, "op")[0], 0)

    def test_a_compressed_file_that_is_cut_off_may_be_kept_in_part(self):
        cut = self.folder / "cut.gz"
        cut.write_bytes(gzip.compress(PROFILE.read_bytes())[:9000])
        status, _, err = run(cut, "op")
        self.assertEqual(status, 4, err)
        self.assertIn("hint: --partial loads what comes before the damage", err)
        status, out, err = run("--partial", "-as", "profile", cut, "op")
        self.assertEqual(status, 0, err)
        self.assertIn("\noperation ", out)
        self.assertNotIn("hint", err)

    def test_a_trace_that_is_cut_off_promises_no_names(self):
        cut = self.folder / "cut.xplane.pb"
        cut.write_bytes((ROOT / "testdata/xspace/gpu_train.xplane.pb").read_bytes()[:1800])
        status, _, err = run(cut, "planes")
        self.assertEqual(status, 4, err)
        self.assertIn("hint: --partial loads what comes before the damage; names are stored at the end", err)
        status, out, err = run("--partial", cut, "op")
        self.assertEqual(status, 0, err)
        self.assertNotIn("MatMul", out)
        self.assertIn("events of an unknown name (39 times", out)

    def test_an_unclear_format_names_every_choice(self):
        unclear = self.folder / "unclear"
        unclear.write_bytes(b"\x12\x02\x08\x01")
        status, _, err = run(unclear, "info")
        self.assertEqual(status, 4, err)
        names = re.search("ambiguous format: (.*)", err).group(1).split(", ")
        self.assertGreater(len(names), 1)
        self.assertIn("hint: choose one: " + ", ".join(f"-as {name}" for name in names), err)


if __name__ == "__main__":
    unittest.main()
