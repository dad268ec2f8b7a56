"""Reads X-PARADE's files."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.formats.field_types import FieldError, mapping, mappings, short_repr, storable_object, string
from annotation.formats.interruption import check_interruption
from annotation.formats.record import AnnotationRecord, PairRecord, ParsedSource, TextRecord
from annotation.formats.source import Refusals, display_name, files, read_json, refusal
from annotation.formats.source_warnings import GAPS, LOST_MARKS, REBUILT, SEVERAL_PAIRS, TAG_MARKS
from annotation.formats.xparade.names import (
    EMPTY_COMMENTS,
    LABELS,
    MAX_PAGE_ID_LENGTH,
    OWN_FIELDS,
    SPANS,
    TRANSLATION,
    translated_side,
    translation_names,
)
from annotation.number_parsing import NumberError, parse_integer
from annotation.phrases import Phrase, field_problem
from annotation.text.schemes import PRESETS, Side
from annotation.text.spans import Fragment, Span
from annotation.text.tokens import Range

SCHEME = dataclasses.replace(
    PRESETS["xparade-extended"],
    name="xparade",
    labels=tuple(label for label in PRESETS["xparade-extended"].labels if label.key != "reference"),
)
SPLITS = ("train", "dev", "test")
# Placeholder for a token that is empty in the source: it has an index and labels, and so needs a position in the text.
UNKNOWN = "\ufffd"


def read(paths: Sequence[Path], options: Mapping[str, str]) -> ParsedSource:
    """Read the files of a direction, or a folder of them. Raises FormatError with every pair that is refused."""
    refusals = Refusals()
    parsed = ParsedSource([], SCHEME, merged_labels={"connotation": "inferable"})
    taken: Counter[str] = Counter()
    for path in files(paths, (".json",)):
        items = read_json(path)
        if not isinstance(items, list):
            raise refusal(display_name(path), Phrase("a list of pairs is expected"))
        split = options.get("split") or next((name for name in SPLITS if name in path.stem.lower().split("-")), "")
        name = display_name(path)
        for number, item in enumerate(items, 1):
            check_interruption()
            where = f"{name}: pair {number}"
            try:
                if not isinstance(item, Mapping):
                    raise FieldError(Phrase("an object is expected"))
                parsed.records.append(_record(item, split, where, taken, parsed.warnings))
            except FieldError as error:
                refusals.add(where, error.phrase)
    refusals.raise_any(parsed.records)
    _pad_annotators(parsed.records)
    return parsed


def _record(item: Mapping[str, Any], split: str, where: str, taken: Counter[str], warnings: Counter[str]) -> PairRecord:
    pair_type = string(item, "pair_type", needed=True)
    a, _, b = pair_type.partition("-")
    if not a or not b:
        raise FieldError(
            Phrase(
                "pair_type: two languages as in 'en-es' are expected, not %(pair_type)s", {"pair_type": repr(pair_type)}
            )
        )
    indices, words = _tokens(item)
    text, ranges = _located(string(item, "text"), words, warnings)
    position_of = {index: position for position, index in enumerate(indices)}
    page = _page(item) or where
    identity = f"{pair_type}-{page}"
    taken[identity] += 1
    if taken[identity] > 1:
        warnings[SEVERAL_PAIRS.text()] += 1
        identity += f"-{taken[identity]}"
    metadata = storable_object({key: value for key, value in item.items() if key not in OWN_FIELDS}, "metadata")
    translations = _translations(a, b, metadata)
    if indices != list(range(1, len(indices) + 1)):
        warnings[GAPS.text()] += 1
        metadata["indices"] = indices
    people = mappings(item, "annotations")
    if empty := [person.get("annotator_id") for person in people if person.get("comment") == ""]:
        metadata[EMPTY_COMMENTS] = empty
    return PairRecord(
        id=identity,
        a=TextRecord(a, string(item, "premise", needed=True)),
        b=TextRecord(b, text, ranges),
        split=split,
        mirror=f"{b}-{a}-{page}",
        mirror_derived=True,
        metadata=metadata,
        translations=translations,
        annotations=_annotations(people, position_of, ranges, warnings),
        gold=_gold(mapping(item, "labels"), position_of, ranges, warnings) if item.get("labels") is not None else None,
        where=where,
    )


def _page(item: Mapping[str, Any]) -> str:
    """The number or name of the page; '' if there is none."""
    page = item.get("pageid")
    return str(page) if type(page) is int else string(item, "pageid", max_length=MAX_PAGE_ID_LENGTH)


def _translations(a: str, b: str, metadata: dict[str, Any]) -> dict[Side, list[str]]:
    """Move the translations out of `metadata`; unusual names are kept in `translation_names`."""
    if (a == "en") == (b == "en"):
        return {}
    names = sorted(name for name in metadata if TRANSLATION.fullmatch(name))
    texts = [string(metadata, name) for name in names]
    names = [name for name, text in zip(names, texts, strict=True) if text.strip()]
    for name in names:
        del metadata[name]
    if names != translation_names(len(names)):
        metadata["translation_names"] = names
    return {translated_side(a): [text for text in texts if text.strip()]} if names else {}


def _tokens(item: Mapping[str, Any]) -> tuple[list[int], list[str]]:
    """Indices and words of side B, ascending, without the language tag."""
    words: dict[int, str] = {}
    tokens = mapping(item, "tokens")
    for key in tokens:
        try:
            index = parse_integer(key)
        except NumberError as error:
            raise FieldError(
                Phrase(
                    "tokens: %(key)s is not the index of a token: %(reason)s",
                    {"key": short_repr(key), "reason": str(error)},
                )
            ) from error
        if index in words:
            raise FieldError(Phrase("tokens: the index %(index)s appears twice", {"index": str(index)}))
        words[index] = string(tokens, key, "tokens.", needed=True, empty=True) or UNKNOWN
    words.pop(0, None)
    indices = sorted(words)
    return indices, [words[index] for index in indices]


def _located(text: str, words: list[str], warnings: Counter[str]) -> tuple[str, list[Range]]:
    """The text with its tokens' ranges; rebuilt from the tokens if they do not occur in it in order."""
    ranges: list[Range] = []
    position = 0
    for word in words:
        start = text.find(word, position)
        if start < 0 or text[position:start].strip():
            break
        position = start + len(word)
        ranges.append((start, position))
    if len(ranges) == len(words) and not text[position:].strip():
        return text, ranges
    warnings[REBUILT.text()] += 1
    ranges, position = [], 0
    for word in words:
        ranges.append((position, position + len(word)))
        position += len(word) + 1
    return " ".join(words), ranges


