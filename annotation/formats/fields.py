"""A pair as plain JSON values, into a record and back: what `jsonl` lines and `csv` cells have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.formats.record import AnnotationRecord, PairRecord, TextRecord
from annotation.formats.source import unstorable
from annotation.text.schemes import SIDES, Side
from annotation.text.spans import Span, SpansError, document, parse_document
from annotation.text.tokens import Range

PHASES = ("qualification", "trial", "main")
VERDICTS = ("", "submitted", "rejected", "flagged", "skipped")
STATUSES = ("", "open", "started", "done", "skipped")
LONGEST_ID = 300
LONGEST_ALIAS = 80
LONGEST_SPLIT = 40
LONGEST_LANGUAGE = 35
_PAIR = {"id", "a", "b", "statement", "split", "mirror", "metadata", "annotations", "gold"}
_PAIR |= {"translations_a", "translations_b"}
_TEXT = {"language", "text", "tokens"}
_ANNOTATION = {"annotator", "phase", "round", "status", "guideline", "verdict", "reason", "comment", "answers", "spans"}
_ANNOTATION |= {"active_seconds"}


class FieldError(ValueError):
    """A value that cannot be; the message begins with the name of its field."""


def pair_record(data: Mapping[str, Any], where: str) -> PairRecord:
    """The record of one `jsonl` object. Raises FieldError naming the field."""
    known(data, _PAIR, "")
    return PairRecord(
        id=string(data, "id", longest=LONGEST_ID, needed=True),
        a=text_record(_object(data, "a"), "a"),
        b=text_record(_object(data, "b"), "b"),
        statement=text_record(_object(data, "statement"), "statement") if data.get("statement") is not None else None,
        split=string(data, "split", longest=LONGEST_SPLIT),
        mirror=string(data, "mirror", longest=LONGEST_ID),
        metadata=storable(_object(data, "metadata", {}), "metadata"),
        translations=translations(data),
        annotations=annotation_records(data.get("annotations", [])),
        gold=gold_spans(data["gold"]) if data.get("gold") is not None else None,
        gold_answers=gold_answers(data.get("gold")),
        where=where,
    )


def text_record(data: Mapping[str, Any], name: str) -> TextRecord:
    """One side. Raises FieldError."""
    known(data, _TEXT, f"{name}.")
    text = string(data, "text", f"{name}.", needed=True, empty=True)
    tokens = data.get("tokens")
    return TextRecord(
        language=string(data, "language", f"{name}.", longest=LONGEST_LANGUAGE, needed=True),
        text=text,
        tokens=None if tokens is None else token_ranges(tokens, text, f"{name}.tokens"),
    )


def translations(data: Mapping[str, Any]) -> dict[Side, list[str]]:
    """The texts of `translations_a` and `translations_b` by side, without sides that have none. Raises FieldError."""
    found: dict[Side, list[str]] = {}
    for side in SIDES:
        name = f"translations_{side}"
        texts = data.get(name) or []
        if not isinstance(texts, list):
            raise FieldError(f"{name}: a list of texts is expected, not {type(texts).__name__}")
        for index, text in enumerate(texts):
            if not isinstance(text, str) or not text.strip():
                raise FieldError(f"{name}[{index}]: a text is expected, not {text!r}")
            if problem := unstorable(text):
                raise FieldError(f"{name}[{index}]: {problem}")
        if texts:
            found[side] = list(texts)
    return found


def token_ranges(data: Any, text: str, name: str) -> list[Range]:
    """Token ranges given by a source: ascending, apart, inside the text. Raises FieldError."""
    if not isinstance(data, list):
        raise FieldError(f"{name}: a list of [start, end] is expected")
    ranges: list[Range] = []
    last = 0
    for index, item in enumerate(data):
        if not (isinstance(item, list | tuple) and len(item) == 2 and all(type(number) is int for number in item)):
            raise FieldError(f"{name}[{index}]: [start, end] of whole numbers is expected, not {item!r}")
        start, end = item
        if not last <= start < end:
            raise FieldError(f"{name}[{index}]: [{start}, {end}) is empty or begins before the last token's end {last}")
        if end > len(text):
            raise FieldError(f"{name}[{index}]: [{start}, {end}) ends beyond its text of {len(text)} characters")
        ranges.append((start, end))
        last = end
    return ranges


def annotation_records(data: Any) -> list[AnnotationRecord]:
    """The annotations of one pair. Raises FieldError, also where one annotator stands twice in a phase."""
    if not isinstance(data, list):
        raise FieldError("annotations: a list is expected")
    records: list[AnnotationRecord] = []
    seen: set[tuple[str, str, int]] = set()
    for index, item in enumerate(data):
        name = f"annotations[{index}]"
        if not isinstance(item, Mapping):
            raise FieldError(f"{name}: an object is expected")
        record = _annotation_record(item, f"{name}.")
        place = (record.annotator, record.phase, record.round)
        if place in seen:
            raise FieldError(f"{name}: '{record.annotator}' stands twice in round {record.round} of {record.phase}")
        seen.add(place)
        records.append(record)
    return records


def _annotation_record(data: Mapping[str, Any], name: str) -> AnnotationRecord:
    known(data, _ANNOTATION, name)
    return AnnotationRecord(
        annotator=string(data, "annotator", name, longest=LONGEST_ALIAS, needed=True),
        phase=_one_of(data, "phase", name, PHASES, "main"),
        round=_count(data, "round", name),
        status=_one_of(data, "status", name, STATUSES, ""),
        guideline=_count(data, "guideline", name) or None,
        verdict=_one_of(data, "verdict", name, VERDICTS, "submitted"),
        reason=string(data, "reason", name),
        comment=string(data, "comment", name),
        answers=storable(_object(data, "answers", {}, name), f"{name}answers"),
        spans=_spans(data.get("spans", []), f"{name}spans"),
        active_seconds=_count(data, "active_seconds", name),
    )


def gold_spans(data: Any) -> list[Span]:
    """`{"spans": [...]}` or the bare list. Raises FieldError."""
    return _spans(data, "gold")


def gold_answers(data: Any) -> dict[str, str]:
    """The answers of `{"spans": [...], "answers": {...}}` by question; none where there are none. Raises FieldError."""
    if not isinstance(data, Mapping):
        return {}
    answers = storable(_object(data, "answers", {}, "gold."), "gold.answers")
    for key, answer in answers.items():
        if not isinstance(answer, str):
            raise FieldError(f"gold.answers.{key}: a text is expected, not {answer!r}")
    return answers


def _spans(data: Any, name: str) -> list[Span]:
    try:
        spans = parse_document(data)
    except SpansError as error:
        raise FieldError(f"{name}: {error}") from error
    for index, span in enumerate(spans):
        if problem := unstorable(span.comment) or unstorable(span.id) or unstorable(span.label):
            raise FieldError(f"{name}[{index}]: {problem}")
    return spans


def known(data: Mapping[str, Any], names: set[str], prefix: str) -> None:
    """Raises FieldError for a key that the format has not: most are slips of the pen, and would be lost silently."""
    for key in data:
        if key not in names:
            raise FieldError(f"{prefix}{key}: unknown; known here are {', '.join(sorted(names))}")


def string(
    data: Mapping[str, Any], key: str, prefix: str = "", *, longest: int = 0, needed: bool = False, empty: bool = False
) -> str:
    """A text that can be kept; '' where it is missing and not needed. Raises FieldError."""
    value = data.get(key)
    if value is None:
        if needed:
            raise FieldError(f"{prefix}{key}: missing")
        return ""
    if not isinstance(value, str):
        raise FieldError(f"{prefix}{key}: a string is expected, not {type(value).__name__}")
    if needed and not empty and not value.strip():
        raise FieldError(f"{prefix}{key}: empty")
    if longest and len(value) > longest:
        raise FieldError(f"{prefix}{key}: {len(value)} characters; at most {longest} can be kept")
    if problem := unstorable(value):
        raise FieldError(f"{prefix}{key}: {problem}")
    return value


def storable(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A JSON object all of whose texts can be kept. Raises FieldError."""
    _walk(data, name)
    return dict(data)


