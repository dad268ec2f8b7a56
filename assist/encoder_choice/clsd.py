"""Cross-lingual semantic discrimination (Michail, Clematide, Sennrich): does an encoder tell meaning from form?

A sentence's translation competes with distractors that look like the translation and mean something else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assist.encoder_choice.tables import ClsdRow, Ranked

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
ANY = "ANY"
"""The group of all one-word changes, whatever their part of speech."""
WORD = re.compile(r"[^\W_]+(?:[-'’.,][^\W_]+)*")
"""A word, for changes of one: letters and digits with inner hyphens, apostrophes, points and commas."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Precision at 1: the share of ``rows`` whose translation is nearest, in [0, 1].

    ``nearest`` says for each row what is: 0 for the translation, otherwise the number of the distractor.
    """

    p_at_1: float
    rows: int
    nearest: tuple[int, ...]

    @property
    def right(self) -> tuple[bool, ...]:
        """Whether each row's translation is its nearest."""
        return tuple(each == 0 for each in self.nearest)


@dataclass(frozen=True, slots=True)
class WordChanges:
    """One-word changes of a group: how far they move the similarity to the source and to the translation, on average.

    Both in units of the encoder's own gap; negative where the changed sentence is further away. ``correlation`` is
    Pearson's between the two; None where it is undefined (fewer than two changes, or no variance).
    """

    rows: int
    cross: float
    mono: float
    correlation: float | None


@dataclass(frozen=True, slots=True)
class ClsdScore:
    """All figures of one encoder. ``changes`` is empty if the gap is not positive, or without one-word changes."""

    direct: Ranking
    pivot: Ranking | None
    gap: float | None
    changes: Mapping[str, WordChanges]

    def only_direct(self) -> list[int]:
        """Positions of the rows that are right directly and wrong through the pivot."""
        return self._differing(True)

    def only_pivot(self) -> list[int]:
        """Positions of the rows that are wrong directly and right through the pivot."""
        return self._differing(False)

    def _differing(self, direct: bool) -> list[int]:
        if self.pivot is None:
            return []
        both = zip(self.direct.right, self.pivot.right, strict=True)
        return [index for index, (one, other) in enumerate(both) if one is direct and other is not direct]


def sentences(rows: Sequence[ClsdRow]) -> list[str]:
    """Every sentence to embed, once."""
    ranked = [each for row in rows for each in (row.direct, row.pivot) if each is not None]
    return list(dict.fromkeys(text for each in ranked for text in (each.source, each.target, *each.distractors)))


def clsd_score(rows: Sequence[ClsdRow], vectors: Mapping[str, Floats]) -> ClsdScore:
    """The score of an encoder that gives these vectors, one per sentence of `sentences`.

    The gap is the mean cosine of translations less the mean cosine of the sentence of one row and the translation of
    another. A one-word change d of a translation T of S has the cross-lingual change ((1 - cos(S,T)) - (1 - cos(S,d)))
    / gap, and the monolingual one likewise with T in place of S.
    """
    direct = [row.direct for row in rows]
    pivot = [row.pivot for row in rows if row.pivot is not None]
    gap = _gap(direct, vectors)
    return ClsdScore(
        direct=_ranking(direct, vectors),
        pivot=_ranking(pivot, vectors) if pivot else None,
        gap=gap,
        changes=_changes(rows, vectors, gap) if gap is not None and gap > 0 else {},
    )


def differs_in_one_word(target: str, distractor: str) -> bool:
    """Whether one sentence is the other with one word replaced; punctuation does not count."""
    return changed_word(target, distractor) is not None


def changed_word(target: str, distractor: str) -> int | None:
    """The position, among the words, of the only one that differs; None if there are more or fewer such words."""
    ours, theirs = WORD.findall(target), WORD.findall(distractor)
    if len(ours) != len(theirs):
        return None
    differing = [index for index, (one, other) in enumerate(zip(ours, theirs, strict=True)) if one != other]
    return differing[0] if len(differing) == 1 else None


def cosine(x: Floats, y: Floats) -> float:
    """The cosine of two vectors; 0 if one of them is 0."""
    length = float(np.linalg.norm(x) * np.linalg.norm(y))
    return float(x @ y) / length if length else 0.0


def _ranking(ranked: Sequence[Ranked], vectors: Mapping[str, Floats]) -> Ranking:
    nearest = []
    for row in ranked:
        source = vectors[row.source]
        similarities = [cosine(source, vectors[text]) for text in (row.target, *row.distractors)]
        # Of equals a distractor: a tie is a miss.
        nearest.append(max(range(len(similarities)), key=lambda at: (similarities[at], at > 0, -at)))
    return Ranking(nearest.count(0) / len(nearest), len(nearest), tuple(nearest))


def _gap(rows: Sequence[Ranked], vectors: Mapping[str, Floats]) -> float | None:
    """None for a single row, which has no unrelated pair."""
    if len(rows) < 2:
        return None
    sources = _unit(np.stack([vectors[row.source] for row in rows]))
    targets = _unit(np.stack([vectors[row.target] for row in rows]))
    parallel = float(np.einsum("ij,ij->", sources, targets))
    unrelated = float(sources.sum(axis=0) @ targets.sum(axis=0)) - parallel
    return parallel / len(rows) - unrelated / (len(rows) * (len(rows) - 1))


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1.0)


def _changes(rows: Sequence[ClsdRow], vectors: Mapping[str, Floats], gap: float) -> dict[str, WordChanges]:
    groups: dict[str, list[tuple[float, float]]] = {ANY: []}
    for row in rows:
        source, target = vectors[row.direct.source], vectors[row.direct.target]
        for distractor, part_of_speech in zip(row.direct.distractors, row.parts_of_speech, strict=True):
            if not differs_in_one_word(row.direct.target, distractor):
                continue
            changed = vectors[distractor]
            cross = (cosine(source, changed) - cosine(source, target)) / gap
            mono = (cosine(target, changed) - cosine(target, target)) / gap
            for group in {ANY, part_of_speech or ANY}:
                groups.setdefault(group, []).append((cross, mono))
    return {group: _summary(np.array(groups[group])) for group in sorted(groups, key=_group_order) if groups[group]}


def _group_order(group: str) -> tuple[bool, str]:
    return group != ANY, group


def _summary(values: Floats) -> WordChanges:
    """Of [changes, 2] cross-lingual and monolingual changes."""
    cross, mono = values.T
    varies = len(values) > 1 and np.ptp(cross) > 0 and np.ptp(mono) > 0
    return WordChanges(
        rows=len(values),
        cross=float(cross.mean()),
        mono=float(mono.mean()),
        correlation=float(np.corrcoef(cross, mono)[0, 1]) if varies else None,
    )
