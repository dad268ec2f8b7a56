"""Requests to the provider: bounded in time and size, and never redirected."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Event, Timer
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection

CONNECT_SECONDS, SECONDS = 5.0, 10.0
MAX_RESPONSE_BYTES = 512 * 1024
"""Bytes of a response."""
MAX_CONCURRENT = 4
"""Threads of this process that the provider may keep waiting: half of those that answer all pages."""
SLOT_WAIT_SECONDS = 1.0
_slots = BoundedSemaphore(MAX_CONCURRENT)
_unresponsive = Event()
"""Set while the provider's last response did not come: then nobody waits for a turn."""


class BoundedSession(requests.Session):
    """Raises `requests.RequestException` for a response that takes too long or is too large, to its last byte."""

    def request(self, method: Any, url: Any, *args: Any, **more: Any) -> requests.Response:
        with _slot():
            return self._requested(method, url, *args, **more)

    def _requested(self, method: Any, url: Any, *args: Any, **more: Any) -> requests.Response:
        end = time.monotonic() + SECONDS
        more |= {"timeout": (CONNECT_SECONDS, SECONDS), "allow_redirects": False, "stream": True}
        adapter = _Watched()
        self.mount("https://", adapter)
        self.mount("http://", adapter)
        timer = Timer(SECONDS, adapter.cut)
        timer.daemon = True
        timer.start()
        try:
            with super().request(method, url, *args, **more) as response:
                content = bytearray()
                for part in response.iter_content(1024):
                    content += part
                    if len(content) > MAX_RESPONSE_BYTES:
                        break
                # What was cut off can look like the whole.
                if len(content) > MAX_RESPONSE_BYTES or time.monotonic() > end:
                    raise requests.RequestException("the response is too large, or takes too long")
                # So that it can be read as usual, though the connection is closed.
                response._content = bytes(content)
                return response
        finally:
            timer.cancel()
            adapter.release_connections()


@contextmanager
def _slot() -> Iterator[None]:
    """One of the turns. Whoever gets none is told at once: a provider that is silent must not stop every other page."""
    if not _slots.acquire(timeout=0 if _unresponsive.is_set() else SLOT_WAIT_SECONDS):
        raise requests.RequestException("too many wait for the provider already")
    try:
        yield
        _unresponsive.clear()
    except requests.RequestException:
        _unresponsive.set()
        raise
    finally:
        _slots.release()


class _Watched(HTTPAdapter):
    """Its connections can be cut from another thread: one that sends a byte now and then never meets a time-out."""

    def __init__(self) -> None:
        self._held: list[socket.socket] = []
        self._is_cut = False
        super().__init__()

    def init_poolmanager(self, *args: Any, **more: Any) -> None:
        super().init_poolmanager(*args, **more)
        self._watch(self.poolmanager)

    def proxy_manager_for(self, proxy: Any, **more: Any) -> Any:
        manager = super().proxy_manager_for(proxy, **more)
        self._watch(manager)
        return manager

    def cut(self) -> None:
        self._is_cut = True
        for each in list(self._held):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

    def release_connections(self) -> None:
        self.close()
        for each in self._held:
            each.close()

    def hold(self, opened: socket.socket) -> socket.socket:
        """Keep a second hold of a connection, which TLS takes over."""
        self._held.append(opened.dup())
        if self._is_cut:
            self.cut()
        return opened

    def _watch(self, manager: PoolManager) -> None:
        adapter = self

        class Plain(HTTPConnection):
            def _new_conn(self) -> socket.socket:
                return adapter.hold(super()._new_conn())

        class Secured(HTTPSConnection):
            def _new_conn(self) -> socket.socket:
                return adapter.hold(super()._new_conn())

        manager.pool_classes_by_scheme = {
            "http": type("Pool", (HTTPConnectionPool,), {"ConnectionCls": Plain}),
            "https": type("Pool", (HTTPSConnectionPool,), {"ConnectionCls": Secured}),
        }