def _walk(value: Any, name: str) -> None:
    if isinstance(value, str):
        if problem := unstorable(value):
            raise FieldError(f"{name}: {problem}")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            _walk(key, name)
            _walk(item, f"{name}.{key}")
    elif isinstance(value, list):
        for item in value:
            _walk(item, name)
    elif isinstance(value, float) and (value != value or abs(value) == float("inf")):
        raise FieldError(f"{name}: {value} is no number that JSON can hold")


def _object(data: Mapping[str, Any], key: str, default: Mapping[str, Any] | None = None, prefix: str = "") -> Any:
    value = data.get(key, default)
    if value is None:
        if default is not None:
            return default
        raise FieldError(f"{prefix}{key}: missing")
    if not isinstance(value, Mapping):
        raise FieldError(f"{prefix}{key}: an object is expected, not {type(value).__name__}")
    return value


def _count(data: Mapping[str, Any], key: str, prefix: str) -> int:
    value = data.get(key)
    if value is None:
        return 0
    if type(value) is not int or not 0 <= value < 2**31:
        raise FieldError(f"{prefix}{key}: a whole number from 0 is expected, not {value!r}")
    return value


def _one_of(data: Mapping[str, Any], key: str, prefix: str, allowed: tuple[str, ...], default: str) -> str:
    value = data.get(key)
    if value is None:
        return default
    if value not in allowed:
        raise FieldError(f"{prefix}{key}: {value!r} is none of {', '.join(filter(None, allowed))}")
    return str(value)


def pair_json(record: PairRecord) -> dict[str, Any]:
    """The `jsonl` object of a record; fields at their default are left out."""
    data: dict[str, Any] = {"id": record.id, "a": text_json(record.a), "b": text_json(record.b)}
    if record.statement is not None:
        data["statement"] = text_json(record.statement)
    data.update({key: value for key in ("split", "mirror", "metadata") if (value := getattr(record, key))})
    data.update({f"translations_{side}": texts for side, texts in record.translations.items()})
    if record.annotations:
        data["annotations"] = [annotation_json(annotation) for annotation in record.annotations]
    if record.gold is not None:
        data["gold"] = {"spans": document(record.gold)["spans"]}
        if record.gold_answers:
            data["gold"]["answers"] = record.gold_answers
    return data


def text_json(record: TextRecord) -> dict[str, Any]:
    data: dict[str, Any] = {"language": record.language, "text": record.text}
    if record.tokens is not None:
        data["tokens"] = [list(item) for item in record.tokens]
    return data


def annotation_json(record: AnnotationRecord) -> dict[str, Any]:
    data: dict[str, Any] = {"annotator": record.annotator, "phase": record.phase, "verdict": record.verdict}
    keys = ("round", "status", "guideline", "reason", "comment", "answers", "active_seconds")
    data.update({key: value for key in keys if (value := getattr(record, key))})
    data["spans"] = document(record.spans)["spans"]
    return data
