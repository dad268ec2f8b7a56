"""The catalogues: complete, sound, compiled, and of today's sources."""

from __future__ import annotations

import re
from collections import Counter

import polib
import pytest
from django.conf import settings

from agreement.metrics import alpha
from agreement.report.words import NOTES
from config import messages
from config.messages import Words

each_language = pytest.mark.parametrize("language", messages.LANGUAGES)
# What a translation must keep: gaps, tags with their attributes, and the doubled per cent sign.
_KEPT = re.compile(r"%\(\w+\)[sd]|%%|\{\w*\}|</?\w+[^>]*>")


def kept(text: str) -> Counter[str]:
    return Counter(_KEPT.findall(text))


def pairs(entry: polib.POEntry) -> list[tuple[str, str]]:
    """The English forms of an entry, each with its translation."""
    if not entry.msgid_plural:
        return [(entry.msgid, entry.msgstr)]
    return [(entry.msgid, entry.msgstr_plural[0]), (entry.msgid_plural, entry.msgstr_plural[1])]


def test_there_is_a_catalogue_for_every_language_that_can_be_chosen() -> None:
    assert {"en", *messages.LANGUAGES} == {code for code, _ in settings.LANGUAGES}
    assert {path.name for path in messages.LOCALE.iterdir()} == set(messages.LANGUAGES)


@each_language
def test_the_catalogue_says_what_the_sources_say(language: str) -> None:
    wanted, there = messages.merged(language), messages.read(language)
    new, gone = ({messages.words_of(entry) for entry in entries} for entries in (wanted, there))
    assert (new - gone, gone - new) == (set(), set()), "run script/messages"
    assert str(wanted) == str(there), "run script/messages"


@each_language
def test_nothing_is_untranslated_and_nothing_is_a_guess(language: str) -> None:
    catalogue = messages.read(language)
    assert len(catalogue) > 1000
    assert [entry.msgid for entry in catalogue.untranslated_entries()] == []
    assert [entry.msgid for entry in catalogue if entry.fuzzy or entry.obsolete] == []
    halves = [entry.msgid for entry in catalogue for _, text in pairs(entry) if not text.strip()]
    assert halves == []


@each_language
def test_gaps_tags_and_white_space_are_those_of_the_english(language: str) -> None:
    wrong = []
    for entry in messages.read(language):
        for english, text in pairs(entry):
            # "one pair" may be said without its number; everything else is kept.
            fewer = bool(entry.msgid_plural) and english == entry.msgid and not kept(text) - kept(english)
            if (kept(english) != kept(text) and not fewer) or ends(english) != ends(text):
                wrong.append((english, text))
    assert wrong == []


def ends(text: str) -> tuple[bool, bool]:
    return text[:1].isspace(), text[-1:].isspace()


@each_language
def test_the_compiled_form_is_that_of_the_catalogue(language: str) -> None:
    path = messages.catalogue_path(language)
    assert path.with_suffix(".mo").read_bytes() == messages.compiled(messages.read(language)), "run script/messages"


def test_words_are_found_in_python() -> None:
    source = """
_("a " "b"); gettext_lazy('c'); ngettext("%(n)s d", "%(n)s ds", n); pgettext("verb", "open")
npgettext("noun", "e", "es", n); _(name); self.gettext_noop("f"); print("no")
"""
    assert set(messages.of_python(source)) == {
        Words("a b"),
        Words("c"),
        Words("%(n)s d", "%(n)s ds"),
        Words("open", context="verb"),
        Words("e", "es", "noun"),
        Words("f"),
    }


def test_words_are_found_in_templates() -> None:
    source = (
        '{% load i18n %}{% translate "a" %}{% translate \'it"s\' context "b" %}<i title="{{ _("c") }}">no</i>'
        "{% blocktranslate with x=y %}d {{ x }} 5%{% endblocktranslate %}"
        "{% blocktranslate count n=m %}{{ n }} e{% plural %}{{ n }} es{% endblocktranslate %}"
    )
    assert set(messages.of_template(source)) == {
        Words("a"),
        Words('it"s', context="b"),
        Words("c"),
        Words("d %(x)s 5%%"),
        Words("%(n)s e", "%(n)s es"),
    }


def test_what_rules_formats_and_methods_say_of_themselves_is_translated_too() -> None:
    said = {words.singular for _, words in messages.of_registries()}
    assert {words.singular for words in messages.extracted()} >= said - {""}
    assert len(said) > 50


def test_what_the_metrics_say_of_a_number_is_translated_too() -> None:
    """They are pure and say it in English; tables look it up by its words."""
    sources = (messages.ROOT / "agreement" / "metrics").glob("*.py")
    notes = {note for path in sources for note in re.findall(r'note=(?:why or )?"([^"]+)"', path.read_text())}
    assert len(notes) > 3
    assert {alpha.UNDEFINED, *notes} == set(NOTES)
