#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pipe_test.py PROGRAM: the real program with pipes and signals around it."""

import gzip
import os
import signal
import subprocess
import unittest

from program import DATA, PROFILE, PROGRAM, ROOT, InFolder, run

PARTS = [f"--graph_path={DATA}/graph.pb", f"--run_meta_path={DATA}/run_meta_0,{DATA}/run_meta_1",
         f"--op_log_path={DATA}/op_log"]


def random_node():
    """A node whose 3 MiB of noise gzip cannot make shorter."""
    def field(number, value):
        length, size = len(value), b""
        while length > 127:
            size, length = size + bytes([length & 127 | 128]), length >> 7
        return bytes([number << 3 | 2]) + size + bytes([length]) + value
    return field(1, field(1, b"noise") + field(2, b"Const") + field(15, os.urandom(3 << 20)))


class Pipe(InFolder):
    def test_no_input_prints_the_summary(self):
        status, out, err = run(PROFILE)
        self.assertEqual(status, 0)
        self.assertIn("105 nodes", err)
        for other in (run(PROFILE, stdin=None), run(PROFILE, "summary"), run("summary", PROFILE)):
            self.assertEqual(other, (status, out, err))

    def test_commands_may_open_the_profile_themselves(self):
        status, out, err = run(stdin=f"top 1\nload {PROFILE}\ntop 1\n")
        self.assertEqual(status, 2)
        self.assertIn("no profile is open", err)
        self.assertIn("BiasAdd", out)

    def test_no_arguments_explain_the_program(self):
        status, out, err = run()
        self.assertEqual((status, err), (0, ""))
        self.assertIn("tfprof FILE...", out)
        self.assertEqual(run("--help"), (status, out, err))

    def test_every_line_is_answered_and_a_refused_one_is_the_status(self):
        lines = "op -n 1\nnonsense\nop -n 2\n"
        status, out, err = run(PROFILE, stdin=lines)
        self.assertEqual(status, 2)
        self.assertEqual(out.count("operation"), 2)
        self.assertIn("stdin:2: error: no command 'nonsense'", err)
        self.assertEqual(run(PROFILE, stdin="op -n 1")[0], 0)

    def test_scripts_stop_at_the_first_error_unless_told_otherwise(self):
        script = self.folder / "script"
        script.write_text("# a comment\n\nop -n 1\nop -n x\nop -n 2\n")
        status, out, err = run(PROFILE, "-f", script)
        self.assertEqual((status, out.count("operation")), (2, 1))
        self.assertIn(f"{script}:4: error: -n: 'x' is not a number", err)
        self.assertEqual(run(PROFILE, "-f", script, "--keep-going")[1].count("operation"), 2)
        self.assertEqual(run(PROFILE, "-c", "op -n 1", "-c", "bad", "-c", "op")[0], 2)
        self.assertEqual(run(PROFILE, "-f", self.folder / "absent")[0], 3)

    def test_profiles_of_any_size_come_through_a_pipe(self):
        graph = (ROOT / "testdata/tensorflow/convnet/graph.pb").read_bytes() * 100
        text = b"".join(b'node { name: "n%d" op: "Add" }\n' % i for i in range(100000))
        for profile in (graph, text, gzip.compress(random_node() + graph, 1)):
            self.assertGreater(len(profile), 2 << 20)
            done = subprocess.run([PROGRAM, "-", "-c", "op -n 1 -select occurrence"],
                                  input=profile, capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_has_no_end_and_is_no_profile_is_refused(self):
        # They do have an end: whoever reads up to there was too patient, and did not fill memory.
        cut = (-signal.SIGPIPE, 128 + signal.SIGPIPE)
        for command in ("head -c 2G /dev/zero", "yes | head -c 2G",
                        "head -c 100G /dev/zero | gzip -1"):
            source = subprocess.Popen(command, shell=True, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL)
            done = subprocess.run([PROGRAM, "-", "-c", "summary"], stdin=source.stdout,
                                  capture_output=True, timeout=60)
            source.stdout.close()
            self.assertIn(source.wait(), cut, command)
            self.assertEqual(done.returncode, 4, (command, done.stderr))
            self.assertIn(b"unrecognized format", done.stderr)

    def test_the_first_door_prints_coverage_and_classic_text(self):
        status, out, err = run(*PARTS, stdin="scope -max_depth 1\n")
        self.assertEqual(status, 0)
        self.assertEqual(err.count("run graph coverage: 0."), 2)
        self.assertIn("\nProfile:\nnode name | ", out)
        self.assertEqual(run(*PARTS, "scope", "--max_depth=1")[1], out)

    def test_a_reader_that_leaves_ends_the_program_quietly(self):
        lines = "scope -max_depth 100\n" * 2000
        done = subprocess.run(["bash", "-c", '"$0" "$1" | head -1; exit ${PIPESTATUS[0]}', PROGRAM,
                               str(PROFILE)], input=lines, capture_output=True, text=True,
                              timeout=60)
        self.assertEqual(done.stdout.count("\n"), 1)
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("error", done.stderr)

    def test_a_scope_behind_a_view_is_its_filter(self):
        for view in ("scope", "graph", "op"):
            under = run(PROFILE, "-c", f"{view} -under gradients -n 5")
            self.assertEqual(run(PROFILE, "-c", f"{view} gradients -n 5"), under)
            self.assertEqual(run(PROFILE, view, "gradients", "-n", "5")[:2], under[:2])
        # The original takes options only.
        self.assertEqual(run(f"--profile_path={PROFILE}", "-c", "scope gradients")[0], 2)

    def test_redirections_of_the_second_door(self):
        answer = self.folder / "a b.csv"
        lines = f"op -n 2 -format csv > '{answer}'\nop -n 1 -format csv >> '{answer}'\n"
        self.assertEqual(run(PROFILE, stdin=lines)[:2], (0, ""))
        self.assertEqual(answer.read_text().count("BiasAdd"), 2)
        status, out, _ = run(PROFILE, "-c", "op -format csv | grep -c MatMul")
        self.assertEqual((status, out), (0, "1\n"))
        # A mark may touch the command; the ending of a file chooses the format.
        status, out, _ = run(PROFILE, "-c", "op|grep -c MatMul")
        self.assertEqual((status, out), (0, "1\n"))
        plain = self.folder / "plain.csv"
        self.assertEqual(run(PROFILE, "-c", f"op -n 1 > {plain}")[0], 0)
        self.assertTrue(plain.read_text().startswith("name,"))
        # In the first door they are words, which a view does not take.
        self.assertEqual(run(f"--profile_path={PROFILE}", stdin=f"op > {self.folder}/x\n")[0], 2)
        self.assertFalse((self.folder / "x").exists())

    def test_a_program_that_reads_no_more_ends_its_answer_only(self):
        many = "scope -max_depth 100 -format json"
        for reader in ("head -c 5", "true", "kill -PIPE $$"):
            for command in (f"{many} | {reader}", f"help options | {reader}"):
                status, out, err = run(PROFILE, "-c", command, "-c", "echo ALIVE")
                self.assertEqual((status, out[-6:]), (0, "ALIVE\n"), (command, err))
        self.assertEqual(run(PROFILE, "-c", "scope | true", "-c", "bogus")[0], 2)
        self.assertEqual(run(PROFILE, stdin="scope | true\nbogus\n")[0], 2)

    def test_a_program_that_fails_is_told_and_is_the_status(self):
        many = "scope -max_depth 100 -format json"
        ends = {"false": "ended with status 1", "exit 3": "ended with status 3",
                "cat >/dev/null; exit 255": "ended with status 255",
                "kill -TERM $$": "signal 15 ended"}
        for reader, said in ends.items():
            for command in (f"{many} | {reader}", f"help options | {reader}"):
                status, out, err = run(PROFILE, "-c", command, "-c", "echo ALIVE")
                self.assertEqual((status, out), (5, ""), (command, err))
                self.assertIn(f"error: the program {said}\n  | {reader}\n"
                              if "signal" not in said else f"{said} the program", err)
        status, out, _ = run(PROFILE, "--keep-going", "-c", "op | false", "-c", "echo ALIVE")
        self.assertEqual((status, out), (5, "ALIVE\n"))
        self.assertEqual(run(PROFILE, stdin="op | false\n")[0], 5)
        self.assertEqual(run(PROFILE, stdin="op | grep -q MatMul\n")[0], 0)
        self.assertEqual(run(PROFILE, stdin="op | grep -q NoSuchType\n")[0], 5)
        self.assertEqual(run(PROFILE, "-c", "op | grep -q NoSuchType || true")[0], 0)

    def test_an_answer_larger_than_a_pipe_ends_with_its_reader(self):
        # Longer than the kernel's buffer, so that the write meets the closed pipe.
        lines = "set -format json -max_depth 100\n" + "scope | true\n" * 3 + "echo ALIVE\n"
        big = self.folder / "big.pbtxt"
        with open(big, "w") as text:
            for i in range(20000):
                text.write(f'node {{ name: "layer_{i}/weights" op: "NoOp" }}\n')
        status, out, err = run(big, stdin=lines)
        self.assertEqual((status, out), (0, "ALIVE\n"), err)
        self.assertNotIn("error", err)

    def test_a_program_that_cannot_be_run_is_an_error(self):
        for command in ("no-such-program", "exit 127", f"{self.folder}"):
            done = run(PROFILE, "-c", f"op | {command}")
            self.assertEqual(done[0], 5, (command, done))
            self.assertIn("could not be run", done[2])

    def test_no_control_letter_reaches_the_terminal(self):
        name = self.folder / "no\x1b[31mfi\x9ble"
        for args in ((name,), (PROFILE, "-f", name), (PROFILE, "-c", f"op > {name}/x"),
                     (PROFILE, "-c", f"source {name}"), (PROFILE, "-c", "\x1b[31m")):
            status, _, err = run(*args)
            self.assertNotEqual(status, 0, args)
            self.assertIn("?[31m", err)
            self.assertFalse(any(c < " " and c != "\n" or c == "\x9b" for c in err), repr(err))
        script = self.folder / "we\x1b[31mird"
        script.write_text("bogus\n")
        self.assertIn("we?[31mird:1: error", run(PROFILE, "-f", script)[2])

    def test_a_later_word_is_a_command_unless_a_profile_has_its_name(self):
        profile = self.folder / "op"
        profile.write_bytes(PROFILE.read_bytes())
        (self.folder / "code").mkdir()
        (self.folder / "scope").write_bytes((DATA / "graph.pb").read_bytes())
        self.assertEqual(run("./op", "op", cwd=self.folder)[1], run(PROFILE, "op")[1])
        self.assertEqual(run("./op", "code", cwd=self.folder)[1], run(PROFILE, "code")[1])
        self.assertIn("cannot be combined with other files", run("./op", "scope", cwd=self.folder)[2])

    def test_the_profile_may_come_from_standard_input(self):
        done = subprocess.run([PROGRAM, "-", "op", "-n", "1"], input=PROFILE.read_bytes(),
                              capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"BiasAdd", done.stdout)

    def test_interrupt_while_it_waits_for_commands_ends_it(self):
        with subprocess.Popen([PROGRAM, str(PROFILE)], stdin=subprocess.PIPE,
                              stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
            program.stdin.write("echo ready\n")
            program.stdin.flush()
            self.assertEqual(program.stdout.readline(), "ready\n")
            program.send_signal(signal.SIGINT)
            self.assertEqual(program.wait(timeout=30), 130)


if __name__ == "__main__":
    unittest.main()
