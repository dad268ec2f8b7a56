"""What a measure of agreement with the reference is given, and how it describes itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from annotation.registry import Registry
from annotation.text.schemes import Scheme
from annotation.text.spans import Span, covered_indices
from annotation.text.tokens import Range

Word = tuple[str, int]
"""A side and the index of a token on it."""


@dataclass(frozen=True, slots=True)
class ComparedAnnotation:
    """What someone said about a pair: the labels of every marked word, and the answers to questions."""

    words: Mapping[Word, frozenset[str]] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)

    def marks(self) -> set[tuple[Word, str]]:
        """Every marked word once for each of its labels."""
        return {(word, label) for word, labels in self.words.items() for label in labels}


def compared_annotation(
    spans: Sequence[Span], answers: Mapping[str, str], tokens: Mapping[str, Sequence[Range]]
) -> ComparedAnnotation:
    """Spans and answers as a measure compares them; `tokens` are those of each side. Broken spans mark nothing."""
    words: dict[Word, set[str]] = {}
    for span in spans:
        for side in span.sides:
            for index in covered_indices(span.on(side), tokens[side]):
                words.setdefault((side, index), set()).add(span.label)
    return ComparedAnnotation({word: frozenset(labels) for word, labels in words.items()}, answers)


@dataclass(frozen=True, slots=True)
class ReferenceAgreement:
    """How far one answer agrees with the reference: overall, and by label or question, each from 0 to 1.

    A label that neither of the two uses is in no part: there is nothing to agree on.
    """

    value: float
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure: `compare(scheme, own, reference, words)` for one pair, `words` being how many could be marked.

    `title` and `meaning` are shown to leads, `meaning` as what a value says. `fits`: whether it applies to a scheme;
    `questions`: whether its parts are questions rather than labels.
    """

    name: str
    title: str
    meaning: str
    fits: Callable[[Scheme], bool]
    compare: Callable[[Scheme, ComparedAnnotation, ComparedAnnotation, int], ReferenceAgreement]
    questions: bool = False


MEASURES: Registry[Measure] = Registry("annotation.qualification")
"""Every measure. A module of this package registers its own: `MEASURES.register(Measure(…))`."""


def measures_for(scheme: Scheme) -> list[Measure]:
    """The measures for a scheme, the default first."""
    fitting = [each for each in MEASURES.values() if each.fits(scheme)]
    return sorted(fitting, key=lambda each: (each.name not in ("same-label", "same-answer"), each.name))


def parts_of(scheme: Scheme, measure: Measure) -> dict[str, str]:
    """What can have a minimum of its own under a measure, with its name: the labels, or the questions."""
    if measure.questions:
        return {question.key: question.title for question in scheme.rated}
    return {label.key: label.name for label in scheme.labels}
