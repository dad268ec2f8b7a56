"""A pasted list of people to invite: a name, an e-mail address, or both, one person a line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from annotation.phrases import Phrase
from annotation.strict_json import display_text

MAX_INVITEES = 100
"""People of one list."""
MAX_NAME_LENGTH, MAX_EMAIL_LENGTH = 80, 254
_ANGLED = re.compile(r"(?P<name>[^<>]*)<(?P<email>[^<>]+)>")
# The one check of an address that tells anything is to send to it; this finds slips, and names that are not addresses.
_EMAIL = re.compile(r"[^\s@<>,;:\"()\[\]\\]+@[^\s@<>,;:\"()\[\]\\.]+(?:\.[^\s@<>,;:\"()\[\]\\.]+)+")


@dataclass(frozen=True, slots=True)
class Invitee:
    """A person to invite: the name in the project, '' for the next free one, and an address, '' for none."""

    name: str
    email: str


@dataclass(frozen=True, slots=True)
class ListProblem:
    """What is wrong with a line, counted from 1; 0 for the whole list."""

    line: int
    phrase: Phrase


def parse_invitees(text: str) -> tuple[list[Invitee], list[ListProblem]]:
    """The people of a list, in order, and what is wrong with it. Empty lines are skipped.

    A line is a name, an address, 'Name <address>', or both separated by a comma, semicolon or tab in either order.
    """
    invitees: list[Invitee] = []
    problems: list[ListProblem] = []
    names: dict[str, int] = {}
    emails: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        read = _line(line.strip().rstrip(",;"))
        if isinstance(read, Phrase):
            problems.append(ListProblem(number, read))
            continue
        for value, lines in ((read.name, names), (read.email, emails)):
            if value and lines.setdefault(value.casefold(), number) != number:
                params = {"value": display_text(value), "line": str(lines[value.casefold()])}
                problems.append(ListProblem(number, Phrase("'%(value)s' is already on line %(line)s", params)))
        invitees.append(read)
    if len(invitees) > MAX_INVITEES:
        problems.append(ListProblem(0, Phrase("at most %(n)s people can be invited at once", {"n": str(MAX_INVITEES)})))
    if not invitees and not problems:
        problems.append(ListProblem(0, Phrase("write at least one name or e-mail address")))
    return invitees, problems


def _line(line: str) -> Invitee | Phrase:
    name, email = "", ""
    if angled := _ANGLED.fullmatch(line):
        parts = [angled["name"].strip().strip('"').strip(), angled["email"].strip()]
        if "@" not in parts[1]:
            return Phrase("'%(value)s' is not an e-mail address", {"value": display_text(parts[1])})
    else:
        parts = [part.strip() for part in re.split(r"[,;\t]", line)]
    for part in filter(None, parts):
        if "@" in part:
            if not _EMAIL.fullmatch(part) or len(part) > MAX_EMAIL_LENGTH:
                return Phrase("'%(value)s' is not an e-mail address", {"value": display_text(part)})
            if email:
                return Phrase("each line is for one person; this one has two e-mail addresses")
            email = part
        elif name:
            return Phrase("each line is for one person: write a name, an e-mail address, or both")
        elif len(part) > MAX_NAME_LENGTH:
            return Phrase("a name can have at most %(n)s characters", {"n": str(MAX_NAME_LENGTH)})
        else:
            name = part
    return Invitee(name, email)
