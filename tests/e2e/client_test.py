#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Captures from servers that behave well, badly, and not at all: client_test.py TFPROF TFPROF_CLIENT [TEST...]."""

import os
import pathlib
import re
import shutil
import signal
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

TFPROF, CLIENT = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "remote/testing"))
import fake_server as fake  # noqa: E402

ENV = {k: v for k, v in os.environ.items() if not k.startswith(("TPU_", "KUBE_"))}
BIG = int(os.environ.get("TFPROF_BIG_TRACE", 0)) or 256 << 20  # bytes; more shows more


class Client(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.logs = pathlib.Path(folder.name) / "logs"

    def server(self, *args, **how):
        server = fake.Server(*args, **how)
        self.addCleanup(server.close)
        return server

    def start(self, *words, program=CLIENT, env=None, **how):
        return subprocess.Popen([program, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env={**ENV, **(env or {})}, **how)

    def run_client(self, *words, **how):
        """(status, stdout, stderr)"""
        process = self.start(*words, **how)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def capture(self, target, *options, **how):
        return self.run_client("capture", target, "-o", self.logs, "-duration", "100ms", *options, **how)

    def traces(self):
        return sorted(path.name for path in self.logs.glob("plugins/profile/*/*"))


class Captures(Client):
    def test_two_workers_begin_at_the_same_time(self):
        servers = [self.server(), self.server()]
        status, out, err = self.capture("grpc://" + ",".join(one.address for one in servers))
        self.assertEqual(status, 0, err)
        self.assertEqual(self.traces(), sorted(f"127.0.0.1_{one.port}.xplane.pb" for one in servers))
        self.assertEqual(pathlib.Path(out.strip()), next(self.logs.glob("plugins/profile/*")))
        self.assertIn("2 of 2 hosts", err)
        first = servers[0].requests[0]
        self.assertLess(abs(servers[0].spans[0][0] - servers[1].spans[0][0]), 50e6)
        by = dict(first.fields)
        self.assertEqual((by[1], by[3], by[9]), (100, b"xplane.pb", 1))
        self.assertEqual(by[7].decode(), servers[0].address)
        self.assertEqual({key: first.options[key] for key in (2, 3, 5, 9)}, {2: 2, 3: 1, 5: 1, 9: 100})
        self.assertNotIn(4, first.options)  # the Python tracer is off

    def test_levels(self):
        server = self.server()
        status, _, err = self.capture("grpc://" + server.address, "-host_level", 3, "-device_level=0",
                                      "--python-level", 1)
        self.assertEqual(status, 0, err)
        options = server.requests[0].options
        self.assertEqual((options.get(2), options.get(3), options.get(4)), (3, None, 1))

    def test_the_answer_of_a_command_follows(self):
        server = self.server()
        status, out, err = self.run_client("capture", "grpc://" + server.address, "-o", self.logs, "-duration", "50ms",
                                           "-c", "steps -format csv", program=TFPROF)
        self.assertEqual(status, 0, err)
        self.assertEqual(out.count("train"), 3, out)

    def test_delay(self):
        server = self.server()
        before = time.time_ns()
        status, _, err = self.capture("grpc://" + server.address, "-delay", "300ms")
        self.assertEqual(status, 0, err)
        self.assertGreater(server.spans[0][0] - before, 300e6)

    def test_every_and_keep(self):
        server = self.server()
        status, out, err = self.capture("grpc://" + server.address, "-every", "200ms", "-times", 4, "-keep", 2)
        self.assertEqual(status, 0, err)
        self.assertEqual(len(out.split()), 4)
        self.assertEqual(sorted(map(str, self.logs.glob("plugins/profile/*"))), sorted(out.split()[-2:]))

    def test_a_run_is_continued(self):
        servers = [self.server(), self.server()]
        status, _, _ = self.capture(f"grpc://{servers[0].address},127.0.0.1:1", "-run", "r", "-retries", 0)
        self.assertEqual(status, 3)
        status, _, err = self.capture("grpc://" + ",".join(one.address for one in servers), "-run", "r")
        self.assertEqual(status, 0, err)
        self.assertEqual([len(one.requests) for one in servers], [1, 1])
        self.assertEqual(len(self.traces()), 2)

    def test_metadata(self):
        server = self.server()
        token = self.logs.parent / "token"
        token.write_text("{{||}}~~{{||}}\n")  # no shorter in HTTP/2's code
        status, _, err = self.capture("grpc://" + server.address, "-metadata", f"x-token=@{token}")
        self.assertEqual(status, 0, err)
        self.assertIn(b"{{||}}~~{{||}}", server.headers[0])

    def test_metadata_of_a_pipe_is_read_once(self):
        server = self.server()
        pipe, end = os.pipe()
        self.addCleanup(os.close, pipe)
        os.write(end, b"{{||}}~~{{||}}\n")
        os.close(end)
        status, _, err = self.capture("grpc://" + server.address, "-metadata", f"x-token=@/dev/fd/{pipe}", program=TFPROF,
                                      pass_fds=(pipe,))
        self.assertEqual(status, 0, err)
        self.assertIn(b"{{||}}~~{{||}}", server.headers[0])

    def test_a_tpu_by_the_environment(self):
        server = self.server()
        status, _, err = self.capture(f"tpu:pod:{server.port}",
                                      env={"TPU_NAME": "pod", "TPU_WORKER_HOSTNAMES": "127.0.0.1,127.0.0.2"})
        self.assertEqual(status, 0, err)
        self.assertEqual(self.traces(), [f"127.0.0.{n}_{server.port}.xplane.pb" for n in (1, 2)])
        status, _, err = self.capture("tpu:")
        self.assertEqual(status, 2)
        self.assertIn("TPU_WORKER_HOSTNAMES", err)

    def test_tls(self):
        folder = self.logs.parent
        key, certificate = folder / "key.pem", folder / "cert.pem"
        if shutil.which("openssl") is None:
            self.skipTest("no openssl")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-days", "2", "-subj", "/CN=profiler", "-addext", "subjectAltName=DNS:profiler", "-keyout", key,
                        "-out", certificate], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        context.set_alpn_protocols(["h2"])
        server = self.server(tls=context)
        target = "grpc://" + server.address
        status, _, err = self.capture(target, "-ca", certificate, "-server_name", "profiler")
        self.assertEqual(status, 0, err)
        for options, words in (["-ca", certificate], "mismatch"), (["-tls"], "certificate"):
            status, _, err = self.capture(target, "-retries", 0, *options)
            self.assertEqual(status, 3)
            self.assertIn(words, err)

    def test_monitor(self):
        server = self.server(monitor=lambda request, number: f"Utilization: {number + 40}%\n\033[1m")
        status, out, err = self.run_client("monitor", "grpc://" + server.address, "-every", "50ms", "-times", 2)
        self.assertEqual(status, 0, err)
        self.assertIn("Utilization: 40%", out)
        self.assertIn("Utilization: 41%", out)
        self.assertNotIn("\033", out)
        status, _, err = self.run_client("monitor", "grpc://" + self.server().address)
        self.assertEqual(status, 3)
        self.assertIn("no Monitor", err)


class Faults(Client):
    def test_an_unreachable_worker_does_not_lose_the_others(self):
        server = self.server()
        status, _, err = self.capture(f"grpc://127.0.0.1:1,{server.address},no.such.host.invalid:1", "-retries", 1)
        self.assertEqual(status, 3)
        self.assertEqual(self.traces(), [f"127.0.0.1_{server.port}.xplane.pb"])
        self.assertIn("127.0.0.1:1: Connection refused; again in 250 ms", err)
        self.assertIn("1 of 3 hosts", err)

    def test_nobody_answers(self):
        status, out, err = self.capture("grpc://127.0.0.1:1", "-retries", 0)
        self.assertEqual((status, out), (3, ""))
        self.assertEqual(self.traces(), [])
        self.assertEqual(list(self.logs.glob("plugins/profile/*")), [])

    def test_empty_traces_are_tried_again(self):
        def empty_twice(stream, request, number):
            if number == 2:
                return server.record(stream, request)
            stream.answer(fake.number(7, 1) if number else b"")
        server = self.server(empty_twice)
        status, _, err = self.capture("grpc://" + server.address)
        self.assertEqual(status, 0, err)
        self.assertEqual(err.count("the trace is empty"), 2)
        server = self.server(lambda stream, *_: stream.answer(b""))
        status, _, err = self.capture("grpc://" + server.address, "-retries", 1)
        self.assertEqual(status, 3)
        self.assertEqual(len(server.requests), 2)

    def test_an_idle_program(self):
        """Its trace has planes, but no event. It is kept, in case that nothing better comes."""
        server = self.server(lambda stream, *_: stream.answer(fake.response(fake.trace(1, 2, step_ps=[]))))
        status, out, err = self.capture("grpc://" + server.address, "-retries", 2)
        self.assertEqual(status, 3)
        self.assertEqual(err.count("nothing was recorded; again"), 2, err)
        self.assertIn("nothing was recorded (", err)
        self.assertIn("0 of 1 host", err)
        self.assertEqual(self.traces(), [f"127.0.0.1_{server.port}.xplane.pb"])
        self.assertTrue(pathlib.Path(out.strip()).is_dir())

    def test_a_program_that_is_idle_once(self):
        server = self.server(lambda stream, request, number: server.record(stream, request) if number else
                             stream.answer(fake.response(fake.trace(1, 2, step_ps=[]))))
        status, _, err = self.capture("grpc://" + server.address)
        self.assertEqual(status, 0, err)
        self.assertEqual(err.count("nothing was recorded"), 1, err)
        self.assertIn("1 of 1 host", err)

    def test_a_host_that_has_ended_is_reported_before_the_others_end(self):
        release = threading.Event()
        self.addCleanup(release.set)
        slow = self.server(lambda stream, request, _: release.wait(60) and slow.record(stream, request))
        good = self.server()
        process = self.start("capture", f"grpc://{slow.address},{good.address}", "-o", self.logs, "-duration", "50ms")
        self.assertRegex(process.stderr.readline(), rf"^{good.address}: [0-9.]+ ")
        release.set()
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0)

    def test_another_session_runs(self):
        def busy_twice(stream, request, number):
            if number < 2:
                return stream.status(fake.INTERNAL, "Another profiling session active.")
            server.record(stream, request)
        server = self.server(busy_twice)
        status, _, err = self.capture("grpc://" + server.address)
        self.assertEqual(status, 3)
        self.assertIn("-wait", err)
        self.assertEqual(len(server.requests), 1)
        status, _, err = self.capture("grpc://" + server.address, "-wait", "-retries", 0)
        self.assertEqual(status, 0, err)
        self.assertIn("waits for the end of another session", err)

    def test_a_server_that_hangs(self):
        release = threading.Event()
        self.addCleanup(release.set)
        hangs = self.server(lambda *_: release.wait(60))
        good = self.server()
        began = time.monotonic()
        status, _, err = self.capture(f"grpc://{hangs.address},{good.address}", "-timeout", "1s")
        self.assertEqual(status, 3)
        self.assertLess(time.monotonic() - began, 30)
        self.assertIn("no answer in time", err)
        self.assertEqual(len(self.traces()), 1)
        self.assertIn("Terminate", [request.kind for request in hangs.requests])

    def test_a_server_may_take_longer_than_the_client_waits(self):
        """Else it would drop what it has before the client asks for it."""
        server = self.server()
        status, _, err = self.capture("grpc://" + server.address, "-timeout", "1s")
        self.assertEqual(status, 0, err)
        self.assertGreater(fake.timeout_s(server.headers[0]), 0.1 + 1 + 10)

    def test_times_below_a_millisecond(self):
        status, _, err = self.run_client("capture", "grpc://127.0.0.1:1", "-o", self.logs, "-every", "500us")
        self.assertEqual(status, 2)
        self.assertIn("-every: '500us' is less than 1ms", err)

    def test_a_server_that_is_silent(self):
        silent = self.server(instead=lambda _: time.sleep(60))
        status, _, err = self.capture("grpc://" + silent.address, "-timeout", "500ms", "-retries", 0)
        self.assertEqual(status, 3)
        self.assertIn("no answer in time", err)

    def test_a_server_that_dies_in_the_middle(self):
        def dies_once(stream, request, number):
            if number == 1:
                return server.record(stream, request)
            stream.send(b"\0" + struct.pack(">I", 1 << 20) + fake.length(8, (1 << 20) - 4) + bytes(300_000))
            time.sleep(0.1)
            stream.connection.end()
        server = self.server(dies_once)
        status, _, err = self.capture("grpc://" + server.address)
        self.assertEqual(status, 0, err)
        self.assertIn("closed the connection after 293 KiB of the trace; again in", err)
        self.assertEqual(self.traces(), [f"127.0.0.1_{server.port}.xplane.pb"])  # and nothing that is half

    def test_garbage(self):
        def reply(data):
            def instead(sock):
                sock.sendall(data)
                time.sleep(0.5)
            return instead
        space = fake.trace(1, 2)
        # name: server, words of the message
        cases = {
            "HTTP/1": (self.server(instead=reply(b"HTTP/1.1 400 Bad Request\r\n\r\n")), "not gRPC"),
            "bytes": (self.server(instead=reply(bytes(range(256)) * 8)), "not gRPC"),
            "field of type 7": (self.server(lambda s, *_: s.answer(b"\x47\x47\x47")), "malformed"),
            "field longer than its message": (self.server(lambda s, *_: s.answer(fake.length(8, 999) + b"x")), "malformed"),
            "endless number": (self.server(lambda s, *_: s.answer(b"\x38" + b"\xff" * 20)), "malformed"),
            "compressed": (self.server(lambda s, *_: (s.send(b"\1\0\0\0\1x"), s.status(0))), "malformed"),
            "not a trace": (self.server(lambda s, *_: s.answer(fake.response(bytes(range(256)) * 4))), "not a trace"),
            "less than its frame": (self.server(lambda s, *_: (
                s.send(b"\0\0\1\0\0" + fake.response(space)), s.status(0))), "incomplete"),
        }
        for name, (server, words) in cases.items():
            with self.subTest(name):
                status, _, err = self.capture("grpc://" + server.address, "-retries", 0)
                self.assertEqual(status, 3)
                self.assertIn(words, err)
                self.assertEqual(self.traces(), [])

    def test_texts_of_a_server_do_not_reach_the_terminal(self):
        server = self.server(lambda s, *_: s.status(fake.INTERNAL, "a%0Ab%1B[31m"))
        _, _, err = self.capture("grpc://" + server.address, "-retries", 0)
        self.assertIn("INTERNAL: a?b?[31m", err)

    def test_a_long_trace_needs_little_memory(self):
        if shutil.disk_usage(tempfile.gettempdir()).free < 2 * BIG:
            self.skipTest("no disk")
        name = fake.length(2, 1 << 20) + bytes(1 << 20)
        block = fake.length(3, len(name)) + name  # a line of a plane
        blocks = BIG // len(block) + 1
        half = blocks // 2
        cpu = fake.text(2, "/host:CPU")
        first = fake.trace(1, 2) + fake.length(1, len(cpu) + blocks * len(block)) + cpu

        # A message of gRPC has at most 4 GiB: the trace comes in two, which protobuf joins.
        def long(stream, request, number):
            for count, begin in (half, first), (blocks - half, b""):
                size = len(begin) + count * len(block)
                head = fake.length(8, size)
                stream.send(b"\0" + struct.pack(">I", len(head) + size) + head + begin)
                for _ in range(count):
                    if not stream.send(block):
                        return
            # Not wait4's ru_maxrss: it begins with the memory of this interpreter, which started the program.
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            peaks.append(int(re.search(r"VmHWM:\s*(\d+) kB", status)[1]))
            stream.status(fake.OK)
        peaks = []
        server = self.server(long)
        process = self.start("capture", "grpc://" + server.address, "-o", self.logs, "-duration", "10ms", "-timeout", "600s")
        _, err = process.communicate()
        self.assertEqual(process.returncode, 0, err)
        trace = next(self.logs.glob("plugins/profile/*/*.xplane.pb"))
        self.assertEqual(trace.stat().st_size, blocks * len(block) + len(first))
        self.assertLess(peaks[0] << 10, BIG / 2)

    def test_a_full_disk(self):
        servers = [self.server(), self.server()]
        run = self.logs / "plugins/profile/r"
        run.mkdir(parents=True)
        (run / f".127.0.0.1_{servers[0].port}.xplane.pb.part").symlink_to("/dev/full")
        status, _, err = self.capture("grpc://" + ",".join(one.address for one in servers), "-run", "r")
        self.assertEqual(status, 3)
        self.assertIn("No space left on device", err)
        self.assertEqual(len(servers[0].requests), 1)  # another attempt would not help
        self.assertEqual(self.traces(), [f"127.0.0.1_{servers[1].port}.xplane.pb"])

    def test_clocks_that_are_apart(self):
        ahead, here, behind = self.server(clock_s=30), self.server(), self.server(clock_s=-2)
        status, _, err = self.capture("grpc://" + ",".join(one.address for one in (ahead, here, behind)))
        self.assertEqual(status, 0, err)
        self.assertRegex(err, rf"{ahead.address}: its clock is (29\.\d s to )?30\.\d s ahead of ours")
        self.assertRegex(err, rf"{behind.address}: its clock is (1\.\d+|2\.\d+) s .*behind ours")
        self.assertNotIn(f"{here.address}: its clock", err)

    def test_a_thousand_hosts(self):
        server = self.server()
        hosts = [f"127.0.{a}.{b}:{server.port}" for a in range(1, 5) for b in range(1, 251)]
        listed = self.logs.parent / "hosts"
        listed.write_text("# all of them\n" + "\n".join(hosts) + "\n")
        status, _, err = self.run_client("capture", f"grpc://@{listed}", "-o", self.logs, "-duration", "10ms")
        self.assertEqual(status, 0, err[-2000:])
        self.assertEqual(len(self.traces()), 1000)
        self.assertLessEqual(server.most_at_once, 64)
        self.assertGreater(server.most_at_once, 16)
        self.assertIn("1000 of 1000 hosts", err[-200:])


