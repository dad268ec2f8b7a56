"""Writes X-PARADE's files as published: see `xparade` for their contents."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from annotation.formats import omissions
from annotation.formats.record import AnnotationRecord, PairRecord
from annotation.formats.safe_paths import Names, writable
from annotation.formats.source import refusal
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
from annotation.phrases import Phrase
from annotation.text.schemes import Scheme
from annotation.text.spans import Span, count_covered, covered_indices
from annotation.text.tokens import Range
from annotation.vocabulary import Phase


def write(records: Iterable[PairRecord], scheme: Scheme, out: Path) -> list[Path]:
    """Write one file per direction and split into the folder `out`: `en-es-adj-dev.json`. Returns the files written."""
    out.mkdir(parents=True, exist_ok=True)
    names = Names()
    started: dict[str, Path] = {}
    for record in records:
        _check(record)
        group = (record.a.language, record.b.language, record.split)
        file_name = f"{record.a.language}-{record.b.language}-adj{'-' + record.split if record.split else ''}.json"
        name = names.name(group, file_name)
        item = json.dumps(_item(record), ensure_ascii=False)
        # One JSON list a file, written item by item, so that nothing is held.
        if name in started:
            _append(started[name], f", {item}")
        else:
            started[name] = writable(out, name)
            started[name].write_text(f"[{item}", encoding="utf-8")
    written = [started[name] for name in sorted(started)]
    for path in written:
        _append(path, "]")
    return written


def _append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def _last_annotations(people: Sequence[AnnotationRecord]) -> list[AnnotationRecord]:
    """One annotation per annotator, which is all that these files hold: that of the last phase, before any re-test."""
    ordered = sorted(people, key=lambda person: (-Phase.values.index(person.phase), person.round))
    chosen = {person.annotator: person for person in reversed(ordered)}
    return [person for person in people if chosen[person.annotator] is person]


def omitted(record: PairRecord, scheme: Scheme) -> Counter[str]:
    """What the published files can't hold."""
    written = _last_annotations(record.annotations)
    spans = omissions.spans_of(record, written)
    connotation = [part for span in record.gold or () if span.label == "connotation" for part in span.on("b")]
    return omissions.nonzero_counts(
        (omissions.RETESTS, len(record.annotations) - len(written)),
        (omissions.NO_TOKEN, omissions.count_broken_spans(spans)),
        (omissions.COMMENTS, omissions.count_comments(spans)),
        (omissions.VERDICTS, omissions.count_other_verdicts(written)),
        (omissions.PHASES, omissions.count_other_phases(written)),
        (omissions.ANSWERS, sum(len(item.answers) for item in written) + len(record.gold_answers)),
        (omissions.SUGGESTED, omissions.count_suggested(spans)),
        (omissions.ORIGINS, omissions.count_origins(record)),
        (omissions.MIRRORS, record.mirror not in ("", _derived_mirror(record))),
        *omissions.unpublished_counts(written),
        (omissions.CONNOTATION, count_covered(connotation, record.b.tokens or ())),
    )


def _derived_mirror(record: PairRecord) -> str:
    """The mirror that an import finds by the number of the page."""
    return f"{record.b.language}-{record.a.language}-{record.metadata.get('pageid') or record.id}"


def _check(record: PairRecord) -> None:
    """Raise FormatError for what these files can't represent."""
    spans = [span for item in record.annotations for span in item.spans] + (record.gold or [])
    for span in spans:
        if span.label not in SPANS.values():
            reason = Phrase(
                "X-PARADE files can't hold the label '%(label)s', only new, inferable and connotation",
                {"label": str(span.label)},
            )
        elif "a" in span.sides:
            reason = Phrase(
                "X-PARADE files can't hold a span labelled '%(label)s' on side A: they mark side B only",
                {"label": str(span.label)},
            )
        else:
            continue
        raise refusal(f"pair '{record.id}'", reason)


# Keys of a written item; metadata with these names never replaces them.
_RESERVED_FIELDS = {*OWN_FIELDS, "pair_type", "indices", "translation_names", EMPTY_COMMENTS}


def _indices(record: PairRecord) -> list[int]:
    """The index of every token: as read, unless another source's metadata uses that name."""
    count = len(record.b.tokens or [])
    indices = record.metadata.get("indices")
    if not isinstance(indices, list) or len(indices) != count or any(type(index) is not int for index in indices):
        return list(range(1, count + 1))
    return indices if all(low < high for low, high in pairwise([0, *indices])) else list(range(1, count + 1))


def _item(record: PairRecord) -> dict[str, Any]:
    ranges = record.b.tokens or []
    indices = _indices(record)
    tokens = {"0": f"{record.b.language.upper()}:"}
    tokens |= {str(index): record.b.text[slice(*token)] for index, token in zip(indices, ranges, strict=True)}
    annotators = record.metadata.get(EMPTY_COMMENTS)
    empty = (
        {_number(name) for name in annotators if type(name) in (int, str)} if isinstance(annotators, list) else set()
    )
    item: dict[str, Any] = {
        "tokens": tokens,
        "text": record.b.text,
        "pair_type": f"{record.a.language}-{record.b.language}",
        "premise": record.a.text,
        "pageid": record.id,
        "annotations": [
            {
                "annotator_id": _number(person.annotator),
                "comment": person.comment or ("" if _number(person.annotator) in empty else None),
                "spans": {
                    name: [indices[token] for token in _marked(person.spans, label, ranges)]
                    for name, label in SPANS.items()
                },
            }
            for person in _last_annotations(record.annotations)
        ],
    }
    if record.gold is not None:
        by_label = {name: _marked(record.gold, LABELS[name], ranges) for name in ("new", "inf")}
        by_label["inf"] = sorted({*by_label["inf"], *_marked(record.gold, "connotation", ranges)})
        taken = {token for tokens in by_label.values() for token in tokens}
        same = [token for token in range(len(ranges)) if token not in taken]
        item["labels"] = {
            "same": [0, *(indices[token] for token in same)],
            **{name: [indices[token] for token in tokens] for name, tokens in by_label.items()},
        }
    item |= {key: value for key, value in record.metadata.items() if key not in _RESERVED_FIELDS}
    if type(item["pageid"]) is not int:
        item["pageid"] = str(item["pageid"] or record.id)[:MAX_PAGE_ID_LENGTH]
    texts = record.translations.get(translated_side(record.a.language), [])
    called = record.metadata.get("translation_names")
    names = translation_names(len(texts))
    if isinstance(called, list) and len(called) == len(texts) and all(map(_is_translation, called)):
        names = called
    return item | dict(zip(names, texts, strict=True))


def _number(name: str | int) -> int | str:
    return int(name) if isinstance(name, str) and name.isdecimal() else name


def _is_translation(name: object) -> bool:
    return isinstance(name, str) and TRANSLATION.fullmatch(name) is not None


def _marked(spans: Iterable[Span], label: str, ranges: Sequence[Range]) -> list[int]:
    return covered_indices([part for span in spans if span.label == label for part in span.on("b")], ranges)
