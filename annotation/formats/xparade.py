"""X-PARADE's published JSON: one file a direction and split, token indices by label, annotator by annotator.

Side A is the premise. Side B's tokens are fixed by the file: an object from index to token, in which index 0 is the
language tag ('ES:') and no token, and indices may have gaps where text was cut out.
`translation`, `translation2` and so on are English translations of the side that is not English.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.formats.fields import FieldError, storable, string
from annotation.formats.record import AnnotationRecord, PairRecord, Reading, TextRecord
from annotation.formats.source import Refusals, check_options, files, read_json, refusal, unstorable
from annotation.text.schemes import PRESETS, Scheme, Side
from annotation.text.spans import Fragment, Span, covered
from annotation.text.tokens import Range

OPTIONS = {"split": "the split of all pairs, where the file's name does not say dev, test or train"}
SCHEME = dataclasses.replace(
    PRESETS["xparade-extended"],
    name="xparade",
    labels=tuple(label for label in PRESETS["xparade-extended"].labels if label.key != "reference"),
)
SPLITS = ("train", "dev", "test")
_SPANS = {
    "new information": "new",
    "new information (inferable)": "inferable",
    "connotation difference": "connotation",
}
_LABELS = {"same": "", "new": "new", "inf": "inferable", "inferable": "inferable", "con": "connotation"}
_LABELS |= {"connotation": "connotation"}
# Stands for a token that is empty in the source: it has an index and labels, and so a place in the text.
UNKNOWN = "\ufffd"
# What is a field of its own in a record, and so is not kept as metadata.
_OWN = {"tokens", "text", "premise", "annotations", "labels"}
_TRANSLATION = re.compile(r"translation\d?")


def read(paths: Sequence[Path], options: Mapping[str, str]) -> Reading:
    """Read the files of a direction, or a folder of them. Raises FormatError with every pair that is refused."""
    check_options(options, OPTIONS)
    refusals = Refusals()
    reading = Reading([], SCHEME, folds={"connotation": "inferable"})
    taken: Counter[str] = Counter()
    for path in files(paths, (".json",)):
        items = read_json(path)
        if not isinstance(items, list):
            raise refusal(path.name, "a list of pairs is expected")
        split = options.get("split") or next((name for name in SPLITS if name in path.stem.lower().split("-")), "")
        for number, item in enumerate(items, 1):
            where = f"{path.name}: pair {number}"
            try:
                if not isinstance(item, Mapping):
                    raise FieldError("an object is expected")
                reading.records.append(_record(item, split, where, taken, reading.oddities))
            except FieldError as error:
                refusals.add(where, str(error))
    refusals.raise_any()
    _pad_annotators(reading.records)
    return reading


def _record(item: Mapping[str, Any], split: str, where: str, taken: Counter[str], oddities: Counter[str]) -> PairRecord:
    pair_type = string(item, "pair_type", needed=True)
    a, _, b = pair_type.partition("-")
    if not a or not b:
        raise FieldError(f"pair_type: two languages as in 'en-es' are expected, not {pair_type!r}")
    indices, words = _tokens(item)
    text, ranges = _located(string(item, "text"), words, oddities)
    place = {index: position for position, index in enumerate(indices)}
    page = str(item.get("pageid", "")) or where
    identity = f"{pair_type}-{page}"
    taken[identity] += 1
    if taken[identity] > 1:
        oddities["pages with more than one pair, told apart by a number"] += 1
        identity += f"-{taken[identity]}"
    metadata = storable({key: value for key, value in item.items() if key not in _OWN}, "metadata")
    translations = _translations(a, b, metadata)
    if indices != list(range(1, len(indices) + 1)):
        oddities["texts whose token indices have gaps"] += 1
        metadata["indices"] = indices
    return PairRecord(
        id=identity,
        a=TextRecord(a, string(item, "premise", needed=True)),
        b=TextRecord(b, text, ranges),
        split=split,
        mirror=f"{b}-{a}-{page}",
        metadata=metadata,
        translations=translations,
        annotations=_annotations(item.get("annotations", []), place, ranges, oddities),
        gold=_gold(item["labels"], place, ranges, oddities) if item.get("labels") is not None else None,
        where=where,
    )


def _translations(a: str, b: str, metadata: dict[str, Any]) -> dict[Side, list[str]]:
    """Take the translations out of `metadata`; names that are not those of the first ones stay in it, to be kept."""
    if (a == "en") == (b == "en"):
        return {}
    names = sorted(name for name in metadata if _TRANSLATION.fullmatch(name))
    texts = [string(metadata, name) for name in names]
    names = [name for name, text in zip(names, texts, strict=True) if text.strip()]
    for name in names:
        del metadata[name]
    if names != _translation_names(len(names)):
        metadata["translation_names"] = names
    return {_translated(a): [text for text in texts if text.strip()]} if names else {}


def _translated(a: str) -> Side:
    """The side that is not English, where side A is in `a`."""
    return "b" if a == "en" else "a"


def _translation_names(count: int) -> list[str]:
    return [f"translation{number if number > 1 else ''}" for number in range(1, count + 1)]


def _tokens(item: Mapping[str, Any]) -> tuple[list[int], list[str]]:
    """Indices and words of side B, ascending, without the language tag."""
    tokens = item.get("tokens")
    if not isinstance(tokens, Mapping):
        raise FieldError("tokens: an object from index to token is expected")
    words: dict[int, str] = {}
    for key, word in tokens.items():
        if not key.isdecimal() or not isinstance(word, str) or unstorable(word):
            raise FieldError(f"tokens: {key!r}: {word!r} is no index with a token")
        words[int(key)] = word or UNKNOWN
    words.pop(0, None)
    indices = sorted(words)
    return indices, [words[index] for index in indices]


def _located(text: str, words: list[str], oddities: Counter[str]) -> tuple[str, list[Range]]:
    """The text with its tokens' ranges; made from the tokens where they do not follow each other in it."""
    ranges: list[Range] = []
    at = 0
    for word in words:
        start = text.find(word, at)
        if start < 0 or text[at:start].strip():
            break
        at = start + len(word)
        ranges.append((start, at))
    if len(ranges) == len(words) and not text[at:].strip():
        return text, ranges
    oddities["texts that differ from their tokens, made from the tokens"] += 1
    ranges, at = [], 0
    for word in words:
        ranges.append((at, at + len(word)))
        at += len(word) + 1
    return " ".join(words), ranges


