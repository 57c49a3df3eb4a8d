"""A headless Chromium, driven over its DevTools protocol by two pipes: nothing to install but the browser."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
]
#: Seconds after which a browser that says nothing is given up.
PATIENCE = 60


class Browser:
    """A browser with one page; use it in a ``with`` statement."""

    def __enter__(self) -> Browser:
        assert CHROMIUM
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.to_browser = os.pipe()
        self.from_browser, to_write = os.pipe()
        command = f'exec "$@" 3<&{to_read} 4>&{to_write}'
        chromium = [CHROMIUM, *FLAGS, "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "about:blank"]
        quiet: Any = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(
            ["bash", "-c", command, "bash", *chromium], pass_fds=(to_read, to_write), **quiet
        )
        os.close(to_read)
        os.close(to_write)
        self.number, self.buffer, self.events = 0, b"", []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)
        os.close(self.to_browser)
        os.close(self.from_browser)
        self.profile.cleanup()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol; events that come meanwhile are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return dict(answer["result"])
            self.events.append(answer)

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.from_browser], [], [], PATIENCE)
            assert ready, "the browser says nothing"
            data = os.read(self.from_browser, 1 << 20)
            assert data, "the browser has ended"
            self.buffer += data
        line, _, self.buffer = self.buffer.partition(b"\0")
        return dict(json.loads(line))

    def open(self, file: Path, width: int, height: int = 900, dark: bool = False, media: str = "") -> None:
        """Open a file in a window of a size, in light or dark."""
        self.events.clear()
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])
        self.call("Page.navigate", url=file.resolve().as_uri())
        until = time.monotonic() + PATIENCE
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            assert time.monotonic() < until, "the page does not load"
            self.events.append(self._read())

    def run(self, script: str) -> Any:
        """The value of an expression of JavaScript on the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def complaints(self) -> list[Any]:
        """What the page wrote to the console, what it threw, and what it asked the network for."""
        self.run("0")
        kinds = {"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"}
        said = [event for event in self.events if event.get("method") in kinds]
        asked = [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"]
        return said + [url for url in asked if not url.startswith(("file:", "data:"))]

    def picture(self, path: Path, full: bool = True) -> None:
        """A picture of the page."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 8000), "scale": 1}
        given: dict[str, Any] = {"captureBeyondViewport": True, "clip": clip} if full else {}
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", **given)["data"]))
