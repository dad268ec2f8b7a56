"""The web server: `python -m config.serving --host 127.0.0.1 --port 8000 --processes 1`.

Every view is synchronous. waitress reads each request wholly before one of its threads has anything to do with it, and
sends what a thread has answered by itself, so slow and idle clients keep no thread waiting. The threads keep their
connections to the database from one request to the next.

SIGTERM and SIGINT end it: nothing new is accepted, requests that have started to arrive are answered, and messages that
wait are sent.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import resource
import signal
import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import Any

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import create_server
from waitress.task import WSGITask

from config.metrics_folder import metrics_folder
from config.response_buffer import ResponseBuffer
from config.waitress_request import DISCARDED, NOT_STORED, USUAL_BODY, LimitedRequest

logger = logging.getLogger(__name__)
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
THREADS = 8
END_SECONDS = 15.0
"""How long requests in progress may take when the server ends: `script/server` kills it after 20."""
MAX_HEADER_BYTES = 64 * 1024
MIN_CONNECTIONS, MAX_CONNECTIONS = 100, 5_000
RESTART_SECONDS = 1.0
SWITCH_SECONDS = 0.001
"""A thread that comes back from the database waits this long at most for one that computes; Python's own is 0.005.

Meanwhile it may hold SQLite's only turn to write: eight clients save 1.1 times as often (docs/performance.md).
"""
RESERVED_FILES = 200
"""Files and connections to the database that a process has open beside its clients."""


gate = ThreadPoolExecutor(2, thread_name_prefix="gate")
"""Finds out who sends a large request, in threads of its own: the database may take its time."""


class Task(WSGITask):  # type: ignore[misc]
    """One request on its way to the application, which is told whether its body was kept."""

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ[DISCARDED] = self.request.discarded
        environ[NOT_STORED] = self.request.not_stored
        if self._headers_only:
            # A file would be sent past `write`.
            environ.pop("wsgi.file_wrapper", None)
        return environ

    @property
    def _headers_only(self) -> bool:
        """Neither Django nor waitress leaves out the body of a response to HEAD: the client would take it for the next
        response.
        """
        return bool(self.request.command == "HEAD")

    def write(self, data: bytes) -> None:
        super().write(b"" if self._headers_only else data)

    def finish(self) -> None:
        if self._headers_only:
            self.write(b"")
            self.chunked_response = False  # which would end with an empty chunk
        super().finish()


class ServerChannel(HTTPChannel):  # type: ignore[misc]
    """One client's connection. Nothing more is read of a large request until it is known how large it may be."""

    parser_class = LimitedRequest
    task_class = Task
    awaiting_limit = False
    current_outbuf_count: int

    @property
    def busy(self) -> bool:
        """Whether a request has started to arrive and has no response yet, or a response is being sent."""
        arriving = self.request is not None and self.request.headers_finished
        return bool(self.requests or self.total_outbufs_len or arriving)

    def readable(self) -> bool:
        return bool(not self.awaiting_limit and super().readable())

    def received(self, data: bytes) -> bool:
        taken = bool(super().received(data))
        if self.request is not None and self.request.needs_limit and not self.awaiting_limit:
            self.awaiting_limit = True
            gate.submit(self._set_body_limit, self.request)
        return taken

    def write_soon(self, data: Any) -> int:
        """As waitress does, but into a buffer of ours: a new one for each request, and after a file that is sent."""
        with self.outbuf_lock:
            full = self.current_outbuf_count >= self.adj.outbuf_high_watermark
            if full or not isinstance(self.outbufs[-1], ResponseBuffer):
                self.outbufs.append(ResponseBuffer(self.adj.outbuf_overflow))
                self.current_outbuf_count = 0
            return int(super().write_soon(data))

    def _set_body_limit(self, request: LimitedRequest) -> None:
        """In a thread of the gate."""
        from django.db import connections

        from config.upload_gate import max_body_bytes_for_path

        limit = USUAL_BODY
        try:
            limit = max_body_bytes_for_path(request.path, request.headers.get("COOKIE", ""))
        except Exception:
            logger.exception("Nobody knows who sends a large request; it is refused")
        finally:
            connections.close_all()
            request.set_limit(limit)
            self.awaiting_limit = False
            self.server.pull_trigger()


