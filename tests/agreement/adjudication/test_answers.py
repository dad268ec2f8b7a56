"""Gold of answers: each rule as a table of cases, and what is left to a person."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agreement.adjudication.answers import questions_of
from agreement.adjudication.base import RULES, Case, Decision, RuleError, Vote
from agreement.adjudication.reasons import Code, make_reason
from agreement.adjudication.registry import rule, rules_for
from annotation.text.schemes import PRESETS, Choice, Label, Question, Scheme
from annotation.text.spans import Fragment, Span


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
        ("majority", "30", "3", (1,), "two answers are tied"),
        ("majority", "3-004", "0", (3, 4), "no answer has a majority"),
        ("majority", "3312", "3", (1, 2), "no answer has a majority"),
        ("majority", "3-4-4", "4", (3, 5), ""),
        ("median", "034", "3", (2,), ""),
        ("median", "0033", "3", (3, 4), "the two middle answers differ"),
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
        assert (str(found.excluded), dict(found.answers)) == (unsure, {}), "it has no other question"


@pytest.mark.parametrize(
    ("name", "answers", "higher", "lower"),
    [
        ("majority", "3014", "4", "0"),
        ("majority", "1331", "3", "1"),
        ("median", "0134", "3", "1"),
    ],
)
def test_ties_choose_between_answers(name: str, answers: str, higher: str, lower: str) -> None:
    for ties, answer in (("higher", higher), ("lower", lower)):
        found = decided(name, case(*answers), ties=ties).answers["agree"]
        assert (found.answer, found.unsure is not None) == (answer, True)


def test_answers_without_numbers_are_tied_by_position() -> None:
    names = [Choice("z", "First"), Choice("a", "Second"), Choice("m", "Third")]
    scheme = Scheme("s", questions=(Question("kind", "Which?", tuple(names)),))
    votes = tuple(Vote(n, f"A{n}", answers={"kind": answer}) for n, answer in enumerate("mz", 1))
    given = Case("p1", votes, {"a": [], "b": []}, scheme)
    assert decided("majority", given).answers["kind"].answer == "m"
    assert decided("majority", given, ties="lower").answers["kind"].answer == "z"


def mixed(*answers: tuple[str, str]) -> Case:
    """A pair of two words, of which all mark the first alike, with two questions."""
    yes_or_no = (Choice("yes", "Yes", value=1), Choice("no", "No", value=0))
    questions = tuple(Question(key, key, yes_or_no) for key in ("one", "two"))
    scheme = Scheme("s", (Label("new", "New", value=1),), links=False, overlap=False, questions=questions)
    span = Span("s1", "new", (Fragment("b", 0, 1),))
    votes = tuple(
        Vote(n, f"A{n}", (span,), answers={"one": one, "two": two} if two else {"one": one})
        for n, (one, two) in enumerate(answers, 1)
    )
    return Case("p1", votes, {"a": [(0, 1)], "b": [(0, 1), (2, 3)]}, scheme)


@pytest.mark.parametrize("name", ["majority", "median", "agreed"])
def test_an_open_question_leaves_the_rest_of_the_pair_in_the_gold(name: str) -> None:
    found = decided(name, mixed(("yes", ""), ("yes", "")))
    assert found.excluded is None and len(found.spans) == 1
    assert found.given_answers == {"one": "yes"}
    assert found.answers["two"].unsure == make_reason(Code.UNANSWERED) and found.unsure


def test_unanimous_leaves_one_question_of_two_to_a_person() -> None:
    found = decided("agreed", mixed(("yes", "yes"), ("yes", "no")))
    assert found.given_answers == {"one": "yes"} and len(found.spans) == 1
    one, two = questions_of(mixed(("yes", "yes"), ("yes", "no")), found)
    assert (one.state, one.provisional, one.why) == ("agreed", "yes", None)
    assert (two.state, two.provisional, two.why) == ("disputed", "", make_reason(Code.ANSWERS_DIFFER))


def test_a_question_is_ruled_if_the_rule_is_sure() -> None:
    given = mixed(("yes", "yes"), ("yes", "no"), ("yes", ""), ("no", "no"))
    one, two = questions_of(given, decided("majority", given))
    assert (one.state, one.provisional, dict(one.annotations)) == ("ruled", "yes", {"yes": (1, 2, 3), "no": (4,)})
    assert (two.state, two.provisional, dict(two.annotations)) == ("ruled", "no", {"yes": (1,), "no": (2, 4)})
    tied = mixed(("yes", "yes"), ("no", "no"))
    for each in questions_of(tied, decided("majority", tied)):
        assert (each.state, each.provisional, each.proposed) == ("disputed", "", "yes")


def test_the_picked_annotators_answer() -> None:
    assert decided("pick", case("4", "0"), annotator="A2").answers["agree"].annotations == (2,)
    assert decided("pick", case("4", "0"), choices={"p1": "A1"}).answers["agree"].answer == "4"
    assert decided("pick", case("4", "0"), annotator="A9").excluded == make_reason(Code.PICKED_ABSENT, name="A9")


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


def test_only_rules_that_suit_a_scheme_are_offered() -> None:
    def offered(scheme: Scheme) -> set[str]:
        return {each.name for each in rules_for(scheme)}

    graded, plain, likert = (PRESETS[name] for name in ("graded", "xparade", "likert"))
    assert {"median", "union", "majority"} <= offered(graded)
    assert "median" not in offered(plain) and {"union", "xparade"} <= offered(plain)
    assert "xparade" not in offered(graded) | offered(replace(plain, default="equal"))
    assert {"median", "majority"} <= offered(likert) and "union" not in offered(likert)
    wordless = replace(likert.questions[0], choices=(Choice("y", "Yes"), Choice("n", "No")))
    for labels in ((), graded.labels):
        assert "median" not in offered(replace(likert, labels=labels, questions=(wordless,)))


def test_rejected_pairs_are_left_out_before_answers_are_looked_at() -> None:
    given = case("3", "3")
    votes = tuple(Vote(vote.annotation, vote.annotator, verdict="rejected") for vote in given.votes)
    assert decided("majority", Case("p1", votes, given.tokens, given.scheme)).excluded == make_reason(
        Code.REJECTED, n=2
    )
