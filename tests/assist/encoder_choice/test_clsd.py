"""Cross-lingual semantic discrimination, worked by hand on vectors of two dimensions."""

from __future__ import annotations

import numpy as np
import pytest

from assist.encoder_choice.clsd import ANY, Floats, clsd_score, differs_in_one_word, sentences
from assist.encoder_choice.tables import ClsdRow, Ranked


def at(degrees: float) -> Floats:
    """A vector at an angle; its length must not matter."""
    return 3.0 * np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])


def row(line: int, *texts: str, pivot: tuple[str, ...] | None = None, tags: tuple[str, ...] = ()) -> ClsdRow:
    through = Ranked(pivot[0], pivot[1], pivot[2:]) if pivot else None
    return ClsdRow(line, Ranked(texts[0], texts[1], texts[2:]), through, tags or ("",) * (len(texts) - 2))


def test_the_translation_must_be_nearer_than_every_distractor() -> None:
    rows = [
        row(2, "s", "near", "far"),
        row(3, "s", "far", "near"),
        row(4, "s", "near", "near"),
        row(5, "s", "far", "off"),
    ]
    vectors = {"s": at(0), "near": at(10), "far": at(20), "off": at(-90)}
    score = clsd_score(rows, vectors)
    assert score.direct.right == (True, False, False, True) and score.direct.p_at_1 == 0.5
    assert score.pivot is None and score.only_direct() == []


def test_what_is_nearest_is_told_and_of_equals_the_first_distractor() -> None:
    rows = [row(2, "s", "far", "off", "near"), row(3, "s", "near", "near", "near"), row(4, "s", "near", "far", "off")]
    score = clsd_score(rows, {"s": at(0), "near": at(10), "far": at(20), "off": at(-90)})
    assert score.direct.nearest == (2, 1, 0) and score.direct.right == (False, False, True)


def test_rows_that_one_way_gets_right() -> None:
    wrong, right = ("s", "far", "near"), ("s", "near", "far")
    rows = [row(2, *right, pivot=wrong), row(3, *wrong, pivot=right), row(4, *right, pivot=right)]
    score = clsd_score(rows, {"s": at(0), "near": at(10), "far": at(20)})
    assert score.only_direct() == [0] and score.only_pivot() == [1]
    assert score.pivot is not None and score.pivot.p_at_1 == pytest.approx(2 / 3)


def test_the_gap_is_between_parallel_and_unrelated_sentences() -> None:
    rows = [row(2, "s1", "t1", "d"), row(3, "s2", "t2", "d")]
    vectors = {"s1": at(0), "t1": at(60), "s2": at(90), "t2": at(90), "d": at(0)}
    # Parallel: cos 60 and cos 0; unrelated: s1 and t2, cos 90, and s2 and t1, cos 30.
    expected = (0.5 + 1.0) / 2 - (0.0 + np.sqrt(3) / 2) / 2
    assert clsd_score(rows, vectors).gap == pytest.approx(expected)
    assert clsd_score(rows[:1], vectors).gap is None and clsd_score(rows[:1], vectors).changes == {}


def test_one_word_changes_in_units_of_the_gap() -> None:
    rows = [
        row(2, "s1", "a b", "a c", "a d", "c d", tags=("NOUN", "", "NOUN")),
        row(3, "s2", "e", "f", "g h", "g", tags=("VERB", "", "NOUN")),
    ]
    vectors = {"s1": at(0), "a b": at(0), "a c": at(60), "a d": at(90), "c d": at(180)}
    vectors |= {"s2": at(90), "e": at(120), "f": at(180), "g h": at(0), "g": at(90)}
    score = clsd_score(rows, vectors)
    gap = (1.0 + np.sqrt(3) / 2) / 2 - (-0.5 + 0.0) / 2
    assert score.gap == pytest.approx(gap)
    assert list(score.changes) == [ANY, "NOUN", "VERB"]
    cross = {"a c": 0.5 - 1.0, "a d": 0.0 - 1.0, "f": 0.0 - np.sqrt(3) / 2, "g": 1.0 - np.sqrt(3) / 2}
    mono = {"a c": 0.5 - 1.0, "a d": 0.0 - 1.0, "f": 0.5 - 1.0, "g": np.sqrt(3) / 2 - 1.0}
    every = score.changes[ANY]
    assert every.rows == 4
    assert every.cross == pytest.approx(np.mean(list(cross.values())) / gap)
    assert every.mono == pytest.approx(np.mean(list(mono.values())) / gap)
    assert every.correlation == pytest.approx(np.corrcoef(list(cross.values()), list(mono.values()))[0, 1])
    nouns, verbs = score.changes["NOUN"], score.changes["VERB"]
    assert nouns.rows == 2 and nouns.cross == pytest.approx((cross["a c"] + cross["g"]) / 2 / gap)
    assert verbs.rows == 1 and verbs.mono == pytest.approx(mono["f"] / gap) and verbs.correlation is None


def test_a_gap_that_is_not_positive_measures_no_changes() -> None:
    rows = [row(2, "s1", "t1", "t2"), row(3, "s2", "t2", "t1")]
    score = clsd_score(rows, {"s1": at(0), "t1": at(90), "s2": at(90), "t2": at(0)})
    assert score.gap == pytest.approx(-1.0) and score.changes == {}


@pytest.mark.parametrize(
    ("target", "distractor", "one"),
    [
        ("The old mill closed.", "The new mill closed.", True),
        ("The old mill closed.", "The old mill closed!", False),
        ("The old mill closed.", "The mill closed.", False),
        ("The old mill closed.", "The new mill opened.", False),
        ("It cost 1,250 francs.", "It cost 1,520 francs.", True),
        ("a well-known fact", "a little-known fact", True),
    ],
)
def test_one_word_is_replaced(target: str, distractor: str, one: bool) -> None:
    assert differs_in_one_word(target, distractor) is one


def test_every_sentence_is_embedded_once() -> None:
    rows = [row(2, "s", "t", "d", pivot=("p", "t", "q")), row(3, "s", "u", "d")]
    assert sentences(rows) == ["s", "t", "d", "p", "q", "u"]
