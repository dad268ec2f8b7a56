"""Names of labels, fields and translations in X-PARADE's files, shared by reader and writer."""

from __future__ import annotations

import re

from annotation.text.schemes import Side

LONGEST_PAGE = 200
SPANS = {
    "new information": "new",
    "new information (inferable)": "inferable",
    "connotation difference": "connotation",
}
LABELS = {"same": "", "new": "new", "inf": "inferable", "inferable": "inferable", "con": "connotation"}
LABELS |= {"connotation": "connotation"}
# Fields that a record has attributes for, so they are not stored as metadata.
OWN = {"tokens", "text", "premise", "annotations", "labels"}
EMPTY_COMMENTS = "empty_comments"
"""The metadata that lists the annotators whose comment is an empty text in the source; other files have null there."""
TRANSLATION = re.compile(r"translation\d?")


def translated_side(a: str) -> Side:
    """The side that is not English, if side A is in language `a`."""
    return "b" if a == "en" else "a"


def translation_names(count: int) -> list[str]:
    """The names of `count` translations."""
    return [f"translation{number if number > 1 else ''}" for number in range(1, count + 1)]