def _annotations(
    data: Any, place: Mapping[int, int], ranges: list[Range], oddities: Counter[str]
) -> list[AnnotationRecord]:
    if not isinstance(data, list):
        raise FieldError("annotations: a list is expected")
    records: list[AnnotationRecord] = []
    for number, item in enumerate(data):
        name = f"annotations[{number}]"
        if not isinstance(item, Mapping) or not isinstance(item.get("spans"), Mapping):
            raise FieldError(f"{name}: an object with 'annotator_id' and 'spans' is expected")
        who = item.get("annotator_id")
        if not isinstance(who, int | str) or str(who) == "":
            raise FieldError(f"{name}.annotator_id: missing")
        if any(record.annotator == str(who) for record in records):
            raise FieldError(f"{name}.annotator_id: {who!r} stands twice")
        runs = _runs(item["spans"], _SPANS, f"{name}.spans", place, ranges, oddities)
        records.append(AnnotationRecord(str(who), comment=string(item, "comment", f"{name}."), spans=runs))
    return records


def _gold(data: Any, place: Mapping[int, int], ranges: list[Range], oddities: Counter[str]) -> list[Span]:
    if not isinstance(data, Mapping):
        raise FieldError("labels: an object from label to token indices is expected")
    return _runs(data, _LABELS, "labels", place, ranges, oddities)


