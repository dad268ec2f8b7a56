"""Token labels of graded gold, as SwissGov-RSD releases them: the grade divided by five, -1 on punctuation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.formats.field_types import FieldError, short_repr, storable_object, string
from annotation.formats.fields import MAX_ID_LENGTH, MAX_SPLIT_LENGTH
from annotation.formats.record import PairRecord, TextRecord
from annotation.formats.source_warnings import SCORED, UNSCORED
from annotation.phrases import Phrase
from annotation.text.schemes import Scheme, Side
from annotation.text.spans import Fragment, Span, covered_indices, ranges_of
from annotation.text.tokens import Range, is_ascii_punctuation

STEPS = 5
"""The highest grade."""
OWN_FIELDS = {"text_a", "text_b", "labels_a", "labels_b", "id"}
"""The fields of a line that are no metadata."""
EXCEPTIONS = ("scored", "unscored")
"""Keys of a pair's metadata, by side: indices of punctuation that has a label, and of other tokens that have none."""

_IN_PAGE = re.compile(r"_(en|de|fr|it|rm|es)_")
_IN_ID = re.compile(r"^admin_(de|fr|it)_")
_IN_NAME = re.compile(r"(?:^|[-_.])(en|de|fr|it|es|zh|hi)(?=[-_.])")


def supports_scheme(scheme: Scheme) -> bool:
    """Whether the scheme's labels can be written so: grades from 0 to 5."""
    return scheme.graded and max(map(scheme.value, scheme.keys)) <= STEPS


def words_and_labels(record: PairRecord, side: Side, scheme: Scheme) -> tuple[list[str], list[float]]:
    """The tokens of one side, and their labels from the gold.

    A token under several spans has the last one's label, as in SwissGov-RSD's merged gold.
    """
    text = record.a if side == "a" else record.b
    tokens = text.tokens or []
    words = [text.text[slice(*token)] for token in tokens]
    labels = [0.0] * len(words)
    for span in record.gold or ():
        for token in covered_indices(span.on(side), tokens):
            labels[token] = scheme.value(span.label) / STEPS
    scored, unscored = (_indices(record, kind, side) for kind in EXCEPTIONS)
    for index, word in enumerate(words):
        if index in unscored or (is_ascii_punctuation(word) and index not in scored):
            labels[index] = -1.0
    return words, labels


def _indices(record: PairRecord, kind: str, side: Side) -> set[int]:
    """The indices under `kind`; none if another source's metadata uses that name."""
    stored = record.metadata.get(kind)
    indices = stored.get(side) if isinstance(stored, Mapping) else None
    return {index for index in indices if type(index) is int} if isinstance(indices, list) else set()


def labelled_record(
    data: Mapping[str, Any], options: Mapping[str, str], path: Path, where: str, warnings: Counter[str]
) -> PairRecord:
    """The record of one line. Raises FieldError."""
    identity = string(data, "id", needed=True)
    chunk = data.get("chunk_id")
    if type(chunk) is int and chunk > 0:
        identity = f"{identity}_{chunk}"
    string({"id": identity}, "id", max_length=MAX_ID_LENGTH)
    if taken := next((key for key in EXCEPTIONS if key in data), None):
        raise FieldError(Phrase("%(taken)s: the import uses this name itself; rename the field", {"taken": str(taken)}))
    metadata = storable_object({key: value for key, value in data.items() if key not in OWN_FIELDS}, "metadata")
    gold: list[Span] = []
    texts: dict[Side, TextRecord] = {}
    for side in ("a", "b"):
        text = string(data, f"text_{side}", needed=True, empty=True)
        tokens = _tokens(text)
        labels = _labels(data, side, len(tokens))
        gold.extend(_spans(side, labels, tokens, len(gold)))
        texts[side] = TextRecord(_language(side, data, options, path), text, tokens)
        odd = _unusual([text[slice(*token)] for token in tokens], labels)
        for kind, indices in odd.items():
            warnings[(UNSCORED if kind == "unscored" else SCORED).text()] += len(indices)
            metadata.setdefault(kind, {})[side] = indices
    split = options.get("split", "") or string(data, "split", max_length=MAX_SPLIT_LENGTH)
    return PairRecord(identity, texts["a"], texts["b"], split=split, metadata=metadata, gold=gold, where=where)


