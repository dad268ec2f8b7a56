"""The only parser of untrusted JSON: files, cells, forms and request bodies.

It accepts what `json.loads` accepts, except what can't be stored or sent: NaN and infinities, numbers that are too
large, NUL characters and lone surrogates, duplicate keys, nesting deeper than MAX_DEPTH, and more than MAX_VALUES
values.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from annotation.number_parsing import MAX_DIGITS
from annotation.phrases import Phrase, PhraseError, field_problem

MAX_DEPTH = 100
MAX_VALUES = 2_000_000
"""In one text. A size limit is not enough: an empty list takes three characters, and twenty times as much memory."""
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_NO_BRACKET = re.compile(r"[^\[\]{}]+")
_SQUARE = str.maketrans("{}", "[]")
_NEXT_VALUE = "[{,"
"""Every value but the first follows one of these."""
_ESCAPED = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")


_SYNTAX = {
    "Expecting value": Phrase("a value is expected"),
    "Expecting property name enclosed in double quotes": Phrase("a key in double quotes is expected"),
    "Expecting ':' delimiter": Phrase("a colon is expected"),
    "Expecting ',' delimiter": Phrase("a comma is expected"),
    "Unterminated string starting at": Phrase("a string without closing quotes"),
    "Invalid control character at": Phrase("a control character in a string"),
    "Invalid \\escape": Phrase("a backslash in a string that escapes nothing"),
    "Invalid \\uXXXX escape": Phrase("a \\u in a string without four hexadecimal digits"),
    "Extra data": Phrase("more text after the end"),
    "Illegal trailing comma before end of object": Phrase("a comma before the end of an object"),
    "Illegal trailing comma before end of array": Phrase("a comma before the end of a list"),
}
"""What Python's parser says, which is in English only."""


def _syntax(message: str) -> Phrase:
    """Why a text is not JSON, from the message of Python's parser, which may end with the character."""
    for beginning, phrase in _SYNTAX.items():
        if message.startswith(beginning):
            return phrase
    return Phrase("a mistake in its syntax")


class JSONError(PhraseError):
    """Text that is not JSON, or JSON that can't be stored.

    `line` and `column` count from 1 and are 0 if only the path is known; `path` is the path in the value
    ('a.tokens[3]'), '' if parsing did not get that far.
    """

    def __init__(self, reason: Phrase, *, line: int = 0, column: int = 0, path: str = "") -> None:
        super().__init__(field_problem(path, reason) if path else reason)
        self.reason = reason
        self.line = line
        self.column = column
        self.path = path

    @property
    def located_phrase(self) -> Phrase:
        """The reason with its position in the text, if that is known."""
        if not self.line:
            return self.reason
        params: dict[str, str | Phrase] = {"reason": self.reason, "line": str(self.line), "column": str(self.column)}
        return Phrase("%(reason)s at line %(line)s, column %(column)s", params)


class _Refused:
    """Placeholder for a value that can't be stored, until its path is known."""

    def __init__(self, reason: Phrase) -> None:
        self.reason = reason


class _Reader:
    """One parse: its hooks put a `_Refused` in place of each value that can't be stored."""

    def __init__(self) -> None:
        self.refused = False
        self.decoder = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_int=self._whole,
            parse_float=self._decimal,
            parse_constant=lambda name: self._refuse(
                Phrase("%(item)s is not a number that JSON allows", {"item": name})
            ),
        )

    def _refuse(self, reason: Phrase) -> _Refused:
        self.refused = True
        return _Refused(reason)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result: dict[str, Any] = dict(pairs)
        if len(result) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    result[key] = self._refuse(Phrase("this key is given twice in one object"))
                seen.add(key)
        return result

    def _whole(self, digits: str) -> int | _Refused:
        length = len(digits) - digits.startswith("-")
        if length <= MAX_DIGITS:
            return int(digits)
        return self._refuse(
            Phrase(
                "a whole number with %(length)s digits; at most %(most_digits)s are allowed",
                {"length": str(length), "most_digits": str(MAX_DIGITS)},
            )
        )

    def _decimal(self, digits: str) -> float | _Refused:
        value = float(digits)
        shown = digits if len(digits) <= 40 else f"{digits[:40]}…"
        return (
            value
            if math.isfinite(value)
            else self._refuse(Phrase("the number %(number)s is too large", {"number": shown}))
        )


