"""Whether two words with the same stem are forms of one word: inflected (`Häuser`, `Haus`), not derived (`Pächter`,
`Pacht`), which stems can't tell apart.

A language has paradigms: endings that one word may take after the same beginning. The tables hold usual endings;
irregular forms, whose stems differ, are not found.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from annotation.text import german
from annotation.text.stems import endings, stem
from annotation.text.tokens import base_language


@dataclass(frozen=True, slots=True)
class _Paradigm:
    """Endings of one word. Of two forms, one has an ending of `base`: that in which glossaries have it."""

    base: frozenset[str]
    all: frozenset[str]


def _paradigms(*tables: str) -> tuple[_Paradigm, ...]:
    """The paradigms of texts such as 'er | e es ent': the base's endings, then the others; '-' means no ending."""
    forms = []
    for table in tables:
        base, _, others = (
            frozenset("" if each == "-" else each for each in part.split()) for part in table.partition("|")
        )
        forms.append(_Paradigm(base, base | others))
    return tuple(forms)


_PARADIGMS: dict[str, tuple[_Paradigm, ...]] = {
    "en": _paradigms(
        "- s es 's ’s s' s’", "y ies y's y’s ies' ies’", "- | s es ed ing", "e | es ed ing", "y | ies ied ying"
    ),
    "fr": _paradigms(
        "- s x e es", "al aux ale ales", "ail ails aux", "f fs ve ves", "eux euse euses", "eur eurs euse euses",
        "el els elle elles", "en ens enne ennes", "on ons onne onnes", "et ets ette ettes", "il ils ille illes",
        "c cs que ques", "os osse osses",
        "er | e es ons ez ent é ée és ées ant ait aient ais a èrent erent era eront erait eraient eons eant eait",
        "ir | i ie is ies it issons issez issent issant issait issaient ira iront irait",
        "re | - s ons ez ent u ue us ues ant ait aient ra ront rait",
    ),
    "it": _paradigms(
        "o i a e hi he", "io i ia ie", "cia ce cie", "gia ge gie",
        "are | a ano ato ata ati ate iamo ando ava avano erà eranno ò arono i ino",
        "ere | e ono uto uta uti ute iamo endo eva evano erà eranno ette a ano",
        "ire | e ono isce iscono ito ita iti ite iamo endo iva ivano irà iranno ì irono a ano isca iscano",
    ),
    "es": _paradigms(
        "- s es", "o a os as", "- a es as", "z ces",
        "ar | a an ado ada ados adas ando aba aban ó aron ara aran aria arian e en amos emos",
        "er | e en ido ida idos idas iendo ia ian ió ieron era eran eria erian a an emos",
        "ir | e en ido ida idos idas iendo ia ian ió ieron ira iran iria irian a an imos",
    ),
    "hi": _paradigms(
        "- ों ें ो ओं ओ एँ एं", "ा े ों ो ी", "ी ियाँ ियां ियों ियो", "ि ियाँ ियां ियों", "ू ुओं ुएँ ुएं", "ु ुओं ुएँ ुएं",
        "ना | - ता ते ती तीं ा े ी ीं कर के ने नी ूँगा ेगा ेगी ेंगे ेंगी ें ो एगा एगी एँगे एंगे ए",
    ),
    "ar": _paradigms(
        "- ا ات ان ين ون ه ها هم هما هن نا كم ك", "ة ات تان تين ت ته تها تهم تنا", "ي ية يا يون يين يان يات يتان يتين",
    ),
}  # fmt: skip
_DOUBLED = re.compile(r"([bdglmnprt])\1(ed|ing)$")
_NOT_WRITTEN = re.compile("[\u064b-\u0652\u0670\u0640]")
"""Vowel signs of Arabic, and the line that stretches words."""
_PROCLITICS = ("وال", "فال", "بال", "كال", "ولل", "لل", "ال", "و", "ف", "ب", "ل", "ك")
_MIN_ARABIC_LENGTH = 3
_ARABIC_ENDINGS = sorted(
    {ending for paradigm in _PARADIGMS["ar"] for ending in paradigm.all if ending}, key=lambda each: (-len(each), each)
)


def _english(word: str) -> Iterator[str]:
    """'planned' is 'plan' with an ending of its own."""
    yield word
    if _DOUBLED.search(word):
        yield _DOUBLED.sub(r"\1\2", word)


