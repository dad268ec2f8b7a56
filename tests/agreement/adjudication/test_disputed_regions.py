"""A pair cut into regions: agreed, ruled, disputed."""

from __future__ import annotations

from agreement.adjudication.disputed_regions import Region, is_decided, regions_of, tokens_of
from agreement.adjudication.registry import rule
from annotation.text.schemes import PRESETS
from tests.agreement.adjudication.cases import case, letters, shape, span


def cut(given: object, name: str = "", **settings: object) -> list[Region]:
    chosen = rule(name) if name else None
    return regions_of(given, chosen.apply(given, chosen.settings.read(settings)) if chosen else None)  # type: ignore[arg-type]


def on(region: Region, side: str = "a") -> list[int]:
    return sorted(token for of, token in region.tokens if of == side)


def test_what_all_marked_alike_is_agreed_and_taken() -> None:
    (region,) = cut(case([span("3", [0, 1], [4])], [span("3", [0, 1], [4])]))
    assert region.state == "agreed"
    assert [(each.span.label, each.annotations) for each in region.provisional] == [("3", (10, 11))]


def test_another_label_another_extent_or_nothing_is_disputed() -> None:
    for other in ([span("4", [0, 1])], [span("3", [0])], [span("3", [0, 1], [2])], []):
        (region,) = cut(case([span("3", [0, 1])], other))
        assert region.state == "disputed" and region.provisional == ()
    assert [len(variant.spans) for variant in region.variants] == [1, 0], "who marked nothing is a variant too"


def test_people_who_say_the_same_are_one_version() -> None:
    (region,) = cut(case([span("3", [0])], [span("4", [0])], [span("3", [0])]))
    assert [[vote.annotator for vote in variant.votes] for variant in region.variants] == [["A1", "A3"], ["A2"]]


def test_spans_that_share_a_word_on_either_side_are_one_region() -> None:
    given = case([span("1", [0, 1]), span("2", [8], [9])], [span("3", [1], [5])], [span("4", [], [5]), span("2", [3])])
    found = cut(given)
    assert [on(region) for region in found] == [[0, 1], [3], [8]]
    assert on(found[0], "b") == [5]


def test_a_rule_that_was_sure_decides_and_one_that_was_not_leaves_it_open() -> None:
    given = case([span("4", [0])], [span("2", [0])], [span("2", [0])])
    (region,) = cut(given, "majority")
    assert region.state == "ruled" and [each.span.label for each in region.provisional] == ["2"]
    (region,) = cut(case([span("4", [0])], [span("2", [0])]), "majority")
    assert region.state == "disputed" and region.why and region.provisional == ()
    assert [each.span.label for each in region.proposed] == ["4"]


def test_a_rule_that_drops_what_one_marked_takes_nothing() -> None:
    (region,) = cut(case([span("4", [0])], [], []), "majority")
    assert region.state == "ruled" and region.provisional == ()


def test_a_rule_that_leaves_the_pair_out_leaves_all_but_the_agreed_open() -> None:
    given = case([span("4", [0]), span("1", [5])], [span("4", [0])])
    assert [region.state for region in cut(given, "pick")] == ["agreed", "disputed"]
    assert [each.span.label for each in cut(given, "pick")[0].provisional] == ["4"]


def test_labels_that_exclude_each_other_agree_token_by_token() -> None:
    scheme = PRESETS["xparade"]
    parts = [span("new", [], [1]), span("new", [], [2])]
    (region,) = cut(case(parts, [span("new", [], [1, 2])], scheme=scheme))
    assert region.state == "agreed", "one run in two parts says the same"
    runs = [[span("new", [], [2, 3])], [span("new", [], [2, 3])], [span("new", [], [2]), span("inferable", [], [3])]]
    assert [region.state for region in cut(case(*runs, scheme=scheme), "xparade")] == ["disputed"]
    assert [region.state for region in cut(letters("SNSSI", "SNSSI"), "xparade")] == ["agreed", "agreed"]


def test_the_rules_spans_tie_places_together() -> None:
    # Side by side, not overlapping: the rule makes one span of the two.
    given = letters("NSS", "SNN", "NNN")
    assert len(cut(given, "majority")) == 1
    assert len(cut(given)) == 3


def test_settled() -> None:
    given = case([span("4", [0])], [])
    (region,) = cut(given)
    assert not is_decided(region, [], [])
    assert is_decided(region, [], [region.key])
    assert is_decided(region, [tokens_of(given, span("1", [0, 1]))], [])
    assert not is_decided(region, [tokens_of(given, span("1", [1]))], [])


def test_keys_last_while_the_work_does() -> None:
    given = case([span("4", [0]), span("1", [6])], [span("3", [0])])
    keys = [region.key for region in cut(given)]
    assert keys == [region.key for region in cut(given, "majority")]
    changed = cut(case([span("4", [0]), span("1", [6, 7])], [span("3", [0])]))
    assert changed[0].key == keys[0] and changed[1].key != keys[1]


def test_broken_spans_and_nobody() -> None:
    assert cut(case([span("3")], [])) == []
    assert cut(case()) == []


def test_the_rule_agreed() -> None:
    given = case([span("3", [0, 1], [2]), span("1", [6], [7])], [span("3", [0, 1], [2]), span("2", [6])])
    agreed = rule("agreed")
    decision = agreed.apply(given, agreed.settings())
    assert shape(decision) == [("3", [0, 1], [2])]
    assert [(doubt.side, doubt.tokens) for doubt in decision.doubts] == [("a", (6,)), ("b", (7,))]
    assert [region.state for region in regions_of(given, decision)] == ["agreed", "disputed"]
