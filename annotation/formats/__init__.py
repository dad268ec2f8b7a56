"""Reading in any format. Each describes itself in its own module (`base.Format`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from annotation.formats.base import FORMATS, Format, export_formats, import_formats
from annotation.formats.checks import check_records
from annotation.formats.record import FormatError, ParsedSource
from annotation.formats.source import Refusals, check_options, display_name, refusal
from annotation.phrases import Phrase

__all__ = ["FORMATS", "choose", "export_formats", "format_of", "import_formats", "read"]


def format_of(paths: Sequence[Path]) -> str:
    """The format given by the paths' extensions. Raises FormatError if they do not determine it."""
    known = {extension: each.name for each in import_formats().values() for extension in each.extensions}
    names = {known.get(path.suffix.lower(), "") for path in paths}
    if len(names) == 1 and "" not in names:
        return names.pop()
    where = ", ".join(map(display_name, paths))
    raise refusal(
        where,
        Phrase(
            "the file extension doesn't show the format; choose one of %(names)s",
            {"names": ", ".join(import_formats())},
        ),
    )


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
