"""A pair as plain JSON values, to and from a record: shared by `jsonl` lines and `csv` cells."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.formats.field_types import (
    FieldError,
    check_keys,
    integer,
    mapping,
    mappings,
    one_of,
    short_repr,
    storable_object,
    string,
    strings,
)
from annotation.formats.record import AnnotationRecord, PairRecord, StoredRanges, TextRecord
from annotation.phrases import Phrase, field_problem
from annotation.strict_json import encoding_problem
from annotation.text.schemes import SIDES, Side
from annotation.text.spans import Span, SpansError, parse_spans, spans_document
from annotation.text.tokens import Range
from annotation.vocabulary import Phase, Status, Verdict

STATUSES = ("", *Status.values)
MAX_ID_LENGTH = 300
MAX_ALIAS_LENGTH = 80
MAX_SPLIT_LENGTH = 40
MAX_LANGUAGE_LENGTH = 35
MAX_ROUNDS = 2**15 - 1
_VERDICT_BY_STATUS = {
    Status.OPEN.value: Verdict.NONE.value,
    Status.STARTED.value: Verdict.NONE.value,
    Status.SKIPPED.value: Verdict.SKIPPED.value,
    Status.REASSIGNED.value: Verdict.SKIPPED.value,
}
"""The default verdict by status; for any other status it is 'submitted'."""
_PLAIN = {str, int, float, bool, list, tuple, type(None)}
_encode = json.JSONEncoder(ensure_ascii=False).encode
_PAIR = {"id", "a", "b", "statement", "split", "mirror", "metadata", "annotations", "gold"}
_PAIR |= {"translations_a", "translations_b"}
_TEXT = {"language", "text", "tokens"}
_ANNOTATION = {"annotator", "phase", "round", "status", "guideline", "verdict", "reason", "comment", "answers", "spans"}
_ANNOTATION |= {"active_seconds"}


def pair_record(data: Mapping[str, Any], where: str) -> PairRecord:
    """The record of one `jsonl` object. Raises FieldError naming the field."""
    check_keys(data, _PAIR, "")
    return PairRecord(
        id=string(data, "id", max_length=MAX_ID_LENGTH, needed=True),
        a=text_record(mapping(data, "a"), "a"),
        b=text_record(mapping(data, "b"), "b"),
        statement=text_record(mapping(data, "statement"), "statement") if data.get("statement") is not None else None,
        split=string(data, "split", max_length=MAX_SPLIT_LENGTH),
        mirror=string(data, "mirror", max_length=MAX_ID_LENGTH),
        metadata=storable_object(mapping(data, "metadata", default={}), "metadata"),
        translations=translations(data),
        annotations=annotation_records(mappings(data, "annotations")),
        gold=gold_spans(data["gold"]) if data.get("gold") is not None else None,
        gold_answers=gold_answers(data.get("gold")),
        where=where,
    )


def text_record(data: Mapping[str, Any], name: str) -> TextRecord:
    """One side. Raises FieldError."""
    check_keys(data, _TEXT, f"{name}.")
    text = string(data, "text", f"{name}.", needed=True, empty=True)
    tokens = data.get("tokens")
    return TextRecord(
        language=string(data, "language", f"{name}.", max_length=MAX_LANGUAGE_LENGTH, needed=True),
        text=text,
        tokens=None if tokens is None else token_ranges(tokens, text, f"{name}.tokens"),
    )


def translations(data: Mapping[str, Any]) -> dict[Side, list[str]]:
    """The texts of `translations_a` and `translations_b` by side, for sides that have any. Raises FieldError."""
    result: dict[Side, list[str]] = {}
    for side in SIDES:
        name = f"translations_{side}"
        texts = strings(data, name)
        for index, text in enumerate(texts):
            if not text.strip():
                raise FieldError(field_problem(f"{name}[{index}]", Phrase("empty")))
        if texts:
            result[side] = list(texts)
    return result


def token_ranges(data: Any, text: str, name: str) -> list[Range]:
    """Token ranges given by a source: ascending, not overlapping, inside the text. Raises FieldError."""
    if not isinstance(data, list):
        raise FieldError(field_problem(name, Phrase("a list of [start, end] is expected")))
    ranges: list[Range] = []
    last = 0
    for index, item in enumerate(data):
        if not (isinstance(item, list | tuple) and len(item) == 2 and all(type(number) is int for number in item)):
            raise FieldError(
                field_problem(
                    f"{name}[{index}]",
                    Phrase("[start, end] of whole numbers is expected, not %(item)s", {"item": short_repr(item)}),
                )
            )
        start, end = item
        if not last <= start < end:
            raise FieldError(
                field_problem(
                    f"{name}[{index}]",
                    Phrase(
                        "[%(start)s, %(end)s) is empty or begins before the last token's end %(last)s",
                        {"start": str(start), "end": str(end), "last": str(last)},
                    ),
                )
            )
        if end > len(text):
            raise FieldError(
                field_problem(
                    f"{name}[{index}]",
                    Phrase(
                        "[%(start)s, %(end)s) ends beyond its text of %(n)s characters",
                        {"start": str(start), "end": str(end), "n": str(len(text))},
                    ),
                )
            )
        ranges.append((start, end))
        last = end
    return ranges


def annotation_records(data: Sequence[Mapping[str, Any]]) -> list[AnnotationRecord]:
    """The annotations of one pair. Raises FieldError, also if one annotator appears twice in a phase."""
    records: list[AnnotationRecord] = []
    seen: set[tuple[str, str, int]] = set()
    for index, item in enumerate(data):
        name = f"annotations[{index}]"
        record = _annotation_record(item, f"{name}.")
        key = (record.annotator, record.phase, record.round)
        if key in seen:
            raise FieldError(
                field_problem(
                    name,
                    Phrase(
                        "'%(annotator)s' appears twice in round %(round)s of %(phase)s",
                        {"annotator": str(record.annotator), "round": str(record.round), "phase": str(record.phase)},
                    ),
                )
            )
        seen.add(key)
        records.append(record)
    return records


def _annotation_record(data: Mapping[str, Any], name: str) -> AnnotationRecord:
    check_keys(data, _ANNOTATION, name)
    status = one_of(data, "status", name, STATUSES, "")
    return AnnotationRecord(
        annotator=string(data, "annotator", name, max_length=MAX_ALIAS_LENGTH, needed=True),
        phase=one_of(data, "phase", name, Phase.values, Phase.MAIN.value),
        round=integer(data, "round", name, maximum=MAX_ROUNDS),
        status=status,
        guideline=integer(data, "guideline", name) or None,
        verdict=one_of(data, "verdict", name, Verdict.values, _VERDICT_BY_STATUS.get(status, Verdict.SUBMITTED.value)),
        reason=string(data, "reason", name),
        comment=string(data, "comment", name),
        answers=_answers(data, name),
        spans=_spans(data.get("spans", []), f"{name}spans"),
        active_seconds=integer(data, "active_seconds", name),
    )


def gold_spans(data: Any) -> list[Span]:
    """`{"spans": [...]}` or the bare list. Raises FieldError."""
    return _spans(data, "gold")


def gold_answers(data: Any) -> dict[str, str]:
    """The answers of `{"spans": [...], "answers": {...}}` by question, empty if there are none. Raises FieldError."""
    if not isinstance(data, Mapping):
        return {}
    return _answers(data, "gold.")


def _answers(data: Mapping[str, Any], prefix: str) -> dict[str, str]:
    answers = storable_object(mapping(data, "answers", prefix, default={}), f"{prefix}answers")
    for key in answers:
        string(answers, key, f"{prefix}answers.", needed=True)
    return answers


def _spans(data: Any, name: str) -> list[Span]:
    try:
        spans = parse_spans(data)
    except SpansError as error:
        raise FieldError(field_problem(name, error.phrase)) from error
    for index, span in enumerate(spans):
        for part in ("id", "label", "comment"):
            if problem := encoding_problem(getattr(span, part)):
                raise FieldError(field_problem(f"{name}[{index}].{part}", problem))
    return spans


def record_json(record: PairRecord) -> dict[str, Any]:
    """The `jsonl` object of a record, without fields at their default. `json_text` writes it."""
    data: dict[str, Any] = {"id": record.id, "a": text_json(record.a), "b": text_json(record.b)}
    if record.statement is not None:
        data["statement"] = text_json(record.statement)
    data.update({key: value for key in ("split", "mirror", "metadata") if (value := getattr(record, key))})
    data.update({f"translations_{side}": texts for side, texts in record.translations.items()})
    if record.annotations:
        data["annotations"] = [annotation_json(annotation) for annotation in record.annotations]
    if record.gold is not None:
        data["gold"] = {"spans": spans_document(record.gold)["spans"]}
        if record.gold_answers:
            data["gold"]["answers"] = record.gold_answers
    return data


def text_json(record: TextRecord) -> dict[str, Any]:
    data: dict[str, Any] = {"language": record.language, "text": record.text}
    if record.tokens is not None:
        data["tokens"] = record.tokens
    return data


def json_text(value: Any) -> str:
    """As `json.dumps(value, ensure_ascii=False)`, but ranges from the database are written as they are stored.

    Looks for them in the values of objects, not in lists: that is where `record_json` puts them.
    """
    if isinstance(value, StoredRanges):
        return value.json
    if isinstance(value, dict) and not _PLAIN.issuperset(map(type, value.values())):
        return "{" + ", ".join(f"{_encode(key)}: {json_text(item)}" for key, item in value.items()) + "}"
    return _encode(value)


def annotation_json(record: AnnotationRecord) -> dict[str, Any]:
    data: dict[str, Any] = {"annotator": record.annotator, "phase": record.phase, "verdict": record.verdict}
    keys = ("round", "status", "guideline", "reason", "comment", "answers", "active_seconds")
    data.update({key: value for key in keys if (value := getattr(record, key))})
    data["spans"] = spans_document(record.spans)["spans"]
    return data
