"""Checks of names that other people see: of projects, and of people in them."""

from __future__ import annotations

import unicodedata

from django.utils.translation import gettext as _

from annotation.errors import Invalid
from annotation.strict_json import first_unprintable, has_visible_text


def name_check(name: str, where: str) -> None:
    """Raises Invalid for a name with an invisible character or without a visible one; '' is not checked here."""
    if character := first_unprintable(name):
        raise Invalid(
            _("A name can't contain invisible characters (here %(character)s).") % {"character": character},
            where=where,
        )
    if name and not has_visible_text(name):
        raise Invalid(_("A name needs at least one visible character."), where=where)


def script_check(username: str, where: str) -> None:
    """Raises Invalid for a username that mixes scripts: most such names only imitate another one."""
    scripts = sorted({_script(character) for character in unicodedata.normalize("NFKC", username)} - {""})
    if len(scripts) > 1 and not any(together.issuperset(scripts) for together in _TOGETHER):
        raise Invalid(
            _("“%(username)s” mixes letters of several scripts (%(scripts)s).")
            % {"username": username, "scripts": ", ".join(script.title() for script in scripts)},
            where=where,
            hint=_("Enter the username in the letters of one script."),
        )


def confusable_forms(name: str) -> set[str]:
    """What a name can be taken for: two names that share one of these look the same.

    One lacks capitals and forms of characters (`Ａnna`, `ANNA`), the other also has Latin letters in place of those
    that look like them.
    """
    return {_normalize(name), _normalize(name.translate(_LIKE_LATIN))}


_TOGETHER = tuple(
    frozenset(scripts)
    for scripts in (
        ("LATIN", "CJK", "HIRAGANA", "KATAKANA"),
        ("LATIN", "CJK", "HANGUL"),
        ("LATIN", "CJK", "BOPOMOFO"),
    )
)
"""Scripts that one name is written with in Japanese, Korean and Chinese (UTS 39, "highly restrictive")."""
_LIKE_LATIN = str.maketrans(
    "АВЕКМНОРСТУХЅІЈаеорсухѕіјһԁԛԝѵ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχ",
    "ABEKMHOPCTYXSIJaeopcyxsijhdqwv" + "ABEZHIKMNOPTYXaikvopux",
)
"""Cyrillic and Greek letters that look like Latin ones in common typefaces (a part of the confusables of UTS 39)."""


def _script(character: str) -> str:
    """The script of a letter by its Unicode name; '' for anything but a letter, and for one used with many scripts."""
    if unicodedata.category(character) not in ("Lu", "Ll", "Lt", "Lo"):
        return ""
    return unicodedata.name(character, "").partition(" ")[0]


def _normalize(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
