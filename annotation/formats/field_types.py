"""Typed access to values from outside, used by every reader for its fields; each error names the field."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from typing import Any

from annotation import strict_json
from annotation.number_parsing import MAX_INTEGER
from annotation.phrases import Phrase, PhraseError, field_problem
from annotation.strict_json import JSONError, display_text, encoding_problem, kind


class _ShortRepr(reprlib.Repr):
    """Values as their files write them; the rest of Python's notation is close enough."""

    def repr_NoneType(self, value: None, level: int) -> str:
        return "null"

    def repr_bool(self, value: bool, level: int) -> str:
        return "true" if value else "false"


_REPR = _ShortRepr()
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = 60
_REPR.maxlist = 20


class FieldError(PhraseError):
    """An invalid value; the phrase begins with the name of its field."""


def short_repr(value: object) -> str:
    """A value as a message shows it, shortened."""
    return _REPR.repr(value)


def check_keys(data: Mapping[str, Any], names: set[str], prefix: str) -> None:
    """Raises FieldError for a key that the format lacks: most are typos, and would be lost silently."""
    for key in data:
        if key not in names:
            raise FieldError(
                field_problem(
                    f"{prefix}{display_text(key)}",
                    Phrase("unknown; expected one of %(names)s", {"names": ", ".join(sorted(names))}),
                )
            )


def string(
    data: Mapping[str, Any],
    key: str,
    prefix: str = "",
    *,
    max_length: int = 0,
    needed: bool = False,
    empty: bool = False,
) -> str:
    """A text that can be stored; '' if it is missing and not needed. Raises FieldError."""
    value = data.get(key)
    if value is None:
        if needed:
            raise FieldError(field_problem(f"{prefix}{key}", Phrase("missing")))
        return ""
    if not isinstance(value, str):
        raise FieldError(
            field_problem(f"{prefix}{key}", Phrase("a string is expected, not %(kind)s", {"kind": kind(value)}))
        )
    if needed and not empty and not value.strip():
        raise FieldError(field_problem(f"{prefix}{key}", Phrase("empty")))
    if max_length and len(value) > max_length:
        raise FieldError(
            field_problem(
                f"{prefix}{key}",
                Phrase(
                    "%(n)s characters; at most %(longest)s can be stored",
                    {"n": str(len(value)), "longest": str(max_length)},
                ),
            )
        )
    if problem := encoding_problem(value):
        raise FieldError(field_problem(f"{prefix}{key}", problem))
    return value


def integer(
    data: Mapping[str, Any], key: str, prefix: str = "", *, needed: bool = False, maximum: int = MAX_INTEGER
) -> int:
    """A whole number from 0 that a database column can hold; 0 if it is missing and not needed. Raises FieldError."""
    value = data.get(key)
    if value is None and not needed:
        return 0
    if type(value) is not int or not 0 <= value <= maximum:
        raise FieldError(
            field_problem(
                f"{prefix}{key}",
                Phrase(
                    "a whole number from 0 to %(most)s is expected, not %(value)s",
                    {"most": str(maximum), "value": short_repr(value)},
                ),
            )
        )
    return value


def one_of(data: Mapping[str, Any], key: str, prefix: str, allowed: Sequence[str], default: str) -> str:
    """One of the texts `allowed`; `default` if it is missing. Raises FieldError."""
    value = data.get(key)
    if value is None:
        return default
    if not isinstance(value, str) or value not in allowed:
        raise FieldError(
            field_problem(
                f"{prefix}{key}",
                Phrase(
                    "%(value)s is not one of %(names)s",
                    {"value": short_repr(value), "names": ", ".join(filter(None, allowed))},
                ),
            )
        )
    return value


def class_name(data: Mapping[str, Any], key: str, prefix: str, names: Sequence[str]) -> str:
    """The name of a class that is stored as its number. Raises FieldError."""
    value = data.get(key)
    if type(value) is not int or not 0 <= value < len(names):
        reason = Phrase(
            "a class number from 0 to %(most)s is expected, not %(value)s",
            {"most": str(len(names) - 1), "value": short_repr(value)},
        )
        raise FieldError(field_problem(f"{prefix}{key}", reason))
    return names[value]


def mapping(
    data: Mapping[str, Any], key: str, prefix: str = "", *, default: Mapping[str, Any] | None = None
) -> Mapping[str, Any]:
    """An object; `default` if it is missing. Raises FieldError, also if it is missing and has no default."""
    value = data.get(key)
    if value is None:
        if default is not None:
            return default
        raise FieldError(field_problem(f"{prefix}{key}", Phrase("missing")))
    if not isinstance(value, Mapping):
        raise FieldError(
            field_problem(f"{prefix}{key}", Phrase("an object is expected, not %(kind)s", {"kind": kind(value)}))
        )
    return value


def mappings(data: Mapping[str, Any], key: str, prefix: str = "") -> list[Mapping[str, Any]]:
    """A list of objects; empty if it is missing. Raises FieldError."""
    values = list_field(data, key, prefix)
    for index, value in enumerate(values):
        if not isinstance(value, Mapping):
            raise FieldError(
                field_problem(
                    f"{prefix}{key}[{index}]", Phrase("an object is expected, not %(kind)s", {"kind": kind(value)})
                )
            )
    return values


def list_field(data: Mapping[str, Any], key: str, prefix: str = "") -> list[Any]:
    """A list; empty if it is missing. Raises FieldError."""
    value = data.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise FieldError(
            field_problem(f"{prefix}{key}", Phrase("a list is expected, not %(kind)s", {"kind": kind(value)}))
        )
    return value


def strings(data: Mapping[str, Any], key: str) -> list[str]:
    """A list of texts that can be stored; empty if it is missing. Raises FieldError."""
    values = list_field(data, key)
    for index, value in enumerate(values):
        string({f"{key}[{index}]": value}, f"{key}[{index}]", needed=True, empty=True)
    return values


def storable_object(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A JSON object whose texts and numbers can all be stored. Raises FieldError."""
    result = dict(data)
    try:
        strict_json.check(result, name)
    except JSONError as error:
        raise FieldError(error.phrase) from error
    return result


def parse_json_cell(text: str, name: str) -> Any:
    """The value of a cell that holds JSON. Raises FieldError."""
    try:
        return strict_json.loads(text)
    except JSONError as error:
        inside = f".{error.path}" if error.path else ""
        raise FieldError(field_problem(f"{name}{inside}", error.located_phrase)) from error
