"""What all readers share: files named by a user, their lines, and the refusals that are gathered on the way."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from annotation.formats.record import FormatError, Rejection


class Refusals:
    """Everything wrong in a source, gathered so that one reading names all of it."""

    def __init__(self) -> None:
        self.found: list[Rejection] = []

    def add(self, where: str, reason: str) -> None:
        self.found.append(Rejection(where, reason))

    def raise_any(self) -> None:
        """Raise FormatError if anything was refused."""
        if self.found:
            raise FormatError(self.found)


def refusal(where: str, reason: str) -> FormatError:
    """The error for one thing after which nothing could be read sensibly."""
    return FormatError([Rejection(where, reason)])


def check_options(options: Mapping[str, str], known: Iterable[str]) -> None:
    """Raise FormatError for options the format has not."""
    names = sorted(known)
    for name in options:
        if name not in names:
            raise refusal(f"--set {name}", f"no option of this format; it has {', '.join(names) or 'none'}")


def files(paths: Iterable[Path], suffixes: tuple[str, ...]) -> list[Path]:
    """The files that `paths` name, folders replaced by what they hold with one of `suffixes`, in order of name.

    Raises FormatError for a path that is not there and for a folder without such a file.
    """
    result: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(item for item in path.iterdir() if item.name.endswith(suffixes) and item.is_file())
            if not inside:
                raise refusal(str(path), f"the folder holds no {' or '.join(suffixes)} file")
            result.extend(inside)
        elif path.is_file():
            result.append(path)
        else:
            raise refusal(str(path), "there is no such file or folder")
    return result


def read_text(path: Path) -> str:
    """A file's text (UTF-8, with or without a byte order mark). Raises FormatError naming the line of a bad byte."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise refusal(str(path), f"cannot be read: {error.strerror}") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise refusal(f"{path.name}:{line}", "a byte that is no UTF-8; save the file as UTF-8") from error


def read_json(path: Path) -> Any:
    """A whole JSON file. Raises FormatError naming the line."""
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise refusal(f"{path.name}:{error.lineno}", f"no JSON: {error.msg} at character {error.colno}") from error
    except RecursionError as error:
        raise refusal(path.name, "no JSON that can be read: nested too deeply") from error


def json_lines(path: Path, refusals: Refusals) -> Iterator[tuple[str, dict[str, Any]]]:
    """('file:line', object) of every line that is not empty; what is no JSON object is refused."""
    for number, line in enumerate(read_text(path).split("\n"), 1):
        where = f"{path.name}:{number}"
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            refusals.add(where, f"no JSON: {error.msg} at character {error.colno}")
            continue
        except RecursionError:
            refusals.add(where, "no JSON that can be read: nested too deeply")
            continue
        if isinstance(value, dict):
            yield where, value
        else:
            refusals.add(where, f"a JSON object is expected, not {type(value).__name__}")


def unstorable(value: str) -> str:
    """Why a text cannot be kept as Unicode; '' when it can."""
    if "\0" in value:
        return f"holds a NUL character at {value.index(chr(0))}"
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        return f"holds half a surrogate pair at {error.start}"
    return ""
