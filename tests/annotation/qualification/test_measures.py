"""Measures of agreement with the reference, on cases small enough to be computed by hand."""

from __future__ import annotations

import pytest

from annotation.qualification.base import MEASURES, ComparedAnnotation, compared_annotation, measures_for, parts_of
from annotation.text.schemes import PRESETS, Choice, Label, Question, Scheme
from annotation.text.spans import Fragment, Span

GRADED = PRESETS["graded"]
LIKERT = PRESETS["likert"]
TOKENS = {"a": [(0, 3), (4, 7), (8, 11), (12, 15)], "b": [(0, 3), (4, 7)]}


def marked(*words: tuple[str, int, str]) -> ComparedAnnotation:
    found: dict[tuple[str, int], frozenset[str]] = {}
    for side, index, label in words:
        found[side, index] = found.get((side, index), frozenset()) | {label}
    return ComparedAnnotation(found)


def value(
    name: str, own: ComparedAnnotation, reference: ComparedAnnotation, scheme: Scheme = GRADED, words: int = 6
) -> float:
    return MEASURES[name].compare(scheme, own, reference, words).value


def parts(
    name: str, own: ComparedAnnotation, reference: ComparedAnnotation, scheme: Scheme = GRADED
) -> dict[str, float]:
    return dict(MEASURES[name].compare(scheme, own, reference, 6).parts)


REFERENCE = marked(("a", 0, "3"), ("a", 1, "3"), ("b", 0, "5"))


@pytest.mark.parametrize(
    ("name", "expected"), [("same-label", 2 / 5), ("near-label", 4 / 5), ("marked", 4 / 5), ("every-word", 4 / 6)]
)
def test_one_word_right_one_with_the_next_grade_and_one_missed(name: str, expected: float) -> None:
    own = marked(("a", 0, "3"), ("a", 1, "4"))
    assert value(name, own, REFERENCE) == pytest.approx(expected)


def test_a_grade_two_off_is_marked_but_neither_same_nor_near() -> None:
    own, reference = marked(("a", 0, "1")), marked(("a", 0, "3"))
    assert [value(name, own, reference) for name in ("same-label", "near-label", "marked")] == [0, 0, 1]
    assert value("every-word", own, reference) == pytest.approx(5 / 6)


@pytest.mark.parametrize("name", ["same-label", "near-label", "marked", "every-word"])
def test_nothing_marked_where_nothing_differs_is_full_agreement(name: str) -> None:
    assert value(name, ComparedAnnotation(), ComparedAnnotation()) == 1
    assert parts(name, ComparedAnnotation(), ComparedAnnotation()) == {}


@pytest.mark.parametrize("name", ["same-label", "near-label", "marked"])
def test_nothing_marked_by_one_of_the_two_is_no_agreement(name: str) -> None:
    assert value(name, ComparedAnnotation(), REFERENCE) == value(name, REFERENCE, ComparedAnnotation()) == 0


def test_every_word_without_words_is_full_agreement() -> None:
    assert value("every-word", ComparedAnnotation(), ComparedAnnotation(), words=0) == 1


def test_parts_count_only_words_with_the_label_on_either_side() -> None:
    own = marked(("a", 0, "3"), ("a", 1, "4"), ("a", 2, "2"))
    # 3: a0 twice agreed, a1 of the reference not; 4: a1 of the person not; 5: missed; 2: extra
    expected = {"2": 0, "3": 2 / 3, "4": 0, "5": 0}
    assert parts("same-label", own, REFERENCE) == pytest.approx(expected)
    assert parts("every-word", own, REFERENCE) == pytest.approx(expected)
    assert parts("marked", own, REFERENCE) == pytest.approx({"2": 0, "3": 1, "4": 1, "5": 0})


def test_a_label_that_neither_uses_has_no_value() -> None:
    assert set(parts("same-label", marked(("a", 0, "1")), marked(("a", 1, "1")))) == {"1"}


def test_a_word_with_two_labels_counts_twice() -> None:
    own, reference = marked(("a", 0, "1"), ("a", 0, "5")), marked(("a", 0, "5"))
    assert value("same-label", own, reference) == pytest.approx(2 / 3)
    assert value("every-word", own, reference) == pytest.approx(5 / 6)


def test_a_label_that_the_scheme_no_longer_has_agrees_only_with_itself() -> None:
    old = marked(("a", 0, "9"))
    assert value("near-label", old, old) == 1
    assert value("near-label", old, marked(("a", 0, "5"))) == 0


def test_spans_become_words_and_broken_ones_mark_nothing() -> None:
    spans = [
        Span("s1", "3", (Fragment("a", 0, 7), Fragment("b", 4, 7))),
        Span("s2", "5", (Fragment("a", 5, 6),)),
        Span("s3", "1", ()),
    ]
    assert compared_annotation(spans, {}, TOKENS).words == {
        ("a", 0): frozenset({"3"}),
        ("a", 1): frozenset({"3", "5"}),
        ("b", 1): frozenset({"3"}),
    }


TWO = Scheme(
    name="two",
    links=False,
    questions=(
        Question("grade", "How much?", tuple(Choice(str(n), str(n), "", n) for n in range(4))),
        Question("sure", "Sure?", (Choice("yes", "Yes"), Choice("no", "No"))),
        Question("why", "Why?", (), "text"),
    ),
)


def test_answers_same_and_beside() -> None:
    own = ComparedAnnotation({}, {"grade": "2", "sure": "yes", "why": "because"})
    reference = ComparedAnnotation({}, {"grade": "3", "sure": "yes", "why": "so"})
    assert value("same-answer", own, reference, TWO) == 0.5
    assert parts("same-answer", own, reference, TWO) == {"grade": 0, "sure": 1}
    assert value("near-answer", own, reference, TWO) == 1
    assert value("near-answer", ComparedAnnotation({}, {"grade": "1", "sure": "yes"}), reference, TWO) == 0.5


def test_a_question_that_the_reference_leaves_open_is_not_compared() -> None:
    assert parts(
        "same-answer", ComparedAnnotation({}, {"grade": "1", "sure": "no"}), ComparedAnnotation({}, {"sure": "no"}), TWO
    ) == {"sure": 1}
    assert value("same-answer", ComparedAnnotation({}, {"grade": "1"}), ComparedAnnotation(), TWO) == 1
    assert value("same-answer", ComparedAnnotation(), ComparedAnnotation({}, {"sure": "no"}), TWO) == 0


def test_measures_fit_schemes_and_the_usual_one_is_first() -> None:
    found = {name: [each.name for each in measures_for(scheme)] for name, scheme in PRESETS.items()}
    assert found["graded"] == ["same-label", "every-word", "marked", "near-label"]
    assert found["xparade"] == ["same-label", "every-word", "marked"]
    assert found["likert"] == ["same-answer", "near-answer"]
    assert found["yes-no"] == ["same-answer"]
    both = Scheme(name="both", labels=(Label("x", "X"),), questions=TWO.questions)
    assert [each.name for each in measures_for(both)][:2] == ["same-answer", "same-label"]
    assert parts_of(both, MEASURES["marked"]) == {"x": "X"}
    assert parts_of(both, MEASURES["near-answer"]) == {"grade": "How much?", "sure": "Sure?"}
