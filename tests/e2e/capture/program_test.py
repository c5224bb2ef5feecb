#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""program_test.py TFPROF TFPROF_CAPTURE PROGRAMS: real programs under the recorder, on a GPU that is a fake.

CAPTURE_KILLS=N: how many times a program is killed (20)."""

import gzip
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import time
import unittest

from case import CAPTURE, ENV, PROGRAMS, RANGES, RECORDER, TFPROF, TRAIN, Capture

DATA = pathlib.Path(__file__).resolve().parents[3] / "testdata"
KILLS = int(os.environ.get("CAPTURE_KILLS", "20"))


class Launching(Capture):
    def test_status_and_output_are_those_of_the_command(self):
        for words, status in ((["exit", 0], 0), (["exit", 7], 7), (["signal", signal.SIGTERM], -15),
                              (["signal", signal.SIGSEGV], -11), (["silent-exit", 9], 9)):
            alone = self.run_program(RANGES, *words)
            done = self.capture(RANGES, *words)
            self.assertEqual(done[0], status, done)
            self.assertEqual(done[:2], alone[:2])

    def test_commands_that_cannot_run(self):
        self.assertEqual(self.capture("/absent/program")[0], 127)
        self.assertEqual(self.capture("/etc/passwd")[0], 126)
        self.assertEqual(self.run_program(CAPTURE, "--wrong", "--", "true")[0], 2)
        self.assertEqual(self.run_program(CAPTURE)[0], 2)
        self.assertEqual(self.run_program(CAPTURE, "convert")[0], 2)
        self.assertEqual(self.run_program(CAPTURE, "convert", "a", "--api")[0], 2)
        self.assertEqual(self.run_program(CAPTURE, "convert", "/absent")[0], 3)
        self.assertEqual(self.run_program(CAPTURE, "--help")[0], 0)

    def test_standard_input_is_the_commands(self):
        self.assertEqual(self.capture("cat", input="hello")[1], "hello")

    def test_a_command_that_calls_nothing(self):
        status, _, err = self.capture("true")
        self.assertEqual(status, 0)
        self.assertIn("nothing was recorded", err)
        self.assertEqual(self.manifest()["processes"], [])

    def test_signals_reach_the_command(self):
        for group, sent in ((False, signal.SIGTERM), (True, signal.SIGINT)):
            with subprocess.Popen([CAPTURE, "-o", self.folder, "--overwrite", "--", RANGES, "forever"], env=ENV,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  start_new_session=True) as running:
                for _ in range(500):
                    running.stdout.readline()
                (os.killpg if group else os.kill)(running.pid, sent)
                running.communicate(timeout=30)
            self.assertEqual(running.returncode, -sent)
            self.assertGreater(self.only_process()["recorded"]["ranges"], 100)

    def test_names_of_files(self):
        programs = self.folder.parent / "programs"
        programs.mkdir()
        for name, rank, trace in ((b"n" * 250, "", b"n" * 64), (b'caf\xe9 "x"', "", "caf\N{REPLACEMENT CHARACTER}e9 \"x\"".encode()),
                                  (b"a b", "../../1", b"a b")):
            program = os.fsencode(programs) + b"/" + name
            shutil.copy(TRAIN, program)
            done = subprocess.run([CAPTURE, "-o", self.folder, "--overwrite", "--quiet", "--", program, "2"],
                                  env={**ENV, "LD_LIBRARY_PATH": str(PROGRAMS / "fakes"), "RANK": rank},
                                  capture_output=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            process = self.only_process()
            self.assertNotIn("error", process)
            self.assertTrue(os.fsencode(process["source"]).startswith(trace + b"."), process["source"])
            self.assertTrue((self.folder / process["source"]).is_file())
            self.assertEqual(len(self.ask("steps")), 2)

    def test_a_folder_that_has_a_capture(self):
        self.assertEqual(self.capture(RANGES, "work", 1)[0], 0)
        before = self.manifest()
        status, _, err = self.run_program(CAPTURE, "-o", self.folder, "--", RANGES, "work", 2)
        self.assertEqual(status, 2)
        self.assertIn("--overwrite", err)
        self.assertEqual(self.manifest(), before)
        self.assertEqual(self.capture(RANGES, "work", 2)[0], 0)
        self.assertEqual(len(list(self.folder.glob("*.xplane.pb"))), 1)

    def test_a_folder_that_is_removed_meanwhile(self):
        status, _, err = self.capture("rm", "-r", self.folder)
        self.assertEqual(status, 0)
        self.assertRegex(err, r"^tfprof-capture: cannot write \S+manifest.json: No such file or directory\n$")

    def test_exports_of_a_capture_go_with_it(self):
        self.assertEqual(self.capture(TRAIN, 3, options=["--export-steps", "2"])[0], 0)
        self.assertEqual(len(list(self.folder.glob("*.profile"))), 1)
        self.assertEqual(self.capture(TRAIN, 3)[0], 0)
        self.assertEqual(sorted(path.suffix for path in self.folder.iterdir()), [".json", ".pb"])

    def test_processes_that_outlive_the_command(self):
        status, _, err = self.capture("sh", "-c", f"{RANGES} forever >/dev/null 2>&1 & sleep 1; echo $!")
        self.assertEqual(status, 0)
        self.assertIn("still running", err)
        process = self.only_process()
        self.assertTrue(process["running"])
        os.kill(process["pid"], signal.SIGTERM)
        time.sleep(0.3)
        self.assertEqual(self.run_program(CAPTURE, "convert", self.folder)[0], 0)
        ended = self.only_process()
        self.assertFalse(ended["running"])
        self.assertGreaterEqual(ended["recorded"]["ranges"], process["recorded"]["ranges"])

    def test_another_tool_that_holds_the_variables(self):
        status, _, err = self.capture("true", env={"CUDA_INJECTION64_PATH": "/opt/other.so"})
        self.assertEqual(status, 2)
        self.assertIn("/opt/other.so", err)


class Ranges(Capture):
    def test_ranges_of_a_program(self):
        programs = [RANGES, PROGRAMS / "capture_ranges_vendor"]
        for program in filter(pathlib.Path.exists, programs):
            self.assertEqual(self.capture(program, "basics")[0], 0)
            process = self.only_process()
            self.assertEqual((process["recorded"]["ranges"], process["recorded"]["marks"], process["steps"]),
                             (8, 2, 2))
            self.assertEqual(process["losses"], [])
            self.assertTrue(process["complete"])
            runs = {row["name"]: row["runs"] for row in self.ask("scope", "-select", "occurrence,micros")
                    if "runs" in row}
            if runs:
                self.assertEqual(runs.get("forward"), 2, runs)

    def test_domains_are_scopes_on_request(self):
        self.assertEqual(self.capture(RANGES, "basics", options=["--keep"])[0], 0)
        self.assertNotIn("forward/solve", [row["name"] for row in self.ask("scope")])
        self.assertEqual(self.run_program(CAPTURE, "convert", self.folder, "--nvtx-domains", "solver")[0], 0)
        self.assertIn("forward/solve", [row["name"] for row in self.ask("scope")])

    def test_many_threads(self):
        self.assertEqual(self.capture(RANGES, "threads", 100, options=["--max-mem", "256M"])[0], 0)
        process = self.only_process()
        self.assertEqual(process["recorded"]["ranges"], 100 * 2000 * 2)
        self.assertEqual(process["losses"], [])

    def test_forks_have_spools_of_their_own(self):
        status, out, _ = self.capture(RANGES, "forks", 20)
        self.assertEqual((status, out), (0, "done\n"))
        processes = self.manifest()["processes"]
        self.assertEqual(len(processes), 21)
        self.assertEqual(sorted(p["recorded"]["ranges"] for p in processes), [1] * 20 + [2])
        self.assertTrue(all(p["complete"] for p in processes))

    def test_a_parent_and_a_child_of_one_rank(self):
        def ranges_by_trace():
            return {process["source"]: process["recorded"]["ranges"] for process in self.manifest()["processes"]}

        def traces():
            return {path.name for path in self.folder.glob("*.pb")}

        self.assertEqual(self.capture(RANGES, "forks", 1, options=["--keep"], env={"RANK": "0"})[0], 0)
        before = ranges_by_trace()
        self.assertEqual(sorted(before.values()), [1, 2])
        self.assertEqual(traces(), set(before))
        # The first one becomes the last, as where the numbers of processes begin again.
        first = min(self.manifest()["processes"], key=lambda process: len(process["source"]))
        (self.folder / first["spool"]).rename(self.folder / "spool/~.tfs")
        self.assertEqual(self.run_program(CAPTURE, "convert", self.folder)[0], 0)
        after = ranges_by_trace()
        self.assertEqual(after[first["source"]], 3 - before[first["source"]])
        self.assertEqual(sorted(after.values()), [1, 2])
        self.assertEqual(traces(), set(after))

    def test_programs_that_a_program_starts(self):
        self.assertEqual(self.capture("sh", "-c", f"{RANGES} work 3; exec {RANGES} work 5")[0], 0)
        self.assertEqual(sorted(p["recorded"]["ranges"] for p in self.manifest()["processes"]), [6, 10])

    def test_too_many_names_are_one(self):
        self.assertEqual(self.capture(RANGES, "names", 140_000)[0], 0)
        process = self.only_process()
        self.assertEqual(process["recorded"]["ranges"], 140_000)
        self.assertIn("range names recorded as one", process["losses"][0])


class Kills(Capture):
    def test_what_was_recorded_a_second_before_is_there(self):
        self.folder.mkdir()
        for _ in range(KILLS):
            with subprocess.Popen([RANGES, "forever"], stdout=subprocess.PIPE, text=True,
                                  env={**ENV, "NVTX_INJECTION64_PATH": str(RECORDER),
                                       "TFPROF_CAPTURE_DIR": str(self.folder)}) as running:
                time.sleep(random.uniform(0.05, 1.5))
                running.kill()
                killed = time.monotonic()
                out = running.communicate()[0]
            lines = [line.split() for line in out.splitlines()[:-1]]
            due = sum(float(line[1]) / 1e9 < killed - 1 for line in lines)
            self.assertEqual(self.run_program(CAPTURE, "convert", self.folder)[0], 0)
            process = self.only_process()
            self.assertGreaterEqual(process["recorded"]["ranges"], due)
            self.assertLessEqual(process["recorded"]["ranges"], len(lines) + 1)
            self.assertFalse(process["complete"])
            for trace in self.folder.glob("*.xplane.pb"):
                self.assertEqual(self.run_program(TFPROF, "summary", trace)[0], 0)
                trace.unlink()


class Faults(Capture):
    """The program's output and status are as without the recorder; one line says what to do."""

    def check(self, done, words):
        self.assertEqual(done[:2], (0, "done\n"), done)
        lines = done[2].splitlines()
        self.assertEqual(len(lines), 1, done[2])
        self.assertTrue(lines[0].startswith("tfprof-capture: process "), lines)
        for word in words:
            self.assertIn(word, lines[0])

    def test_folders_that_cannot_be_made(self):
        self.check(self.bare(RANGES, "work", 3, env={"TFPROF_CAPTURE_DIR": "/proc/absent"}), ["-o"])
        file = self.folder.parent / "file"
        file.touch()
        status, _, err = self.run_program(CAPTURE, "-o", file, "--", RANGES, "work", 1)
        self.assertEqual(status, 2)
        self.assertIn("choose another folder with -o", err)

    def test_a_limit_of_the_file_size(self):
        def limits():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        self.check(self.bare(RANGES, "work", 300_000, limits=limits), ["limit"])

    def test_the_limit_of_the_spool(self):
        self.check(self.bare(RANGES, "work", 300_000, env={"TFPROF_CAPTURE_OPTS": "max-disk=1M"}),
                   ["--max-disk"])
        self.assertEqual(self.run_program(CAPTURE, "convert", self.folder)[0], 0)
        self.assertGreater(self.only_process()["recorded"]["ranges"], 10_000)

    def test_a_full_disk(self):
        small = self.folder.parent / "small"
        small.mkdir()
        script = f"mount -t tmpfs -o size=128k none {small} && exec {RANGES} work 300000"
        done = self.bare("unshare", "-m", "sh", "-c", script, env={"TFPROF_CAPTURE_DIR": str(small)})
        if "done" not in done[1]:
            self.skipTest("no mount namespaces here")
        self.check(done, ["no space left"])

    def test_a_read_only_disk(self):
        small = self.folder.parent / "small"
        small.mkdir()
        script = f"mount -t tmpfs -o ro none {small} && exec {RANGES} work 3"
        done = self.bare("unshare", "-m", "sh", "-c", script, env={"TFPROF_CAPTURE_DIR": str(small)})
        if "done" not in done[1]:
            self.skipTest("no mount namespaces here")
        self.check(done, ["Read-only"])

    def test_no_descriptors(self):
        self.check(self.bare(RANGES, "descriptors"), ["ulimit"])

    def test_no_threads(self):
        self.check(self.bare(RANGES, "no-threads"), ["cannot start a thread", "ulimit"])

    def test_a_program_that_closes_all_descriptors(self):
        self.assertEqual(self.bare(RANGES, "close"), (0, "done\n", ""))
        self.assertEqual(self.run_program(CAPTURE, "convert", self.folder)[0], 0)
        self.assertEqual(self.only_process()["recorded"]["ranges"], 2 + 2 * 10)

    def test_records_beyond_the_memory_limit_are_counted(self):
        self.assertEqual(self.capture(RANGES, "threads", 50, options=["--max-mem", "2M"])[0], 0)
        process = self.only_process()
        self.assertIn("--max-mem", " ".join(process["losses"]))
        self.assertLess(process["recorded"]["ranges"], 50 * 2000 * 2)

    def test_switched_off(self):
        done = self.bare(RANGES, "work", 3, env={"TFPROF_CAPTURE_DISABLE": "1"})
        self.assertEqual(done, (0, "done\n", ""))
        self.assertFalse(self.folder.exists())


