"""Spans are quoted side by side."""

from annotation.text.quotes import quote
from annotation.text.spans import Fragment, Span


def test_fragments_are_joined_in_the_order_of_the_text() -> None:
    span = Span("1", "2", (Fragment("a", 8, 11), Fragment("a", 0, 3)))
    assert quote(span, "a", "one two ten") == "one … ten"
    assert quote(span, "b", "eins") == ""