def _annotations(
    data: Sequence[Mapping[str, Any]], position_of: Mapping[int, int], ranges: list[Range], warnings: Counter[str]
) -> list[AnnotationRecord]:
    records: list[AnnotationRecord] = []
    for number, item in enumerate(data):
        name = f"annotations[{number}]"
        spans = mapping(item, "spans", f"{name}.")
        who = item.get("annotator_id")
        if type(who) is not int:
            who = string(item, "annotator_id", f"{name}.", needed=True)
        if any(record.annotator == str(who) for record in records):
            raise FieldError(field_problem(f"{name}.annotator_id", Phrase("%(who)s appears twice", {"who": repr(who)})))
        runs = _runs(spans, SPANS, f"{name}.spans", position_of, ranges, warnings)
        records.append(AnnotationRecord(str(who), comment=string(item, "comment", f"{name}."), spans=runs))
    return records


def _gold(
    data: Mapping[str, Any], position_of: Mapping[int, int], ranges: list[Range], warnings: Counter[str]
) -> list[Span]:
    return _runs(data, LABELS, "labels", position_of, ranges, warnings)


def _runs(
    data: Mapping[str, Any],
    names: Mapping[str, str],
    where: str,
    position_of: Mapping[int, int],
    ranges: list[Range],
    warnings: Counter[str],
) -> list[Span]:
    """Spans from token indices by label: a span is a longest run of tokens with one label; a gap does not end it."""
    runs: list[tuple[int, int, str]] = []
    for key, indices in data.items():
        label = names.get(key)
        if label is None:
            raise FieldError(
                field_problem(
                    where,
                    Phrase(
                        "the label %(key)s is not one of %(names)s", {"key": short_repr(key), "names": ", ".join(names)}
                    ),
                )
            )
        if not isinstance(indices, list) or not all(type(index) is int for index in indices):
            raise FieldError(field_problem(f"{where}.{key}", Phrase("a list of token indices is expected")))
        if not label:
            continue
        lost = len({index for index in indices if index != 0 and index not in position_of})
        if lost:
            warnings[LOST_MARKS.text()] += lost
        if 0 in indices and where != "labels":
            warnings[TAG_MARKS.text()] += 1
        positions = sorted({position_of[index] for index in indices if index in position_of})
        for position in positions:
            if runs and runs[-1][2] == label and runs[-1][1] == position:
                runs[-1] = (runs[-1][0], position + 1, label)
            else:
                runs.append((position, position + 1, label))
    return [
        Span(f"s{number}", label, (Fragment("b", ranges[first][0], ranges[end - 1][1]),))
        for number, (first, end, label) in enumerate(sorted(runs), 1)
    ]


def _pad_annotators(records: list[PairRecord]) -> None:
    """Pad annotators' numbers to equal length, so that their names sort in the source's order."""
    people = [annotation for record in records for annotation in record.annotations]
    width = max((len(person.annotator) for person in people if person.annotator.isdecimal()), default=0)
    for person in people:
        if person.annotator.isdecimal():
            person.annotator = person.annotator.zfill(width)