def loads(text: str) -> Any:
    """The value of a JSON text. Raises JSONError naming line and column, or the path in the value."""
    if _values(text) > MAX_VALUES and _values(_STRING.sub("", text)) > MAX_VALUES:
        raise JSONError(
            Phrase(
                "too many values: at most %(most_values)s are allowed in one file or line; split it",
                {"most_values": str(MAX_VALUES)},
            )
        )
    reader = _Reader()
    try:
        value = reader.decoder.decode(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise JSONError(
            Phrase("not valid JSON: %(reason)s", {"reason": _syntax(error.msg)}), line=error.lineno, column=error.colno
        ) from error
    except RecursionError as error:
        raise _too_deep() from error
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
        raise _too_deep()
    if reader.refused or _ESCAPED.search(text):
        check(value)
    return value


def _too_deep() -> JSONError:
    return JSONError(
        Phrase(
            "nested too deeply: at most %(deepest)s levels of lists and objects are allowed",
            {"deepest": str(MAX_DEPTH)},
        )
    )


def _values(text: str) -> int:
    """An upper bound for the number of values in a JSON text: anything like them in its strings counts too."""
    return 1 + sum(map(text.count, _NEXT_VALUE))


def _depth(text: str) -> int:
    """How deeply the lists and objects of valid JSON are nested: innermost brackets are removed until none are left."""
    brackets = _NO_BRACKET.sub("", _STRING.sub("", text)).translate(_SQUARE)
    depth = 0
    while brackets and depth <= MAX_DEPTH:
        brackets = brackets.replace("[]", "")
        depth += 1
    return depth


def check(value: Any, path: str = "") -> None:
    """Raise JSONError if a value of dicts, lists and scalars, however deep, holds something that can't be stored."""
    for where, item in _walk(value, path):
        if isinstance(item, _Refused):
            raise JSONError(item.reason, path=where)
        if isinstance(item, str):
            if reason := encoding_problem(item):
                raise JSONError(reason, path=where)
        elif isinstance(item, float) and not math.isfinite(item):
            raise JSONError(Phrase("%(item)s is not a number that JSON allows", {"item": str(item)}), path=where)
        elif isinstance(item, int) and not isinstance(item, bool) and abs(item) >= 10**MAX_DIGITS:
            raise JSONError(
                Phrase("a whole number with more than %(most_digits)s digits", {"most_digits": str(MAX_DIGITS)}),
                path=where,
            )


def _walk(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """(path, key or value) of everything in a value, in order."""
    waiting: list[tuple[str, Any, int]] = [(path, value, 1)]
    while waiting:
        where, item, depth = waiting.pop()
        if isinstance(item, dict | list) and depth > MAX_DEPTH:
            raise _too_deep()
        if isinstance(item, dict):
            for key in item:
                yield f"{where}.{display_text(key)}".lstrip("."), key
            inside = [(f"{where}.{display_text(key)}".lstrip("."), each, depth + 1) for key, each in item.items()]
            waiting.extend(reversed(inside))
        elif isinstance(item, list | tuple):
            waiting.extend(reversed([(f"{where}[{n}]", each, depth + 1) for n, each in enumerate(item)]))
        else:
            yield where, item


_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Invisible letters, marks and symbols (Unicode: Default_Ignorable_Code_Point, and the blank Braille pattern)."""
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_JOINERS = re.compile("[\u200c\u200d]")
_SHAPED = re.compile("[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17ff\u1800-\u18af]")
"""Scripts in which a joiner shapes letters: Arabic and related ones, those of India, Burmese, Khmer, Mongolian.
"""
_EMOJI_STYLE, _EMOJI_JOINER = "\ufe0f", "\u200d"
_SKIN_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")


def first_unprintable(text: str) -> str:
    """The first unprintable character of a text, as 'U+200B'; '' if there is none.

    Control and invisible characters, and those that change the writing direction, make two names look the same. A
    joiner between letters that it shapes, or within an emoji, is part of the spelling.
    """
    # Nearly every text: an emoji's style and joiners are among the invisible, and judged one by one.
    if text.isprintable() and not _INVISIBLE.search(text):
        return ""
    return next((f"U+{ord(each):04X}" for index, each in enumerate(text) if _is_unprinted(text, index)), "")


def control_character_problem(text: str) -> Phrase | None:
    """Why a text of several lines can't be guidelines: it has a control character. None if it has none."""
    match = _CONTROL.search(text)
    return _invisible(f"U+{ord(match[0]):04X}") if match else None


def _invisible(character: str) -> Phrase:
    return Phrase("contains an invisible character (%(character)s); remove it", {"character": character})


def _is_unprinted(text: str, index: int) -> bool:
    character, before, after = text[index], text[index - 1 : index], text[index + 1 : index + 2]
    if _JOINERS.match(character) and _SHAPED.match(before) and _SHAPED.match(after):
        return False
    if character == _EMOJI_JOINER:
        drawn = text[index - 2 : index - 1] if before == _EMOJI_STYLE else before
        return not (_is_emoji(drawn) and _is_emoji(after))
    if character == _EMOJI_STYLE:
        return not _is_emoji(before)
    return not character.isprintable() or _INVISIBLE.match(character) is not None


def _is_emoji(character: str) -> bool:
    is_symbol = unicodedata.category(character or " ") == "So" or _SKIN_TONES.match(character) is not None
    return is_symbol and not _INVISIBLE.match(character)


def has_visible_text(text: str) -> bool:
    """Whether any of a text is visible: marks alone, without a letter, are not."""
    return any(unicodedata.category(each)[0] not in "ZMC" and not _INVISIBLE.match(each) for each in text)


def name_problem(text: str) -> Phrase | None:
    """Why a text can't be the name of a label or a person; None if it can."""
    if reason := encoding_problem(text):
        return reason
    if character := first_unprintable(text):
        return _invisible(character)
    return Phrase("has no visible character") if text and not has_visible_text(text) else None


def escape_unprintable(text: str) -> str:
    """A text with unprintable characters (control characters, lone surrogates) escaped, for messages."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def display_text(key: object, limit: int = 60) -> str:
    """A key or value for messages: at most `limit` characters, without lone surrogates and control characters."""
    text = str(key)
    text = text if len(text) <= limit else f"{text[:limit]}…"
    return escape_unprintable(text)


_KINDS: tuple[tuple[Any, Phrase], ...] = (
    (type(None), Phrase("null")),
    (bool, Phrase("true or false")),
    (int | float, Phrase("a number")),
    (str, Phrase("a string")),
    (list | tuple, Phrase("a list")),
    (Mapping, Phrase("an object")),
)


def kind(value: object) -> Phrase:
    """The JSON type of a value; values from Parquet may have types that JSON lacks, such as a date."""
    return next((words for types, words in _KINDS if isinstance(value, types)), Phrase("a value of another kind"))


def encoding_problem(text: str) -> Phrase | None:
    """Why a text can't be stored as Unicode; None if it can."""
    if "\0" in text:
        return Phrase("contains a NUL character at %(at)s; remove it", {"at": str(text.index("\0"))})
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        return Phrase(
            "contains half a surrogate pair at %(at)s; save the text as valid Unicode", {"at": str(error.start)}
        )
    return None
