"""Writes of messages between annotators and leads. None of them changes the work on the pair."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.models import Annotation, Assignment, Pair, User
from annotation.models.messages import Message, Party, Thread
from annotation.services.archive_check import changes_project
from annotation.strict_json import has_visible_text
from annotation.text.limits import MAX_MESSAGE_LENGTH, MAX_QUOTE_LENGTH, MAX_QUOTES

MAX_THREADS, MAX_MESSAGES = 50, 200
"""Threads about one assignment, and messages of one thread."""
MAX_PER_HOUR = 60
"""Messages that one person writes in an hour, in all projects: more is a mistake of a program."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@changes_project("assignment.annotator.project_id")
@transaction.atomic
def thread_open(
    *, assignment: Assignment, by: User | None, text: str, words: Sequence[Mapping[str, Any]] = (), span: str = ""
) -> Thread:
    """Begin a thread about an assignment, or about `words` of its texts: {"side", "start", "end"}, in code points.

    `span` is the id of the saved span that they are, if any. The annotator writes to the leads, anyone else to the
    annotator: the caller checks that it is a lead. Raises Invalid, and Conflict if there are too many messages, or if
    the annotator has no access to the project and would not read them.
    """
    text = _check_message(text)
    quote = _quoted(assignment.pair, words)
    if span and span not in _span_ids(assignment):
        raise Invalid(
            _("The annotation of this pair has no span with this id."),
            where="span",
            hint=_("Save the span first, or send its words alone."),
        )
    _take_turns(by)
    locked = Assignment.objects.select_for_update(of=("self",)).select_related("annotator").get(pk=assignment.pk)
    if Thread.objects.filter(assignment=locked).count() >= MAX_THREADS:
        raise _too_many(_("There are %(n)s conversations about this pair already.") % {"n": MAX_THREADS})
    now = timezone.now()
    party = party_of(locked, by)
    thread = Thread.objects.create(
        assignment=locked, span=span, quote=quote, changed=now, waiting_for=_other_party(party)
    )
    _add(thread, by, party, text)
    return thread


@changes_project("thread.assignment.annotator.project_id")
@transaction.atomic
def thread_answer(*, thread: Thread, by: User | None, text: str) -> Message:
    """Write into a thread, which opens it again if it was resolved. Raises as `thread_open`."""
    text = _check_message(text)
    _take_turns(by)
    locked = thread_locked(thread)
    if Message.objects.filter(thread=locked).count() >= MAX_MESSAGES:
        raise _too_many(_("There are %(n)s messages here already.") % {"n": MAX_MESSAGES})
    return _add(locked, by, party_of(locked.assignment, by), text)


@changes_project("thread.assignment.annotator.project_id")
@transaction.atomic
def thread_resolve(*, thread: Thread, by: User | None) -> Thread:
    """Take a thread off the lists of what is open. If its annotator does, they have read it."""
    locked = thread_locked(thread)
    if locked.resolved is None:
        locked.resolved, locked.resolved_by = timezone.now(), by
        if party_of(locked.assignment, by) == Party.ANNOTATOR:
            locked.unread_since = None
        locked.save(update_fields=["resolved", "resolved_by", "unread_since"])
    return locked


@changes_project("thread.assignment.annotator.project_id")
@transaction.atomic
def thread_reopen(*, thread: Thread) -> Thread:
    """Put a thread back on the lists; it waits for the same people as before."""
    locked = thread_locked(thread)
    locked.resolved = locked.resolved_by = None
    locked.save(update_fields=["resolved", "resolved_by"])
    return locked


def thread_locked(thread: Thread) -> Thread:
    """A thread as it is now, with its row locked, and with its annotator and their account."""
    rows = Thread.objects.select_for_update(of=("self",)).select_related("assignment__annotator__user")
    return rows.get(pk=thread.pk)


