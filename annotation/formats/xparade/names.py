"""Names of labels, fields and translations in X-PARADE's files, shared by reader and writer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from annotation.text.schemes import Side

MAX_PAGE_ID_LENGTH = 200
SPANS = {
    "new information": "new",
    "new information (inferable)": "inferable",
    "connotation difference": "connotation",
}
LABELS = {"same": "", "new": "new", "inf": "inferable", "inferable": "inferable", "con": "connotation"}
LABELS |= {"connotation": "connotation"}
# Fields that a record has attributes for, so they are not stored as metadata.
OWN_FIELDS = {"tokens", "text", "premise", "annotations", "labels"}
EMPTY_COMMENTS = "empty_comments"
"""The metadata that lists the annotators whose comment is an empty text in the source; other files have null there."""
NameLookup = Callable[[object], str | None]
"""The name of the annotator whom a source calls so; None for nobody."""


def rename_in_metadata(metadata: Mapping[str, Any], name_of: NameLookup) -> dict[str, Any]:
    """A pair's metadata with the names that annotators have where it goes; without those of anybody else."""
    stored = metadata.get(EMPTY_COMMENTS)
    if not isinstance(stored, list):  # not of this format
        return dict(metadata)
    result = {key: value for key, value in metadata.items() if key != EMPTY_COMMENTS}
    new_names = [name_of(name) for name in stored if type(name) in (int, str)]
    if names := [name for name in new_names if name is not None]:
        result[EMPTY_COMMENTS] = names
    return result


TRANSLATION = re.compile(r"translation\d?")


def translated_side(a: str) -> Side:
    """The side that is not English, if side A is in language `a`."""
    return "b" if a == "en" else "a"


def translation_names(count: int) -> list[str]:
    """The names of `count` translations."""
    return [f"translation{number if number > 1 else ''}" for number in range(1, count + 1)]
