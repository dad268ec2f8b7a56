"""What X-PARADE's files call labels, fields and translations: shared by reader and writer."""

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
# What is a field of its own in a record, and so is not kept as metadata.
OWN = {"tokens", "text", "premise", "annotations", "labels"}
TRANSLATION = re.compile(r"translation\d?")


def translated_side(a: str) -> Side:
    """The side that is not English, where side A is in `a`."""
    return "b" if a == "en" else "a"


def translation_names(count: int) -> list[str]:
    """What the files call so many translations."""
    return [f"translation{number if number > 1 else ''}" for number in range(1, count + 1)]
