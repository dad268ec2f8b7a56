"""Letters instead of names for blind adjudicators, and names removed from text.

The letters are drawn for each pair with the server's secret key. Ids are public or can be guessed, so the person who
must not know could recompute anything computed from them alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from string import ascii_uppercase

from django.utils.crypto import salted_hmac

from annotation.models import Annotator, Assignment, Project, User

REDACTED = "…"
SALT = "agreement.blind"
MIN_PART_LENGTH = 3
"""The fewest characters of a part of a name to search for on its own: 'de' and 'Dr' are too short."""
_SEPARATORS = re.compile(r"[\s._,;@-]+")
# Thai, Lao, Burmese, Khmer; kana; Chinese characters, including those outside the first plane.
_NO_SPACES = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


def anonymous_sort_key(pair: int, annotator: int) -> str:
    """A sort key for the people of a pair that doesn't reveal who they are."""
    return str(salted_hmac(SALT, f"{pair}:{annotator}", algorithm="sha256").hexdigest())


def letters(pairs: Iterable[int]) -> dict[int, dict[int, str]]:
    """By pair, the letter of everyone with an assignment on it, in any phase: the same on every page."""
    people: dict[int, set[int]] = defaultdict(set)
    for pair, annotator in Assignment.objects.filter(pair__in=list(pairs)).values_list("pair_id", "annotator_id"):
        people[pair].add(annotator)
    return {
        pair: {
            annotator: letter(position)
            for position, annotator in enumerate(
                sorted(annotators, key=lambda annotator: anonymous_sort_key(pair, annotator))
            )
        }
        for pair, annotators in people.items()
    }


def letter(position: int) -> str:
    """'A' to 'Z', then 'A2', 'B2', …"""
    return ascii_uppercase[position % 26] + (str(position // 26 + 1) if position >= 26 else "")


class Redactor:
    """Removes the names of a project's people from what others wrote; without `hidden`, texts are unchanged.

    Names are aliases, usernames, real names and addresses, and each part of a name ('Anna' of 'Anna Kurz'). They are
    found regardless of capitals, accents, spaces and invisible characters, with a possessive s, and within text that is
    written without spaces. A name that is a single character or a number stays: it would be found in every sentence.
    `viewer` may read their own.
    """

    def __init__(self, project: Project, *, hidden: bool, viewer: User | None = None) -> None:
        self.hidden = hidden
        self._pattern = _pattern(_names(project, viewer)) if hidden else None

    def __call__(self, text: str) -> str:
        return self._without_names(text) if self._pattern else text

    def _without_names(self, text: str) -> str:
        assert self._pattern is not None
        letters = [(letter, index) for index, character in enumerate(text) for letter in _fold(character)]
        parts, end = [], 0
        for match in self._pattern.finditer("".join(letter for letter, _index in letters)):
            parts.append(text[end : letters[match.start()][1]])
            end = letters[match.end() - 1][1] + 1
            while end < len(text) and not _fold(text[end]):  # accents of the last letter
                end += 1
        return REDACTED.join([*parts, text[end:]])

    def spans(self, spans: list[dict[str, object]]) -> list[dict[str, object]]:
        """Spans with comments that name nobody and ids that don't reveal who made them."""
        if not self.hidden:
            return spans
        return [
            {**span, "id": f"v{number}", "comment": self(str(span.get("comment", "")))}
            for number, span in enumerate(spans, 1)
        ]

    def comments(self, spans_document: Mapping[str, object]) -> dict[str, object]:
        """A spans document with comments that name nobody; ids stay, because it is edited and saved again."""
        spans = spans_document.get("spans", [])
        assert isinstance(spans, list)
        return {**spans_document, "spans": [{**span, "comment": self(str(span.get("comment", "")))} for span in spans]}


def _names(project: Project, viewer: User | None) -> set[str]:
    """The folded names of people, and the parts of each.

    Includes people whose access was ended: their work stays.
    """
    rows = Annotator.objects.filter(project=project)
    if viewer is not None:
        rows = rows.exclude(user=viewer).exclude(former_user=viewer)
    whole: set[str] = set()
    parts: set[str] = set()
    for account in ("user", "former_user"):
        columns = (f"{account}__{name}" for name in ("username", "first_name", "last_name", "email"))
        for *names, address in rows.values_list("alias", *columns):
            whole.update(filter(None, (*names, address)))
            parts.update(part for name in names if name for part in _SEPARATORS.split(name))
    folded = {_fold(name).strip() for name in whole} | {_fold(part) for part in parts if len(part) >= MIN_PART_LENGTH}
    return {name for name in folded if len(name) > 1 and not name.isdecimal()}


def _fold(text: str) -> str:
    """`text` without the differences that are ignored when searching names, each character folded on its own."""
    return "".join(
        " " if letter.isspace() else letter
        for character in text
        for letter in unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
        if unicodedata.category(letter) not in ("Mn", "Cf")
    )


def _pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return re.compile("|".join(map(_name_pattern, longest_first))) if longest_first else None


def _name_pattern(name: str) -> str:
    """The pattern of a folded name: as separate words, except in scripts that put no spaces between words."""
    words = r"\s+".join(map(re.escape, name.split()))
    before = "" if _NO_SPACES.match(name[0]) else r"(?<![^\W_])"
    after = "" if _NO_SPACES.match(name[-1]) else rf"{'s?' if len(name) > MIN_PART_LENGTH else ''}(?![^\W_])"
    return f"{before}{words}{after}"
