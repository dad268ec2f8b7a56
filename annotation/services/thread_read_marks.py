"""Who has read which messages, and who is notified of them by e-mail. None of it changes the messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Case, Exists, OuterRef, PositiveBigIntegerField, Q, Value, When
from django.db.models.functions import Greatest
from django.utils import timezone

from annotation.models import Project, Role, User
from annotation.models.messages import Message, Party, Thread, ThreadReading
from annotation.security_events import security_event
from annotation.services.threads import party_of, thread_locked

MAX_MAILS_PER_DAY = 200
"""E-mails about messages that a project sends on one day."""
MAIL_INTERVAL = timedelta(minutes=10)
"""After an e-mail, its receiver gets none about other messages of the project for so long: it leads to all of them."""


@transaction.atomic
def thread_read(*, thread: Thread, by: User | None, last: int) -> Thread:
    """Someone has read a thread up to the message `last`: its annotator, or else a lead. Later ones stay unread.

    In an archived project too: reading changes nothing of it.
    """
    locked = thread_locked(thread)
    if party_of(locked.assignment, by) == Party.ANNOTATOR:
        if locked.unread_since and not locked.messages.filter(by=Party.LEAD, pk__gt=last).exists():
            locked.unread_since = None
            locked.save(update_fields=["unread_since"])
    elif by is not None:
        newest = locked.messages.filter(pk__lte=last).order_by("pk").last()
        _record_read({locked.pk: newest.pk if newest else 0}, by)
    return locked


@transaction.atomic
def threads_read(*, threads: Sequence[Thread], by: User) -> None:
    """A lead has opened a page with all messages of these threads, which are loaded with them."""
    about_others = [each for each in threads if party_of(each.assignment, by) == Party.LEAD]
    _record_read(
        {each.pk: max((message.pk for message in each.messages.all()), default=0) for each in about_others}, by
    )


def _record_read(newest: Mapping[int, int], by: User) -> None:
    """Record the last message that a lead has read in each thread; never an earlier one, which another tab may send."""
    if not newest:
        return
    ThreadReading.objects.bulk_create([ThreadReading(thread_id=pk, reader=by) for pk in newest], ignore_conflicts=True)
    now = Case(
        *(When(thread=pk, then=Value(last)) for pk, last in newest.items()), output_field=PositiveBigIntegerField()
    )
    ThreadReading.objects.filter(thread__in=newest, reader=by).update(last=Greatest("last", now))


@transaction.atomic
def thread_mail_reserve(*, thread: Thread) -> str:
    """Record that the annotator is notified of an unread message; returns the address to write to, '' for none.

    No e-mail is due if they were notified since they last read the thread, or within `MAIL_INTERVAL` of another one of
    the project; nor beyond `MAX_MAILS_PER_DAY` of the project, nor if they want none.
    """
    project = Project.objects.select_for_update().get(pk=thread.assignment.annotator.project_id)
    locked = thread_locked(thread)
    user, now = locked.assignment.annotator.user, timezone.now()
    if user is None or not user.is_active or not _wants_mail(user) or locked.unread_since is None:
        return ""
    if locked.mailed and locked.mailed >= locked.unread_since:
        return ""
    others = Thread.objects.filter(assignment__annotator=locked.assignment.annotator_id, mailed__gt=now - MAIL_INTERVAL)
    if others.filter(unread_since__isnull=False).exists() or not _mails_left(project):
        return ""
    Thread.objects.filter(pk=locked.pk).update(mailed=now)
    return user.email


@transaction.atomic
def lead_mails_reserve(*, thread: Thread) -> list[User]:
    """The leads to tell of a message that waits for them, who count as told then.

    By the rules of `thread_mail_reserve`: once until they have read the thread or someone has answered it.
    """
    project = Project.objects.select_for_update().get(pk=thread.assignment.annotator.project_id)
    locked = thread_locked(thread)
    if locked.resolved or locked.waiting_for != Party.LEAD:
        return []
    leads = User.objects.filter(memberships__project=project, memberships__role=Role.LEAD, is_active=True)
    due = [user for user in leads.order_by("pk") if _wants_mail(user) and not _was_notified(user, locked, project)]
    due = due[: _mails_left(project)]
    for user in due:
        values = {"mailed": timezone.now()}
        ThreadReading.objects.update_or_create(thread=locked, reader=user, defaults=values)
    return due


def _was_notified(user: User, thread: Thread, project: Project) -> bool:
    """Whether a lead was told since this thread waits for them, or of another unread one a moment ago."""
    waiting = Message.objects.filter(thread=OuterRef("thread"), by=Party.ANNOTATOR, pk__gt=OuterRef("last"))
    notified = ThreadReading.objects.filter(
        Exists(waiting),
        reader=user,
        mailed__isnull=False,
        thread__resolved=None,
        thread__waiting_for=Party.LEAD,
        thread__assignment__annotator__project=project,
    )
    since = _waits_since(thread)
    return notified.filter(Q(thread=thread, mailed__gte=since) | Q(mailed__gt=timezone.now() - MAIL_INTERVAL)).exists()


def _waits_since(thread: Thread) -> object:
    """When the annotator wrote the first message that no lead has answered."""
    answer = thread.messages.filter(by=Party.LEAD).order_by("pk").last()
    return thread.messages.filter(pk__gt=answer.pk if answer else 0).earliest("pk").made


def _wants_mail(user: User) -> bool:
    return bool(user.email) and user.preferences.get("mails", True) is not False


def _mails_left(project: Project) -> int:
    """How many e-mails about messages the project may still send today."""
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    to_annotators = Thread.objects.filter(mailed__gte=midnight, assignment__annotator__project=project).count()
    to_leads = ThreadReading.objects.filter(
        mailed__gte=midnight, thread__assignment__annotator__project=project
    ).count()
    left = max(MAX_MAILS_PER_DAY - to_annotators - to_leads, 0)
    if not left:
        security_event("message mails at their limit", project=project.pk)
    return left
