"""Refusals by reason: which are alike, which are stored, and what is still told apart."""

from __future__ import annotations

import re

import pytest
from django.utils.translation import gettext, override

from annotation.formats.record import Rejection
from annotation.formats.rejection_groups import (
    rejection_groups,
    select_rejections,
    split_location,
    stored_parts,
    stored_phrase,
)
from annotation.formats.reworded import REWORDED
from annotation.phrases import Phrase, field_problem

UNKNOWN = Phrase("'%(label)s' is not one of the scheme's labels (%(names)s)", {"label": "new", "names": "1, 2"})


def of_work(pair: str, item: Phrase) -> Phrase:
    name = Phrase("annotations of '%(alias)s'", {"alias": "anna"})
    return Phrase("pair '%(id)s', %(name)s, %(item)s", {"id": pair, "name": name, "item": item})


def of_pair(pair: str, problem: Phrase) -> Phrase:
    whole = Phrase("pair '%(id)s'", {"id": pair})
    return Phrase("%(whole)s, %(problem)s", {"whole": whole, "problem": problem})


@pytest.mark.parametrize(
    ("phrase", "location", "reason"),
    [
        (
            of_work("p", field_problem("spans[3].label", UNKNOWN)),
            "pair 'p', annotations of 'anna', spans[3].label",
            str(UNKNOWN),
        ),
        (of_work("p", Phrase("odd")), "pair 'p', annotations of 'anna'", "odd"),
        (
            of_work("p", Phrase("%(location)s holds no token", {"location": "spans[1].fragments[0]"})),
            "pair 'p', annotations of 'anna', spans[1].fragments[0]",
            "… holds no token",
        ),
        (of_pair("p", field_problem("a.text", Phrase("empty"))), "pair 'p'", "a.text: empty"),
        (field_problem("id", Phrase("missing")), None, "id: missing"),
        (Phrase("an empty table"), None, "an empty table"),
    ],
)
def test_a_reason_is_separated_from_its_location(phrase: Phrase, location: str | None, reason: str) -> None:
    inside, rest = split_location(phrase)
    assert (inside and str(inside), str(rest)) == (location, reason)


def test_what_differs_only_in_its_location_is_one_group_and_what_is_alone_keeps_its_words() -> None:
    found = [(f"f:{n}", of_work(f"p{n}", field_problem(f"spans[{n}].label", UNKNOWN)), 0) for n in range(5)]
    alone = of_work("q", field_problem("spans[0].label", Phrase("missing")))
    many, one = rejection_groups([found[0], ("f:9", alone, 0), *found[1:]])
    assert (many.count, str(many.reason), [where for where, _ in many.locations]) == (
        5,
        str(UNKNOWN),
        ["f:0", "f:1", "f:2", "f:3", "f:4"],
    )
    assert (one.count, one.reason, one.locations) == (1, alone, [("f:9", None)])


def test_no_reason_is_lost_to_many_of_another_and_all_are_counted() -> None:
    rejections = [Rejection(f"f:{n}", field_problem(f"spans[{n}].label", UNKNOWN)) for n in range(50)]
    rejections.append(Rejection("f:99", Phrase("odd")))
    kept = select_rejections(rejections, 10)
    assert [each["where"] for each in kept] == [*(f"f:{n}" for n in range(9)), "f:99"]
    many, one = rejection_groups(map(stored_parts, kept))
    assert (many.count, len(many.locations), one.count) == (50, 9, 1)


def test_reasons_of_earlier_versions_are_shown_as_they_are() -> None:
    (group,) = rejection_groups([stored_parts({"where": "f:1", "reason": "100 % odd"})])
    assert (group.reason.text(), group.count) == ("100 % odd", 1)


def test_reasons_stored_before_a_placeholder_was_renamed_are_translated() -> None:
    row = "a row must begin with its number and its offsets ('1-1', '0-4'), not '%(row)s', '%(place)s'"
    manifest = "not the manifest of an archive: %(place)s: %(problem)s"
    earlier = [
        {"words": row, "gaps": {"row": "x", "place": "y"}},
        {"words": manifest, "gaps": {"place": "version", "problem": "odd"}},
    ]
    english = ["a row must begin with its number and its offsets ('1-1', '0-4'), not 'x', 'y'"]
    english.append("'version' is not valid in an archive's manifest; export the project as an archive again")
    for phrase, text in zip(earlier, english, strict=True):
        found = stored_phrase({"where": "f:1", "reason": text, "phrase": phrase})
        assert str(found) == text
        for language in ("de", "fr", "it", "es"):
            with override(language):
                assert found.text(gettext) != text


@pytest.mark.parametrize("message", REWORDED)
def test_reasons_stored_in_earlier_words_are_translated(message: str) -> None:
    gaps = dict.fromkeys(re.findall(r"%\((\w+)\)s", message), "X")
    found = stored_phrase({"where": "f:1", "reason": message, "phrase": {"words": message, "gaps": gaps}})
    assert str(found) != str(Phrase(message, gaps))
    for language in ("de", "fr", "it", "es"):
        with override(language):
            assert found.text(gettext) != str(found)
