"""Spans are quoted side by side."""

from annotation.text.quotes import context_around, quote
from annotation.text.spans import Fragment, Span


def test_fragments_are_joined_in_the_order_of_the_text() -> None:
    span = Span("1", "2", (Fragment("a", 8, 11), Fragment("a", 0, 3)))
    assert quote(span, "a", "one two ten") == "one … ten"
    assert quote(span, "b", "eins") == ""


def test_the_words_around_are_whole_where_there_are_spaces() -> None:
    text = "Parking costs two francs an hour here."
    at = text.index("two"), text.index("two") + len("two francs")
    assert context_around(text, *at, 8) == ("costs ", " an hour")
    assert context_around(text, *at, 6) == ("costs ", " an")
    assert context_around(text, *at, 99) == ("Parking costs ", " an hour here.")
    assert context_around("停车费每小时两法郎", 3, 4, 2) == ("车费", "小时")
