"""Checks of records in every format: languages, empty texts, sizes.

The limits are in `annotation.text.limits`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from annotation.formats.interruption import check_interruption
from annotation.formats.record import AnnotationRecord, PairRecord, Rejection, TextRecord
from annotation.formats.source import Refusals
from annotation.phrases import Phrase, field_problem
from annotation.text.languages import language_problem
from annotation.text.limits import (
    MAX_ACTIVE_SECONDS,
    MAX_ANNOTATIONS,
    MAX_COMMENT_LENGTH,
    MAX_METADATA_BYTES,
    MAX_PARAGRAPHS,
    MAX_SPANS,
    MAX_TEXT_LENGTH,
    MAX_TOKEN_LENGTH,
    MAX_TOKEN_REJECTIONS,
    MAX_TOKENS,
    MAX_TRANSLATIONS,
)
from annotation.text.paragraphs import paragraphs
from annotation.text.schemes import Scheme
from annotation.text.spans import Span
from annotation.text.tokens import is_visible, tokenize
from annotation.vocabulary import FINAL_VERDICTS, Status, Verdict

# What tokenizers may leave as one token; these two spaces can separate the thousands of a number.
_UNBROKEN = re.compile(rf"[\S\u00a0\u202f]{{{MAX_TOKEN_LENGTH + 1},}}")


def check_records(records: Sequence[PairRecord], refusals: Refusals | None = None) -> None:
    """Raise FormatError with everything that is invalid in any project, after what `refusals` already holds.

    Texts are tokenized last, only if no cheaper check refuses them, and only until a few of them are refused:
    tokenizing the longest text takes seconds.
    """
    refusals = refusals or Refusals()
    to_divide: list[tuple[PairRecord, str, TextRecord]] = []
    for record in records:
        check_interruption()
        for name, text in _texts(record):
            problems = [_prefixed(name, problem) for problem in _text_problems(text)]
            _refuse(refusals, record, problems)
            if not problems:
                to_divide.append((record, name, text))
        _refuse(refusals, record, _problems(record))
    refused = 0
    for record, name, text in to_divide:
        check_interruption()
        problems = [_prefixed(name, problem) for problem in _token_problems(text)]
        _refuse(refusals, record, problems)
        refused += bool(problems)
        if refused == MAX_TOKEN_REJECTIONS:
            refusals.add(
                record.where,
                Phrase(
                    "reading stopped here, after %(refused)s texts with such errors; fix these first",
                    {"refused": str(refused)},
                ),
            )
            break
    refusals.raise_any(records)


def text_problems(text: TextRecord) -> Iterator[Phrase]:
    """What is wrong with a text in any project."""
    yield from list(_text_problems(text)) or _token_problems(text)


def _refuse(refusals: Refusals, record: PairRecord, problems: Iterable[Phrase]) -> None:
    for problem in problems:
        refusals.add(record.where, _in_pair(record, problem))


def _in_pair(record: PairRecord, problem: Phrase) -> Phrase:
    return _located(Phrase("pair '%(id)s'", {"id": record.id[:80]}), problem)


def _located(whole: Phrase, problem: Phrase) -> Phrase:
    return Phrase("%(whole)s, %(problem)s", {"whole": whole, "problem": problem})


def _prefixed(name: str, problem: Phrase) -> Phrase:
    """The same problem with the name of the text before that of the field."""
    return Phrase("%(name)s.%(problem)s", {"name": name, "problem": problem})


def _texts(record: PairRecord) -> Iterator[tuple[str, TextRecord]]:
    for name, text in (("a", record.a), ("b", record.b), ("statement", record.statement)):
        if text is not None:
            yield name, text


def statement_problems(records: Iterable[PairRecord], scheme: Scheme) -> list[Rejection]:
    """The records without the statement that the scheme's questions are about."""
    if not scheme.statement:
        return []
    reason = field_problem(
        "statement", Phrase("missing; the scheme '%(name)s' asks about a statement", {"name": str(scheme.name)})
    )
    missing = [record for record in records if record.statement is None]
    return [Rejection(record.where, _in_pair(record, reason)) for record in missing]


def _problems(record: PairRecord) -> Iterator[Phrase]:
    if (size := len(json.dumps(record.metadata, ensure_ascii=False).encode())) > MAX_METADATA_BYTES:
        yield field_problem(
            "metadata",
            Phrase(
                "%(size)s bytes as JSON; at most %(largest_metadata)s are accepted. Remove what is not needed",
                {"size": str(size), "largest_metadata": str(MAX_METADATA_BYTES)},
            ),
        )
    for side, texts in record.translations.items():
        if len(texts) > MAX_TRANSLATIONS:
            yield field_problem(
                f"translations_{side}",
                Phrase(
                    "%(n)s translations; at most %(most_translations)s are accepted",
                    {"n": str(len(texts)), "most_translations": str(MAX_TRANSLATIONS)},
                ),
            )
        if (longest := max(map(len, texts), default=0)) > MAX_TEXT_LENGTH:
            yield field_problem(
                f"translations_{side}",
                Phrase(
                    "%(longest)s characters; at most %(longest_text)s are accepted",
                    {"longest": str(longest), "longest_text": str(MAX_TEXT_LENGTH)},
                ),
            )
    if len(record.annotations) > MAX_ANNOTATIONS:
        yield field_problem(
            "annotations",
            Phrase(
                "%(n)s of them; at most %(most_annotations)s are accepted",
                {"n": str(len(record.annotations)), "most_annotations": str(MAX_ANNOTATIONS)},
            ),
        )
    for item in record.annotations:
        whose = Phrase("annotations of '%(alias)s'", {"alias": item.annotator})
        yield from (_located(whose, each) for each in _annotation_problems(item))
    yield from (_located(Phrase("gold"), each) for each in _span_problems(record.gold or ()))


