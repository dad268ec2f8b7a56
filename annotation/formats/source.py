"""What all readers share: the files given by a user, their lines, and the collected refusals."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from annotation import strict_json
from annotation.formats.interruption import check_interruption
from annotation.formats.record import FormatError, PairRecord, Rejection
from annotation.phrases import Phrase
from annotation.strict_json import JSONError, kind
from annotation.text.languages import language_problem
from annotation.text.limits import MAX_LINE_LENGTH, MAX_LINES, MAX_REJECTIONS, MAX_ROWS, MAX_WHOLE_FILE_BYTES, MEGABYTE

LANGUAGES = ("language_a", "language_b")
"""Options whose value is a language, in every format that has them."""
_NUL = Phrase("contains a NUL character; remove it, or save the file as UTF-8")
_TOO_LONG = Phrase("a line can have at most %(longest_line)s characters", {"longest_line": str(MAX_LINE_LENGTH)})


class Refusals:
    """Everything wrong in a source, collected so that all of it is reported at once."""

    def __init__(self, rejections: Iterable[Rejection] = ()) -> None:
        self.rejections: list[Rejection] = list(rejections)
        self.rows = 0

    def count_row(self, where: str) -> None:
        """Raises FormatError if there are more rows than an import may have."""
        self.rows += 1
        if self.rows > MAX_ROWS:
            raise refusal(
                where,
                Phrase(
                    "an import can have at most %(most_rows)s rows; import the rest separately",
                    {"most_rows": str(MAX_ROWS)},
                ),
            )

    def add(self, where: str, reason: Phrase) -> None:
        """Raises FormatError after more than anyone would read."""
        self.rejections.append(Rejection(where, reason))
        if len(self.rejections) >= MAX_REJECTIONS:
            self.rejections.append(
                Rejection(
                    where,
                    Phrase(
                        "reading stopped here, after %(most_refusals)s errors; fix these first",
                        {"most_refusals": str(MAX_REJECTIONS)},
                    ),
                )
            )
            raise FormatError(self.rejections)

    def raise_any(self, records: Sequence[PairRecord] = ()) -> None:
        """Raise FormatError if anything was refused; `records` are what could be read."""
        if self.rejections:
            raise FormatError(self.rejections, records)


def refusal(where: str, reason: Phrase) -> FormatError:
    """The error for a single fault after which nothing else can be read."""
    return FormatError([Rejection(where, reason)])


def check_options(options: Mapping[str, str], allowed: Iterable[str]) -> None:
    """Raise FormatError for options that the format lacks, and for an invalid language."""
    names = sorted(allowed)
    for name, value in options.items():
        if name not in names:
            raise refusal(
                f"option {name}",
                Phrase(
                    "this format has no such option; it has %(value)s", {"value": ", ".join(names) or Phrase("none")}
                ),
            )
        if name in LANGUAGES and (problem := language_problem(value)):
            raise refusal(f"option {name}", problem)


def display_name(path: Path) -> str:
    """A path's name in messages: the last part only, because the folders may be the server's own.

    A file from an archive is named with it: two archives may hold files of one name. `uploads` unpacks `a.zip` into the
    folder `a.zip/a`.
    """
    for above in path.parents:
        if above.suffix.lower() == ".zip":
            return "/".join((above.name, *path.relative_to(above).parts[1:]))
    return path.name or path.absolute().name


def name_inside(path: Path, inside: PurePath) -> str:
    """A file of a folder in messages: with its archive, or else by its path in the folder."""
    name = display_name(path)
    return name if "/" in name else inside.as_posix()


def files(paths: Iterable[Path], suffixes: tuple[str, ...]) -> list[Path]:
    """The files that `paths` name, folders replaced by their files with one of `suffixes`, sorted by name.

    Raises FormatError for a path that does not exist and for a folder without such files.
    """
    result: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(item for item in path.iterdir() if item.name.lower().endswith(suffixes) and item.is_file())
            if not inside:
                raise refusal(
                    display_name(path), Phrase("the folder holds no %(names)s file", {"names": " or ".join(suffixes)})
                )
            result.extend(inside)
        elif path.is_file():
            result.append(path)
        else:
            raise refusal(display_name(path), Phrase("there is no such file or folder"))
    return result


def with_ending(folder: Path, ending: str, *, below: bool = False) -> list[Path]:
    """The files of a folder (and of those below it) with a name's ending, in whatever case, sorted."""
    paths = folder.rglob("*") if below else folder.iterdir() if folder.is_dir() else iter(())
    return sorted(path for path in paths if path.name.lower().endswith(ending) and path.is_file())


