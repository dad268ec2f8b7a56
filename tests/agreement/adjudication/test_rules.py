"""Majority, union, intersection, median and pick one: by token, and by span with links and fragments."""

import re

import pytest

from agreement.adjudication.base import RULES, Case, RuleError
from agreement.adjudication.reasons import Code, make_reason
from agreement.adjudication.registry import rule
from annotation.settings_model import SettingError, settings_by_name
from tests.agreement.adjudication.cases import case, letters, shape, span

ONE = span("4", [1, 2, 3], [2, 3, 6])
LIKE_ONE = span("2", [1, 2, 3, 4], [2, 3, 6])
ELSEWHERE = span("5", [9], [])
THREE = case([ONE], [LIKE_ONE], [span("2", [2, 3], [2, 3]), ELSEWHERE])


def gold(name: str, given: Case, **settings: object) -> list[tuple[str, list[int], list[int]]]:
    chosen = rule(name)
    return shape(chosen.apply(given, chosen.settings.read(settings)))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("majority", [("2", [1, 2, 3], [2, 3, 6])]),
        ("union", [("2", [1, 2, 3, 4], [2, 3, 6]), ("5", [9], [])]),
        ("intersection", [("2", [2, 3], [2, 3])]),
        ("median", [("2", [1, 2, 3], [2, 3, 6])]),
    ],
)
def test_spans_survive_with_links_and_fragments(name: str, expected: list[tuple[str, list[int], list[int]]]) -> None:
    assert gold(name, THREE) == expected


def test_where_each_span_comes_from() -> None:
    union = rule("union")
    spans = union.apply(THREE, union.settings()).spans
    assert [item.annotations for item in spans] == [(10, 11, 12), (12,)]
    assert [item.unsure for item in spans] == [None, make_reason(Code.MARKED_BY, n=1, of=3)]


@pytest.mark.parametrize(
    ("name", "votes", "expected"),
    [
        ("majority", ("NNI", "NSI", "SSN"), [("new", [0]), ("inferable", [2])]),
        ("union", ("NSS", "SIS", "SSS"), [("new", [0]), ("inferable", [1])]),
        ("intersection", ("NNS", "NIN", "NNN"), [("new", [0, 1])]),
    ],
)
def test_labels_that_exclude_each_other_are_decided_by_token(
    name: str, votes: tuple[str, ...], expected: list[tuple[str, list[int]]]
) -> None:
    assert [(label, b) for label, _, b in gold(name, letters(*votes))] == expected


@pytest.mark.parametrize("name", ["majority", "union", "intersection", "median"])
def test_the_order_of_annotators_does_not_matter(name: str) -> None:
    votes = [list(vote.spans) for vote in THREE.votes]
    assert gold(name, case(*votes[::-1])) == gold(name, THREE)
    assert gold(name, case(votes[1], votes[2], votes[0])) == gold(name, THREE)


@pytest.mark.parametrize("name", ["majority", "union", "intersection", "median"])
def test_full_agreement(name: str) -> None:
    assert gold(name, case([ONE], [ONE])) == shape_of_one()


@pytest.mark.parametrize("name", ["majority", "union", "intersection", "median", "pick"])
def test_one_annotation_and_nothing_marked(name: str) -> None:
    assert gold(name, case([ONE])) == shape_of_one()
    assert gold(name, case([])) == []


def shape_of_one() -> list[tuple[str, list[int], list[int]]]:
    return [("4", [1, 2, 3], [2, 3, 6])]


def test_one_of_two_marked_nothing() -> None:
    given = case([ONE], [])
    assert gold("majority", given) == []
    assert gold("intersection", given) == []
    assert gold("union", given) == shape_of_one()
    assert gold("median", given) == shape_of_one(), "4 and 0: the higher middle"
    assert gold("median", given, ties="lower") == []