def _annotation_problems(item: AnnotationRecord) -> Iterator[Phrase]:
    """What would prevent an annotator from continuing imported work, or would be lost: saves have the same limits."""
    yield from _span_problems(item.spans)
    for name, text in (("comment", item.comment), ("reason", item.reason)):
        if len(text) > MAX_COMMENT_LENGTH:
            yield _comment_too_long(name, text)
    if item.active_seconds > MAX_ACTIVE_SECONDS:
        yield field_problem(
            "active_seconds",
            Phrase(
                "%(active_seconds)s; at most %(most_active_seconds)s are accepted",
                {"active_seconds": str(item.active_seconds), "most_active_seconds": str(MAX_ACTIVE_SECONDS)},
            ),
        )
    allowed = VERDICTS_BY_STATUS.get(item.status)
    if allowed is not None and item.verdict not in allowed:
        fitting = ", ".join(allowed) if any(allowed) else Phrase("none")
        yield field_problem(
            "verdict",
            Phrase(
                "'%(verdict)s' contradicts the status '%(status)s', which goes with %(fitting)s",
                {"verdict": str(item.verdict), "status": str(item.status), "fitting": fitting},
            ),
        )
    if item.status == Status.OPEN:
        for name in ("spans", "answers", "comment", "reason", "active_seconds"):
            if getattr(item, name):
                yield field_problem(
                    name, Phrase("contradicts the status 'open', which means not started; use 'started' to keep it")
                )


VERDICTS_BY_STATUS: dict[str, tuple[str, ...]] = {
    Status.OPEN: (Verdict.NONE,),
    Status.STARTED: (Verdict.NONE,),
    Status.DONE: tuple(verdict for verdict in FINAL_VERDICTS if verdict != Verdict.SKIPPED),
    Status.SKIPPED: (Verdict.SKIPPED,),
    Status.REASSIGNED: (Verdict.SKIPPED,),
}
"""The verdicts that work of a status can have."""


def _span_problems(spans: Sequence[Span]) -> Iterator[Phrase]:
    if len(spans) > MAX_SPANS:
        yield Phrase(
            "%(n)s spans; at most %(most_spans)s are accepted", {"n": str(len(spans)), "most_spans": str(MAX_SPANS)}
        )
    for index, span in enumerate(spans):
        if len(span.comment) > MAX_COMMENT_LENGTH:
            yield _comment_too_long(f"spans[{index}].comment", span.comment)


def _comment_too_long(name: str, text: str) -> Phrase:
    return field_problem(
        name,
        Phrase(
            "%(n)s characters; at most %(longest_comment)s are accepted. Shorten it",
            {"n": str(len(text)), "longest_comment": str(MAX_COMMENT_LENGTH)},
        ),
    )


def _text_problems(text: TextRecord) -> Iterator[Phrase]:
    """Checks of a text that cost nothing."""
    if problem := language_problem(text.language):
        yield field_problem("language", problem)
        return
    if not is_visible(text.text):
        yield field_problem("text", Phrase("empty; a text with at least one word is needed"))
    elif len(text.text) > MAX_TEXT_LENGTH:
        yield field_problem(
            "text",
            Phrase(
                "%(n)s characters; at most %(longest_text)s are accepted. Split it into several pairs",
                {"n": str(len(text.text)), "longest_text": str(MAX_TEXT_LENGTH)},
            ),
        )
    elif (count := len(paragraphs(text.text))) > MAX_PARAGRAPHS:
        yield field_problem(
            "text",
            Phrase(
                "%(count)s paragraphs; at most %(most_paragraphs)s are accepted. Split it into several pairs",
                {"count": str(count), "most_paragraphs": str(MAX_PARAGRAPHS)},
            ),
        )


def _token_problems(text: TextRecord) -> Iterator[Phrase]:
    tokens = text.tokens
    if tokens is None and len(text.text) > MAX_TOKENS:
        tokens = tokenize(text.text, text.language)
    if tokens is not None and not tokens:
        yield field_problem("tokens", Phrase("none; omit them, or give at least one"))
    elif tokens is not None and len(tokens) > MAX_TOKENS:
        yield field_problem(
            "text",
            Phrase(
                "%(n)s tokens; at most %(most_tokens)s are accepted. Split it into several pairs",
                {"n": str(len(tokens)), "most_tokens": str(MAX_TOKENS)},
            ),
        )
    elif tokens is not None:
        start, end = max(tokens, key=lambda token: token[1] - token[0])
        yield from _too_long(start, end)
    else:
        for run in _UNBROKEN.finditer(text.text):
            run_tokens = tokenize(run.group(), text.language)
            start, end = max(run_tokens, key=lambda token: token[1] - token[0], default=(0, 0))
            yield from _too_long(run.start() + start, run.start() + end)


def _too_long(start: int, end: int) -> Iterator[Phrase]:
    if end - start > MAX_TOKEN_LENGTH:
        yield field_problem(
            "text",
            Phrase(
                "a word of %(end)s characters at %(start)s; at most %(longest_token)s are accepted. Divide it",
                {"end": str(end - start), "start": str(start), "longest_token": str(MAX_TOKEN_LENGTH)},
            ),
        )
