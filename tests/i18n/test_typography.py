"""Quotation marks, apostrophes and the spaces before punctuation are those of each language, everywhere the same."""

from __future__ import annotations

import re

import pytest

from script import messages

STRAIGHT = r"(?<![\w’])'(?:%\(\w+\)s|\w)[^']*'(?!\w)"
WRONG = {
    "de": [STRAIGHT, "[«»]"],
    "fr": [STRAIGHT, "[“”„]", r"[a-zà-ÿ]'[a-zà-ÿ%]", r"(?<=[\w)\]»%…]) [;:?!»]", "« ", r"\w[;?!](?:\s|$)"],
    "it": [STRAIGHT, "[«»„]", r"[a-zà-ÿ]’[a-zà-ÿ%]"],
    "es": [STRAIGHT, "[“”„]", r"^[^¿]*\w\?$", r"^[^¡]*\w!$"],
}


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_typography(language: str) -> None:
    translations = [
        text
        for domain in messages.DOMAINS
        for message in messages.read(language, domain)
        if message.id
        for _, text in messages.forms(message)
    ]
    assert [text for text in translations for each in WRONG[language] if re.search(each, text)] == []
