"""A server on this machine that receives what webhooks send, and answers as a test wants."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Received:
    """A request: its path, its headers by their names in lower case, and its body."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """What came, in order; `statuses` are answered in turn, the last of them from then on."""

    url: str = ""
    received: list[Received] = field(default_factory=list)
    statuses: list[int] = field(default_factory=lambda: [204])
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    held: threading.Event | None = None
    """What it waits for before it answers."""


class Handler(BaseHTTPRequestHandler):
    receiver: Receiver

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        to = self.receiver
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        to.received.append(Received(self.path, {key.lower(): value for key, value in self.headers.items()}, body))
        if to.held is not None:
            to.held.wait(60)
        status = to.statuses.pop(0) if len(to.statuses) > 1 else to.statuses[0]
        self.send_response(status)
        for name, value in to.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(to.body)


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver at 127.0.0.1."""
    receiver = Receiver()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Mine", (Handler,), {"receiver": receiver}))
    receiver.url = f"http://127.0.0.1:{server.server_port}/hook"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        if receiver.held is not None:
            receiver.held.set()
        server.shutdown()
        thread.join()
        server.server_close()
