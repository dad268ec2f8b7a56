"""Reading in any format. Each describes itself in its own module (`base.Format`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from annotation.formats.base import FORMATS, Format, export_formats, import_formats
from annotation.formats.checks import check_records
from annotation.formats.implied import SCHEME_ENDING
from annotation.formats.record import FormatError, ParsedSource
from annotation.formats.source import Refusals, check_options, display_name, refusal
from annotation.phrases import Phrase

__all__ = ["FORMATS", "choose", "export_formats", "format_of", "import_formats", "read"]


def format_of(paths: Sequence[Path]) -> str:
    """The format given by the extensions of files, also of those in folders. Raises FormatError if there is not one."""
    found = {path: _recognised(path) for path in paths}
    names = sorted(set[str]().union(*found.values()))
    if len(names) > 1:
        raise refusal(
            ", ".join(map(display_name, paths)),
            Phrase("files of several formats (%(names)s); import each format separately", {"names": ", ".join(names)}),
        )
    unknown = [path for path in paths if not found[path]]
    if names and not unknown:
        return names[0]
    raise refusal(
        ", ".join(map(display_name, unknown)),
        Phrase(
            "the file extension doesn't show the format; choose one of %(names)s",
            {"names": ", ".join(import_formats())},
        ),
    )


def _recognised(path: Path) -> set[str]:
    """The formats that a file's extension shows; of a folder, that of its marker, or else those of its files."""
    known = {extension: each.name for each in import_formats().values() for extension in each.extensions}
    files = [path]
    if path.is_dir():
        marked = {each.name for each in import_formats().values() if each.marker and (path / each.marker).is_file()}
        if marked:
            return marked
        # Only Parquet files count deeper down, where dataset folders have them: other formats have JSONL files there.
        below = [file for file in path.rglob("*") if file.parent == path or file.suffix.lower() == ".parquet"]
        files = [file for file in below if file.is_file() and not file.name.endswith(SCHEME_ENDING)]
    return {known[file.suffix.lower()] for file in files if file.suffix.lower() in known}


def choose(
    name: str, paths: Sequence[Path], options: Mapping[str, str] | None = None, *, from_web: bool = False
) -> Format:
    """The format `name` ('': by the paths' extension), which must have all of `options`. Raises FormatError.

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
        check_records(error.records, Refusals(error.rejections))
        raise
    check_records(parsed.records)
    return parsed
