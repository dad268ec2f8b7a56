"""Checks of records in every format: languages, empty texts, sizes.

The limits are in `annotation.text.limits`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from annotation.formats.interruption import check_wanted
from annotation.formats.record import AnnotationRecord, PairRecord, Rejection, TextRecord
from annotation.formats.source import Refusals
from annotation.text.languages import language_problem
from annotation.text.limits import (
    LARGEST_METADATA,
    LONGEST_COMMENT,
    LONGEST_TEXT,
    LONGEST_TOKEN,
    MOST_ACTIVE_SECONDS,
    MOST_ANNOTATIONS,
    MOST_PARAGRAPHS,
    MOST_SPANS,
    MOST_TOKEN_REFUSALS,
    MOST_TOKENS,
    MOST_TRANSLATIONS,
)
from annotation.text.schemes import Scheme
from annotation.text.segments import paragraphs
from annotation.text.spans import Span
from annotation.text.tokens import is_visible, tokenize
from annotation.vocabulary import FINAL_VERDICTS, Status, Verdict

# What tokenizers may leave as one token; these two spaces can separate the thousands of a number.
_UNBROKEN = re.compile(rf"(?:[^\s]|[\u00a0\u202f]){{{LONGEST_TOKEN + 1},}}")


def check_records(records: Sequence[PairRecord], refusals: Refusals | None = None) -> None:
    """Raise FormatError with everything that is invalid in any project, after what `refusals` already holds.

    Texts are tokenized last, only if no cheaper check refuses them, and only until a few of them are refused:
    tokenizing the longest text takes seconds.
    """
    refusals = refusals or Refusals()
    to_divide: list[tuple[PairRecord, str, TextRecord]] = []
    for record in records:
        check_wanted()
        for name, text in _texts(record):
            problems = [f"{name}.{problem}" for problem in _text_problems(text)]
            _refuse(refusals, record, problems)
            if not problems:
                to_divide.append((record, name, text))
        _refuse(refusals, record, _problems(record))
    refused = 0
    for record, name, text in to_divide:
        check_wanted()
        problems = [f"{name}.{problem}" for problem in _token_problems(text)]
        _refuse(refusals, record, problems)
        refused += bool(problems)
        if refused == MOST_TOKEN_REFUSALS:
            refusals.add(record.where, f"reading stopped here, after {refused} texts with such faults; fix these first")
            break
    refusals.raise_any(records)


def _refuse(refusals: Refusals, record: PairRecord, problems: Iterable[str]) -> None:
    for problem in problems:
        refusals.add(record.where, _of_pair(record, problem))


def _of_pair(record: PairRecord, problem: str) -> str:
    return f"pair '{record.id[:80]}', {problem}"


def _texts(record: PairRecord) -> Iterator[tuple[str, TextRecord]]:
    for name, text in (("a", record.a), ("b", record.b), ("statement", record.statement)):
        if text is not None:
            yield name, text


def statement_problems(records: Iterable[PairRecord], scheme: Scheme) -> list[Rejection]:
    """The records without the statement that the scheme's questions are about."""
    if not scheme.statement:
        return []
    reason = f"statement: missing; the scheme '{scheme.name}' asks about a statement"
    missing = [record for record in records if record.statement is None]
    return [Rejection(record.where, _of_pair(record, reason)) for record in missing]


def _problems(record: PairRecord) -> Iterator[str]:
    if (size := len(json.dumps(record.metadata, ensure_ascii=False).encode())) > LARGEST_METADATA:
        yield f"metadata: {size} bytes as JSON; at most {LARGEST_METADATA} are accepted. Leave out what is not needed"
    for side, texts in record.translations.items():
        if len(texts) > MOST_TRANSLATIONS:
            yield f"translations_{side}: {len(texts)} translations; at most {MOST_TRANSLATIONS} are accepted"
        if (longest := max(map(len, texts), default=0)) > LONGEST_TEXT:
            yield f"translations_{side}: {longest} characters; at most {LONGEST_TEXT} are accepted"
    if len(record.annotations) > MOST_ANNOTATIONS:
        yield f"annotations: {len(record.annotations)} of them; at most {MOST_ANNOTATIONS} are accepted"
    for item in record.annotations:
        yield from (f"annotations of '{item.annotator}', {problem}" for problem in _work_problems(item))
    yield from (f"gold, {problem}" for problem in _span_problems(record.gold or ()))