def read_text(path: Path) -> str:
    """A file's text (UTF-8, with or without a byte order mark). Raises FormatError naming the line of a bad byte."""
    check_interruption()
    try:
        if path.stat().st_size > MAX_WHOLE_FILE_BYTES:
            most = MAX_WHOLE_FILE_BYTES // MEGABYTE
            raise refusal(
                display_name(path),
                Phrase("a file of this kind can be at most %(most)s MB; split it", {"most": str(most)}),
            )
        data = path.read_bytes()
    except OSError as error:
        raise refusal(
            display_name(path), Phrase("cannot be read: %(strerror)s", {"strerror": str(error.strerror)})
        ) from error
    if (at := data.find(b"\0")) >= 0:
        line = data.count(b"\n", 0, at) + 1
        raise refusal(f"{display_name(path)}:{line}", _NUL)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise refusal(f"{display_name(path)}:{line}", Phrase("not valid UTF-8; save the file as UTF-8")) from error


def text_lines(path: Path) -> Iterator[str]:
    """The lines of a file of any size, one by one, each with its line feed; otherwise as `read_text`.

    Raises FormatError for a line that is too long and for too many lines: neither is held in memory.
    """
    name = display_name(path)
    try:
        with path.open("rb") as file:
            for number in itertools.count(1):
                data = file.readline(4 * MAX_LINE_LENGTH + 1)
                if not data:
                    return
                check_interruption()
                if len(data) > 4 * MAX_LINE_LENGTH:
                    raise refusal(f"{name}:{number}", _TOO_LONG)
                if number > MAX_LINES:
                    where = f"{name}:{number}"
                    raise refusal(
                        where,
                        Phrase(
                            "a file can have at most %(most_lines)s lines; split it, or remove empty lines",
                            {"most_lines": str(MAX_LINES)},
                        ),
                    )
                if b"\0" in data:
                    raise refusal(f"{name}:{number}", _NUL)
                try:
                    line = data.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError as error:
                    where = f"{name}:{number}"
                    raise refusal(where, Phrase("not valid UTF-8; save the file as UTF-8")) from error
                if len(line) > MAX_LINE_LENGTH:
                    raise refusal(f"{name}:{number}", _TOO_LONG)
                yield line
    except OSError as error:
        raise refusal(
            display_name(path), Phrase("cannot be read: %(strerror)s", {"strerror": str(error.strerror)})
        ) from error


def read_json(path: Path) -> Any:
    """A whole JSON file. Raises FormatError naming the line."""
    text = read_text(path)
    try:
        return strict_json.loads(text)
    except JSONError as error:
        name = display_name(path)
        raise refusal(f"{name}:{error.line}" if error.line else name, _reason(error)) from error


def json_lines(path: Path, refusals: Refusals) -> Iterator[tuple[str, dict[str, Any]]]:
    """('file:line', object) of every non-empty line; a line that is not a JSON object is refused."""
    name = display_name(path)
    for number, line in enumerate(text_lines(path), 1):
        where = f"{name}:{number}"
        if not line.strip():
            continue
        refusals.count_row(where)
        try:
            value = strict_json.loads(line.rstrip())
        except JSONError as error:
            refusals.add(where, _reason(error))
            continue
        if isinstance(value, dict):
            yield where, value
        else:
            refusals.add(where, Phrase("a JSON object is expected, not %(kind)s", {"kind": kind(value)}))


def first_object(path: Path) -> dict[str, Any]:
    """The JSON object of a file's first line that is not empty; {} if it is none, or can't be read."""
    try:
        line = next((line for line in text_lines(path) if line.strip()), "")
        value = strict_json.loads(line.strip())
    except (FormatError, JSONError):
        return {}
    return value if isinstance(value, dict) else {}


def _reason(error: JSONError) -> Phrase:
    if not error.column:
        return error.phrase
    return Phrase("%(reason)s at character %(column)s", {"reason": error.phrase, "column": str(error.column)})
