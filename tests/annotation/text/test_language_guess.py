"""Guessing the language of a text, and saying how sure that is."""

import pytest

from annotation.text.language_guess import language_of_texts

TEXTS = {
    "en": "The library is open on Sundays, and it is free for all of the children who live in the town.",
    "de": "Die Bibliothek ist am Sonntag offen, und für die Kinder der Stadt ist sie auch dann gratis.",
    "fr": "La bibliothèque est ouverte le dimanche, et elle est gratuite pour les enfants de la ville.",
    "it": "La biblioteca è aperta la domenica, ed è gratuita per tutti gli abitanti della città che non sono ancora.",
    "es": "La biblioteca está abierta los domingos, y es gratuita para los niños que viven en la ciudad.",
    "hi": "पुस्तकालय रविवार को खुला रहता है और बच्चों के लिए नि:शुल्क है।",
    "zh": "图书馆星期天开放，儿童免费。",
    "ja": "図書館は日曜日に開いています。子供は無料です。",
    "ar": "المكتبة مفتوحة أيام الأحد والأطفال لا يدفعون شيئا.",
}


@pytest.mark.parametrize("language", TEXTS)
def test_texts_tell_their_language(language: str) -> None:
    found = language_of_texts([TEXTS[language]])
    assert found is not None and found.code == language


def test_a_mixture_is_not_sure_and_too_little_is_no_guess() -> None:
    mixed = language_of_texts([TEXTS["en"], TEXTS["de"], TEXTS["de"]])
    assert mixed is not None and not mixed.sure
    alone = language_of_texts([TEXTS["en"]])
    assert alone is not None and alone.sure
    assert language_of_texts(["Bern 1848", ""]) is None
    assert language_of_texts(["12", "."]) is None


def test_words_that_german_shares_with_others_speak_for_it_too() -> None:
    found = language_of_texts(["Das Schwimmbad in Bern öffnet um acht und schliesst um neun."])
    assert found is not None and found.code == "de" and found.sure
