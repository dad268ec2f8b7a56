"""Forms of one word, and words derived from another, in every language that has a table."""

from __future__ import annotations

import pytest

from annotation.text.inflection import is_form, term_key, word_keys
from annotation.text.stems import endings

FORMS = {
    "en": "library libraries, library library's, lease leases, lease leasing, box boxes, plan planned, plan planning, "
    "apply applies, apply applied, law laws, law Laws, handle handled",
    "de": "Vollmacht Vollmachten, Haus Häuser, Haus Häusern, Häuser Häusern, Haus Hauses, Vertrag Verträge, "
    "Vertrag Verträgen, Verträge Vertrages, Vertrag Vertrags, Amt Ämter, Kind Kinder, Kind Kindern, Garten Gärten, "
    "Gemeinde Gemeinden, Pächter Pächtern, Pächter Pächters, Pacht Pachten, Lehrerin Lehrerinnen, Wort Wörter, "
    "Zeugnis Zeugnisse, öffentlich öffentlichen, öffentlich öffentlicher, öffentlich Öffentlicher, gut gute, "
    "mieten mietet, mieten miete, Strasse Straßen, "
    "Pächter Pächterin, Pächter Pächterinnen, Arzt Ärztin, Koch Köchinnen, Kunde Kundin, Franzose Französinnen, "
    "Direktor Direktorin, Landpächter Landpächterinnen, "
    "Bundesland Bundesländer, Tür Türen, Bild Bilder, Antrag ANTRÄGE",
    "fr": "école écoles, loi lois, public publique, public publics, national nationaux, national nationale, "
    "premier première, actif active, locataire locataires, approuver approuve, approuver approuvé, "
    "complet complète, ancien anciennes, bureau bureaux",
    "it": "banca banche, legge leggi, comune comuni, pubblico pubblica, pubblico pubblici, decisione decisioni, "
    "affitto affitti, approvare approvato, approvare approva, spiaggia spiagge",
    "es": "ley leyes, nación naciones, público públicas, español española, casa casas, "
    "aprobar aprobado, contrato contratos",
    "hi": "किताब किताबें, किताब किताबों, लड़का लड़के, भाषा भाषाएँ, नदी नदियों, अच्छा अच्छी",
    "ar": "مكتبة المكتبات, مكتبة والمكتبة, قانون القانون, قانون بالقانون, قانوني قانونية, بلدية البلدية, "
    "بلدية والبلديات, مدرسة مدرستهم",
}
DERIVED = {
    "en": "govern government, nation national, farm farmer, create creation, equal equality, public publicly, "
    "nation nationality",
    "de": "Pacht Pächter, Pacht Pächterin, Miete Mieter, Kauf Käufer, Ausland Ausländer, Miete mieten, mieten Mieter, "
    "Forderung Förderung, fahren Fahrer, Gesetz gesetzlich, Recht rechten, Bern Berner, Dorf Dorfer, Hand Händler, "
    "verpachten Verpachtung, Freund freundlich, Term Termin, Kam Kamin, Lehrerin Lehrer, Ruf Rufin, lehren Lehrerin",
    "fr": "nation national, nation nationalité, gouverner gouvernement, actif activité, marche marché, égal égalité, "
    "public publiquement, locataire location",
    "it": "affitto affittare, nazione nazionale, governare governo, pubblico pubblicamente, attivo attività",
    "es": "contrato contratar, nación nacional, público publicó, gobernar gobierno, activo actividad, igual igualmente",
    "hi": "सरकार सरकारी",
    "ar": "قانون قانوني, قانون القانونية, مكتب المكتبة",
}


def pairs(table: dict[str, str]) -> list[tuple[str, str, str]]:
    return [(language, *pair.split()) for language, text in table.items() for pair in text.split(", ")]  # type: ignore[misc]


@pytest.mark.parametrize(("language", "term", "word"), pairs(FORMS))
def test_inflected_words_are_forms(language: str, term: str, word: str) -> None:
    assert is_form(term, word, language)


@pytest.mark.parametrize(("language", "term", "word"), pairs(DERIVED))
def test_derived_words_are_none(language: str, term: str, word: str) -> None:
    assert not is_form(term, word, language)


def test_forms_are_looked_up_by_the_same_key() -> None:
    other = [pair for pair in pairs(FORMS) if term_key(pair[1], pair[0]) not in word_keys(pair[2], pair[0])]
    assert not other


def test_some_derived_words_have_the_stem_of_the_other() -> None:
    same = [pair for pair in pairs(DERIVED) if term_key(pair[1], pair[0]) in word_keys(pair[2], pair[0])]
    assert {language for language, _, _ in same} == set(DERIVED)


def test_where_a_language_has_no_table_the_stem_alone_tells() -> None:
    assert is_form("дом", "домами", "ru") and is_form("libro", "libroj", "eo")


def test_endings_follow_each_common_beginning() -> None:
    assert list(endings("gute", "guten")) == [("", "n"), ("e", "en"), ("te", "ten")]
    assert list(endings("a", "ab")) == []
