"""The catalogues: every translation keeps its placeholders and plural forms; a missing one falls back to English."""

from __future__ import annotations

import re
from collections import Counter
from gettext import GNUTranslations
from pathlib import Path

import polib
import pytest
from django.conf import settings

from agreement.metrics import alpha
from agreement.report.display_names import NOTES
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
def test_no_translation_is_a_guess_and_no_plural_is_half_done(language: str) -> None:
    catalogue = messages.read(language)
    assert len(catalogue) > 1000
    assert [entry.msgid for entry in catalogue if entry.fuzzy or entry.obsolete] == []
    forms = {entry.msgid: [bool(text) for _, text in pairs(entry)] for entry in catalogue}
    assert [message for message, done in forms.items() if any(done) and not all(done)] == []


@each_language
def test_gaps_tags_and_white_space_are_those_of_the_english(language: str) -> None:
    wrong = []
    for entry in messages.read(language):
        for english, text in pairs(entry):
            if not text:
                continue
            # "one pair" may be said without its number; everything else is kept.
            fewer = bool(entry.msgid_plural) and english == entry.msgid and not kept(text) - kept(english)
            if (kept(english) != kept(text) and not fewer) or ends(english) != ends(text):
                wrong.append((english, text))
    assert wrong == []


def ends(text: str) -> tuple[bool, bool]:
    return text[:1].isspace(), text[-1:].isspace()


def test_setup_compiles_what_is_translated_and_leaves_out_what_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "LOCALE", tmp_path)
    monkeypatch.setattr(messages, "LANGUAGES", ("de",))
    path = messages.catalogue_path("de")
    path.parent.mkdir(parents=True)
    catalogue = polib.POFile()
    catalogue.metadata = {"Content-Type": "text/plain; charset=UTF-8", "Plural-Forms": messages.PLURALS["de"]}
    catalogue.append(polib.POEntry(msgid="pair", msgstr="Paar"))
    catalogue.append(polib.POEntry(msgid="new sentence", msgstr=""))
    catalogue.save(str(path))
    messages.compile_catalogues()
    with path.with_suffix(".mo").open("rb") as compiled:
        german = GNUTranslations(compiled)
    assert german.gettext("pair") == "Paar"
    assert german.gettext("new sentence") == "new sentence"


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
