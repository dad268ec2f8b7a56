"""Phrases: filled, stored and translated, with phrases in their placeholders."""

from __future__ import annotations

from annotation.phrases import Phrase, PhraseError, field_problem, join_phrases, parse_phrase

NESTED = field_problem("a.text", Phrase("%(kind)s is expected, not %(n)s %%", {"kind": Phrase("a list"), "n": "100 %"}))
GERMAN = {"%(kind)s is expected, not %(n)s %%": "erwartet wird %(kind)s, nicht %(n)s %%", "a list": "eine Liste"}


def test_a_phrase_is_translated_with_the_phrases_inside_it() -> None:
    assert str(NESTED) == "a.text: a list is expected, not 100 % %"
    assert NESTED.text(lambda words: GERMAN.get(words, words)) == "a.text: erwartet wird eine Liste, nicht 100 % %"


def test_a_phrase_without_placeholders_may_contain_a_percent_sign() -> None:
    assert Phrase("100 % sure").text() == "100 % sure"


def test_a_stored_phrase_is_the_same_again() -> None:
    for phrase in (NESTED, Phrase("empty")):
        assert Phrase.from_json(phrase.to_json()) == phrase


def test_every_text_in_it_can_be_changed_but_not_its_words() -> None:
    assert str(NESTED.map_params(str.upper)) == "A.TEXT: a list is expected, not 100 % %"


def test_an_error_says_its_phrase() -> None:
    assert str(PhraseError(NESTED)) == str(NESTED) and PhraseError(NESTED).phrase is NESTED


MISSING = Phrase("%(kind)s '%(name)s' is missing: there is no %(kind)s here; choose another")
KINDS = (Phrase("encoder"), Phrase("translation model"))


def test_stored_english_is_recognised_with_the_phrases_inside_it() -> None:
    given = MISSING.with_params(kind="encoder", name="a; b")
    found = parse_phrase(given.text(), (MISSING, *KINDS))
    assert found == MISSING.with_params(kind=KINDS[0], name=Phrase("a; b"))
    assert (
        parse_phrase("encoder 'a' is missing: there is no model here; choose another", (MISSING, *KINDS)).params == {}
    )
    assert parse_phrase("something else; and more", (MISSING, *KINDS)) == Phrase("something else; and more")


def test_several_in_one_text_are_recognised_one_by_one() -> None:
    off = Phrase("downloads are off: %(name)s")
    given = join_phrases([off.with_params(name="a"), None, off.with_params(name="b")])
    assert given is not None
    assert (
        parse_phrase(given.text(), [off]).text(lambda words: words.replace("downloads are off", "aus"))
        == "aus: a; aus: b"
    )
