"""Forms of German words: capitals tell nouns from adjectives and verbs, and plurals change their vowel."""

from __future__ import annotations

import re

from annotation.text.stems import endings


def _split_words(words: str) -> tuple[str, ...]:
    return tuple(words.split())


_NOUN = (
    frozenset(("", "s", "es", "e", "en", "n")),
    frozenset(("e", "en", "ens")),
    frozenset(("nis", "nisse", "nissen", "nisses")),
    frozenset(("in", "innen")),
)
_ADJECTIVE = frozenset(("", "e", "en", "em", "er", "es"))
_COMPARED = frozenset(f"{step}{end}" for step in ("er", "st", "est") for end in ("", "e", "en", "em", "er", "es"))
_INFINITIVE = frozenset(("en", "n"))
_VERB = _INFINITIVE | {*_split_words("e st est t et te ten test tet ete eten end ende enden endem ender endes")}
_VOWEL = re.compile("[aeiouyäöü]")
_UMLAUTS = str.maketrans("äöü", "aou")
_PLURAL_IN_ER = _split_words(
    "amt bad band bild blatt brett buch dach denkmal dorf fach fass feld geist geld geschlecht gesicht glas glied grab "
    "gras gut haupt haus holz horn huhn kalb kind kleid korn kraut lamm land licht lied loch mann maul mund nest pfand "
    "rad rand rind schild schloss schwert spital tal tuch tum volk wald weib wort wurm"
)
_NOT_IN_ER = ("ausland", "inland", "england", "holland", "irland", "finnland", "island", "niederland", "rheinland")
"""An `Ausländer` is a person."""
_PLURAL_BY_VOWEL = _split_words(
    "acker apfel boden bogen bruder faden garten graben hafen kasten kloster laden mangel mantel mutter nagel ofen "
    "schaden tochter vater vogel"
)


_FEMININE = ("innen", "in")
_PERSONS = _split_words(
    "er eur or ör ist ent ant and at ar är eut anwalt arzt bauer chef feind freund fürst graf held koch könig nachbar "
    "pate schmied vogt wirt"
)
"""How nouns for men end whose feminine forms end in -in; others end in -e, which is omitted (Kunde, Kundin)."""
_MIN_PERSON_LENGTH = 4


def masculine(word: str) -> str:
    """A word without a feminine ending, though it may be none: 'pächterinnen' is 'pächter'; '' without one."""
    ending = next((each for each in _FEMININE if word.lower().endswith(each)), "")
    return word[: -len(ending)] if ending and len(word) - len(ending) >= _MIN_PERSON_LENGTH else ""


def is_feminine_of(term: str, word: str) -> bool:
    """Whether `word` is the feminine form of a noun: Pächterinnen of Pächter, Ärztin of Arzt, Kundin of Kunde."""
    a, b = (each.lower().replace("ß", "ss") for each in (term, word))
    begin, plain = masculine(b).translate(_UMLAUTS), a.translate(_UMLAUTS)
    return bool(begin) and ((begin == plain and a.endswith(_PERSONS)) or f"{begin}e" == plain)


def is_form(term: str, word: str) -> bool:
    """Whether a word of a text is a form of a term's word with the same stem; their capitals count."""
    a, b = (each.lower().replace("ß", "ss") for each in (term, word))
    if a == b:
        return True
    if term[:1].isupper():
        return word[:1].isupper() and (_nouns(a, b) or is_feminine_of(term, word))
    return _others(a, b, capital=word[:1].isupper())


def _others(a: str, b: str, *, capital: bool) -> bool:
    """Adjectives and verbs. A word with a capital begins a sentence, or is a noun derived from the term (`Fahrer`)."""
    return any(
        ({x, y} <= _ADJECTIVE and ("" in (x, y) or not capital))
        or (not capital and {x, y} <= _ADJECTIVE | _COMPARED and not {x, y}.isdisjoint(_ADJECTIVE))
        or (not capital and {x, y} <= _VERB and not {x, y}.isdisjoint(_INFINITIVE))
        for x, y in endings(a, b)
    )


def _nouns(a: str, b: str) -> bool:
    plain_a, plain_b = a.translate(_UMLAUTS), b.translate(_UMLAUTS)
    for x, y in endings(plain_a, plain_b):
        begin_a, begin_b = a[: len(a) - len(x)], b[: len(b) - len(y)]
        if begin_a == begin_b:
            if any({x, y} <= paradigm for paradigm in _NOUN):
                return True
            if (
                _forms_plural_in_er(begin_a)
                and not _has_changing_vowel(begin_a)
                and {x, y} <= {"", "s", "es", "er", "ern"}
            ):
                return True
            # Both with the vowel of the plural: Häuser, Häusern.
            if {x, y} == {"er", "ern"}:
                return True
        elif _vowel_changes(begin_a, begin_b, x, y) or _vowel_changes(begin_b, begin_a, y, x):
            return True
    return False


def _vowel_changes(one: str, many: str, end: str, ending: str) -> bool:
    """Whether `many` is `one` with the vowel of a plural, and the endings are those of one noun."""
    at = [index for index, (a, b) in enumerate(zip(one, many, strict=True)) if a != b]
    if len(at) != 1 or many[at[0]] not in "äöü":
        return False
    if {end, ending} <= {"", "s", "n"}:
        return one.endswith(_PLURAL_BY_VOWEL)
    if not _is_last_vowel(one, at[0]):
        return False
    if ending in ("e", "en"):
        return end in ("", "s", "es", "e")
    return ending in ("er", "ern") and end in ("", "s", "es", "e") and _forms_plural_in_er(one)


def _forms_plural_in_er(begin: str) -> bool:
    return begin.endswith(_PLURAL_IN_ER) and not begin.endswith(_NOT_IN_ER)


def _has_changing_vowel(begin: str) -> bool:
    """A plural in -er changes every vowel that can be changed: `Dorfer` is not a plural of `Dorf`."""
    vowels = _VOWEL.findall(begin)
    return bool(vowels) and (vowels[-1] in "ao" or (vowels[-1] == "u" and vowels[-2:] != ["e", "u"]))


def _is_last_vowel(begin: str, at: int) -> bool:
    """Whether the vowel at an index is the last one; of `au` the first."""
    return not _VOWEL.search(begin[at + 1 :].removeprefix("u"))
