"""The one parser of JSON from outside: what it refuses, and that it says where."""

from __future__ import annotations

import json
from datetime import date

import pytest

from annotation.strict_json import (
    MAX_DEPTH,
    MAX_VALUES,
    JSONError,
    check,
    first_unprintable,
    has_visible_text,
    kind,
    loads,
)

KEPT = [
    '{"a": [1, -2.5, 1e3, true, null, "x"], "b": {}}',
    '"😀 \\ud83d\\ude00"',
    f"[{'9' * 19}, -{'9' * 19}]",
    "[" * MAX_DEPTH + "]" * MAX_DEPTH,
    '{"a": "[[[[' + "[" * 200 + '"}',
    "\ufeff[]",
    '["' + "," * (MAX_VALUES + 1) + '"]',
]


@pytest.mark.parametrize("text", KEPT)
def test_what_can_be_stored_is_parsed_as_json_parses_it(text: str) -> None:
    assert loads(text) == json.loads(text.removeprefix("\ufeff"))


@pytest.mark.parametrize(
    ("text", "path", "reason"),
    [
        ('{"a": {"n": [1, ' + "9" * 5000 + "]}}", "a.n[1]", "5000 digits"),
        ('{"n": -' + "9" * 20 + "}", "n", "20 digits"),
        ('{"n": 1e999}', "n", "1e999 is too large"),
        ('{"n": [NaN]}', "n[0]", "NaN is not a number"),
        ("-Infinity", "", "-Infinity is not a number"),
        ('{"a": {"x": 1, "x": 2}}', "a.x", "given twice"),
        ('{"a": ["\\u0000"]}', "a[0]", "NUL character"),
        ('{"a": "b\\uDC00"}', "a", "half a surrogate pair at 1"),
        ('{"a": {"\\ud800": 1}}', "a.\\ud800", "half a surrogate pair"),
        ("[" * 100_000, "", "nested too deeply"),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "", "nested too deeply"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "", "nested too deeply"),
        ("[" + "[]," * MAX_VALUES + "1]", "", "too many values"),
        ("[" + '{"a":{}},' * (MAX_VALUES // 2) + "1]", "", "too many values"),
    ],
)
def test_what_cannot_be_stored_is_refused_with_its_location(text: str, path: str, reason: str) -> None:
    with pytest.raises(JSONError) as caught:
        loads(text)
    assert caught.value.path == path and reason in str(caught.value.reason)
    str(caught.value).encode()


def test_invalid_json_is_refused_by_line_and_column() -> None:
    with pytest.raises(JSONError) as caught:
        loads('{"a": 1,\n "b"}')
    assert (caught.value.line, caught.value.column) == (2, 5)


def test_parsed_values_are_checked_in_the_same_way() -> None:
    check({"a": [1, "x", None, 0.5, True]})
    for value in (float("inf"), float("nan"), 10**19, "a\0", "\udc00"):
        with pytest.raises(JSONError, match=r"^m\.a\[1\]: "):
            check({"a": [0, value]}, "m")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (False, "true or false"),
        (7, "a number"),
        (0.5, "a number"),
        ("7", "a string"),
        ([], "a list"),
        ({}, "an object"),
        (date(2026, 11, 22), "a value of another kind"),
    ],
)
def test_types_are_named_as_in_json(value: object, words: str) -> None:
    assert str(kind(value)) == words


@pytest.mark.parametrize(
    ("text", "unprintable"),
    [
        ("Anna Müller", ""),
        ("می\u200cخواهم", ""),
        ("क्\u200dष", ""),
        ("a\u200cb", "U+200C"),
        ("م\u200ca", "U+200C"),
        ("a\u200cم", "U+200C"),
        ("❤\ufe0f", ""),
        ("a\ufe0f", "U+FE0F"),
        ("👍🏽", ""),
        ("👩\u200d❤\ufe0f\u200d👨", ""),
        ("👩🏽\u200d🚀", ""),
        ("👩\u200da", "U+200D"),
        ("a\u200d👩", "U+200D"),
        ("a\ufe0f\u200d👩", "U+FE0F"),
        ("\u2800", "U+2800"),
        ("x\u3164", "U+3164"),
        ("x\u202ey", "U+202E"),
        ("x\u0000", "U+0000"),
    ],
)
def test_the_first_character_that_nobody_sees(text: str, unprintable: str) -> None:
    assert first_unprintable(text) == unprintable


@pytest.mark.parametrize(
    ("text", "seen"), [("a", True), (" é ", True), ("", False), (" \u0301", False), ("\u3164", False)]
)
def test_marks_and_blanks_alone_are_no_text(text: str, seen: bool) -> None:
    assert has_visible_text(text) is seen