def serve(listening: socket.socket, *, parent: int | None = None) -> None:
    """Answer requests until SIGTERM or SIGINT, or until the parent process is gone."""
    application = _loaded()
    sys.setswitchinterval(SWITCH_SECONDS)
    for name, level in (("waitress", logging.WARNING), ("waitress.queue", logging.ERROR)):
        logging.getLogger(name).setLevel(level)
    server = create_server(
        application,
        sockets=[listening],
        threads=THREADS,
        # A client has a connection open and at most one file, the body of its request or of the response.
        connection_limit=max((_raise_file_limit() - RESERVED_FILES) // 2, MIN_CONNECTIONS),
        max_request_header_size=MAX_HEADER_BYTES,
        # LimitedRequest has the limit.
        max_request_body_size=sys.maxsize,
        # Whatever a client has not read yet waits in memory or a file (config/response_buffer.py), never in a thread.
        outbuf_high_watermark=sys.maxsize,
        asyncore_use_poll=True,
        # Forwarding headers are judged by config/proxies.py alone.
        clear_untrusted_proxy_headers=False,
        ident=None,
    )
    server.channel_class = ServerChannel
    ending = _StopSignal(server.pull_trigger)
    while not ending and (parent is None or os.getppid() == parent):
        wasyncore.loop(timeout=1, use_poll=True, map=server._map, count=1)
    _end(server)


def _loaded() -> Any:
    """The site with its pages: nothing is left to be loaded by the first request, and processes share what is."""
    from django.core.exceptions import ImproperlyConfigured
    from django.urls import get_resolver

    try:
        from config.wsgi import application
    except ImproperlyConfigured as error:
        sys.exit(f"web: {error}")
    assert get_resolver().url_patterns
    return application


class _StopSignal:
    """True once a signal has told the process to end."""

    def __init__(self, wake: Any) -> None:
        self.requested, self.wake = False, wake
        for number in STOP_SIGNALS:
            signal.signal(number, self.request)

    def request(self, *_signal: Any) -> None:
        self.requested = True
        self.wake()

    def __bool__(self) -> bool:
        return self.requested


def _end(server: Any) -> None:
    """Accept nothing more, and answer what has arrived."""
    wasyncore.dispatcher.close(server)
    until = time.monotonic() + END_SECONDS
    while time.monotonic() < until:
        for channel in server.active_channels.values():
            channel.will_close = channel.will_close or not channel.busy
        if not server.active_channels:
            break
        wasyncore.loop(timeout=0.2, use_poll=True, map=server._map, count=1)
    server.task_dispatcher.shutdown(timeout=1)


def _raise_file_limit() -> int:
    """Let the process open as many files as it may, up to what is useful; returns how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = 2 * MAX_CONNECTIONS + RESERVED_FILES
    if hard != resource.RLIM_INFINITY:
        needed = min(needed, hard)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return needed
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
    return needed


def serve_in_processes(listening: socket.socket, processes: int) -> None:
    """Serve in several processes that share one socket. One that dies is started again."""
    _loaded()
    gc.freeze()
    began: dict[int, float] = {}
    ending = False

    def end(*_signal: Any) -> None:
        nonlocal ending
        ending = True
        for pid in began:
            with suppress(ProcessLookupError):  # it has just ended by itself
                os.kill(pid, signal.SIGTERM)

    for number in STOP_SIGNALS:
        signal.signal(number, end)
    while began or not ending:
        # Held back, so that a process which is being started is told to end too.
        signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        while not ending and len(began) < processes:
            began[_fork(listening)] = time.monotonic()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
        pid, status = os.wait()
        lived = time.monotonic() - began.pop(pid)
        if not ending:
            logger.error("Web process %d ended (wait status %d); starting another", pid, status)
            time.sleep(max(0.0, RESTART_SECONDS - lived))


def _fork(listening: socket.socket) -> int:
    """Start a process that serves; the signals of `STOP_SIGNALS` are held back."""
    parent = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        for number in STOP_SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
        serve(listening, parent=parent)
        status = 0
    except BaseException:
        logger.exception("A web process failed")
    # As any process ends, not at once: what waits in threads, such as messages to be sent, is done first.
    sys.exit(status)


def _bound(host: str, port: int) -> socket.socket:
    """A socket on the address, which accepts connections only once the site is loaded. Raises OSError."""
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if bound.family == socket.AF_INET6:
        bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    bound.bind((host, port))
    return bound


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m config.serving", description="Serve the site over plain HTTP.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    if options.processes < 1:
        parser.error("--processes: at least 1 is expected")
    try:
        listening = _bound(options.host, options.port)
    except OSError as error:
        sys.exit(f"web: {options.host}, port {options.port} cannot be used: {error.strerror}")
    if options.processes == 1:
        serve(listening)
        return
    with ExitStack() as stack:
        try:
            stack.enter_context(metrics_folder(options.port))
        except OSError as error:
            sys.exit(f"web: no folder for metrics can be made: {error}")
        serve_in_processes(listening, options.processes)


if __name__ == "__main__":
    main()
