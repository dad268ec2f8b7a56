"""Which scheme a file implies that names none: the file beside it says so, or the labels it uses do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from pathlib import Path

from annotation.formats.record import PairRecord
from annotation.formats.source import read_json, refusal
from annotation.text.scheme_parsing import parse_scheme
from annotation.text.schemes import PRESETS, Scheme, SchemeError
from annotation.text.spans import Span


def scheme_path(path: Path) -> Path:
    """Where the scheme of `pairs.jsonl` stands when it is written down: `pairs.scheme.json` beside it."""
    return path.with_suffix(".scheme.json")


def implied_scheme(paths: Sequence[Path], records: Iterable[PairRecord]) -> Scheme:
    """The scheme written beside one of `paths`, else the first preset that has every label and answer in `records`.

    Raises FormatError where the file beside is no scheme. Where no preset has them all, the graded one is returned:
    the import then names each label that is outside of it.
    """
    for path in paths:
        beside = scheme_path(path)
        if beside.is_file():
            try:
                return parse_scheme(read_json(beside))
            except SchemeError as error:
                raise refusal(beside.name, str(error)) from error
    labels, answers = labels_and_answers(records)
    return next((scheme for scheme in PRESETS.values() if scheme_covers(scheme, labels, answers)), PRESETS["graded"])


def scheme_covers(scheme: Scheme, labels: Set[str], answers: Set[str]) -> bool:
    """Whether a scheme has these labels, and asks the questions that these answers are to."""
    return labels <= set(scheme.keys) and answers <= {question.key for question in scheme.questions}


def labels_and_answers(records: Iterable[PairRecord]) -> tuple[set[str], set[str]]:
    """The labels of the spans in the records, gold included, and the questions that are answered."""
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
