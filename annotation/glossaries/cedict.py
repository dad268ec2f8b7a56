"""CC-CEDICT, a Chinese-English dictionary (CC BY-SA 4.0), as text: `傳統 传统 [chuan2 tong3] /tradition/convention/`.

Its definitions are glosses for people ('(bound form) river', 'to go to (a place)'); only the words that would appear in
a text are kept.
"""

from __future__ import annotations

import re

from annotation.glossaries.entries import MAX_TRANSLATIONS, TermEntry
from annotation.glossaries.files import GlossaryFileError, ParsedGlossary, lines
from annotation.phrases import Phrase
from annotation.text.tokens import base_language

_LINE = re.compile(r"(?P<traditional>\S+) (?P<simplified>\S+) \[[^\]]*\] /(?P<definitions>.*)/\s*")
# Innermost brackets alone: with others inside, a definition of nothing but brackets would take quadratic time.
_REMARK = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_POINTER = re.compile(r"^(?:CL:|see |also |variant of |old variant of |abbr\. |surname |used in )", re.IGNORECASE)
_LEAD = re.compile(r"^(?:to be |to |a |an |the )")
_UNCLEAN = re.compile(r"[()\[\]…~]|^(?:to|CL:)")
_MAX_WORDS = 3
_NO_LINE = Phrase(
    "not a line of CC-CEDICT: %(example)s is expected", {"example": "傳統 传统 [chuan2 tong3] /tradition/"}
)


def read(data: bytes, source: str, target: str) -> ParsedGlossary:
    """The entries of a file, from Chinese to English or the reverse. Raises GlossaryFileError for other languages."""
    languages = base_language(source), base_language(target)
    if sorted(languages) != ["en", "zh"]:
        raise GlossaryFileError(
            Phrase(
                "CC-CEDICT files are Chinese and English; %(source)s and %(target)s were chosen",
                {"source": source, "target": target},
            )
        )
    parsed = ParsedGlossary()
    for number, line in lines(data, parsed):
        if not line.strip() or line.startswith("#"):
            continue
        parsed.count_row(number)
        match = _LINE.fullmatch(line)
        if match is None:
            parsed.reject(number, _NO_LINE)
            continue
        usable = [gloss for each in match["definitions"].split("/") for gloss in glosses(each)]
        if not usable:
            parsed.reject(number, Phrase("no definition that could appear in a text"))
            continue
        chinese = tuple(dict.fromkeys((match["simplified"], match["traditional"])))
        english = tuple(dict.fromkeys(usable))[:MAX_TRANSLATIONS]
        words, translations = (chinese, english) if languages[0] == "zh" else (english, chinese)
        for word in words:
            parsed.add(number, TermEntry(word, translations))
    return parsed


def glosses(definition: str) -> list[str]:
    """The parts of a definition that would appear in a text: words, and phrases of up to three words."""
    definition = _REMARK.sub(" ", definition).strip()
    if _POINTER.match(definition):
        return []
    parts = (_LEAD.sub("", part.strip()) for part in re.split(r"[;,/]", definition))
    return [part for part in parts if part and not _UNCLEAN.search(part) and len(part.split()) <= _MAX_WORDS]
