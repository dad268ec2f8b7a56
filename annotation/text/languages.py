"""Language tags (BCP 47, RFC 5646)."""

from __future__ import annotations

import re

from annotation.phrases import Phrase
from annotation.strict_json import display_text

# A language of two or three letters (longer ones are reserved), script, region, variants, extensions, private use.
_TAG = re.compile(
    r"(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?"
    r"(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?"
    r"|x(?:-[a-z0-9]{1,8})+)",
    re.IGNORECASE | re.ASCII,
)


def language_problem(language: str) -> Phrase | None:
    """Why `language` is not a language tag, and what to write instead; None if it is one."""
    if _TAG.fullmatch(language):
        return None
    return Phrase(
        "'%(language)s' is not a language tag (BCP 47); write it like en, de-CH or zh-Hant",
        {"language": display_text(language)},
    )