def _arabic(word: str) -> Iterator[str]:
    """A word without the conjunctions, prepositions and the article that may be written with it."""
    plain = _arabic_plain(word)
    yield plain
    for each in _PROCLITICS:
        if plain.startswith(each) and len(plain) - len(each) >= _MIN_ARABIC_LENGTH:
            yield plain.removeprefix(each)


def _arabic_plain(word: str) -> str:
    return _NOT_WRITTEN.sub("", word).translate(str.maketrans("أإآى", "اااي"))


def _spanish(word: str) -> Iterator[str]:
    """Accents move with the stress (nación, naciones); that of a last -ó tells a verb from a noun."""
    yield word[:-1].translate(str.maketrans("áéíóú", "aeiou")) + word[-1:].translate(str.maketrans("áéíú", "aeiu"))


def _french(word: str) -> Iterator[str]:
    """Before a mute e, an e has an accent: complet, complète."""
    yield word.translate(str.maketrans("èç", "ec"))


_SPELLINGS: dict[str, Callable[[str], Iterator[str]]] = {
    "en": _english,
    "ar": _arabic,
    "es": _spanish,
    "fr": _french,
}


@lru_cache(maxsize=200_000)
def term_key(term: str, language: str) -> str:
    """What a term's word is looked up by; its forms have it among their `word_keys`."""
    if _is_arabic(language):
        return _arabic_stem(_arabic_plain(term).removeprefix("ال"))
    return stem(_PREPARED.get(base_language(language), str)(term.lower()), language)


@lru_cache(maxsize=200_000)
def word_keys(word: str, language: str) -> tuple[str, ...]:
    """The terms' keys under which a word of a text may be found, the closest first.

    In Arabic a word may begin with other words; in German it may be the feminine form of a term.
    """
    if base_language(language) == "de" and (masculine := german.masculine(word)):
        return tuple(dict.fromkeys((term_key(word, language), term_key(masculine, language))))
    if not _is_arabic(language):
        return (term_key(word, language),)
    return tuple(dict.fromkeys(map(_arabic_stem, _arabic(word))))


def _french_singular(word: str) -> str:
    """One form of words whose forms Snowball stems differently: loi, lois; public, publique; actif, active."""
    word = word.removesuffix("s") if len(word) > _MIN_PLURAL_LENGTH else word
    for ending, masculine in (("eaux", "eau"), ("ique", "ic"), ("ive", "if")):
        if word.endswith(ending):
            return word.removesuffix(ending) + masculine
    return word


def _hindi_plain(word: str) -> str:
    """The sign of a nasal vowel is written in either way: भाषाएँ, भाषाएं."""
    return word.replace("ँ", "ं")


_PREPARED: dict[str, Callable[[str], str]] = {"fr": _french_singular, "hi": _hindi_plain}
_MIN_PLURAL_LENGTH = 3


def _is_arabic(language: str) -> bool:
    return base_language(language) == "ar"


def _arabic_stem(word: str) -> str:
    """A word without its longest ending: Snowball's stems differ by what a word begins with."""
    for ending in _ARABIC_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _MIN_ARABIC_LENGTH:
            return word.removesuffix(ending)
    return word


@lru_cache(maxsize=200_000)
def is_form(term: str, word: str, language: str) -> bool:
    """Whether a word of a text is a form of a term's word, which has the same stem.

    In languages without a table the stem alone tells.
    """
    language = base_language(language)
    one, two = (unicodedata.normalize("NFC", each) for each in (term, word))
    if one.lower() == two.lower():
        return True
    if language == "de":
        return german.is_form(one, two)
    if language not in _PARADIGMS:
        return True
    spellings = _SPELLINGS.get(language, _as_it_is)
    return any(_alike(a, b, language) for a in spellings(one.lower()) for b in spellings(two.lower()))


def is_distant(term: str, word: str, language: str) -> bool:
    """Whether a form is another word in other glossaries, as German feminine forms are, which may be terms too."""
    return base_language(language) == "de" and german.is_feminine_of(term, word)


def _as_it_is(word: str) -> Iterator[str]:
    yield word


def _alike(one: str, two: str, language: str) -> bool:
    return one == two or any(
        {a, b} <= paradigm.all and (a in paradigm.base or b in paradigm.base)
        for a, b in endings(one, two)
        for paradigm in _PARADIGMS[language]
    )