def test_ties_take_the_higher_or_the_lower_label_and_say_so() -> None:
    given = case([ONE], [span("2", [1, 2, 3], [2, 3, 6])])
    for name in ("majority", "union", "intersection", "median"):
        assert gold(name, given)[0][0] == "4"
        assert gold(name, given, ties="lower")[0][0] == "2"
        chosen = rule(name)
        assert chosen.apply(given, chosen.settings()).spans[0].unsure


def test_a_group_holds_one_span_of_an_annotator() -> None:
    given = case([span("3", [0, 1]), span("3", [0, 1, 2])], [span("3", [0, 1])])
    assert gold("majority", given) == [("3", [0, 1], [])]
    assert sorted(gold("union", given)) == [("3", [0, 1], []), ("3", [0, 1, 2], [])]


def test_the_threshold_decides_what_belongs_together() -> None:
    given = case([span("3", [0, 1, 2, 3])], [span("3", [0, 1])])
    assert gold("majority", given) == [("3", [0, 1], [])]
    assert gold("majority", given, similar=90) == []


def test_a_broken_span_becomes_nothing() -> None:
    assert gold("union", case([span("3")], [span("3")])) == []


def test_median_needs_numbers() -> None:
    with pytest.raises(RuleError, match="needs labels with numeric values"):
        gold("median", letters("NNS", "NSS"))


def test_pick_one() -> None:
    given = case([ONE, ELSEWHERE], [LIKE_ONE])
    pick = rule("pick")
    assert pick.apply(given, pick.settings()).excluded == make_reason(Code.NONE_PICKED, n=2)
    assert gold("pick", given, annotator="A1") == [*shape_of_one(), ("5", [9], [])]
    assert gold("pick", given, annotator="A1", choices='{"p1": "A2"}') == [("2", [1, 2, 3, 4], [2, 3, 6])]
    missing = pick.apply(given, pick.settings.read({"annotator": "A9"}))
    assert missing.excluded == make_reason(Code.PICKED_ABSENT, name="A9")


def test_every_rule_says_what_it_does() -> None:
    for name, chosen in RULES.items():
        assert chosen.name == name
        assert chosen.summary.endswith(".") and chosen.unsure
        assert chosen.answer_summary.endswith(".") == (chosen.answer is not None)
        assert all(each.title and each.help for each in settings_by_name(chosen.settings).values())


def test_unknown_rules_and_settings_are_refused() -> None:
    with pytest.raises(RuleError, match="there is no rule 'best'; there are agreed, "):
        rule("best")
    with pytest.raises(SettingError, match=r"no setting “tie”\. Available: rejections, similar, ties\."):
        rule("majority").settings.read({"tie": "lower"})


@pytest.mark.parametrize(
    ("name", "setting", "value", "says"),
    [
        ("majority", "ties", "mean", "“ties” must be one of higher, lower, not “mean”"),
        ("majority", "similar", "much", "“similar” must be a whole number of at least 0, not “much”"),
        ("majority", "similar", "9" * 30, "“similar” must be a whole number"),
        ("majority", "similar", -1, "not “-1”"),
        ("majority", "rejections", True, "not “true”"),
        ("xparade", "share", "1e999", "“share” must be a number of at least 0, not “1e999”"),
        ("xparade", "share", float("nan"), "not “NaN”"),
        ("pick", "annotator", ["A1"], "“annotator” must be a string"),
        ("pick", "annotator", "A\x001", "“annotator” must be a string"),
        ("pick", "choices", "[1]", "“choices” must be a JSON object of strings"),
        ("pick", "choices", {"p1": ["A1"]}, "“choices” must be a JSON object of strings"),
        ("pick", "choices", "[" * 10_000, "“choices” must be a JSON object of strings"),
    ],
)
def test_values_that_a_setting_cannot_have_are_refused_in_words(
    name: str, setting: str, value: object, says: str
) -> None:
    with pytest.raises(SettingError, match=re.escape(says)):
        rule(name).settings.read({setting: value})
