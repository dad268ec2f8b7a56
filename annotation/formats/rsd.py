"""Merged token labels: `text_a, text_b, labels_a, labels_b, id` per line, as in iSTS-RSD and SwissGov-RSD's gold.

A label is the graded label divided by five; 0 is equivalent; -1 is on punctuation, which has no label.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.formats import omissions
from annotation.formats.base import FORMATS, Format, Option
from annotation.formats.field_types import FieldError, short_repr, storable_object, string
from annotation.formats.fields import MAX_ID_LENGTH, MAX_SPLIT_LENGTH
from annotation.formats.graded_tokens import EXCEPTIONS, STEPS, supports_scheme, words_and_labels
from annotation.formats.record import PairRecord, ParsedSource, TextRecord
from annotation.formats.safe_paths import target_file
from annotation.formats.source import Refusals, files, first_object, json_lines, refusal
from annotation.formats.source_warnings import SCORED, UNSCORED
from annotation.phrases import Phrase
from annotation.text.schemes import PRESETS, Scheme, Side
from annotation.text.spans import Fragment, Span, ranges_of
from annotation.text.tokens import Range, is_ascii_punctuation

OPTIONS = {
    "language_a": Option("language of side A, if page addresses, ids or the file name don't show it"),
    "language_b": Option("language of side B, if there is no such column"),
    "split": Option("the split of all pairs"),
}
_OWN_FIELDS = {"text_a", "text_b", "labels_a", "labels_b", "id"}
# Keys of a written line; metadata with these names never replaces them.
_RESERVED_FIELDS = {*_OWN_FIELDS, "language_a", "language_b", "split", "chunk_id", *EXCEPTIONS}
_IN_PAGE = re.compile(r"_(en|de|fr|it|rm|es)_")
_IN_ID = re.compile(r"^admin_(de|fr|it)_")
_IN_NAME = re.compile(r"(?:^|[-_.])(en|de|fr|it|es|zh|hi)(?=[-_.])")


def read(paths: Sequence[Path], options: Mapping[str, str]) -> ParsedSource:
    """Read `.jsonl` files, or folders of them, as gold in the graded scheme.

    Raises FormatError with every line that is refused.
    """
    refusals = Refusals()
    parsed = ParsedSource([], PRESETS["graded"])
    for path in files(paths, (".jsonl",)):
        for where, data in json_lines(path, refusals):
            try:
                parsed.records.append(record(data, options, path, where, parsed.warnings))
            except FieldError as error:
                refusals.add(where, error.phrase)
    refusals.raise_any(parsed.records)
    return parsed


def record(
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
    metadata = storable_object({key: value for key, value in data.items() if key not in _OWN_FIELDS}, "metadata")
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
        or _language_from_source(side, data)
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


def _language_from_source(side: Side, data: Mapping[str, Any]) -> str:
    """The language that the id or the pages' addresses say; '' if they don't."""
    if match := _IN_ID.match(str(data["id"])):
        return "en" if side == "a" else match.group(1)
    page = data.get("page_en" if side == "a" else "page_other")
    return match.group(1) if isinstance(page, str) and (match := _IN_PAGE.search(page)) else ""


def scheme_problem(scheme: Scheme) -> Phrase | None:
    """Why the labels of a scheme can't be written; None if they can."""
    if supports_scheme(scheme):
        return None
    return Phrase("token labels are grades from 0 to %(steps)s; this scheme has others", {"steps": str(STEPS)})


def write(records: Iterable[PairRecord], scheme: Scheme, out: Path) -> list[Path]:
    """Write the records that have gold to `out`, one line each.

    A token under several spans takes the last one's label, as in SwissGov-RSD's merged gold.
    """
    with target_file(out).open("w", encoding="utf-8", newline="\n") as file:
        for record in records:
            if record.gold is not None:
                file.write(json.dumps(_line(record, scheme), ensure_ascii=False) + "\n")
    return [out]


def omitted(record: PairRecord, scheme: Scheme) -> Counter[str]:
    """Everything but the gold, and of that what one label per token can't hold."""
    gold = record.gold or ()
    return omissions.nonzero_counts(
        (omissions.ANNOTATIONS, len(record.annotations)),
        (omissions.NO_GOLD, record.gold is None),
        (omissions.OVERLAPS, omissions.count_overlaps(record, gold)),
        (omissions.NO_TOKEN, omissions.count_broken_spans(gold)),
        (omissions.COMMENTS, omissions.count_comments(gold)),
        (omissions.LINKED, sum(len(span.sides) > 1 for span in gold)),
        (omissions.SUGGESTED, omissions.count_suggested(gold)),
        (omissions.ORIGINS, omissions.count_origins(record)),
        (omissions.ANSWERS, len(record.gold_answers)),
        (omissions.MIRRORS, bool(record.mirror)),
        (omissions.TRANSLATIONS, bool(record.translations)),
    )


def _line(record: PairRecord, scheme: Scheme) -> dict[str, Any]:
    line: dict[str, Any] = {}
    sides: tuple[tuple[Side, TextRecord], ...] = (("a", record.a), ("b", record.b))
    for side, _text in sides:
        words, line[f"labels_{side}"] = words_and_labels(record, side, scheme)
        if spaced := next((word for word in words if " " in word), None):
            reason = Phrase(
                "side %(side)s: the token %(spaced)s contains a space, which separates tokens in this format",
                {"side": str(side), "spaced": short_repr(spaced)},
            )
            raise refusal(f"pair '{record.id}'", reason)
        line[f"text_{side}"] = " ".join(words)
    chunk = record.metadata.get("chunk_id")
    if type(chunk) is int and chunk > 0 and record.id.endswith(f"_{chunk}"):
        line |= {"id": record.id.removesuffix(f"_{chunk}"), "chunk_id": chunk}
    else:
        line["id"] = record.id
    split = {"split": record.split} if record.split else {}
    metadata = {key: value for key, value in record.metadata.items() if key not in _RESERVED_FIELDS}
    line |= split | metadata
    for side, text in sides:
        # As published, lines don't repeat what their id or addresses say.
        if f"language_{side}" in record.metadata or _language_from_source(side, line) != text.language:
            line[f"language_{side}"] = text.language
    return line


def is_rsd(path: Path) -> bool:
    """Whether a file's first line has merged token labels."""
    return {"text_a", "text_b", "labels_a", "labels_b"} <= first_object(path).keys()


FORMAT = FORMATS.register(
    Format(
        "rsd",
        "merged token labels, imported as gold",
        read,
        write,
        OPTIONS,
        extensions=(".jsonl",),
        recognises=is_rsd,
        exports="token labels from the gold",
        ending=".jsonl",
        omitted=omitted,
        scheme_problem=scheme_problem,
        scheme=PRESETS["graded"],
    )
)
