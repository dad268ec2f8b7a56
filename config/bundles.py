"""The ES modules of a page as one script, put together when it is first asked for: no step to build, one request.

Sixty small modules are right for those who write them; for a first visit they are sixty requests. Each module becomes a
function that returns what it exports, in the order of the imports. Only the forms that our own scripts use are
understood (named imports, `import * as`, exported functions, classes and constants); anything else is refused with its
place, and so are cycles.
"""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from config.files import Kept, answer, compressed, lean, version_of

ADDRESS = "/bundle/"
ENTRIES = ("js/workspace/main.js", "js/adjudicate/main.js", "js/kept.js")
"""The entries of pages; nothing else is put together for whoever asks."""

_IMPORT = re.compile(r'^import (?:(\{[^}]*\}|\* as \w+) from )?"(\.{1,2}/[^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|class|const) (\w+)", re.MULTILINE)
_NOTHING = re.compile(r"^export \{\};$", re.MULTILINE)
_REST = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)

_kept: dict[str, tuple[tuple[Path, ...], Kept]] = {}


class BundleError(Exception):
    """A module that cannot be put together with the others, and why."""


def bundled(entry: str) -> Kept:
    """The script of an entry under `static/`, put together again only when one of its modules has changed."""
    known = _kept.get(entry)
    if known is None or known[1].changed != _times(known[0]):
        paths, script = bundle(Path(settings.BASE_DIR) / "static" / entry)
        body = script.encode()
        known = _kept[entry] = (paths, Kept(_times(paths), version_of(body), compressed(body)))
    return known[1]


def bundle_address(entry: str) -> str:
    """The address of an entry's script under the version of its content."""
    return f"{ADDRESS}{entry}?v={bundled(entry).version}"


def bundle(entry: Path) -> tuple[tuple[Path, ...], str]:
    """The modules that an entry needs, itself last, and the script that they make. Raises BundleError."""
    parts: dict[Path, str] = {}
    _add(entry.resolve(), parts, ())
    return tuple(parts), "".join(parts.values())


def _add(path: Path, parts: dict[Path, str], within: tuple[Path, ...]) -> None:
    if path in within:
        raise BundleError(f"{path.name} imports itself by way of {', '.join(each.name for each in within)}")
    if path in parts:
        return
    if not path.is_file():
        raise BundleError(f"{within[-1].name if within else 'a page'} imports {path.name}, which is not there")
    text = lean(path.read_text("utf-8"), ".js")
    for each in _IMPORT.finditer(text):
        _add((path.parent / each[2]).resolve(), parts, (*within, path))
    exports = [each[2] for each in _EXPORT.finditer(text)]
    body = _IMPORT.sub(lambda each: _taken(each, path), _NOTHING.sub("", _EXPORT.sub(r"\1 \2", text)))
    rest = _REST.search(body)
    if rest:
        raise BundleError(f"{path.name}: cannot put together: {rest[0]}")
    parts[path] = f"const {_name(path)}=(()=>{{\n{body.strip()}\nreturn{{{','.join(exports)}}};\n}})();\n"


def _taken(found: re.Match[str], path: Path) -> str:
    """An import as it reads in the script: a constant, or nothing where a module is only to run."""
    names, module = found[1], _name((path.parent / found[2]).resolve())
    if names is None:
        return ""
    return f"const {names[5:] if names.startswith('*') else names.replace(' as ', ':')}={module};"


def _name(path: Path) -> str:
    """A name that no script uses, from a module's folder and file."""
    return "$" + re.sub(r"\W", "_", f"{path.parent.name}_{path.stem}")


def _times(paths: tuple[Path, ...]) -> tuple[int, ...]:
    return tuple(path.stat().st_mtime_ns for path in paths)


@require_safe
def bundle_file(request: HttpRequest, entry: str) -> HttpResponse:
    """The same for servers that do not come by ASGI."""
    if entry not in ENTRIES:
        raise Http404
    status, headers, body = answer(
        bundled(entry),
        entry,
        version=request.GET.get("v", ""),
        accepted=request.headers.get("Accept-Encoding", ""),
        known=request.headers.get("If-None-Match", ""),
    )
    return HttpResponse(body, status=status, headers=headers)
