"""The names that repositories of a hub can have."""

from __future__ import annotations

import re

_PART = r"\w(?:[\w.-]{0,94}\w)?"
_NAME = re.compile(rf"(?:(?P<owner>{_PART})/)?{_PART}", re.ASCII)


def is_repository_name(text: str, *, needs_owner: bool) -> bool:
    """Whether the hub's client takes `text` as the name of a repository: 'owner/name', or unless `needs_owner` 'name'.

    Each part begins and ends with a letter, digit or underscore (huggingface_hub.utils.validate_repo_id).
    """
    match = _NAME.fullmatch(text)
    if match is None or (needs_owner and match["owner"] is None):
        return False
    return ".." not in text and "--" not in text and not text.endswith(".git")
