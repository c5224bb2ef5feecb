# SPDX-License-Identifier: Apache-2.0
"""A profiler server that behaves as tests say: gRPC over HTTP/2 by hand, so that it can also be wrong."""

import socket
import ssl
import struct
import threading
import time

DATA, HEADERS, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE = 0, 1, 3, 4, 6, 8
END_STREAM, END_HEADERS, ACK = 1, 4, 1
OK, UNIMPLEMENTED, INTERNAL = 0, 12, 13


# ---- messages -----------------------------------------------------------------------------------
def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def length(field, size):
    return varint(field << 3 | 2) + varint(size)


def text(field, value):
    value = value.encode() if isinstance(value, str) else value
    return length(field, len(value)) + value


def fields(message):
    """[(number, value)] of the fields of a message: integers and bytes."""
    at, found = 0, []

    def take():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
    while at < len(message):
        tag = take()
        if tag & 7 == 0:
            found.append((tag >> 3, take()))
        else:
            size = {1: 8, 5: 4}.get(tag & 7) or take()
            found.append((tag >> 3, message[at:at + size]))
            at += size
    return found


def trace(begin_ns, end_ns, host="fake", steps=3, step_ps=1_000_000_000):
    """An XSpace: when it was recorded, and steps on a thread, half of each an operation. `step_ps` may be a list."""
    lengths = step_ps if isinstance(step_ps, list) else [step_ps] * steps
    begins = [sum(lengths[:i]) for i in range(len(lengths))]

    def entry(key, value):
        return number(1, key) + text(2, value)

    def metadata(number_of, name):
        return entry(number_of, number(1, number_of) + text(2, name))
    task = (text(2, "Task Environment") + text(5, metadata(1, "profile_start_time")) +
            text(5, metadata(2, "profile_stop_time")) + text(6, number(1, 1) + number(3, begin_ns)) +
            text(6, number(1, 2) + number(3, end_ns)))
    events = b"".join(
        text(4, number(1, 1) + number(2, begin) + number(3, length) +
             text(4, number(1, 1) + number(4, i)) + text(4, number(1, 2) + number(4, 1))) +
        text(4, number(1, 2) + number(2, begin) + number(3, length // 2))
        for i, (begin, length) in enumerate(zip(begins, lengths)))
    line = number(1, 7) + text(2, "python") + number(3, begin_ns) + events
    cpu = (number(1, 1) + text(2, "/host:CPU") + text(3, line) + text(4, metadata(1, "train")) + text(4, metadata(2, "dense/MatMul:MatMul")) +
           text(5, metadata(1, "step_num")) + text(5, metadata(2, "_r")))
    return text(1, cpu) + text(1, task) + text(4, host)


def response(space):
    return text(8, space)


class Request:
    """A call by its message: their fields differ."""

    def __init__(self, message):
        self.fields = fields(message)
        by = dict(self.fields)
        self.options = dict(fields(by[4])) if isinstance(by.get(4), bytes) else {}
        self.kind = "Profile" if self.options else "Terminate" if isinstance(by.get(1), bytes) else "Monitor"
        self.duration_s = (by[1] if isinstance(by.get(1), int) else 0) / 1000
        self.session = by.get(6 if self.kind == "Profile" else 1)
        self.start_ns = self.options.get(8, 0)


# ---- HTTP/2 -------------------------------------------------------------------------------------
class Stream:
    """A call; its methods send the answer."""

    def __init__(self, connection, identifier, window):
        self.connection, self.id, self.window = connection, identifier, window
        self.body = b""
        self.cancelled = False
        self.began = False

    def send(self, data):
        """Bytes of the answer, as the client has room for them. False: it does not want them."""
        if not self.began:
            self.began = True
            self.connection.frame(HEADERS, END_HEADERS, self.id, b"\x88" + literal("content-type", "application/grpc"))
        view = memoryview(data)
        while view:
            size = self.connection.room(self, len(view))
            if size == 0:
                return False
            self.connection.frame(DATA, 0, self.id, view[:size])
            view = view[size:]
        return True

    def message(self, data):
        return self.send(b"\0" + struct.pack(">I", len(data)) + data)

    def status(self, code, words=""):
        trailers = literal("grpc-status", str(code)) + (literal("grpc-message", words) if words else b"")
        if not self.began:
            trailers = b"\x88" + literal("content-type", "application/grpc") + trailers
        self.connection.frame(HEADERS, END_HEADERS | END_STREAM, self.id, trailers)

    def answer(self, data, code=OK, words=""):
        self.message(data)
        self.status(code, words)


def literal(name, value):
    return b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


# The codes of RFC 7541, appendix B, that the header grpc-timeout needs.
HUFFMAN = {"0": "00000", "1": "00001", "2": "00010", "3": "011001", "4": "011010", "5": "011011", "6": "011100", "7": "011101",
           "8": "011110", "9": "011111", "-": "010110", "c": "00100", "e": "00101", "g": "100110", "i": "00110", "m": "101001",
           "o": "00111", "p": "101011", "r": "101100", "t": "01001", "u": "101101"}


def timeout_s(headers):
    """How long the server may take, by the header block of a call."""
    name = "".join(map(HUFFMAN.get, "grpc-timeout"))
    name = int(name.ljust(-(-len(name) // 8) * 8, "1"), 2).to_bytes(-(-len(name) // 8), "big")
    at = headers.index(name) + len(name)
    value = headers[at + 1:at + 1 + (headers[at] & 0x7F)]
    if headers[at] & 0x80:
        bits, letters = "".join(f"{byte:08b}" for byte in value), {code: letter for letter, code in HUFFMAN.items()}
        value, code = "", ""
        for bit in bits:
            code += bit
            if code in letters:
                value, code = value + letters[code], ""
    else:
        value = value.decode()
    assert value.endswith("m"), value  # of milliseconds
    return int(value[:-1]) / 1000


class Connection:
    def __init__(self, server, sock):
        self.server, self.sock = server, sock
        self.lock, self.changed = threading.Lock(), threading.Condition()
        self.window, self.first_window, self.frame_size = 65535, 65535, 16384
        self.streams = {}
        self.open = True

    def frame(self, kind, flags, stream, payload=b""):
        head = struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream)
        try:
            with self.lock:
                self.sock.sendall(head + bytes(payload) if len(payload) < 4096 else head)
                if len(payload) >= 4096:
                    self.sock.sendall(payload)
        except OSError:
            self.end()

    def room(self, stream, most):
        with self.changed:
            while self.open and not stream.cancelled and min(self.window, stream.window) <= 0:
                self.changed.wait(1)
            if stream.cancelled or not self.open:
                return 0
            size = min(most, self.window, stream.window, self.frame_size)
            self.window -= size
            stream.window -= size
            return size

    def end(self):
        with self.changed:
            self.open = False
            self.changed.notify_all()
        try:
            self.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def exactly(self, size):
        data = b""
        while len(data) < size:
            more = self.sock.recv(size - len(data))
            if not more:
                raise OSError("closed")
            data += more
        return data

    def run(self):
        try:
            self.exactly(24)
            if self.server.instead is not None:
                return self.server.instead(self.sock)
            self.frame(SETTINGS, 0, 0)
            while True:
                head = self.exactly(9)
                size, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
                self.take(kind, flags, int.from_bytes(head[5:], "big"), self.exactly(size))
        except (OSError, ssl.SSLError):
            pass
        finally:
            self.end()
            self.sock.close()

    def take(self, kind, flags, stream, payload):
        if kind == SETTINGS and not flags & ACK:
            for at in range(0, len(payload), 6):
                key, value = struct.unpack(">HI", payload[at:at + 6])
                if key == 4:
                    self.first_window = value
                if key == 5:
                    self.frame_size = value
            self.frame(SETTINGS, ACK, 0)
        elif kind == PING and not flags & ACK:
            self.frame(PING, ACK, 0, payload)
        elif kind == WINDOW_UPDATE:
            with self.changed:
                more = int.from_bytes(payload, "big")
                if stream == 0:
                    self.window += more
                elif stream in self.streams:
                    self.streams[stream].window += more
                self.changed.notify_all()
        elif kind == HEADERS:
            self.server.headers.append(payload)
            self.streams[stream] = Stream(self, stream, self.first_window)
        elif kind == DATA:
            call = self.streams[stream]
            call.body += payload
            if flags & END_STREAM:
                threading.Thread(target=self.server.call, args=(call,), daemon=True).start()
        elif kind == RST_STREAM and stream in self.streams:
            with self.changed:
                self.streams[stream].cancelled = True
                self.changed.notify_all()


class Server:
    """Listens on a port of all loopback addresses. `profile(stream, request, number)` answers the calls of Profile;
    the default records an empty program. `instead(sock)`: no HTTP/2 at all."""

    def __init__(self, profile=None, monitor=None, instead=None, tls=None, clock_s=0.0):
        self.profile = profile or (lambda stream, request, _: self.record(stream, request))
        self.monitor, self.instead, self.clock_s = monitor, instead, clock_s
        self.headers, self.requests, self.spans = [], [], []
        self.at_once = self.most_at_once = 0
        self.lock = threading.Lock()
        self.ends = {}
        self.tls = tls
        self.listener = socket.create_server(("0.0.0.0", 0), backlog=2048)
        self.port = self.listener.getsockname()[1]
        self.address = f"127.0.0.1:{self.port}"
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def accept(self):
        while True:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(sock,), daemon=True).start()

    def serve(self, sock):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            if self.tls:
                sock = self.tls.wrap_socket(sock, server_side=True)
        except OSError:
            return sock.close()
        Connection(self, sock).run()

    def now_ns(self):
        return time.time_ns() + int(self.clock_s * 1e9)

    def call(self, stream):
        request = Request(stream.body[5:])
        with self.lock:
            self.requests.append(request)
            number_of = sum(one.kind == request.kind for one in self.requests) - 1
        if request.kind == "Terminate":
            self.ends.setdefault(request.session, threading.Event()).set()
            stream.answer(b"")
        elif request.kind == "Monitor":
            if self.monitor is None:
                return stream.status(UNIMPLEMENTED, "unimplemented.")
            stream.answer(text(1, self.monitor(request, number_of)))
        else:
            with self.lock:
                self.at_once += 1
                self.most_at_once = max(self.most_at_once, self.at_once)
            try:
                self.profile(stream, request, number_of)
            finally:
                with self.lock:
                    self.at_once -= 1

    def session(self, request):
        """Sleeps as a session does; (begin, end) by this server's clock."""
        end = self.ends.setdefault(request.session, threading.Event())
        end.wait(max(0, (request.start_ns - self.now_ns()) / 1e9))
        begin = self.now_ns()
        end.wait(request.duration_s)
        self.spans.append((begin, self.now_ns()))
        return self.spans[-1]

    def record(self, stream, request):
        stream.answer(response(trace(*self.session(request))))
