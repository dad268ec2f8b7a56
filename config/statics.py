"""Static files straight from ASGI: small, compressed, kept by browsers, and without a step to build them.

Through Django's middleware each would take a turn in one thread; here they are answered from memory. Our own scripts
and styles leave comments and indentation behind on the way (`config/files.py`), the modules of a page come as one
script (`config/bundles.py`), text is sent as Brotli or gzip, and what is asked for under the version of its content
(`?v=…`, see `{% asset %}`) is kept for good.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.exceptions import SuspiciousFileOperation

from config.bundles import ADDRESS, ENTRIES, bundled
from config.files import Kept, answer, kept

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Any, Any, Any], Awaitable[None]]


def versioned(name: str) -> str:
    """The address of a static file under the version of its content. Raises FileNotFoundError for an unknown name."""
    found = finders.find(name)
    if not found:
        raise FileNotFoundError(f"no static file {name}")
    return f"{settings.STATIC_URL}{name}?v={kept(Path(str(found))).version}"


def static_text(name: str) -> str:
    """A static file of ours as it is sent. Raises FileNotFoundError for an unknown name."""
    found = finders.find(name)
    if not found:
        raise FileNotFoundError(f"no static file {name}")
    return kept(Path(str(found))).bodies[""].decode()


class StaticFiles:
    """ASGI: answers what is under STATIC_URL and the bundles, passes everything else on to `app`."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Callable[[], Awaitable[Any]], send: Send) -> None:
        file = _file(scope)
        if file is None:
            await self.app(scope, receive, send)
            return
        asked = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        status, headers, body = answer(
            file,
            str(scope["path"]),
            version=parse_qs(scope.get("query_string", b"").decode("latin-1")).get("v", [""])[0],
            accepted=asked.get(b"accept-encoding", ""),
            known=asked.get(b"if-none-match", ""),
        )
        encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": encoded})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def _file(scope: Scope) -> Kept | None:
    """What is asked for, if it is a static file or a bundle and is there."""
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return None
    path = unquote(str(scope["path"]))
    if path.startswith(ADDRESS):
        return bundled(path[len(ADDRESS) :]) if path[len(ADDRESS) :] in ENTRIES else None
    if not path.startswith(settings.STATIC_URL):
        return None
    try:
        found = finders.find(path[len(settings.STATIC_URL) :])
    except SuspiciousFileOperation:
        return None
    return kept(Path(str(found))) if found else None
