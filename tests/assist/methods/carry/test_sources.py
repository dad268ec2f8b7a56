"""Which pairs labels may come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from assist.methods.base import PairInput
from assist.methods.carry.sources import Sources
from tests.assist.methods.texts import pair

EN, DE, FR = "The dog sleeps.", "Der Hund schläft.", "Le chien dort."


def gold(given: PairInput) -> PairInput:
    """The pair with gold in which nothing is marked."""
    return replace(given, gold_a=[0.0] * len(given.a.tokens), gold_b=[0.0] * len(given.b.tokens))


def names(target: PairInput, sources: Sequence[PairInput], sides: str = "ab", language: str | None = None) -> list[str]:
    return [link.source.id for link in Sources(sources, sides, language).of(target)]


GERMAN = gold(pair(EN, DE, "german", ("en", "de")))
FRENCH = pair(EN, FR, "french", ("en", "fr"))


def test_a_pair_over_the_same_text_in_another_language_is_a_source() -> None:
    (link,) = Sources([GERMAN], "ab").of(FRENCH)
    assert (link.shared, link.theirs, link.languages) == ("a", "a", ("de", "fr"))
    assert [link.source_side(side) for side in ("a", "b")] == ["a", "b"]


def test_white_space_around_the_text_and_the_country_of_its_language_make_no_difference() -> None:
    assert names(pair(f"  {EN}\n", FR, "french", ("en-GB", "fr")), [GERMAN]) == ["german"]


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (pair(EN, DE, "bare", ("en", "de")), "without gold nothing can be carried"),
        (gold(pair("The cat sleeps.", DE, "other", ("en", "de"))), "no text is shared"),
        (gold(pair(DE, EN, "mirror", ("fr", "en"))), "the other text is in the same language: a mirror"),
        (gold(pair(EN, "Le chien se repose.", "version", ("en", "fr"))), "another version of the same pair"),
        (gold(pair("", DE, "empty", ("en", "de"))), "an empty text is nothing to share"),
        (gold(pair(EN, DE, "languages", ("nl", "de"))), "the same letters in another language are another text"),
    ],
)
def test_what_is_no_source(source: PairInput, why: str) -> None:
    assert names(FRENCH, [source]) == [], why


def test_a_pair_is_no_source_of_itself() -> None:
    assert names(gold(FRENCH), [gold(FRENCH)]) == []


def test_a_document_in_one_of_its_languages_is_the_same_text_though_it_was_changed() -> None:
    source = replace(gold(pair("The big dog sleeps.", DE, "german", ("en", "de"))), document="dogs")
    assert names(replace(FRENCH, document="dogs"), [source]) == ["german"]
    assert names(replace(FRENCH, document="cats"), [source]) == []
    assert names(FRENCH, [source]) == []


def test_the_same_text_comes_before_the_same_document_and_no_source_twice() -> None:
    changed = replace(gold(pair("A dog.", "Un cane.", "italian", ("en", "it"))), document="dogs")
    both = replace(GERMAN, document="dogs")
    assert names(replace(FRENCH, document="dogs"), [changed, both]) == ["german", "italian"]


def test_only_a_language_that_is_named_is_carried() -> None:
    italian = gold(pair(EN, "Il cane dorme.", "italian", ("en", "it")))
    assert names(FRENCH, [GERMAN, italian]) == ["german", "italian"]
    assert names(FRENCH, [GERMAN, italian], language="it") == ["italian"]
    assert names(FRENCH, [GERMAN, italian], language="de-CH") == ["german"]


def test_the_shared_text_may_change_sides_only_if_both_sides_are_marked() -> None:
    target = pair(FR, EN, "turned", ("fr", "en"))
    (link,) = Sources([GERMAN], "ab").of(target)
    assert (link.shared, link.theirs, link.source_side("a"), link.languages) == ("b", "a", "b", ("de", "fr"))
    # 'New' of side B means new as seen from A: of EN-DE's German words this says nothing about FR-EN's English ones.
    assert names(target, [GERMAN], sides="b") == []
    assert names(FRENCH, [GERMAN], sides="b") == ["german"]


def test_labels_of_test_pairs_reach_test_pairs_only() -> None:
    held = replace(GERMAN, split="Test ")
    assert names(FRENCH, [held]) == []
    assert names(replace(FRENCH, split="test"), [held]) == ["german"]
    assert names(replace(FRENCH, split="test"), [GERMAN]) == ["german"]


def test_a_translation_of_one_side_gets_labels_over_the_other() -> None:
    """EN-EN is labelled; one side was translated into German."""
    source = gold(pair(EN, "A dog is asleep.", "english", ("en", "en")))
    (link,) = Sources([source], "ab").of(pair(EN, "Ein Hund schläft.", "german", ("en", "de")))
    assert link.languages == ("en", "de")