class Devices(Capture):
    def train(self, steps, options=(), env=None):
        done = self.capture(TRAIN, steps, options=options, env=env)
        self.assertEqual(done[:2], (0, f"trained {steps} steps\n"), done)
        return done[2]

    def test_work_is_that_of_the_range_of_its_launch(self):
        self.train(20)
        process = self.only_process()
        counts = process["recorded"]
        self.assertEqual((counts["kernels"], counts["copies"], counts["fills"], counts["graph_launches"]),
                         (3 * 20 + 1, 2 * 20, 20, 20))
        self.assertEqual(counts["memory_operations"], 1 + 2 * 20)
        self.assertEqual((process["steps"], process["losses"]), (20, []))
        # Kernels of fixed times; a fill of 4096 bytes takes 410 ns.
        device_us = {row["name"]: row["device_us"] for row in self.ask("scope", "-select",
                                                                       "accelerator_micros")}
        self.assertEqual(device_us["forward/dense/gemm"], 20 * 20)
        self.assertEqual(sum(us for name, us in device_us.items() if name.startswith("forward/activation/")),
                         20 * 5)
        self.assertAlmostEqual(sum(us for name, us in device_us.items() if name.startswith("backward/")),
                               20 * 30.41, 6)
        self.assertEqual(device_us["cudaGraph_3"], 20 * 10)
        self.assertEqual(device_us["relu_kernel"], 7)
        kernels = {(row["kernel"], row["op"]): row["launches"] for row in self.ask("kernels")}
        self.assertEqual(sorted(kernels.values()), [1, 20, 20, 20])

    def test_views(self):
        self.train(3)
        for view in ("summary", "scope", "op", "graph", "kernels", "memory", "overview", "transfers", "sync",
                     "steps", "planes"):
            status, out, err = self.run_program(TFPROF, view, self.folder)
            self.assertEqual(status, 0, err)
            self.assertTrue(out, view)
        self.assertEqual([row["step"] for row in self.ask("steps")], [0, 1, 2])

    def test_exports_for_the_original(self):
        self.train(4, options=["--export-steps", "2"])
        base = str(next(self.folder.glob("*.graph")))[:-len(".graph")]
        exports = self.only_process()["exports"]
        self.assertEqual(sorted(pathlib.Path(name).suffix for name in exports),
                         [".graph", ".op_log", ".profile", ".run_meta_step0", ".run_meta_step1"])
        question = ["op", "-select", "micros,accelerator_micros,cpu_micros,occurrence", "-order_by", "micros"]
        for step in (0, 1):
            status, out, err = self.run_program(
                TFPROF, f"--graph_path={base}.graph", f"--run_meta_path={base}.run_meta_step{step}",
                f"--op_log_path={base}.op_log", "op", "-select", "accelerator_micros,occurrence",
                "-order_by", "accelerator_micros")
            self.assertEqual(status, 0, err)
            first = next(line for line in out.splitlines() if line.startswith("gemm"))
            self.assertIn(" 50us (100.00%", first)  # 20 and 30
            self.assertIn("2|2", first)
            self.assertIn("run graph coverage: 1.00", out + err)
            files = [f"--graph_path={base}.graph", f"--run_meta_path={base}.run_meta_step{step}",
                     f"--op_log_path={base}.op_log"]
            answers = [self.run_program(TFPROF, *words, *question)[1].splitlines()[-7:] for words in
                       (files, [f"--profile_path={base}.profile", "-step", step])]
            self.assertEqual(*answers)
            self.assertIn("relu_kernel", "\n".join(answers[0]))
        # A folder is opened as its traces.
        self.assertEqual(len(self.ask("steps")), 4)

    def test_nodes_of_graphs(self):
        self.train(4, options=["--cuda-graph=node"])
        counts = self.only_process()["recorded"]
        self.assertEqual((counts["kernels"], counts["graph_launches"]), (3 * 4 + 1 + 10 * 4, 0))

    def test_all_calls(self):
        self.train(4, options=["--api"])
        process = self.only_process()
        self.assertIn("runtime", process["kinds"])

    def test_cupti_that_refuses(self):
        for fault, words in (("subscribe=39", ["Kineto", "only one per process"]),
                             ("enable=35", ["CAP_SYS_ADMIN"]), ("subscribe=15", ["driver"])):
            err = self.train(3, env={"FAKE_CUPTI_FAULT": fault})
            for word in ["GPU work is not recorded", *words]:
                self.assertIn(word, err)
            process = self.only_process()
            self.assertIn("cupti.error", process)
            self.assertEqual(process["recorded"]["kernels"], 0)
            self.assertEqual(process["steps"], 3)

    def test_no_cupti(self):
        err = self.train(3, env={"TFPROF_CUPTI_LIB": "/absent/libcupti.so"})
        self.assertIn("no libcupti was found", err)
        self.assertEqual(self.only_process()["steps"], 3)

    def test_records_that_are_lost_or_broken_are_counted(self):
        for fault, loss in (("drop=5", "dropped by CUPTI"), ("zero=4", "without times"),
                            ("unknown=3", "unknown kind")):
            self.train(20, env={"FAKE_CUPTI_FAULT": fault})
            self.assertIn(loss, " ".join(self.only_process()["losses"]), fault)

    def test_recordings_of_a_real_gpu(self):
        for name, kernels, copies, fills, graphs in (("driver", 16, 3, 3, 3), ("driver_nodes", 46, 3, 3, 0),
                                                     ("driver_api", 16, 3, 3, 3), ("runtime", 12, 6, 3, 3),
                                                     ("runtime_nodes", 27, 9, 6, 0)):
            self.folder = self.folder.parent / name
            (self.folder / "spool").mkdir(parents=True)
            shutil.copy(DATA / "capture" / f"{name}.tfs", self.folder / "spool")
            self.assertEqual(self.run_program(CAPTURE, "convert", "--keep", self.folder)[0], 0)
            process = self.only_process()
            recorded = [process["recorded"][kind] for kind in ("kernels", "copies", "fills", "graph_launches")]
            self.assertEqual((recorded, process["steps"], process["losses"]), ([kernels, copies, fills, graphs], 3, []))
            launches = sorted((row["op"], row["launches"]) for row in self.ask("kernels")
                              if row["op"].startswith("forward/"))
            self.assertEqual(launches, [("forward/spin", 6)] if name.startswith("driver") else
                             [("forward/Scaled", 3), ("forward/Scaled", 3), ("forward/Spin", 3)])

    def test_recordings_of_pytorch_on_a_real_gpu(self):
        dataset = ["waiting for input (DataLoader)", "eager operations, starting them"]
        for name, recorded, ops, parts in (
                ("gpu_healthy", (942, 163, 5, 80, 16), ["aten::mm", "aten::addmm", "aten::_fused_adamw_"],
                 ["device compute"]),
                ("gpu_slow_dataset", (605, 97, 10, 0, 16), ["aten::_fused_adamw_", "aten::addmm", "aten::mm"], dataset),
                ("gpu_tiny_kernels", (2415, 1442, 0, 0, 7), ["aten::tanh", "aten::mul", "aten::add"],
                 ["eager operations, starting them"])):
            self.folder = self.folder.parent / name
            (self.folder / "spool").mkdir(parents=True)
            packed = (DATA / "capture" / f"{name}.tfs.gz").read_bytes()
            (self.folder / "spool" / f"{name}.tfs").write_bytes(gzip.decompress(packed))
            self.assertEqual(self.run_program(CAPTURE, "convert", "--keep", self.folder)[0], 0)
            process = self.only_process()
            counts = [process["recorded"][kind] for kind in ("ranges", "kernels", "copies", "fills", "python_stacks")]
            self.assertEqual((tuple(counts), process["losses"]), (recorded, []))
            self.assertEqual([row["name"] for row in self.ask("op", "-order_by", "accelerator_micros")][:3], ops)
            screen = self.run_program(TFPROF, self.folder)[1]
            self.assertRegex(screen, f"op time +{ops[0]} ")
            for text in parts:
                self.assertIn(text, screen)

    def test_convert_again_and_elsewhere(self):
        self.train(3, options=["--keep"])
        first = sorted(self.folder.glob("*.xplane.pb"))
        before = first[0].read_bytes()
        moved = self.folder.rename(self.folder.parent / "moved")
        self.assertEqual(self.run_program(CAPTURE, "convert", "--keep", moved)[0], 0)
        self.assertEqual((moved / first[0].name).read_bytes(), before)

    def test_doctor_and_env(self):
        _, out, _ = self.run_program(CAPTURE, "doctor")
        self.assertIn("recorder: ", out)
        status, out, _ = self.run_program(CAPTURE, "env", "-o", "x", "--api")
        self.assertEqual(status, 0)
        for variable in ("CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "TFPROF_CAPTURE_DIR",
                         "TFPROF_CAPTURE_OPTS='api'"):
            self.assertIn(variable, out)
        folder = self.folder.parent / "a'b dir"
        _, out, _ = self.run_program(CAPTURE, "env", "-o", folder)
        _, out, _ = self.run_program("sh", "-c", out + 'printf %s "$TFPROF_CAPTURE_DIR"')
        self.assertEqual(out, str(folder))


if __name__ == "__main__":
    unittest.main()
