"""Paragraphs, and the direction of scripts."""

from annotation.text.paragraphs import direction, paragraphs


def test_paragraphs_are_trimmed_lines_that_hold_something() -> None:
    text = "  One.\n\n \nTwo two. \r\nThree"
    assert [text[start:end] for start, end in paragraphs(text)] == ["One.", "Two two.", "Three"]


def test_direction_follows_the_language_not_the_region() -> None:
    assert [direction(tag) for tag in ("ar-EG", "he", "ur", "en", "de-CH")] == ["rtl", "rtl", "rtl", "ltr", "ltr"]
