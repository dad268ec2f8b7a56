"""Reading in any format. Each describes itself in its own module (`base.Format`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from annotation.formats.base import FORMATS, Format, dataset_formats, export_formats, import_formats
from annotation.formats.checks import check_records
from annotation.formats.implied_scheme import SCHEME_ENDING
from annotation.formats.record import FormatError, ParsedSource
from annotation.formats.source import Refusals, check_options, display_name, refusal
from annotation.phrases import Phrase

__all__ = [
    "FORMATS",
    "check_request",
    "choose",
    "dataset_formats",
    "export_formats",
    "format_of",
    "import_formats",
    "read",
]


MAX_NAMED_FILES = 10
"""Files that a refusal names with their formats."""


def format_of(paths: Sequence[Path]) -> str:
    """The format that files have by their content and extension, also those in folders. Raises FormatError if not one.

    Content decides where several formats share an extension, and for files without a known extension.
    """
    return _one_format({path: _recognised(path) for path in paths})


def _one_format(formats: Mapping[Path, set[str]]) -> str:
    """The one format of all files. Raises FormatError if there is none, or more than one."""
    paths = list(formats)
    names = sorted(set[str]().union(*formats.values()))
    if len(names) > 1:
        raise refusal(
            ", ".join(map(display_name, paths)),
            Phrase(
                "files of several formats (%(names)s); import each format separately",
                {"names": _each_with_format(formats)},
            ),
        )
    unknown = [path for path in paths if not formats[path]]
    if names and not unknown:
        return names[0]
    raise refusal(
        ", ".join(map(display_name, unknown)),
        Phrase(
            "neither the file extension nor the content shows the format; choose one of %(names)s",
            {"names": ", ".join(import_formats())},
        ),
    )


def _each_with_format(by_path: Mapping[Path, set[str]]) -> str:
    """Files with the formats that each has; of a single one or a folder, the formats."""
    if len(by_path) == 1:
        return ", ".join(sorted(*by_path.values()))
    some = list(by_path.items())[:MAX_NAMED_FILES]
    each = [f"{display_name(path)}: {', '.join(sorted(formats)) or '?'}" for path, formats in some]
    return "; ".join([*each, "…"] if len(by_path) > MAX_NAMED_FILES else each)


def _recognised(path: Path) -> set[str]:
    """The formats that a file has; of a folder, that of its marker, or else those of its files."""
    if not path.is_dir():
        return _of_file(path)
    possible = import_formats().values()
    marked = {each.name for each in possible if each.marker and (path / each.marker).is_file()}
    marked = marked or {each.name for each in possible if each.recognises_folder and each.recognises_folder(path)}
    if marked:
        return marked
    # Only Parquet files count deeper down, where dataset folders have them: other formats have JSONL files there.
    below = [file for file in path.rglob("*") if file.parent == path or file.suffix.lower() == ".parquet"]
    files = [file for file in below if file.is_file() and not file.name.endswith(SCHEME_ENDING)]
    by_extension = [file for file in files if _by_extension(file)]
    return set[str]().union(*map(_of_file, by_extension))


def _by_extension(path: Path) -> list[Format]:
    return [each for each in import_formats().values() if path.suffix.lower() in each.extensions]


def _of_file(path: Path) -> set[str]:
    """By extension; among several formats, or without any, the one that recognises the content.

    Of several that share an extension and recognise nothing, that of this project: its reader names what is wrong.
    """
    if marked := {each.name for each in import_formats().values() if each.marker and each.marker == path.name}:
        return marked
    possible = _by_extension(path)
    if len(possible) == 1:
        return {possible[0].name}
    recognising = [each for each in possible or import_formats().values() if each.recognises is not None]
    names = {
        each.name for each in recognising if path.is_file() and each.recognises is not None and each.recognises(path)
    }
    return names or {each.name for each in possible if each.complete} or {each.name for each in possible}


def check_request(name: str, names: Sequence[str], options: Mapping[str, str]) -> None:
    """Raises FormatError for a format or options that a browser may not use with files of these names.

    Without a format (''), as far as extensions show it: the content of files that share one decides later.
    """
    possible = [_by_extension(Path(each)) for each in names]
    if not name and all(len(formats) == 1 for formats in possible):
        name = _one_format({Path(each): {one.name} for each, (one,) in zip(names, possible, strict=True)})
    if name:
        choose(name, [], options, from_web=True)
    elif all(possible):
        check_options(options, {option for formats in possible for each in formats for option in each.web_options})


def choose(
    name: str, paths: Sequence[Path], options: Mapping[str, str] | None = None, *, from_web: bool = False
) -> Format:
    """The format `name` ('': by what `format_of` finds), which must have all of `options`. Raises FormatError.

    `from_web`: only formats and options that a browser may use; others are refused as if they did not exist.
    """
    name = name or format_of(paths)
    formats = import_formats(web=from_web)
    if name not in formats:
        raise refusal(
            "format",
            Phrase(
                "there is no format '%(name)s'; choose one of %(names)s",
                {"name": str(name), "names": ", ".join(formats)},
            ),
        )
    check_options(options or {}, formats[name].web_options if from_web else formats[name].options)
    return formats[name]


def read(
    name: str, paths: Sequence[Path], options: Mapping[str, str] | None = None, *, from_web: bool = False
) -> ParsedSource:
    """Read `paths` in the format that `choose` returns, and check every record.

    Raises FormatError with everything that is wrong: what could not be read, and what was read but is invalid.
    """
    try:
        parsed = choose(name, paths, options, from_web=from_web).read(paths, options or {})
    except FormatError as error:
        check_records_of(error)
        raise
    try:
        check_records(parsed.records)
    except FormatError as error:
        error.records, error.table = parsed.records, parsed.table
        raise
    return parsed


def check_records_of(error: FormatError) -> None:
    """Add what is wrong with the records that could be read. Raises FormatError with all of it."""
    try:
        check_records(error.records, Refusals(error.rejections))
    except FormatError as refused:
        refused.records, refused.table = error.records, error.table
        raise
