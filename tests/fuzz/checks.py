"""What must be true of any source: it is refused with location and reason, or it comes in and goes out again."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType

from annotation import formats
from annotation.formats import parquet_check
from annotation.formats.fields import MAX_ALIAS_LENGTH
from annotation.formats.record import FormatError, PairRecord, ParsedSource, TextRecord
from annotation.strict_json import JSONError, encoding_problem
from annotation.strict_json import check as check_json
from annotation.text.spans import Grid, check
from annotation.text.tokens import tokenize

GROWTH = 400 * 1024  # KiB of memory that one small source may take
PATIENCE = 60


class Finding(AssertionError):
    """Something that a reader or writer must not do."""


def look(name: str, path: Path, options: Mapping[str, str], out: Path) -> bool:
    """Whether the source at `path` was accepted. Raises Finding, or whatever a reader or writer lets through."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(PATIENCE)
    try_in_subprocess, parquet_check.try_in_subprocess = parquet_check.try_in_subprocess, _forked
    try:
        return _look("hub" if name == "foreign" else name, path, options, out)
    finally:
        parquet_check.try_in_subprocess = try_in_subprocess
        signal.alarm(0)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        if grown > GROWTH:
            raise Finding(f"took {grown // 1024} MiB")


def _forked(paths: Sequence[Path]) -> tuple[int, int]:
    """As `parquet_check.try_in_subprocess`, in a hundredth of the time: this process has no threads, and may fork."""
    read_end, write_end = os.pipe()
    if child := os.fork():
        os.close(write_end)
        with os.fdopen(read_end, "rb") as output:
            last = len(output.read()) - 1
        return max(last, 0), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        os.dup2(write_end, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        parquet_check.read_all(paths)
    finally:
        os._exit(0)


def _too_long(_number: int, _frame: FrameType | None) -> None:
    raise Finding(f"took more than {PATIENCE} s")


def _look(name: str, path: Path, options: Mapping[str, str], out: Path) -> bool:
    try:
        parsed = formats.read(name, [path], options)
    except FormatError as error:
        _has_place_and_reason(error)
        return False
    for record in parsed.records:
        _storable(record)
    if not _importable(parsed):
        return False
    _goes_out(name, parsed, out / "same")
    if name != "jsonl":
        _goes_out("jsonl", parsed, out / "plain")
    return True


def _has_place_and_reason(error: FormatError) -> None:
    if not error.rejections:
        raise Finding("a refusal without anything refused")
    for rejection in error.rejections:
        if not rejection.where.strip() or not rejection.reason.strip() or len(rejection.reason) > 5_000:
            raise Finding(f"a refusal without location or reason, or a very long one: {str(rejection)[:300]!r}")
        str(rejection).encode()


def _storable(record: PairRecord) -> None:
    try:
        check_json(record.metadata, "metadata")
    except JSONError as error:
        raise Finding(f"accepted: {error}") from error
    texts = [record.id, record.split, record.mirror, record.a.language, record.a.text, record.b.language, record.b.text]
    for item in record.annotations:
        texts += [item.annotator, item.comment, item.reason, *item.answers, *item.answers.values()]
    for span in [*(record.gold or ()), *(span for item in record.annotations for span in item.spans)]:
        texts += [span.id, span.label, span.comment]
    for text in texts:
        if not isinstance(text, str) or encoding_problem(text):
            raise Finding(f"accepted: {text!r}")


def _importable(parsed: ParsedSource) -> bool:
    """Whether the import accepts it too: it refuses spans that texts or labels forbid, long names, ids given twice."""
    ids = [record.id for record in parsed.records]
    choices = {question.key: {each.key for each in question.choices} for question in parsed.scheme.questions}
    if any(len(item.annotator) > MAX_ALIAS_LENGTH for record in parsed.records for item in record.annotations):
        return False
    for record in parsed.records:
        record.a, record.b = _tokenized(record.a), _tokenized(record.b)
        grids = [Grid(len(text.text), text.tokens or []) for text in (record.a, record.b)]
        for spans in (record.gold or [], *(item.spans for item in record.annotations)):
            if check(spans, parsed.scheme, *grids, imported=True):
                return False
            if any(side not in parsed.scheme.sides for span in spans for side in span.sides):
                return False
        for answers in (record.gold_answers, *(item.answers for item in record.annotations)):
            if any(answer not in choices.get(key, ()) for key, answer in answers.items()):
                return False
    return len(set(ids)) == len(ids)


def _tokenized(text: TextRecord) -> TextRecord:
    return TextRecord(
        text.language, text.text, tokenize(text.text, text.language) if text.tokens is None else text.tokens
    )


def _goes_out(name: str, parsed: ParsedSource, out: Path) -> None:
    # Spreadsheets and pages are not exported; what they hold goes out as the table that it is.
    chosen = formats.FORMATS["csv" if name in ("spreadsheet", "pages") else name]
    target = out / f"pairs{chosen.ending}"
    target.parent.mkdir(parents=True)
    try:
        chosen.write(parsed.records, parsed.scheme, target)
        if not parsed.records:
            return
        options = {"language": parsed.records[0].b.language} if name == "swissgov" else {}
        again = formats.read(chosen.name, [target], options)
    except FormatError as error:
        raise Finding(f"accepted as it came in, and refused as {name} went out: {str(error)[:500]}") from error
    whole = chosen.complete or chosen.dataset
    given = [(record.id, record.a.text, record.b.text) for record in parsed.records]
    came = [(record.id, record.a.text, record.b.text) for record in again.records]
    if (given != came) if whole else (len(given) != len(came)):
        different = next(
            (pair for pair in zip(given, came, strict=False) if pair[0] != pair[1]), (len(given), len(came))
        )
        raise Finding(f"read back from {name} otherwise: {str(different)[:600]}")
