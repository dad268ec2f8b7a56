"""What other apps add to this one, which doesn't import them: they register functions here in `AppConfig.ready`.

A function is imported when it is first needed, so that a process that needs none of it loads none of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.module_loading import import_string


class Hook:
    """What is called, or read, at one point of this app: objects of other apps by their dotted names, in order."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def add(self, *names: str) -> None:
        """Add objects by their dotted names; a name that is there already is not added again."""
        self.names += [name for name in names if name not in self.names]

    def __iter__(self) -> Iterator[Any]:
        return map(import_string, self.names)


AUDIT_SOURCES = Hook()
"""Tuples of `AuditSource`: more changes for the audit page."""
EVENT_ADDRESSES = Hook()
"""`EventAddresses`: where what a webhook is told of is found."""
NEWEST_RUN = Hook()
"""`(project) -> str`: the slug of the run that is shown if nobody chose one. Highlights alone don't tell which run was
requested last."""
GOLD_SCORER = Hook()
"""A `GoldScorer`: what compares highlights with the gold."""
RUN_READER = Hook()
"""A `RunReader`: what reads a project's pre-labelling runs."""
NEWEST_ARCHIVE = Hook()
"""`(project) -> PublishedArchive | None`: the newest publication that is an archive of the project."""
COUNTS_FOR_DELETION = Hook()
"""`(project) -> dict[str, int]`: how much of theirs is lost with a project, by name."""
ON_ARCHIVING = Hook()
"""`(project) -> int`: end a project's unfinished jobs and say how many there were."""
ON_DELETION = Hook()
"""`(slug)`: remove a deleted project's files on this machine."""
ON_IMPORT_OF_ARCHIVE = Hook()
"""`(project)`: check their rows of an archive that has been read into a staged project. They raise FormatError."""
ON_ROW_OF_ARCHIVE = Hook()
"""`(row)`: change a row of an archive, of whichever table, before it is written."""
ON_RENAMING = Hook()
"""`(project, old, new)`: change a person's name in their rows."""
