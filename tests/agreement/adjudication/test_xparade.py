"""The rule X-PARADE, case by case."""

from itertools import permutations

import pytest

from agreement.adjudication.base import RuleError
from agreement.adjudication.reasons import Code, make_reason
from agreement.adjudication.registry import rule
from agreement.adjudication.xparade import decide_token
from tests.agreement.adjudication.cases import case, letters, shape, span

NAMES = {"S": "same", "I": "inferable", "N": "new", "C": "connotation", "R": "reference"}
RULE = rule("xparade")
DEFAULTS = RULE.settings()


@pytest.mark.parametrize(
    ("votes", "label", "sure"),
    [
        ("SSSS", "S", True),
        ("NNNN", "N", True),
        ("ISSS", "S", True),
        ("ISSSS", "S", True),
        ("ISS", "I", False),
        ("IS", "I", False),
        ("I", "I", True),
        ("INSS", "I", False),
        ("ICSS", "I", False),
        ("INNN", "I", False),
        ("IISS", "I", False),
        ("IIIS", "I", True),
        ("NNSS", "N", False),
        ("NSSS", "S", True),
        ("CSSS", "S", True),
        ("CCSS", "S", False),
        ("CCNN", "N", False),
        ("CNS", "I", False),
        ("CCNNSS", "I", False),
        ("CCNS", "I", False),
        ("CCCS", "I", True),
        ("C", "I", True),
        ("CN", "N", False),
        ("CS", "S", False),
        ("RRRR", "S", True),
        ("RRNN", "N", False),
    ],
)
def test_one_token(votes: str, label: str, sure: bool) -> None:
    for order in permutations(votes):
        decided, why = decide_token([NAMES[letter] for letter in order])
        assert decided == NAMES[label]
        assert (why is None) is sure


def test_runs_become_spans_that_know_where_they_are_from() -> None:
    decision = RULE.apply(letters("NNSSSISSSSSS", "NNNSSISSSSSS", "SNNSSSSSSSSS"), DEFAULTS)
    assert shape(decision) == [("new", [], [0, 1, 2]), ("inferable", [], [5])]
    assert [gold.annotations for gold in decision.spans] == [(10, 11, 12), (10, 11)]
    assert decision.doubts == ()


def test_a_label_nobody_gave_comes_from_all_who_marked() -> None:
    (gold,) = RULE.apply(letters("C" + 11 * "S", "C" + 11 * "S", 12 * "S"), DEFAULTS).spans
    assert gold.span.label == "inferable"
    assert gold.annotations == (10, 11)


def test_what_it_was_unsure_of() -> None:
    decision = RULE.apply(letters("NNSSSSSSSSSS", "SSSSSSSSSSSS"), DEFAULTS)
    (doubt,) = decision.doubts
    assert (doubt.side, doubt.tokens, doubt.why) == ("b", (0, 1), make_reason(Code.NEW_BY, n=1, of=2))
    assert decision.spans[0].unsure == doubt.why


def test_two_rejections_leave_a_pair_out_and_one_does_not_vote() -> None:
    given = letters(12 * "N", 12 * "S", 12 * "S")
    one = case(*(vote.spans for vote in given.votes), scheme=given.scheme, verdicts=["rejected"])
    two = case(*(vote.spans for vote in given.votes), scheme=given.scheme, verdicts=["rejected", "rejected"])
    assert shape(RULE.apply(one, DEFAULTS)) == []
    assert RULE.apply(one, DEFAULTS).excluded is None
    assert RULE.apply(two, DEFAULTS).excluded == make_reason(Code.REJECTED, n=2)
    assert RULE.apply(two, RULE.settings.read({"rejections": "0"})).excluded is None


def test_two_who_marked_nearly_all_new_leave_a_pair_out() -> None:
    """12 tokens, all new: 12 of 12 without the tag, 12 of 13 (92 %) with it."""
    given = letters(12 * "N", 12 * "N", 12 * "S")
    assert RULE.apply(given, DEFAULTS).excluded is None
    assert RULE.apply(given, RULE.settings.read({"tags": 0})).excluded == make_reason(
        Code.NEARLY_ALL_NEW, n=2, share=95.0
    )
    assert RULE.apply(given, RULE.settings.read({"share": 90})).excluded == make_reason(
        Code.NEARLY_ALL_NEW, n=2, share=90.0
    )
    assert RULE.apply(given, RULE.settings.read({"tags": 0, "near_all": 3})).excluded is None


def test_without_submissions() -> None:
    assert RULE.apply(case([], verdicts=["skipped"]), DEFAULTS).excluded == make_reason(Code.NOT_SUBMITTED)


def test_a_scheme_without_its_labels_is_refused() -> None:
    with pytest.raises(RuleError, match="needs the labels 'new' and 'inferable'"):
        RULE.apply(case([span("3", [1])]), DEFAULTS)