class Interrupts(Client):
    def test_ctrl_c_ends_the_sessions_and_keeps_what_was_recorded(self):
        servers = [self.server(), self.server()]
        process = self.start("capture", "grpc://" + ",".join(one.address for one in servers), "-o", self.logs, "-duration", "60s")
        while not all(one.at_once for one in servers):
            time.sleep(0.02)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130, err)
        self.assertEqual(err.count("ended early"), 2)
        self.assertEqual(len(self.traces()), 2)
        for server in servers:
            profile, terminate = server.requests
            self.assertEqual((terminate.kind, terminate.session), ("Terminate", profile.session))

    def test_ctrl_c_between_attempts(self):
        process = self.start("capture", "grpc://127.0.0.1:1", "-o", self.logs, "-retries", 100)
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=10)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(self.traces(), [])


class Usage(Client):
    def test_errors(self):
        for words, message in ((["capture"], "no server"), (["capture", "-o", "x"], "no server"),
                               (["capture", "grpc://h:1"], "no folder"), (["monitor"], "no server"),
                               (["capture", "h:1", "-o", "x"], "hint: grpc://h:1\n"),
                               (["capture", "grpc://h:99999", "-o", "x"], "not an address"),
                               (["capture", "grpc://h:1", "-o", "x", "-times", "2"], "-times needs -every"),
                               (["monitor", "grpc://h:1", "-times", "2"], "-times needs -every"),
                               (["capture", "grpc://h:1", "-o", "x", "-metadata", "a b=c"], "not metadata"),
                               (["capture", "grpc://h:1", "-o", "x", "-metadata", "a=b\nc"], "not metadata"),
                               (["capture", "grpc://h:1", "-o", "x", "-duration", "1d"], "'1d' is not a time"),
                               (["capture", "grpc://h", "-o", "x"], "not an address"),
                               (["capture", "grpc://h:1", "-o", "x", "-duratoin", "1s"], "-duration"),
                               (["capture", "grpc://h:1", "-o", "x", "-duration", "1"], "no unit"),
                               (["capture", "grpc://h:1", "-o", "x", "-run", "../y"], "another folder"),
                               (["capture", "grpc://h:1", "-o", "x", "-keep", "2"], "-every"),
                               (["monitor", "grpc://h:1", "-o", "x"], "no option -o")):
            with self.subTest(words):
                for program in CLIENT, TFPROF:
                    status, _, err = self.run_client(*words, program=program)
                    self.assertEqual(status, 2, err)
                    self.assertIn(message, err)

    def test_files_that_cannot_be_read(self):
        for words in ["-ca", "/absent.pem"], ["-cert", "/absent.pem", "-key", "/absent.pem"], ["-metadata", "k=@/absent.pem"]:
            status, _, err = self.capture("grpc://h:1", *words)
            self.assertEqual(status, 3)
            self.assertIn("where: /absent.pem", err)
        several = self.logs.parent / "several"
        several.write_text("a\nb\n")
        status, _, err = self.capture("grpc://h:1", "-metadata", f"k=@{several}")
        self.assertEqual(status, 2)
        self.assertIn("several lines", err)

    def test_a_command_with_a_mistake_is_an_error_before_anything_is_recorded(self):
        server = self.server()
        for command, words in ("sumary", "did you mean summary?"), ("op -n x", "not a number"), ("", "no command"):
            status, _, err = self.capture("grpc://" + server.address, "-c", command, program=TFPROF)
            self.assertEqual(status, 2)
            self.assertIn(words, err)
        self.assertEqual(server.requests, [])

    def test_without_the_client(self):
        alone = self.logs.parent / "tfprof"
        shutil.copy(TFPROF, alone)
        status, _, err = self.run_client("capture", "grpc://h:1", "-o", self.logs, program=alone, env={"PATH": "/nowhere"})
        self.assertEqual(status, 3)
        self.assertIn("tfprof-client is not installed", err)


if __name__ == "__main__":
    unittest.main()
