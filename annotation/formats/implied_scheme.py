"""The scheme of a file that names none: from the file next to it, or from the labels it uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from pathlib import Path

from annotation.formats.record import PairRecord
from annotation.formats.source import read_json, refusal
from annotation.text.scheme_parsing import MAX_NAME_LENGTH, parse_scheme
from annotation.text.schemes import PRESETS, Scheme, SchemeError
from annotation.text.spans import Span

SCHEME_ENDING = ".scheme.json"


def scheme_path(path: Path) -> Path:
    """The path of the scheme of `pairs.jsonl`: `pairs.scheme.json` next to it."""
    return path.with_suffix(SCHEME_ENDING)


def implied_scheme(paths: Sequence[Path], records: Iterable[PairRecord]) -> Scheme:
    """The scheme next to one of `paths`, else the first preset that has every label and answer in `records`.

    Raises FormatError if the file next to it is not a scheme. If no preset has them all, the graded one is returned,
    and the import names each label that it lacks.
    """
    for path in paths:
        beside = scheme_path(path)
        if beside.is_file():
            try:
                return parse_scheme(read_json(beside))
            except SchemeError as error:
                raise refusal(beside.name, error.phrase) from error
    labels, answers = labels_and_answers(records)
    return next((scheme for scheme in PRESETS.values() if scheme_covers(scheme, labels, answers)), PRESETS["graded"])


def scheme_of_labels(implied: Scheme, records: Sequence[PairRecord], name: str) -> Scheme:
    """The implied scheme if it has all labels of the records, otherwise one made of their labels, called `name`.

    Labels that can't be a scheme's (too many, or too long) give the implied one; the import names them then.
    """
    labels, answers = labels_and_answers(records)
    if scheme_covers(implied, labels, answers) or answers:
        return implied
    try:
        return parse_scheme(
            {"name": name[:MAX_NAME_LENGTH], "labels": [{"key": key, "name": key} for key in sorted(labels)]}
        )
    except SchemeError:
        return implied


def scheme_covers(scheme: Scheme, labels: Set[str], answers: Set[str]) -> bool:
    """Whether a scheme has these labels, and the questions of these answers."""
    return labels <= set(scheme.keys) and answers <= {question.key for question in scheme.questions}


def labels_and_answers(records: Iterable[PairRecord]) -> tuple[set[str], set[str]]:
    """The labels of the records' spans, gold included, and the questions that are answered."""
    labels: set[str] = set()
    answers: set[str] = set()
    for record in records:
        spans: list[Span] = list(record.gold or ())
        for annotation in record.annotations:
            spans.extend(annotation.spans)
            answers.update(annotation.answers)
        answers.update(record.gold_answers)
        labels.update(span.label for span in spans)
    return labels, answers