def _work_problems(item: AnnotationRecord) -> Iterator[str]:
    """What would prevent an annotator from continuing imported work, or would be lost: saves have the same limits."""
    yield from _span_problems(item.spans)
    for name, text in (("comment", item.comment), ("reason", item.reason)):
        if len(text) > LONGEST_COMMENT:
            yield _comment_too_long(name, text)
    if item.active_seconds > MOST_ACTIVE_SECONDS:
        yield f"active_seconds: {item.active_seconds}; at most {MOST_ACTIVE_SECONDS} are accepted"
    allowed = VERDICTS_OF.get(item.status)
    if allowed is not None and item.verdict not in allowed:
        fitting = " or ".join(allowed) if any(allowed) else "none"
        yield f"verdict: '{item.verdict}' contradicts the status '{item.status}', which goes with {fitting}"
    if item.status == Status.OPEN:
        for name in ("spans", "answers", "comment", "reason", "active_seconds"):
            if getattr(item, name):
                yield f"{name}: contradicts the status 'open', which means not started; use 'started' to keep it"


VERDICTS_OF: dict[str, tuple[str, ...]] = {
    Status.OPEN: (Verdict.NONE,),
    Status.STARTED: (Verdict.NONE,),
    Status.DONE: tuple(verdict for verdict in FINAL_VERDICTS if verdict != Verdict.SKIPPED),
    Status.SKIPPED: (Verdict.SKIPPED,),
    Status.REASSIGNED: (Verdict.SKIPPED,),
}
"""The verdicts that work of a status can have."""


def _span_problems(spans: Sequence[Span]) -> Iterator[str]:
    if len(spans) > MOST_SPANS:
        yield f"{len(spans)} spans; at most {MOST_SPANS} are accepted"
    for index, span in enumerate(spans):
        if len(span.comment) > LONGEST_COMMENT:
            yield _comment_too_long(f"spans[{index}].comment", span.comment)


def _comment_too_long(name: str, text: str) -> str:
    return f"{name}: {len(text)} characters; at most {LONGEST_COMMENT} are accepted. Shorten it"


def _text_problems(text: TextRecord) -> Iterator[str]:
    """Checks of a text that cost nothing."""
    if problem := language_problem(text.language):
        yield f"language: {problem}"
        return
    if not is_visible(text.text):
        yield "text: empty; a text with at least one word is needed"
    elif len(text.text) > LONGEST_TEXT:
        yield f"text: {len(text.text)} characters; at most {LONGEST_TEXT} are accepted. Split it into several pairs"
    elif (count := len(paragraphs(text.text))) > MOST_PARAGRAPHS:
        yield f"text: {count} paragraphs; at most {MOST_PARAGRAPHS} are accepted. Split it into several pairs"


def _token_problems(text: TextRecord) -> Iterator[str]:
    tokens = text.tokens
    if tokens is None and len(text.text) > MOST_TOKENS:
        tokens = tokenize(text.text, text.language)
    if tokens is not None and not tokens:
        yield "tokens: none; leave them out, or give at least one"
    elif tokens is not None and len(tokens) > MOST_TOKENS:
        yield f"text: {len(tokens)} tokens; at most {MOST_TOKENS} are accepted. Split it into several pairs"
    elif tokens is not None:
        start, end = max(tokens, key=lambda token: token[1] - token[0])
        yield from _too_long(start, end)
    else:
        for run in _UNBROKEN.finditer(text.text):
            found = tokenize(run.group(), text.language)
            start, end = max(found, key=lambda token: token[1] - token[0], default=(0, 0))
            yield from _too_long(run.start() + start, run.start() + end)


def _too_long(start: int, end: int) -> Iterator[str]:
    if end - start > LONGEST_TOKEN:
        yield f"text: a word of {end - start} characters at {start}; at most {LONGEST_TOKEN} are accepted. Divide it"