def _tokens(text: str) -> list[Range]:
    return [match.span() for match in re.finditer(r"[^ ]+", text)]


def _labels(data: Mapping[str, Any], side: Side, tokens: int) -> list[int]:
    """Labels in steps: 0 to 5, -1 for none."""
    values = data.get(f"labels_{side}")
    if not isinstance(values, list):
        raise FieldError(Phrase("labels_%(side)s: a list of numbers is expected", {"side": str(side)}))
    if len(values) != tokens:
        raise FieldError(
            Phrase(
                "labels_%(side)s: %(n)s labels for %(tokens)s tokens (tokens are separated by single spaces)",
                {"side": str(side), "n": str(len(values)), "tokens": str(tokens)},
            )
        )
    labels = []
    for index, value in enumerate(values):
        # The bound keeps infinity and NaN from being rounded.
        in_range = type(value) in (int, float) and -1 <= value <= 1
        step = -2 if not in_range else -1 if value == -1 else round(value * STEPS)
        if step != -1 and not (0 <= step <= STEPS and abs(value * STEPS - step) < 1e-6):
            raise FieldError(
                Phrase(
                    "labels_%(side)s[%(index)s]: %(value)s is not one of -1, 0, 0.2, 0.4, 0.6, 0.8, 1",
                    {"side": str(side), "index": str(index), "value": short_repr(value)},
                )
            )
        labels.append(step)
    return labels


def _spans(side: Side, labels: Sequence[int], tokens: Sequence[Range], before: int) -> list[Span]:
    """A span is a longest run of tokens with one label; tokens without a label (-1) are skipped and don't end it."""
    runs: list[tuple[int, list[int]]] = []
    open_run = False
    for index, label in enumerate(labels):
        if label == -1:
            continue
        if label > 0 and open_run and runs[-1][0] == label:
            runs[-1][1].append(index)
        elif label > 0:
            runs.append((label, [index]))
        open_run = label > 0
    return [
        Span(
            f"s{before + number}",
            str(label),
            tuple(Fragment(side, start, end) for start, end in ranges_of(indices, tokens)),
        )
        for number, (label, indices) in enumerate(runs, 1)
    ]


def _unusual(words: Sequence[str], labels: Sequence[int]) -> dict[str, list[int]]:
    """ASCII punctuation tokens with a label ('scored'), and other tokens without one ('unscored')."""
    kinds: dict[str, list[int]] = {}
    for index, (word, label) in enumerate(zip(words, labels, strict=True)):
        if (label == -1) != is_ascii_punctuation(word):
            kinds.setdefault("unscored" if label == -1 else "scored", []).append(index)
    return kinds


def _language(side: Side, data: Mapping[str, Any], options: Mapping[str, str], path: Path) -> str:
    """From the option, else from the id, the pages' addresses, or the file's name ('gold_en': both sides; 'en-de')."""
    if (
        language := options.get(f"language_{side}")
        or string(data, f"language_{side}")
        or language_from_source(side, data)
    ):
        return language
    named = _IN_NAME.findall(path.name)
    if len(named) in (1, 2):
        return str(named[0] if side == "a" else named[-1])
    raise FieldError(
        Phrase(
            "language_%(side)s: not found in pages, id or '%(name)s'; set the option language_%(side)s=LANGUAGE",
            {"side": str(side), "name": str(path.name)},
        )
    )


def language_from_source(side: Side, data: Mapping[str, Any]) -> str:
    """The language that the id or the pages' addresses say; '' if they don't."""
    if match := _IN_ID.match(str(data["id"])):
        return "en" if side == "a" else match.group(1)
    page = data.get("page_en" if side == "a" else "page_other")
    return match.group(1) if isinstance(page, str) and (match := _IN_PAGE.search(page)) else ""