def party_of(assignment: Assignment, by: User | None) -> Party:
    """For which side a person writes: whoever has the pair asks, whoever else leads."""
    is_own = by is not None and assignment.annotator.user_id == by.pk
    return Party.ANNOTATOR if is_own else Party.LEAD


def _add(thread: Thread, by: User | None, party: Party, text: str) -> Message:
    if party == Party.LEAD and thread.assignment.annotator.user_id is None:
        raise Conflict(
            _("%(alias)s has no access to this project and would not see the message.")
            % {"alias": thread.assignment.annotator.alias},
            code="no-access",
            hint=_("Restore their access, or invite them, first."),
        )
    now = timezone.now()
    if by is not None and Message.objects.filter(author=by, made__gt=now - timedelta(hours=1)).count() >= MAX_PER_HOUR:
        raise _too_many(_("You have written %(n)s messages within an hour.") % {"n": MAX_PER_HOUR})
    message = Message.objects.create(thread=thread, by=party, author=by, text=text)
    thread.changed, thread.waiting_for, thread.resolved, thread.resolved_by = now, _other_party(party), None, None
    if party == Party.ANNOTATOR:
        thread.unread_since = None
    elif thread.unread_since is None:
        thread.unread_since = now
    thread.save(update_fields=["changed", "waiting_for", "resolved", "resolved_by", "unread_since"])
    return message


def _take_turns(by: User | None) -> None:
    """Requests of one person wait for each other, whatever they are about: their messages are counted together.

    Before anything else is locked, as in other services that lock a person. Not against rows that refer to the person.
    """
    if by is not None:
        User.objects.select_for_update(no_key=True).get(pk=by.pk)


def _span_ids(assignment: Assignment) -> set[str]:
    row = Annotation.objects.filter(assignment=assignment).only("spans").first()
    return set() if row is None else {each.id for each in row.parsed_spans}


def _other_party(party: Party) -> Party:
    return Party.LEAD if party == Party.ANNOTATOR else Party.ANNOTATOR


def _check_message(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if match := _CONTROL.search(text):
        before = text[: match.start()]
        params = {
            "character": f"U+{ord(match[0]):04X}",
            "line": before.count("\n") + 1,
            "column": match.start() - before.rfind("\n"),
        }
        raise Invalid(
            _("Line %(line)s, character %(column)s: a message can't contain the control character %(character)s.")
            % params,
            where="text",
            hint=_("Delete it, or type that line again."),
        )
    text = text.strip()
    if not has_visible_text(text):
        raise Invalid(_("Enter a message first."), code="empty", where="text")
    if len(text) > MAX_MESSAGE_LENGTH:
        raise Invalid(
            _("A message can have at most %(n)s characters, and this one has %(found)s.")
            % {"n": MAX_MESSAGE_LENGTH, "found": len(text)},
            where="text",
            hint=_("Shorten it, or send it in several messages."),
        )
    return text


def _quoted(pair: Pair, words: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The words with their text; of many characters, the first ones."""
    if len(words) > MAX_QUOTES:
        raise Invalid(_("A message can refer to at most %(n)s passages.") % {"n": MAX_QUOTES}, where="words")
    quotes: list[dict[str, Any]] = []
    for index, each in enumerate(words):
        content = (pair.a if each["side"] == "a" else pair.b).content
        start, end = each["start"], each["end"]
        if not 0 <= start < end <= len(content):
            raise Invalid(_("There are no such words in this text."), where=f"words[{index}]")
        if any((each["side"], start, end) == (one["side"], one["start"], one["end"]) for one in quotes):
            raise Invalid(_("These words are named twice."), where=f"words[{index}]")
        text = content[start:end]
        short = text if len(text) <= MAX_QUOTE_LENGTH else f"{text[:MAX_QUOTE_LENGTH]}…"
        quotes.append({"side": each["side"], "start": start, "end": end, "text": short})
    return quotes


def _too_many(message: str) -> Conflict:
    return Conflict(message, code="too-many", hint=_("Try again later, or talk to each other in another way."))
