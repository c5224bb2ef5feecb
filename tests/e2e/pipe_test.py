#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pipe_test.py PROGRAM: the real program with pipes, files and signals around it."""

import gzip
import os
import pathlib
import re
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "testdata/tensorflow/mnist_softmax"
PROFILE = DATA / "profile.pb"
PARTS = [f"--graph_path={DATA}/graph.pb", f"--run_meta_path={DATA}/run_meta_0,{DATA}/run_meta_1",
         f"--op_log_path={DATA}/op_log"]
PROGRAM = "build/release/tfprof"


def run(*args, stdin="", cwd=None):
    """(exit status, stdout, stderr) as text; `stdin` None: closed."""
    command = [PROGRAM, *map(str, args)]
    if stdin is None:
        command = ["sh", "-c", 'exec "$@" <&-', "sh", *command]
    done = subprocess.run(command, input=stdin, cwd=cwd, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def no_core():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Pipe(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def enterContext(self, context):  # unittest has it from Python 3.11 on
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def test_no_input_prints_the_summary(self):
        status, out, err = run(PROFILE)
        self.assertEqual(status, 0)
        self.assertIn("105 nodes", err)
        for other in (run(PROFILE, stdin=None), run(PROFILE, "summary"), run("summary", PROFILE)):
            self.assertEqual(other, (status, out, err))

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

    def test_the_first_door_prints_coverage_and_classic_text(self):
        status, out, err = run(*PARTS, stdin="scope -max_depth 1\n")
        self.assertEqual(status, 0)
        self.assertEqual(err.count("run graph coverage: 0."), 2)
        self.assertIn("\nProfile:\nnode name | ", out)
        self.assertEqual(run(*PARTS, "scope", "--max_depth=1")[1], out)

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

    def test_a_reader_that_leaves_ends_the_program_quietly(self):
        lines = "scope -max_depth 100\n" * 2000
        done = subprocess.run(["bash", "-c", '"$0" "$1" | head -1; exit ${PIPESTATUS[0]}', PROGRAM,
                               str(PROFILE)], input=lines, capture_output=True, text=True,
                              timeout=60)
        self.assertEqual(done.stdout.count("\n"), 1)
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("error", done.stderr)

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
            self.assertIn("would replace a file that is open", done[2])
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

    def test_redirections_of_the_second_door(self):
        answer = self.folder / "a b.csv"
        lines = f"op -n 2 -format csv > '{answer}'\nop -n 1 -format csv >> '{answer}'\n"
        self.assertEqual(run(PROFILE, stdin=lines)[:2], (0, ""))
        self.assertEqual(answer.read_text().count("BiasAdd"), 2)
        status, out, _ = run(PROFILE, "-c", "op -format csv | grep -c MatMul")
        self.assertEqual((status, out), (0, "1\n"))
        # In the first door they are words, which a view does not take.
        self.assertEqual(run(f"--profile_path={PROFILE}", stdin=f"op > {self.folder}/x\n")[0], 2)
        self.assertFalse((self.folder / "x").exists())

    def test_a_program_that_reads_no_more_ends_its_answer_only(self):
        many = "scope -max_depth 100 -format json"
        for reader in ("head -c 5", "true", "exit 3"):
            for command in (f"{many} | {reader}", f"help options | {reader}"):
                status, out, err = run(PROFILE, "-c", command, "-c", "echo ALIVE")
                self.assertEqual((status, out[-6:]), (0, "ALIVE\n"), (command, err))
        self.assertEqual(run(PROFILE, "-c", "scope | true", "-c", "bogus")[0], 2)
        self.assertEqual(run(PROFILE, stdin="scope | true\nbogus\n")[0], 2)

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
        for command, status in (("no-such-program", 5), ("exit 127", 5), (f"{self.folder}", 5),
                                ("false", 0), ("kill $$", 0)):
            done = run(PROFILE, "-c", f"op | {command}")
            self.assertEqual(done[0], status, (command, done))
            self.assertEqual("could not be run" in done[2], status == 5, (command, done))

    def test_a_folder_holds_no_commands(self):
        for args in (("-f", self.folder), ("-c", f"source {self.folder}")):
            status, _, err = run(PROFILE, *args)
            self.assertEqual(status, 3, (args, err))
            self.assertIn(f"cannot read the commands\n  {self.folder}\n", err)

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
        self.assertIn("hint: --partial reads what comes before", err)
        status, out, err = run("--partial", "-as", "profile", cut, "op")
        self.assertEqual((status, out[:9]), (0, "operation"), err)
        self.assertNotIn("hint", err)

    def test_an_unclear_format_names_every_choice(self):
        unclear = self.folder / "unclear"
        unclear.write_bytes(b"\x12\x02\x08\x01")
        status, _, err = run(unclear, "info")
        self.assertEqual(status, 4, err)
        names = re.search("it may be (.*)", err).group(1).split(", ")
        self.assertGreater(len(names), 1)
        self.assertIn("hint: say which: " + ", ".join(f"-as {name}" for name in names), err)

    def test_a_later_word_is_a_command_unless_a_profile_has_its_name(self):
        profile = self.folder / "op"
        profile.write_bytes(PROFILE.read_bytes())
        (self.folder / "code").mkdir()
        (self.folder / "scope").write_bytes((DATA / "graph.pb").read_bytes())
        self.assertEqual(run("./op", "op", cwd=self.folder)[1], run(PROFILE, "op")[1])
        self.assertEqual(run("./op", "code", cwd=self.folder)[1], run(PROFILE, "code")[1])
        self.assertIn("goes with no other file", run("./op", "scope", cwd=self.folder)[2])

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
    if len(sys.argv) > 1:
        PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
