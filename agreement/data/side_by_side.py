"""One pair with all work on it, shown on both texts side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _

from agreement.blind import anonymous_sort_key, letters
from agreement.data.adjudication_inputs import annotator_of
from agreement.data.annotation_arrays import codes_of, label_codes
from agreement.metrics.arrays import Ints
from annotation.display_names import natural_sort_key
from annotation.models import Annotation, Pair, Project, Source, Text
from annotation.scheme_words import scheme_in_words
from annotation.selectors.annotations import IS_GOLD, annotations_of_pair
from annotation.text.schemes import Label, Scheme, Side
from annotation.vocabulary import Verdict

EXCERPT_LENGTH = 60
LANE_HEIGHT = 4
"""The height of a person's line below the words, in pixels."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person whose annotation is shown; `name` is a letter if names are hidden."""

    position: int
    name: str
    annotation: Annotation

    @property
    def lane(self) -> int:
        return self.position * LANE_HEIGHT


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of text. `labels` has an entry for each person in `names` (None: unmarked); none between tokens."""

    text: str
    labels: tuple[Label | None, ...] = ()
    names: tuple[str, ...] = ()
    anchor: str = ""
    tokens: int = 0

    @property
    def differs(self) -> bool:
        return len(set(self.labels)) > 1

    @property
    def marked(self) -> bool:
        return any(self.labels)

    @property
    def title(self) -> str:
        """What each person said: 'A1: Strong; A2: unmarked'."""
        labels = (label.name if label else _("unmarked") for label in self.labels)
        return "; ".join(f"{name}: {words}" for name, words in zip(self.names, labels, strict=True))

    @property
    def style(self) -> str:
        """A line for each person below the words, in the label's colour; a background only if all agree."""
        lanes = [(position, label) for position, label in enumerate(self.labels) if label is not None]
        images = ", ".join(f"linear-gradient(var(--{label.colour}-rule) 0 0)" for _, label in lanes)
        positions = ", ".join(f"0 calc(100% - {position * LANE_HEIGHT}px)" for position, _ in lanes)
        ground = "" if self.differs or not lanes else f"background-color: var(--{lanes[0][1].colour}); "
        return f"{ground}background-image: {images}; background-position: {positions}" if lanes else ""

    @property
    def excerpt(self) -> str:
        words = " ".join(self.text.split())
        return words if len(words) <= EXCERPT_LENGTH else f"{words[: EXCERPT_LENGTH - 1]}…"


@dataclass(frozen=True, slots=True)
class Panel:
    """One side: paragraphs of segments."""

    side: Side
    language: str
    paragraphs: tuple[tuple[Segment, ...], ...]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Both sides with everyone's labels, and the passages on which people differ, longest first."""

    people: tuple[Person, ...]
    panels: tuple[Panel, ...]
    differences: tuple[tuple[Panel, Segment], ...]

    @property
    def height(self) -> int:
        """The height of all lines, in pixels."""
        return len(self.people) * LANE_HEIGHT


def people_of(pair: Pair, *, source: Source, phase: str, blind: bool = False, again: str = "") -> tuple[Person, ...]:
    """Who submitted a pair in a phase; `blind` names them by the letters of the pair.

    `again` names one annotator whose first annotation and re-tests are shown instead.
    """
    annotations = [
        annotation
        for annotation in annotations_of_pair(pair, source=source)
        if annotation.assignment and annotation.assignment.phase == phase
        if (_alias(annotation) == again if again else annotation.assignment.round == 0)
        if annotation.verdict == Verdict.SUBMITTED
    ]
    annotations.sort(key=lambda annotation: natural_sort_key(_alias(annotation)))
    if again:
        annotations.sort(key=_round)
        names = [_("first"), *(_("again (%(n)s)") % {"n": _round(each)} for each in annotations[1:])]
        return tuple(Person(position, names[position], annotation) for position, annotation in enumerate(annotations))
    if blind:
        named = letters([pair.pk])[pair.pk] if annotations else {}
        annotations.sort(key=lambda annotation: anonymous_sort_key(pair.pk, annotator_of(annotation)))
        return tuple(Person(position, named[annotator_of(each)], each) for position, each in enumerate(annotations))
    return tuple(Person(position, _alias(annotation), annotation) for position, annotation in enumerate(annotations))


def with_gold(people: tuple[Person, ...], pair: Pair, version: int | None) -> tuple[Person, ...]:
    """People's work and, as if it were another person's, the gold of a version, if the pair has any."""
    gold = Annotation.objects.filter(IS_GOLD, pair=pair, gold_version=version).first() if version is not None else None
    return (*people, Person(len(people), _("gold"), gold)) if gold else people


def _round(annotation: Annotation) -> int:
    return annotation.assignment.round if annotation.assignment else 0


def _alias(annotation: Annotation) -> str:
    return annotation.assignment.annotator.alias if annotation.assignment else ""


def answers_by_person(scheme: Scheme, people: Sequence[Person]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Every question that has choices with each person's answer ('' if none).

    Answers in people's own words may name someone, and nobody compares them.
    """
    return [
        (
            question.title,
            [(person.name, question.name_of(person.annotation.answers.get(question.key, ""))) for person in people],
        )
        for question in scheme_in_words(scheme).rated
    ]


def side_by_side_of(project: Project, pair: Pair, people: Sequence[Person]) -> SideBySide:
    """Both texts with the annotations of `people`."""
    scheme = scheme_in_words(project.labels)
    texts: tuple[tuple[Side, Text], ...] = (("a", pair.a), ("b", pair.b))
    panels = tuple(_panel(scheme, side, text, people) for side, text in texts)
    differences = [
        (panel, segment)
        for panel in panels
        for paragraph in panel.paragraphs
        for segment in paragraph
        if segment.differs
    ]
    differences.sort(key=lambda each: -each[1].tokens)
    return SideBySide(tuple(people), panels, tuple(differences))


def _panel(scheme: Scheme, side: Side, text: Text, people: Sequence[Person]) -> Panel:
    labels, codes = label_codes(scheme, merge=False)
    rows = [codes_of(person.annotation.parsed_spans, side, text.tokens, codes) for person in people]
    stacked = np.array(rows, dtype=np.int64).reshape(len(people), len(text.tokens))
    shown_labels = (None, *(scheme.label(key) for key in labels[1:]))
    names = tuple(person.name for person in people)
    paragraphs = []
    first = 0
    for start, end in text.paragraphs:
        last = first
        while last < len(text.tokens) and text.tokens[last][0] < end:
            last += 1
        paragraphs.append(_paragraph(text, (start, end), stacked, (first, last), shown_labels, side, names))
        first = last
    return Panel(side, text.language, tuple(paragraphs))


def _paragraph(
    text: Text,
    bounds: tuple[int, int],
    codes: Ints,
    tokens: tuple[int, int],
    labels: Sequence[Label | None],
    side: Side,
    names: tuple[str, ...],
) -> tuple[Segment, ...]:
    segments: list[Segment] = []
    at, (first, last) = bounds[0], tokens
    while first < last:
        end = first + 1
        while end < last and bool((codes[:, end] == codes[:, first]).all()):
            end += 1
        start, stop = text.tokens[first][0], text.tokens[end - 1][1]
        if start > at:
            segments.append(Segment(text.content[at:start]))
        segment_labels = tuple(labels[code] for code in codes[:, first])
        segments.append(Segment(text.content[start:stop], segment_labels, names, f"{side}{first}", end - first))
        at, first = stop, end
    if at < bounds[1]:
        segments.append(Segment(text.content[at : bounds[1]]))
    return tuple(segments)
