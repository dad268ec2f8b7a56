"""Gold of answers: each rule as a table of cases, and what is left to a person."""

from __future__ import annotations

import pytest

from agreement.adjudication.base import RULES, Case, Decision, RuleError, Vote
from agreement.adjudication.reasons import Code, because
from agreement.adjudication.registry import rule
from annotation.text.schemes import PRESETS


def case(*answers: str, scheme: str = "likert") -> Case:
    """A pair without words and an annotator an answer, '' for none; A1's annotation is 1."""
    question = PRESETS[scheme].questions[0].key
    votes = tuple(Vote(n, f"A{n}", answers={question: answer} if answer else {}) for n, answer in enumerate(answers, 1))
    return Case("p1", votes, {"a": [], "b": []}, PRESETS[scheme])


def decided(name: str, given: Case, **settings: object) -> Decision:
    chosen = rule(name)
    return chosen.apply(given, chosen.settings.read(settings))


@pytest.mark.parametrize(
    ("name", "answers", "answer", "sources", "unsure"),
    [
        ("majority", "334", "3", (1, 2), ""),
        ("majority", "30", "", (), "two answers are tied"),
        ("majority", "3312", "3", (1, 2), "no answer has a majority"),
        ("majority", "3-4-4", "4", (3, 5), ""),
        ("median", "034", "3", (2,), ""),
        ("median", "0033", "", (), "the two middle answers differ"),
        ("median", "0334", "3", (2, 3), ""),
        ("median", "4", "4", (1,), ""),
        ("agreed", "33", "3", (1, 2), ""),
        ("agreed", "34", "", (), "not everyone gave the same answer"),
        ("pick", "4", "4", (1,), ""),
        ("pick", "40", "", (), "2 annotations, none picked"),
        ("majority", "--", "", (), "nobody answered"),
        ("median", "-", "", (), "nobody answered"),
        ("agreed", "-9", "", (), "nobody answered"),
    ],
)
def test_rules(name: str, answers: str, answer: str, sources: tuple[int, ...], unsure: str) -> None:
    found = decided(name, case(*("" if each == "-" else each for each in answers)))
    if answer:
        gold = found.answers["agree"]
        assert (gold.answer, gold.annotations, str(gold.unsure or "")) == (answer, sources, unsure)
        assert found.excluded is None
        assert found.unsure == bool(unsure)
    else:
        assert (str(found.excluded), dict(found.answers)) == (unsure, {}), "left to a person"


def test_the_picked_annotators_answer() -> None:
    assert decided("pick", case("4", "0"), annotator="A2").answers["agree"].annotations == (2,)
    assert decided("pick", case("4", "0"), choices={"p1": "A1"}).answers["agree"].answer == "4"
    assert decided("pick", case("4", "0"), annotator="A9").excluded == because(Code.PICKED_ABSENT, name="A9")


def test_the_order_of_annotators_does_not_matter() -> None:
    for name in ("majority", "median", "agreed"):
        one, other = decided(name, case("0", "3", "3")), decided(name, case("3", "0", "3"))
        assert one.excluded == other.excluded
        assert {key: gold.answer for key, gold in one.answers.items()} == {
            key: gold.answer for key, gold in other.answers.items()
        }


def test_rules_of_words_say_that_they_decide_no_answers() -> None:
    can = {name for name, each in RULES.items() if each.answer}
    assert can >= {"majority", "median", "agreed", "pick"} and "union" not in can
    with pytest.raises(RuleError, match="decides words and no answers"):
        decided("union", case("3"))


def test_rejected_pairs_are_left_out_before_answers_are_looked_at() -> None:
    given = case("3", "3")
    votes = tuple(Vote(vote.annotation, vote.annotator, verdict="rejected") for vote in given.votes)
    assert decided("majority", Case("p1", votes, given.tokens, given.scheme)).excluded == because(Code.REJECTED, n=2)
