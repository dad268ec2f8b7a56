"""What changed between two versions of a text."""

from __future__ import annotations

from annotation.text.line_diff import DiffLine, line_diff


def shown(before: str, after: str) -> list[tuple[str, str, bool]]:
    """Each line's kind, its text with changed parts in brackets, and whether lines before it are left out."""
    return [
        (line.kind, "".join(f"[{text}]" if changed else text for text, changed in line.parts), line.gap)
        for line in line_diff(before, after)
    ]


def test_equal_texts_have_no_changes() -> None:
    assert line_diff("a\nb", "a\nb\n") == [] == line_diff("", "")


def test_a_rewritten_line_shows_the_words_that_changed() -> None:
    assert shown("Mark every word.", "Mark every token now.") == [
        ("removed", "Mark every [word].", False),
        ("added", "Mark every [token now].", False),
    ]


def test_only_a_few_lines_around_a_change_are_shown() -> None:
    lines = [f"line {n}" for n in range(30)]
    changed = [*lines[:10], "new", *lines[10:25], *lines[26:]]
    assert shown("\n".join(lines), "\n".join(changed)) == [
        ("same", "line 8", True), ("same", "line 9", False), ("added", "new", False),
        ("same", "line 10", False), ("same", "line 11", False),
        ("same", "line 23", True), ("same", "line 24", False), ("removed", "line 25", False),
        ("same", "line 26", False), ("same", "line 27", False),
    ]  # fmt: skip


def test_nothing_is_lost_of_either_version() -> None:
    before, after = "  a b\n\nc d, e", "  a  b\nx\n\nc d; é"
    lines = line_diff(before, after)
    for kind, text in (("removed", before), ("added", after)):
        kept = ["".join(part for part, _ in line.parts) for line in lines if line.kind in ("same", kind)]
        assert kept == text.splitlines()


def test_a_very_long_line_is_shown_whole() -> None:
    assert line_diff("a " * 500, "b " * 500) == [
        DiffLine("removed", (("a " * 500, False),)),
        DiffLine("added", (("b " * 500, False),)),
    ]
