"""File names made from untrusted values: every part of every path that a writer creates goes through here.

A name from `safe_name` is one part of a path on every common file system: it has no separators and no control
characters, it is not '.', '..', reserved or too long, and it ends in neither a dot nor a space. `Names` gives different
things different names even on case-insensitive file systems; `writable` makes sure that a path lies under its target.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import unicodedata
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path

from annotation.formats.source import refusal
from annotation.phrases import Phrase

MAX_NAME_BYTES = 239
"""Bytes of a name in UTF-8. File systems allow 255; the rest is for prefixes and extensions that formats add."""
_MAX_PART_BYTES = 255
_SEPARATORS = re.compile(r"[/\\]")
_FORBIDDEN = re.compile(r'[<>:"|?*]')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?=\s*(?:\.|$))", re.IGNORECASE)


def safe_name(value: str) -> str:
    """`value` as one part of a path; unchanged if it is valid already."""
    return _limit_length(_replace_forbidden(value), value)


def local_name(value: str) -> str:
    """As `safe_name`, for a file that stays on this server: keeps what only Windows refuses, such as `nul.csv`."""
    return _limit_length(_replace_unprintable(value), value)


def _limit_length(name: str, value: str) -> str:
    return name if len(name.encode()) <= MAX_NAME_BYTES else _shorten(name, value)


def _replace_unprintable(value: str) -> str:
    """The name without separators and control characters; not hidden, and never empty."""
    name = unicodedata.normalize("NFC", value)
    name = "".join(character if character.isprintable() else "_" for character in name)
    name = _SEPARATORS.sub("_", name).rstrip(". ").lstrip(" ")
    return "_" + name[1:] if name.startswith((".", "~")) else name or "_"


def _replace_forbidden(value: str) -> str:
    name = _FORBIDDEN.sub("_", _replace_unprintable(value))
    return "_" + name if _RESERVED.match(name) else name


def _shorten(name: str, value: str) -> str:
    """The beginning of a long name, a digest that distinguishes it from similar names, and its extension."""
    stem, ending = _stem_and_ending(name)
    room = MAX_NAME_BYTES - len(ending.encode()) - 9
    return stem.encode()[:room].decode(errors="ignore").rstrip(". ") + f"-{_digest(value)}{ending}"


def _stem_and_ending(name: str) -> tuple[str, str]:
    """'pairs.json' -> 'pairs', '.json'; what is too long for an extension belongs to the name."""
    stem, dot, ending = name.rpartition(".")
    return (stem, dot + ending) if stem and ending.isalnum() and len(ending) <= 5 else (name, "")


def fold_case(name: str) -> str:
    """Equal for two names that a file system may not distinguish (case, Unicode forms)."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def _digest(owner: Hashable) -> str:
    return hashlib.sha256(repr(owner).encode(errors="backslashreplace")).hexdigest()[:8]


class Names:
    """Safe names, one per owner: different owners never share one, and an owner's name never changes."""

    def __init__(self, safe: Callable[[str], str] = safe_name) -> None:
        self._safe = safe
        self._owners: dict[str, Hashable] = {}
        self._names: dict[Hashable, str] = {}

    def name(self, owner: Hashable, proposed: str) -> str:
        """The name of `owner`: `proposed` made safe, with an addition if another owner has that name."""
        if owner not in self._names:
            name = next(name for name in candidates(proposed, owner, self._safe) if self.free(owner, name))
            self.take(owner, name)
        return self._names[owner]

    def free(self, owner: Hashable, name: str) -> bool:
        """Whether `owner` has or can have this safe name."""
        return self._owners.get(fold_case(name), owner) == owner

    def take(self, owner: Hashable, name: str) -> None:
        self._owners[fold_case(name)] = owner
        self._names.setdefault(owner, name)


def candidates(proposed: str, owner: Hashable, safe: Callable[[str], str] = safe_name) -> Iterator[str]:
    """Safe names for `owner`, the wanted one first, then others that only this owner is likely to want."""
    name = safe(proposed)
    yield name
    stem, ending = _stem_and_ending(name)
    yield safe(f"{stem}-{_digest(owner)}{ending}")
    for number in itertools.count(2):
        yield safe(f"{stem}-{_digest(owner)}-{number}{ending}")


def writable(root: Path, *parts: str) -> Path:
    """The path of `parts` under `root`, with its folders created. Raises FormatError if it would lie anywhere else.

    A link inside `root` is refused even if it leads back into it: files must be written where they seem to be.
    """
    path = root.joinpath(*parts)
    if any(_replace_forbidden(part) != part or len(part.encode()) > _MAX_PART_BYTES for part in parts):
        raise refusal("/".join(parts), Phrase("is not a valid file name; nothing was written"))
    for each in (path, *path.parents):
        if each == root:
            break
        if each.is_symlink():
            raise refusal(
                "/".join(parts), Phrase("would be written through a link; remove the link, or choose another location")
            )
    if not path.resolve().is_relative_to(root.resolve()):
        raise refusal("/".join(parts), Phrase("would be written outside the export's folder"))
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def target_file(path: Path) -> Path:
    """A writer's output file, with its folder created. Raises FormatError for a link or a folder."""
    if path.is_symlink() or path.is_dir():
        raise refusal(
            path.name,
            Phrase(
                "is a %(value)s; choose another location",
                {"value": Phrase("link") if path.is_symlink() else Phrase("folder")},
            ),
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def files_inside(root: Path, pattern: re.Pattern[str] | None = None) -> Iterator[tuple[Path, str]]:
    """Every file under `root` and its name in an archive (`folder/file`); `pattern`: only of those that it matches.

    Raises FormatError for links.
    """
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        if pattern and not pattern.fullmatch(inside.as_posix()):
            continue
        if path.is_symlink() or not path.resolve().is_relative_to(root.resolve()):
            raise refusal(inside.as_posix(), Phrase("is a link, which cannot be packed"))
        if path.is_file():
            yield path, inside.as_posix()
