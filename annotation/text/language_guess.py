"""Which language a text is in, from its script and its most frequent words, and how sure that is.

For columns that don't say their language; a lead confirms the guess. Languages that share a script and frequent words
with one of these (Norwegian and Danish, say) are beyond it: then the guess is unsure, or wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

CONFIDENT_SHARE = 0.8
"""The share of recognised words from which a guess counts as sure."""
MIN_EVIDENCE = 5
"""Recognised words, or characters of a script, below which there is no guess."""
MAX_CHARACTERS = 20_000

_WORDS = {
    "en": "the of and to in is that for it with as was on are be this have from or by not but which they you at an",
    "de": "der die das und ist nicht ein eine zu den von mit sich auf für als auch es im dem des sind wird oder in um",
    "fr": "le la les des et est une un du que dans pour pas sur avec ce qui il elle au aux par sont ou plus être cette",
    "it": "il lo gli di che è un una per non con del della sono nel alla dei le si da più anche come al delle questo",
    "es": "el los las de que y en un una por con no del para es se al lo como más pero sus su está son esta este",
    "pt": "o os as de que e em um uma para com não do da no na por mais dos das ao é se como mas são pelo foi também",
    "nl": "de het een en van is dat op te in zijn met niet voor aan er om ook als bij naar wordt door maar dit of zich",
    "rm": "il la ils las da e en che è cun per ina in na ed dal dals sin quai ha vegn sa era nus ins tar tranter",
}
_SCRIPTS = (
    ("hi", r"[\u0900-\u097f]"),
    ("ar", r"[\u0600-\u06ff]"),
    ("he", r"[\u0590-\u05ff]"),
    ("el", r"[\u0370-\u03ff]"),
    ("ko", r"[\uac00-\ud7af]"),
    ("ja", r"[\u3040-\u30ff]"),
    ("zh", r"[\u4e00-\u9fff]"),
    ("ru", r"[\u0400-\u04ff]"),
)
_OWNERS: dict[str, list[str]] = {}
for _code, _words in _WORDS.items():
    for _word in _words.split():
        _OWNERS.setdefault(_word, []).append(_code)


@dataclass(frozen=True, slots=True)
class LanguageGuess:
    """A language code; `share` (0 to 1) of what was recognised that speaks for it. `named`: a column's name says it."""

    code: str
    share: float
    named: bool = False

    @property
    def sure(self) -> bool:
        return self.named or self.share >= CONFIDENT_SHARE


def language_of_texts(texts: Iterable[str]) -> LanguageGuess | None:
    """The language of texts that are all in one; None if too little of them is recognised."""
    joined = "\n".join(texts)[:MAX_CHARACTERS]
    letters = sum(character.isalpha() for character in joined)
    if not letters:
        return None
    for code, characters in _SCRIPTS:
        count = len(re.findall(characters, joined))
        # Kana come among Chinese characters.
        if count >= MIN_EVIDENCE and count / letters > (0.1 if code == "ja" else 0.5):
            return LanguageGuess(code, 1.0 if code == "ja" else min(count / letters, 1.0))
    counts: Counter[str] = Counter()
    recognised = 0
    for word in re.findall(r"[^\W\d_]+", joined.lower()):
        owners = _OWNERS.get(word, ())
        recognised += bool(owners)
        for code in owners:
            counts[code] += 1
    if recognised < MIN_EVIDENCE:
        return None
    code, count = max(counts.items(), key=lambda item: item[1])
    return LanguageGuess(code, count / recognised)
