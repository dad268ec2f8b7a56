"""Word lists of two languages: read from either, joined through English, and what a dictionary's glosses leave."""

from assist.methods.lexicon import cedict, sources
from assist.methods.lexicon.entries import TermEntry, join_through_shared, reverse_entries


def translations(source: str, target: str, word: str) -> set[str]:
    return {each for entry in sources.entries(source, target) if entry.word == word for each in entry.translations}


def test_a_list_turned_round_gathers_what_a_word_translates() -> None:
    list_ = [TermEntry("right", ("Recht", "rechts")), TermEntry("law", ("Gesetz", "Recht"))]
    assert reverse_entries(list_) == [
        TermEntry("Recht", ("right", "law")),
        TermEntry("rechts", ("right",)),
        TermEntry("Gesetz", ("law",)),
    ]


def test_two_lists_are_joined_through_the_language_they_share() -> None:
    first = [TermEntry("Recht", ("right", "law")), TermEntry("Kachelofen", ("tiled stove",))]
    second = [TermEntry("law", ("loi", "droit")), TermEntry("right", ("droit",))]
    assert join_through_shared(first, second) == [TermEntry("Recht", ("droit", "loi"))]


def test_every_direction_is_there() -> None:
    assert "Schule" in translations("en", "de", "school")
    assert "school" in translations("de", "en", "Schule")
    assert "école" in translations("de", "fr", "Schule")
    assert "学校" in translations("hi", "zh", "विद्यालय")


def test_one_language_and_one_that_no_list_knows_have_none() -> None:
    assert sources.entries("en", "en") == sources.entries("en", "eo") == sources.entries("eo", "tlh") == ()


def test_glosses_of_the_chinese_dictionary_are_words_of_a_text() -> None:
    known = {entry.word: entry.translations for entry in cedict.entries()}
    assert known["政府"] == ("government",)
    assert "go" in known["去"] and known["政府"] and "telephone" in known["電話"]
    for words in known.values():
        assert not any("(" in each or each.startswith(("to ", "CL:")) or len(each.split()) > 3 for each in words)
