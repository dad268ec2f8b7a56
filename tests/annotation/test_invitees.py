"""A pasted list of people to invite."""

from __future__ import annotations

import pytest

from annotation.invitees import MAX_INVITEES, Invitee, parse_invitees


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Anna", Invitee("Anna", "")),
        ("anna@example.org", Invitee("", "anna@example.org")),
        ("Anna <anna@example.org>", Invitee("Anna", "anna@example.org")),
        ('"Anna M." <anna@example.org>,', Invitee("Anna M.", "anna@example.org")),
        ("Anna, anna@example.org", Invitee("Anna", "anna@example.org")),
        ("anna@example.org; Anna", Invitee("Anna", "anna@example.org")),
        ("Anna\tanna@example.org", Invitee("Anna", "anna@example.org")),
        ("李娜 <li@例え.jp>", Invitee("李娜", "li@例え.jp")),
    ],
)
def test_a_line_is_a_person(line: str, found: Invitee) -> None:
    assert parse_invitees(f"\n  {line}  \n\n") == ([found], [])


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("Anna\nbruno@", 2, "'bruno@' is not an e-mail address"),
        ("Anna <anna>", 1, "'anna' is not an e-mail address"),
        ("a@b.org, c@d.org", 1, "two e-mail addresses"),
        ("Anna, Bruno", 1, "one person"),
        ("Anna\n\nANNA", 3, "'ANNA' is already on line 1"),
        ("Anna, a@b.org\nBruno, A@b.org", 2, "'A@b.org' is already on line 1"),
        ("x" * 81, 1, "at most 80"),
        (" \n ", 0, "at least one"),
        ("\n".join(f"p{n}" for n in range(MAX_INVITEES + 1)), 0, "at most 100"),
    ],
)
def test_a_line_that_is_wrong_is_named(text: str, line: int, said: str) -> None:
    _, problems = parse_invitees(text)
    assert [each.line for each in problems] == [line] and said in problems[0].phrase.text()
