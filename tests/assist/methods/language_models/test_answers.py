"""Answers of all kinds: what is read of them, and what is counted as faulty."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assist.methods.language_models import answers
from assist.methods.language_models.answers import MAX_CHARACTERS, AnswerCounts, read_grades, read_json, read_spans
from assist.methods.language_models.prompt import PromptPart
from tests.assist.methods.texts import side

A = side("The dog is old.", "en")
B = side("Der Hund schläft.", "de")
BOTH = (PromptPart("a", (0, 5)), PromptPart("b", (0, 4)))


def entries(words: list[str], values: list[Any]) -> list[dict[str, Any]]:
    return [{"word": word, "similarity": value} for word, value in zip(words, values, strict=True)]


GOOD = {"A": entries(A.words(), [5, 5, 4, 0, 5]), "B": entries(B.words(), [5, 5, 0, 5])}
DIFFERENCES = {"a": [0, 0, pytest.approx(0.2), 1, 0], "b": [0, 0, 1, 0]}


def graded(answer: str) -> tuple[dict[str, list[float]], AnswerCounts]:
    read = read_grades(answer, {"a": A, "b": B}, BOTH)
    return read.differences, read.counts


def test_a_good_answer() -> None:
    assert graded(json.dumps(GOOD)) == (DIFFERENCES, AnswerCounts(answers=1, tokens=9))


@pytest.mark.parametrize(
    "answer",
    [
        f"Sure!\n```json\n{json.dumps(GOOD)}\n```\nAnything else?",
        json.dumps(GOOD).replace('"', "'"),
        json.dumps(GOOD)[:-1],
        json.dumps(GOOD)[:-1] + ",}",
        json.dumps({"a": GOOD["A"], "b": GOOD["B"]}),
        json.dumps({"A": [e["similarity"] for e in GOOD["A"]], "B": [e["similarity"] for e in GOOD["B"]]}),
    ],
)
def test_a_repaired_answer_says_the_same(answer: str) -> None:
    assert graded(answer) == (DIFFERENCES, AnswerCounts(answers=1, repaired=1, tokens=9))


@pytest.mark.parametrize("part", ["[{]", "{", '["a" ', '{"a":', "[", '{"a":"x" "'])
def test_the_repair_of_an_endless_answer_is_given_up(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MAX_CALLS", 100_000)
    before = sys.getprofile()
    _, counts = graded(part * (MAX_CHARACTERS // len(part)))
    assert (counts.unusable, counts.padded) == (1, 9)
    assert sys.getprofile() is before
    assert graded(json.dumps(GOOD)[:-1])[1].repaired == 1


@pytest.mark.parametrize(
    "entries_of_a",
    [
        [[e["word"], e["similarity"]] for e in GOOD["A"]],
        [{"token": e["word"], "label": str(e["similarity"])} for e in GOOD["A"]],
    ],
)
def test_an_entry_for_every_word_may_have_another_form(entries_of_a: list[Any]) -> None:
    assert graded(json.dumps({"A": entries_of_a, "B": GOOD["B"]})) == (DIFFERENCES, AnswerCounts(answers=1, tokens=9))


def test_a_list_that_is_too_short_is_padded_and_one_that_is_too_long_is_cut() -> None:
    differences, counts = graded(json.dumps({"A": GOOD["A"][:3], "B": GOOD["B"] + entries(["x", "y"], [0, 0])}))
    assert differences == {"a": [0, 0, pytest.approx(0.2), 0, 0], "b": DIFFERENCES["b"]}
    assert counts == AnswerCounts(answers=1, repaired=1, tokens=9, padded=2)


def test_labels_outside_the_scale_are_the_nearest_and_counted() -> None:
    differences, counts = graded(json.dumps({"A": entries(A.words(), [7, -1, 2.5, 5, 5]), "B": GOOD["B"]}))
    assert differences["a"] == [0, 1, 0.5, 0, 0]
    assert counts.outside == 2


@pytest.mark.parametrize(
    "answer", ["", "I can't do that.", "{}", "[]", "null", "5", '{"A": 3}', "[" * 100_000, "{" * 9999]
)
@pytest.mark.long
def test_an_answer_without_labels_is_unusable_and_its_words_are_the_same(answer: str) -> None:
    differences, counts = graded(answer)
    assert differences == {"a": [0.0] * 5, "b": [0.0] * 4}
    assert counts == AnswerCounts(answers=1, unusable=1, tokens=9, padded=9)


def test_numbers_that_are_none_are_no_labels() -> None:
    odd = [float("nan"), float("inf"), True, None, "x" * 500]
    _, counts = graded(json.dumps({"A": entries(A.words(), odd), "B": GOOD["B"]}))
    assert counts.padded == 5
    _, counts = graded('{"A": [{"word": "The", "similarity": 1' + "0" * 5000 + '}], "B": []}')
    assert counts.padded == 9


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["A", "B", "a", "word", "similarity", "new", "text", "x"]), inner, max_size=4)
    ),
    max_leaves=20,
)


@settings(max_examples=200)
@given(st.text(max_size=60) | json_like.map(json.dumps), st.integers(0, 40))
def test_any_answer_gives_every_token_a_difference(answer: str, cut: int) -> None:
    for text in (answer, answer[:cut]):
        differences, counts = graded(text)
        assert [len(differences[name]) for name in ("a", "b")] == [5, 4]
        assert all(0 <= value <= 1 for values in differences.values() for value in values)
        assert counts.answers == 1 and counts.tokens == 9 and 0 <= counts.padded <= 9
        found, spans = read_spans(text, B, BOTH[1], ("new", "inferable"))
        assert all(0 <= each.tokens[0] < each.tokens[1] <= 4 for each in found)
        assert len(found) == spans.spans - spans.unmatched and spans.near <= len(found)


TARGET = side("She was born in Bern. She was old, and she painted. The end.", "en")
PART = PromptPart("b", (0, len(TARGET.tokens)))


def quoted(answer: Any, kinds: tuple[str, ...] = ("new",)) -> tuple[list[tuple[str, str]], AnswerCounts]:
    text = answer if isinstance(answer, str) else json.dumps(answer)
    found, counts = read_spans(text, TARGET, PART, kinds)
    tokens = TARGET.tokens
    return [(e.kind, TARGET.text[tokens[e.tokens[0]][0] : tokens[e.tokens[1] - 1][1]]) for e in found], counts


def test_quotations_are_matched_to_words() -> None:
    assert quoted({"new": ["born in Bern", "She was", "The end."]}) == (
        [("new", "born in Bern"), ("new", "She was"), ("new", "The end.")],
        AnswerCounts(answers=1, spans=3),
    )


def test_a_part_of_a_word_is_the_word() -> None:
    assert quoted({"new": ["paint"]})[0] == [("new", "painted")]


def test_two_kinds() -> None:
    found, counts = quoted({"new": ["in Bern"], "inferable": ["she painted"]}, ("new", "inferable"))
    assert found == [("new", "in Bern"), ("inferable", "she painted")] and counts == AnswerCounts(answers=1, spans=2)


def test_quotations_of_the_other_text_are_counted_and_left_out() -> None:
    assert quoted({"new": ["nació en Berna", "in Bern"]}) == (
        [("new", "in Bern")],
        AnswerCounts(answers=1, repaired=1, spans=2, unmatched=1),
    )


def test_a_quotation_that_is_nearly_there_is_counted() -> None:
    assert quoted({"new": ["SHE WAS BORN"]})[1] == AnswerCounts(answers=1, repaired=1, spans=1, near=1)


@pytest.mark.parametrize("answer", [["in Bern"], {"New": [{"text": "in Bern"}]}, 'x {"new": ["in Bern"'])
def test_other_forms_are_repaired(answer: Any) -> None:
    found, counts = quoted(answer)
    assert found == [("new", "in Bern")] and counts.repaired == 1 and not counts.unusable


def test_an_empty_list_says_that_nothing_is_new() -> None:
    assert quoted({"new": []}) == ([], AnswerCounts(answers=1))
    assert quoted("no JSON") == ([], AnswerCounts(answers=1, unusable=1))


def test_a_span_is_looked_for_in_its_part_only() -> None:
    found, counts = read_spans(json.dumps({"new": ["The end", "in Bern"]}), TARGET, PromptPart("b", (0, 6)), ("new",))
    assert [each.tokens for each in found] == [(3, 5)] and counts.unmatched == 1


def test_counts_add_up() -> None:
    total = AnswerCounts.total([AnswerCounts(1, 1, 0, 5, 2), AnswerCounts(1, 0, 0, 3, 1, 1)])
    assert total == AnswerCounts(2, 1, 0, 8, 3, 1) and total.to_json()["padded"] == 3


def test_strict_json_needs_no_repair() -> None:
    assert read_json(' {"a": 1}\n') == ({"a": 1}, True)
    assert read_json('x {"a": 1}') == ({"a": 1}, False)
