"""Which spans differ from the reference, and how."""

from __future__ import annotations

from annotation.qualification.differences import reference_differences
from annotation.text.spans import Fragment, Span

TOKENS = {"a": [(n * 4, n * 4 + 3) for n in range(10)], "b": [(0, 3), (4, 7)]}


def on_a(first: int, end: int, label: str = "1", id: str = "s") -> Span:
    return Span(id, label, (Fragment("a", first * 4, end * 4 - 1),))


def kinds(own: list[Span], reference: list[Span]) -> list[str]:
    return [str(each.kind) for each in reference_differences(own, reference, TOKENS)]


def test_equal_spans_do_not_differ() -> None:
    assert kinds([on_a(0, 2), on_a(4, 5, "2")], [on_a(4, 5, "2"), on_a(0, 2)]) == []


def test_missed_extra_other_label_and_other_words() -> None:
    own = [on_a(0, 2, "2"), on_a(4, 6), on_a(8, 9)]
    reference = [on_a(0, 2, "1"), on_a(4, 5), on_a(6, 7)]
    assert kinds(own, reference) == ["other-label", "other-words", "missed", "extra"]


def test_the_span_with_the_same_label_corresponds_and_the_other_is_extra() -> None:
    found = reference_differences([on_a(0, 4, "2"), on_a(0, 2, "1")], [on_a(0, 2, "1")], TOKENS)
    assert [(str(each.kind), each.own.label if each.own else "") for each in found] == [("extra", "2")]


def test_spans_without_words_are_left_out() -> None:
    assert kinds([Span("s", "1", ())], [Span("s", "1", ())]) == []


def test_the_other_side_is_part_of_a_span() -> None:
    linked = Span("s", "1", (Fragment("a", 0, 3), Fragment("b", 0, 3)))
    assert kinds([on_a(0, 1)], [linked]) == ["other-words"]
