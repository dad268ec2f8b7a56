"""How a type of rating item describes itself, and how an item of that type gets its choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.phrases import Phrase, PhraseError
from annotation.registry import Registry
from annotation.strict_json import display_text

DEFAULT = "choices"
"""The type of an item that names none."""
# Shortcuts of the workspace; a test compares them with its table of shortcuts.
RESERVED = frozenset("abcdefghjkmnopqrsuwxz ./,?")
HOTKEYS = tuple(key for key in "1234567890abcdefghijklmnopqrstuvwxyz" if key not in RESERVED)
MAX_CHOICES = len(HOTKEYS)
"""As many choices as the workspace has keys for."""


class ItemError(PhraseError):
    """A field of an item that can't be used."""

    def __init__(self, field: str, reason: Phrase) -> None:
        super().__init__(reason)
        self.field = field


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an item whose value is a number or a text; `title` is its name in the scheme editor."""

    name: str
    title: str
    number: bool = False


@dataclass(frozen=True, slots=True)
class ItemType:
    """One type. An item is answered by one of its choices, however they are written.

    `title` is what the scheme editor calls the type, `describes` what its fields mean, apart from `key` and `text`,
    which every item has. `listed` is the field whose value is a list that the lead writes; `fields` are the others, and
    `note` is what the editor says about them.

    `choices(item)` returns the choices as a scheme lists them (`key`, `name`, optionally `hotkey` and `value`) and
    raises ItemError. An item whose choices are already listed, as in an exported scheme, keeps those. The reverse,
    `fields_of(choices)`, returns the values of `fields` with which the type may make these choices; without it the
    editor shows the choices of a saved item.

    A type whose items are several questions has `expand(item, hotkeys)`, which returns them with the position in the
    item that each comes from. An `open` one has no choices: it is answered in the annotator's own words.
    """

    name: str
    title: str
    describes: str
    choices: Callable[[Mapping[str, Any]], list[dict[str, Any]]]
    fields: tuple[Field, ...] = ()
    listed: str = ""
    note: str = ""
    fields_of: Callable[[Sequence[Mapping[str, Any]]], dict[str, str]] | None = None
    expand: Callable[[Mapping[str, Any], bool], list[tuple[str, dict[str, Any]]]] | None = None
    open: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all its fields."""
        return (*((self.listed,) if self.listed else ()), *(field.name for field in self.fields))


ITEM_TYPES: Registry[ItemType] = Registry("annotation.text.items")
"""Every type. A module of this package registers its own: `ITEM_TYPES.register(ItemType(…))`."""


def expand_item(item: object, *, hotkeys: bool) -> list[tuple[str, object]]:
    """The questions that an item becomes, with the position in it that each comes from ('' for the item itself).

    `hotkeys`: whether the type may choose hotkeys. Whatever is no item of a type that expands is returned as it is.
    Raises ItemError.
    """
    if isinstance(item, Mapping) and isinstance(item.get("type"), str) and item["type"] in ITEM_TYPES:
        item_type = ITEM_TYPES[item["type"]]
        if item_type.expand is not None and any(field in item for field in item_type.names):
            return list(item_type.expand(item, hotkeys))
    return [("", item)]


def with_choices(item: Mapping[str, Any], *, hotkeys: bool) -> dict[str, Any]:
    """The item with `choices` in place of its type's own fields. Raises ItemError for an unknown type or a bad field.

    `hotkeys`: whether its type may choose hotkeys; if there are labels, they could be a label's.
    """
    name = item.get("type", DEFAULT)
    if not isinstance(name, str) or name not in ITEM_TYPES:
        params = {"name": display_text(name), "names": ", ".join(ITEM_TYPES)}
        raise ItemError("type", Phrase("'%(name)s' is unknown; choose one of %(names)s", params))
    item_type = ITEM_TYPES[name]
    own = [field for field in item_type.names if field in item]
    if item_type.listed == "choices" or ("choices" in item and not own):
        return dict(item)
    if "choices" in item:
        reason = Phrase("either these or %(fields)s are expected, not both", {"fields": ", ".join(own)})
        raise ItemError("choices", reason)
    choices = item_type.choices(item)
    rest = {key: value for key, value in item.items() if key not in item_type.names}
    return {**rest, "choices": choices if hotkeys else [{**each, "hotkey": ""} for each in choices]}
