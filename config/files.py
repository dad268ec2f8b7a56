"""Files as they are sent: our own scripts and styles made lean, text compressed, each with its content's version."""

from __future__ import annotations

import gzip
import mimetypes
import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import brotli
from django.conf import settings

FOR_GOOD = "public, max-age=31536000, immutable"
FOR_A_MINUTE = "public, max-age=60"
_TEXT = {".js", ".css", ".svg", ".json", ".map", ".html", ".txt"}
_LINE_COMMENT = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
_BLOCK_COMMENT = re.compile(r"^[ \t]*/\*.*?\*/[ \t]*$", re.MULTILINE | re.DOTALL)
_INDENT = re.compile(r"\n\s+")


@dataclass(frozen=True, slots=True)
class Kept:
    """A file as it is sent: its times of change, its version, and its bytes by content coding ('' is plain)."""

    changed: tuple[int, ...]
    version: str
    bodies: dict[str, bytes]


_kept: dict[Path, Kept] = {}


def lean(text: str, suffix: str) -> str:
    """Our own scripts and styles without whole-line comments, indentation and empty lines; what they do stays.

    A script whose template literals span lines is left alone: in those, spaces mean something.
    """
    if suffix == ".js" and any(line.count("`") % 2 for line in text.splitlines()):
        return text
    text = _BLOCK_COMMENT.sub("", text)
    if suffix == ".js":
        text = _LINE_COMMENT.sub("", text)
    return _INDENT.sub("\n", text).strip() + "\n"


def kept(path: Path) -> Kept:
    """The file, read again only when it has changed."""
    changed = (path.stat().st_mtime_ns,)
    found = _kept.get(path)
    if found is None or found.changed != changed:
        found = _kept[path] = _read(path, changed)
    return found


def _read(path: Path, changed: tuple[int, ...]) -> Kept:
    body = path.read_bytes()
    version = version_of(body)
    if path.suffix not in _TEXT:
        return Kept(changed, version, {"": body})
    ours = Path(settings.BASE_DIR) / "static" in path.parents
    if ours and path.suffix in (".js", ".css"):
        body = lean(body.decode(), path.suffix).encode()
    return Kept(changed, version, compressed(body))


def version_of(body: bytes) -> str:
    return sha256(body).hexdigest()[:12]


def compressed(body: bytes) -> dict[str, bytes]:
    """A text by content coding."""
    # Level 9 of 11 takes milliseconds, where the last two take a second for a large library.
    return {"": body, "gzip": gzip.compress(body, 9), "br": brotli.compress(body, quality=9)}


def answer(file: Kept, name: str, *, version: str, accepted: str, known: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of an answer to a request for a file called `name`.

    `version` is the one that the address names, `accepted` the content codings that the browser reads, `known` the
    entity tag of what it has.
    """
    coding = next((each for each in ("br", "gzip") if each in accepted and each in file.bodies), "")
    body, etag = file.bodies[coding], f'"{file.version}{coding}"'
    headers = {
        "cache-control": FOR_GOOD if version == file.version else FOR_A_MINUTE,
        "content-type": mimetypes.guess_type(name)[0] or "application/octet-stream",
        "etag": etag,
        "vary": "accept-encoding",
        "x-content-type-options": "nosniff",
    }
    if coding:
        headers["content-encoding"] = coding
    if known == etag:
        return 304, headers, b""
    return 200, {**headers, "content-length": str(len(body))}, body
