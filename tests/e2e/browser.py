# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven over its DevTools protocol through two pipes: no port, no library."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find():
    """The program; None where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    return None


class Browser:
    """A page in a browser. `problems` has its uncaught errors, console errors and refused requests."""

    def __init__(self, width=1280, height=800):
        self.home = tempfile.mkdtemp(prefix="tfprof-browser-")
        to_read, self.to = os.pipe()
        self.back, to_write = os.pipe()

        def only_these():
            # Above 9 first: one of the four may be 3 or 4 already.
            high = [os.dup2(fd, 30 + i) for i, fd in enumerate((to_read, to_write))]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [find(), "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--hide-scrollbars",
             "--disable-dev-shm-usage", "--no-first-run", "--force-color-profile=srgb", "--font-render-hinting=none",
             f"--user-data-dir={self.home}", "about:blank"],
            preexec_fn=only_these, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.number, self.buffer, self.problems = 0, b"", []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.resize(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)
        os.close(self.to)
        os.close(self.back)
        shutil.rmtree(self.home, ignore_errors=True)

    def read(self, seconds):
        """The next message; None after `seconds` without one."""
        until = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.back], [], [], left)[0]:
                return None
            part = os.read(self.back, 1 << 20)
            if not part:
                raise EOFError("the browser ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        self.notice(message)
        return message

    def notice(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.problems.append("console: " + " ".join(str(arg.get("value")) for arg in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.problems.append("log: " + params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if not url.startswith(("file:", "data:", "blob:", "about:", "http://127.0.0.1:")):
                self.problems.append("request: " + url)

    def call(self, method, seconds=60, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            answer = self.read(until - time.monotonic())
            if answer and answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
        raise TimeoutError(method)

    def resize(self, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=False)

    def theme(self, name, media="screen"):
        self.call("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": name}])

    def run(self, script):
        """The value of an expression; promises are awaited."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return result["result"].get("value")

    def wait(self, condition, seconds=60):
        """Until the expression is true. What it reads may not be on the page yet."""
        until = time.monotonic() + seconds
        while not self.run(f"(() => {{ try {{ return !!({condition}); }} catch {{ return false; }} }})()"):
            if time.monotonic() > until:
                raise TimeoutError(f"{condition}; problems: {self.problems}")
            time.sleep(0.02)

    def open(self, url):
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def press(self, key):
        codes = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39,
                 "Tab": 9, "Home": 36, "End": 35, "Backspace": 8}
        known = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper()))}
        if len(key) == 1:
            known["text"] = key
        if key == "Enter":
            known["text"] = "\r"
        self.call("Input.dispatchKeyEvent", type="keyDown", **known)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector):
        box = self.run(f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
                       " e.scrollIntoView({block: 'nearest'}); const b = e.getBoundingClientRect();"
                       " return [b.left + b.width / 2, b.top + b.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, *box, button="left", clickCount=1)

    def screen(self, width=None, height=None, scale=1):
        """A PNG of what is on the screen, or of its first pixels."""
        clip = {"clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": scale}} if width else {}
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", **clip)["data"])

    def picture(self, path):
        """Writes a PNG of what is on the screen."""
        with open(path, "wb") as file:
            file.write(self.screen())
