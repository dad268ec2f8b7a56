"""Items of which several answers may be chosen: each becomes a question of its own, answered by yes or no.

So agreement and gold are about each answer, as is usual for data with several labels an item.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.phrases import Phrase
from annotation.strict_json import display_text, kind
from annotation.text.items.base import ITEM_TYPES, MAX_CHOICES, ItemError, ItemType
from annotation.text.items.yes_no_choices import choices as yes_or_no

_OPTION = ("key", "name", "hotkey")
_ITEM = ("key", "text", "type", "options")


def expand(item: Mapping[str, Any], hotkeys: bool) -> list[tuple[str, dict[str, Any]]]:
    """A question for each option: its key is the item's and the option's, with a full stop between."""
    for field in item:
        if field not in _ITEM:
            raise ItemError(
                display_text(field), Phrase("unknown; expected one of %(names)s", {"names": ", ".join(_ITEM)})
            )
    options = item["options"]
    if not isinstance(options, list) or not 2 <= len(options) <= MAX_CHOICES:
        reason = Phrase("a list of 2 to %(most)s options is expected", {"most": str(MAX_CHOICES)})
        raise ItemError("options", reason)
    for field in ("key", "text"):
        if not isinstance(item.get(field), str) or not item[field].strip():
            raise ItemError(field, Phrase("a string is expected"))
    return [
        (f"options[{number}]", _question(item, option, number, str(number + 1) if hotkeys and number < 9 else ""))
        for number, option in enumerate(options)
    ]


def _question(item: Mapping[str, Any], option: object, number: int, hotkey: str) -> dict[str, Any]:
    where = f"options[{number}]"
    if not isinstance(option, Mapping):
        raise ItemError(where, Phrase("an object is expected, not %(kind)s", {"kind": kind(option)}))
    for field in option:
        if field not in _OPTION:
            reason = Phrase("unknown; expected one of %(names)s", {"names": ", ".join(_OPTION)})
            raise ItemError(f"{where}.{display_text(field)}", reason)
    for field in ("key", "name"):
        if not isinstance(option.get(field), str) or not option[field].strip():
            raise ItemError(f"{where}.{field}", Phrase("a string is expected"))
    if "." in option["key"]:
        raise ItemError(f"{where}.key", Phrase("can't contain a full stop, which separates it from the question's key"))
    yes, no = yes_or_no({})
    return {
        "key": f"{item['key']}.{option['key']}",
        "text": option["name"],
        "of": item["text"],
        "type": "several",
        "choices": [{**yes, "hotkey": option.get("hotkey", hotkey)}, {**no, "hotkey": ""}],
    }


TYPE = ITEM_TYPES.register(
    ItemType(
        name="several",
        title="any number of answers",
        describes="any number of the options, each with key and name, and optionally hotkey",
        listed="options",
        choices=yes_or_no,
        expand=expand,
    )
)
