"""What a changed scheme does to existing work: refused, asked about, or neither."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.text.scheme_changes import Usage, consequences, may_invalidate_spans
from annotation.text.scheme_parsing import parse_scheme
from annotation.text.schemes import PRESETS, Choice, Label, Scheme

GRADED, YES_NO = PRESETS["graded"], PRESETS["yes-no"]
USED = Usage(pairs=3, annotations=2, submitted=1, labels={"3": 4}, answers={"close": {"yes": 2}})


def found(old: Scheme, new: Scheme, usage: Usage = USED) -> tuple[list[str], list[str]]:
    result = consequences(old, new, usage)
    return [str(each) for each in result.refused], [str(each) for each in result.questions]


def without(scheme: Scheme, *keys: str) -> Scheme:
    return replace(scheme, labels=tuple(label for label in scheme.labels if label.key not in keys))


def test_names_colours_hotkeys_help_and_order_change_freely() -> None:
    labels = tuple(replace(label, name=label.name + "!", hotkey="", description="") for label in GRADED.labels[::-1])
    assert found(GRADED, replace(GRADED, name="other", labels=labels)) == ([], [])


def test_a_used_label_stays_and_an_unused_one_goes_after_a_question() -> None:
    refused, asked = found(GRADED, without(GRADED, "3"))
    assert refused == ["scheme.labels: the label '3' is in use (spans: 4); keep it, and change its name if need be"]
    refused, asked = found(GRADED, without(GRADED, "1"))
    assert not refused and asked[0].startswith("Labels that no saved work uses are removed: 1.")
    assert found(GRADED, without(GRADED, "3"), Usage(pairs=3)) == ([], [])


def test_changed_values_are_asked_about() -> None:
    labels = (*GRADED.labels[:4], replace(GRADED.labels[4], value=9))
    assert found(GRADED, replace(GRADED, labels=labels))[1][0].startswith("Values change")
    (question,) = YES_NO.questions
    choices = (replace(question.choices[0], value=7), question.choices[1])
    changed = replace(YES_NO, questions=(replace(question, choices=choices),))
    assert found(YES_NO, changed)[1][0].startswith("Values change")
    assert found(GRADED, replace(GRADED, labels=(*GRADED.labels, Label("6", "More", value=6)))) == ([], [])


def test_answers_that_were_given_stay() -> None:
    (question,) = YES_NO.questions
    refused, _ = found(YES_NO, replace(GRADED, default=YES_NO.default))
    assert "has answers (2); keep it" in refused[0]
    other = (Choice("no", "No", "2", 0), Choice("maybe", "Maybe", "3", 1))
    refused, _ = found(YES_NO, replace(YES_NO, questions=(replace(question, choices=other),)))
    assert "has been answered 'yes' (2); keep this answer" in refused[0]
    more = (*question.choices, Choice("maybe", "Maybe", "3", 0.5))
    assert found(YES_NO, replace(YES_NO, questions=(replace(question, choices=more),))) == ([], [])


def test_a_new_question_is_asked_about_if_work_is_submitted() -> None:
    item = {"key": "why", "text": "Why?", "type": "text"}
    words = parse_scheme({**YES_NO.to_json(), "questions": [*YES_NO.to_json()["questions"], item]})
    assert found(YES_NO, words) == ([], [])
    rated = parse_scheme(
        {**YES_NO.to_json(), "questions": [*YES_NO.to_json()["questions"], {**item, "type": "yes-no"}]}
    )
    assert found(YES_NO, rated)[1] == [
        "There are new questions: submitted annotations (1) have no answer to them, and stay submitted."
    ]
    assert found(YES_NO, rated, replace(USED, submitted=0)) == ([], [])


def test_the_name_of_unmarked_words_and_statements_that_pairs_lack_are_refused() -> None:
    assert "keep this" in found(GRADED, replace(GRADED, default="none"))[0][0]
    assert found(GRADED, replace(GRADED, default="none"), Usage(pairs=3)) == ([], [])
    assert found(YES_NO, replace(YES_NO, statement=True))[0] == ["scheme.statement: pairs without a statement: 3"]
    assert found(YES_NO, replace(YES_NO, statement=True), replace(USED, statements=3)) == ([], [])


@pytest.mark.parametrize(
    ("change", "is_narrower"),
    [({"links": False}, True), ({"overlap": False}, True), ({"discontinuous": False}, True), ({"name": "x"}, False)],
)
def test_what_allows_fewer_spans_is_narrower(change: dict[str, bool], is_narrower: bool) -> None:
    assert may_invalidate_spans(GRADED, replace(GRADED, **change)) == is_narrower  # type: ignore[arg-type]
    assert not may_invalidate_spans(replace(GRADED, **change), GRADED)  # type: ignore[arg-type]
    assert may_invalidate_spans(GRADED, replace(GRADED, sides=("b",), links=False))
