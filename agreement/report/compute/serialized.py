"""Work and its disputes as bytes, so that one process computes them and others read them: numpy's `npz`, no pickle."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from io import BytesIO
from itertools import accumulate, chain, pairwise
from typing import Any

import numpy as np

from agreement.metrics.arrays import Ints, smallest
from agreement.metrics.documents import Collection, Document, DocumentAnnotation, RatingQuestion
from agreement.metrics.matching import TokenSpan
from agreement.report.compute.disputes import Dispute

_DISPUTE_FIELDS = ("side", "first", "last", "linked", "tenth")


def to_bytes(collection: Collection, disputes: Sequence[Dispute]) -> bytes:
    """What `from_bytes` reads: about a byte for each token of each annotator, and a few for each span and dispute."""
    documents = collection.documents
    annotations = [annotation for document in documents for annotation in document.annotations]
    about = {
        "labels": collection.labels,
        "values": collection.values.tolist(),
        "sides": collection.sides,
        "graded": collection.graded,
        "partition": collection.partition,
        "annotators": collection.annotators,
        "questions": [asdict(question) for question in collection.questions],
        "documents": [
            (each.pair, each.name, each.split, each.languages, each.tokens, each.lengths, len(each.annotations))
            for each in documents
        ],
        "works": [
            (each.annotator, each.annotation, each.seconds, each.highlights, each.accepted, each.when, each.round)
            for each in annotations
        ],
        "answers": [each.answers for each in annotations],
    }
    number_of = {document.pair: number for number, document in enumerate(documents)}
    arrays: dict[str, Any] = {
        "about": np.frombuffer(json.dumps(about).encode(), np.uint8),
        "sentences": _concatenate(sentences for document in documents for sentences in document.sentences),
        "codes": _concatenate(codes for annotation in annotations for codes in annotation.codes),
        "spans": _small([len(annotation.spans) for annotation in annotations]),
        "span_labels": _small([span.label for annotation in annotations for span in annotation.spans]),
        "units": _small([len(units) for annotation in annotations for units in annotation.units]),
        "unit_values": _small(
            list(chain.from_iterable(chain.from_iterable(chain(*annotation.units) for annotation in annotations)))
        ),
        "documents": _small([number_of[each.pair] for each in disputes]),
        "annotators": _small([number for each in disputes for number in each.annotators]),
        "labels": _small([label for each in disputes for label in each.labels]),
        "costs": np.array([each.cost for each in disputes], np.float64),
        **{name: _small([int(getattr(each, name)) for each in disputes]) for name in _DISPUTE_FIELDS},
    }
    for side in "ab":
        tokens = [sorted(getattr(span, side)) for annotation in annotations for span in annotation.spans]
        arrays[f"sizes_{side}"] = _small([len(each) for each in tokens])
        arrays[f"tokens_{side}"] = _small(list(chain.from_iterable(tokens)))
    out = BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def from_bytes(data: bytes) -> tuple[Collection, list[Dispute]]:
    """The work and disputes that `to_bytes` wrote, equal to the original."""
    with np.load(BytesIO(data), allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    about = json.loads(arrays["about"].tobytes())
    documents = about["documents"]
    annotations = _annotations(about, arrays, [tuple(each[4]) for each in documents for _ in range(each[6])])
    sentences = _split(arrays["sentences"], [size for each in documents for size in each[4]])
    collection = Collection(
        labels=tuple(about["labels"]),
        values=np.array(about["values"], np.float64),
        sides=tuple(about["sides"]),
        graded=about["graded"],
        partition=about["partition"],
        annotators=tuple(about["annotators"]),
        documents=tuple(
            Document(
                pair=pair,
                name=name,
                split=split,
                languages=(languages[0], languages[1]),
                tokens=(tokens[0], tokens[1]),
                lengths=(lengths[0], lengths[1]),
                sentences=(next(sentences), next(sentences)),
                annotations=tuple(next(annotations) for _ in range(number)),
            )
            for pair, name, split, languages, tokens, lengths, number in documents
        ),
        questions=tuple(
            RatingQuestion(
                each["key"],
                each["text"],
                tuple(each["choices"]),
                None if each["values"] is None else tuple(each["values"]),
            )
            for each in about["questions"]
        ),
    )
    return collection, _disputes(documents, arrays)


def _annotations(
    about: dict[str, Any], arrays: dict[str, Ints], tokens: Sequence[tuple[int, int]]
) -> Iterator[DocumentAnnotation]:
    """`tokens`: the number of each work's tokens by side."""
    labels = iter(arrays["span_labels"].tolist())
    a, b = (_sets(arrays[f"sizes_{side}"].tolist(), arrays[f"tokens_{side}"].tolist()) for side in "ab")
    units = iter(np.reshape(arrays["unit_values"], (-1, 3)).tolist())
    counts = iter(arrays["units"].tolist())
    codes = _split(arrays["codes"], list(chain.from_iterable(tokens)))
    for facts, answers, number in zip(about["works"], about["answers"], arrays["spans"].tolist(), strict=True):
        annotator, annotation, seconds, highlights, accepted, when, times = facts
        yield DocumentAnnotation(
            annotator=annotator,
            annotation=annotation,
            spans=tuple(TokenSpan(next(labels), next(a), next(b)) for _ in range(number)),
            units=(_units(units, next(counts)), _units(units, next(counts))),
            codes=(next(codes), next(codes)),
            seconds=seconds,
            highlights=highlights,
            accepted=accepted,
            when=when,
            round=times,
            answers=answers,
        )


def _units(values: Iterator[list[int]], number: int) -> tuple[tuple[int, int, int], ...]:
    return tuple((start, end, code) for start, end, code in (next(values) for _ in range(number)))


def _sets(sizes: Sequence[int], tokens: Sequence[int]) -> Iterator[frozenset[int]]:
    return (frozenset(tokens[start:end]) for start, end in pairwise(accumulate(sizes, initial=0)))


def _disputes(documents: Sequence[Any], arrays: dict[str, Any]) -> list[Dispute]:
    columns = (
        arrays["documents"].tolist(),
        arrays["annotators"].reshape(-1, 2).tolist(),
        arrays["labels"].reshape(-1, 2).tolist(),
        arrays["costs"].tolist(),
        *(arrays[name].tolist() for name in _DISPUTE_FIELDS),
    )
    return [
        Dispute(
            documents[index][0],
            documents[index][1],
            side,
            (one, other),
            (mine, theirs),
            first,
            last,
            cost,
            bool(linked),
            tenth,
        )
        for index, (one, other), (mine, theirs), cost, side, first, last, linked, tenth in zip(*columns, strict=True)
    ]


def _small(numbers: Sequence[int]) -> Ints:
    return smallest(np.array(numbers, np.int64))


def _concatenate(arrays: Iterable[Ints]) -> Ints:
    parts = list(arrays)
    return smallest(np.concatenate(parts)) if parts else np.zeros(0, np.int64)


def _split(array: Ints, sizes: Sequence[int]) -> Iterator[Ints]:
    whole = array.astype(np.int64)
    return (whole[start:end] for start, end in pairwise(accumulate(sizes, initial=0)))