def _runs(
    data: Mapping[str, Any],
    names: Mapping[str, str],
    where: str,
    place: Mapping[int, int],
    ranges: list[Range],
    oddities: Counter[str],
) -> list[Span]:
    """Token indices by label as spans: a span is a longest run of tokens with one label; a gap does not end it."""
    runs: list[tuple[int, int, str]] = []
    for key, indices in data.items():
        label = names.get(key)
        if label is None:
            raise FieldError(f"{where}: the label {key!r} is none of {', '.join(names)}")
        if not isinstance(indices, list) or not all(type(index) is int for index in indices):
            raise FieldError(f"{where}.{key}: a list of token indices is expected")
        if not label:
            continue
        lost = len({index for index in indices if index != 0 and index not in place})
        if lost:
            oddities["marks on tokens that are not in the text, left out"] += lost
        if 0 in indices and where != "labels":
            oddities["marks on the language tag, left out"] += 1
        positions = sorted({place[index] for index in indices if index in place})
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
    """Annotators' numbers made equally long, so that their names sort as the source counts."""
    people = [annotation for record in records for annotation in record.annotations]
    width = max((len(person.annotator) for person in people if person.annotator.isdecimal()), default=0)
    for person in people:
        if person.annotator.isdecimal():
            person.annotator = person.annotator.zfill(width)


def write(records: Iterable[PairRecord], scheme: Scheme, out: Path) -> list[Path]:
    """Write one file a direction and split into the folder `out`: `en-es-adj-dev.json`. Returns the files written."""
    out.mkdir(parents=True, exist_ok=True)
    sorted_in: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        _check(record)
        name = f"{record.a.language}-{record.b.language}-adj{'-' + record.split if record.split else ''}.json"
        sorted_in.setdefault(name, []).append(_item(record))
    written = []
    for name, items in sorted(sorted_in.items()):
        path = out / name
        path.write_text(json.dumps(items, ensure_ascii=False), encoding="utf-8")
        written.append(path)
    return written


def _check(record: PairRecord) -> None:
    """Raise FormatError for what these files have no place for."""
    spans = [span for item in record.annotations for span in item.spans] + (record.gold or [])
    for span in spans:
        if span.label not in _SPANS.values() or "a" in span.sides:
            reason = f"the span '{span.id}' ({span.label}) has no place in X-PARADE's files: side B, new or inferable"
            raise refusal(f"pair '{record.id}'", reason)


def _item(record: PairRecord) -> dict[str, Any]:
    ranges = record.b.tokens or []
    indices = record.metadata.get("indices") or list(range(1, len(ranges) + 1))
    tokens = {"0": f"{record.b.language.upper()}:"}
    tokens |= {str(index): record.b.text[slice(*token)] for index, token in zip(indices, ranges, strict=True)}
    item: dict[str, Any] = {
        "tokens": tokens,
        "text": record.b.text,
        "pair_type": f"{record.a.language}-{record.b.language}",
        "premise": record.a.text,
        "pageid": record.id,
        "annotations": [
            {
                "annotator_id": int(person.annotator) if person.annotator.isdecimal() else person.annotator,
                "comment": person.comment or None,
                "spans": {
                    name: [indices[token] for token in _marked(person.spans, label, ranges)]
                    for name, label in _SPANS.items()
                },
            }
            for person in record.annotations
        ],
    }
    if record.gold is not None:
        by_label = {name: _marked(record.gold, _LABELS[name], ranges) for name in ("new", "inf")}
        by_label["inf"] = sorted({*by_label["inf"], *_marked(record.gold, "connotation", ranges)})
        taken = {token for tokens in by_label.values() for token in tokens}
        same = [token for token in range(len(ranges)) if token not in taken]
        item["labels"] = {
            "same": [0, *(indices[token] for token in same)],
            **{name: [indices[token] for token in tokens] for name, tokens in by_label.items()},
        }
    item |= {key: value for key, value in record.metadata.items() if key not in ("indices", "translation_names")}
    texts = record.translations.get(_translated(record.a.language), [])
    names = record.metadata.get("translation_names") or _translation_names(len(texts))
    return item | dict(zip(names, texts, strict=False))


def _marked(spans: Iterable[Span], label: str, ranges: Sequence[Range]) -> list[int]:
    return covered([part for span in spans if span.label == label for part in span.on("b")], ranges)
