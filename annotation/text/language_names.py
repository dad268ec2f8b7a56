"""Which language a name says: 'Deutscher Text', 'Texte français', 'Text (DE)', '中文'.

A language is named by itself and by the others that are likely beside it in one table, in the forms that an adjective
has there.
"""

from __future__ import annotations

import re
import unicodedata

_CODES = {
    "en": "en eng",
    "de": "de deu ger",
    "fr": "fr fra fre",
    "it": "it ita",
    "es": "es spa",
    "pt": "pt por",
    "nl": "nl nld dut",
    "rm": "rm roh",
    "hi": "hi hin",
    "zh": "zh zho chi",
    "ja": "ja jpn",
    "ko": "ko kor",
    "ar": "ar ara",
    "he": "he heb",
    "el": "el ell",
    "ru": "ru rus",
}
_STEMS = {
    "en": "english englisch anglais ingles inglés",
    "de": "german deutsch allemand tedesc alemán",
    "fr": "french französisch français frances francés",
    "it": "italian italienisch italien",
    "es": "spanish spanisch espagnol spagnol español",
    "pt": "portuguese portugiesisch portugais portoghes portugués português",
    "nl": "dutch niederländisch néerlandais olandes neerlandés nederlands",
    "rm": "romansh rätoromanisch romanch romanci romanche rumantsch",
    "hi": "hindi हिन्दी हिंदी",
    "zh": "chinese chinesisch chinois cines chino",
    "ja": "japanese japanisch japonais giappones japonés",
    "ko": "korean koreanisch coréen corean",
    "ar": "arabic arabisch arabe arab arabo العربية عربي",
    "he": "hebrew hebräisch hébreu ebraic hebreo עברית",
    "el": "greek griechisch grec greco griego ελληνικά",
    "ru": "russian russisch russe russ ruso русск",
}
_WITHOUT_SPACES = {
    "中文": "zh", "汉语": "zh", "漢語": "zh", "日本語": "ja", "한국어": "ko", "英文": "en", "英语": "en", "德文": "de",
    "德语": "de", "法文": "fr", "法语": "fr",
}  # fmt: skip
"""Names in scripts that write words together, found anywhere."""
_ENDINGS = (
    *("", "e", "er", "es", "en", "em"),  # German and French
    *("s", "ne", "nes"),
    *("o", "a", "i", "he", "hi", "as", "os"),  # Italian and Spanish
    *("ий", "ая", "ое", "ие", "ом", "ого"),
)


def _without_accents(text: str) -> str:
    """The text in lower case, its Latin letters without accents."""
    pieces = unicodedata.normalize("NFD", text.casefold())
    return unicodedata.normalize("NFC", re.sub("[\u0300-\u036f]", "", pieces))


_BY_CODE = {word: code for code, words in _CODES.items() for word in words.split()}
_BY_NAME = {
    _without_accents(stem) + _without_accents(ending): code
    for code, stems in _STEMS.items()
    for stem in (*stems.split(), *(word.replace("ä", "ae").replace("ö", "oe") for word in stems.split()))
    for ending in _ENDINGS
}


def words_of(name: str) -> list[str]:
    """The words of a column's name, in lower case and without accents."""
    # Signs that belong to the letter before them end no word.
    return "".join(
        c if c.isalnum() or unicodedata.category(c)[0] == "M" else " " for c in _without_accents(name)
    ).split()


def language_of_name(name: str) -> str:
    """The language that a column's name mentions, or '' if none or several.

    Written-out names count before codes, which are words too ('Testo in italiano', 'Texto en español').
    """
    words = words_of(name)
    codes = {_BY_NAME[word] for word in words if word in _BY_NAME}
    codes |= {code for word, code in _WITHOUT_SPACES.items() if word in name}
    codes = codes or {_BY_CODE[word] for word in words if word in _BY_CODE}
    return codes.pop() if len(codes) == 1 else ""
