"""Read marks of annotators and leads, and who is told of messages by e-mail."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Annotator, User
from annotation.models.messages import Message, Party, Thread, ThreadReading
from annotation.selectors.threads import LeadReadState, lead_read_state, thread_get, threads_new_to
from annotation.services import thread_read_marks
from annotation.services.thread_read_marks import lead_mails_reserve, thread_mail_reserve, thread_read, threads_read
from annotation.services.threads import thread_answer, thread_open, thread_reopen, thread_resolve
from tests.annotation.services.test_threads import asked, people
from tests.annotation.work import House, house
from tests.factories import AnnotatorFactory, AssignmentFactory, UserFactory

pytestmark = pytest.mark.django_db


def second_lead(home: House, **more: Any) -> User:
    user = UserFactory(username="zoe", **more)
    AnnotatorFactory(project=home.project, user=user, role="lead")
    return user


def read_state(home: House, thread: Thread, by: User) -> LeadReadState:
    return lead_read_state(thread_get(home.project, thread.pk, of=None), by)


def test_a_message_that_came_after_what_was_read_stays_unread() -> None:
    home = house()
    owner, lead = people(home)
    thread = asked(home)
    seen = thread_answer(thread=thread, by=lead, text="One.")
    later = thread_answer(thread=thread, by=lead, text="No, two.")
    assert thread_read(thread=thread, by=owner, last=seen.pk).unread_since is not None
    assert thread_read(thread=thread, by=lead, last=later.pk).unread_since is not None, "a lead reads for nobody else"
    assert thread_read(thread=thread, by=owner, last=later.pk).unread_since is None


def test_a_thread_is_new_to_each_lead_until_they_have_read_it() -> None:
    home = house()
    owner, lead = people(home)
    zoe = second_lead(home)
    thread = asked(home)
    assert read_state(home, thread, lead) == LeadReadState(True, []) and threads_new_to(home.project, lead) == 1
    first = Message.objects.get()
    thread_read(thread=thread, by=lead, last=first.pk)
    assert read_state(home, thread, lead) == LeadReadState(False, []) and threads_new_to(home.project, lead) == 0
    assert (
        read_state(home, thread, zoe) == LeadReadState(True, [lead.get_username()])
        and threads_new_to(home.project, zoe) == 1
    )
    thread_answer(thread=thread, by=owner, text="Or three?")
    assert read_state(home, thread, lead) == LeadReadState(True, []) and threads_new_to(home.project, lead) == 1
    # A tab that was opened before does not take back what another one has noted.
    thread_read(thread=thread, by=lead, last=first.pk + 10)
    thread_read(thread=thread, by=lead, last=first.pk)
    assert read_state(home, thread, lead) == LeadReadState(False, [])


def test_what_was_answered_or_resolved_is_new_to_nobody() -> None:
    home = house()
    _owner, lead = people(home)
    zoe = second_lead(home)
    answered, resolved = asked(home), asked(home, "And here?")
    thread_answer(thread=answered, by=lead, text="One.")
    thread_resolve(thread=resolved, by=lead)
    for thread in (answered, resolved):
        assert read_state(home, thread, zoe) == LeadReadState(False, [])
    assert threads_new_to(home.project, zoe) == 0
    thread_reopen(thread=resolved)
    assert read_state(home, resolved, zoe).new and threads_new_to(home.project, zoe) == 1


def test_a_page_with_several_threads_notes_all_of_them_and_of_ones_own_pairs_none() -> None:
    home = house()
    _owner, lead = people(home)
    own = AssignmentFactory(annotator=home.project.annotators.get(user=lead))
    rows = [asked(home), asked(home, "And here?"), thread_open(assignment=own, by=lead, text="I ask, too.")]
    loaded = [thread_get(home.project, each.pk, of=None) for each in rows]
    threads_read(threads=loaded, by=lead)
    threads_read(threads=loaded, by=lead)
    assert [(each.thread_id, each.last) for each in ThreadReading.objects.order_by("thread")] == [
        (each.pk, each.messages.get().pk) for each in rows[:2]
    ]


def test_an_e_mail_is_due_once_until_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    home = house()
    owner, lead = people(home)
    owner.email = "anna@example.org"
    owner.save()
    thread = asked(home)
    assert thread_mail_reserve(thread=thread) == "", "there is nothing to read"
    answer = thread_answer(thread=thread, by=lead, text="One.")
    assert thread_mail_reserve(thread=thread) == "anna@example.org"
    thread_answer(thread=thread, by=lead, text="Or two.")
    assert thread_mail_reserve(thread=thread) == "", "they were told already"
    second = AssignmentFactory(annotator=home.assignment.annotator)
    other = thread_open(assignment=second, by=lead, text="And here?")
    assert thread_mail_reserve(thread=other) == "", "the first e-mail was a moment ago"
    Thread.objects.filter(pk=thread.pk).update(mailed=timezone.now() - timedelta(minutes=11))
    assert thread_mail_reserve(thread=other) == "anna@example.org"
    for each in (thread, other):
        thread_read(thread=each, by=owner, last=answer.pk + 10)
    thread_answer(thread=thread, by=lead, text="Three.")
    monkeypatch.setattr(thread_read_marks, "MAX_MAILS_PER_DAY", 1)
    assert thread_mail_reserve(thread=thread) == "", "the project has sent enough today"
    monkeypatch.undo()
    User.objects.filter(pk=owner.pk).update(email="")
    assert thread_mail_reserve(thread=thread) == ""


def told(thread: Thread) -> list[str]:
    return [user.email for user in lead_mails_reserve(thread=thread)]


def test_leads_are_told_once_until_they_have_read_or_someone_has_answered() -> None:
    home = house()
    owner, lead = people(home)
    User.objects.filter(pk=lead.pk).update(email="lead@example.org")
    second_lead(home, email="zoe@example.org")
    AnnotatorFactory(project=home.project, user=UserFactory(email="other@example.org"), role="adjudicator")
    thread = asked(home)
    assert told(thread) == ["lead@example.org", "zoe@example.org"]
    message = thread_answer(thread=thread, by=owner, text="Please!")
    assert told(thread) == []
    other = asked(home, "And here?")
    assert told(other) == [], "the first e-mail was a moment ago"
    thread_read(thread=thread, by=lead, last=message.pk)
    assert told(other) == ["lead@example.org"], "they have come since"
    ThreadReading.objects.update(mailed=timezone.now() - timedelta(minutes=11))
    thread_answer(thread=thread, by=lead, text="One.")
    assert told(thread) == [], "it waits for the annotator"
    thread_answer(thread=thread, by=owner, text="Why?")
    assert told(thread) == ["lead@example.org", "zoe@example.org"]
    thread_resolve(thread=thread, by=lead)
    ThreadReading.objects.all().delete()
    assert told(thread) == []


def test_who_wants_no_e_mails_has_left_or_has_no_address_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    home = house()
    _owner, lead = people(home)
    zoe = second_lead(home, email="zoe@example.org", preferences={"mails": False})
    User.objects.filter(pk=lead.pk).update(email="")
    gone = UserFactory(email="gone@example.org", is_active=False)
    AnnotatorFactory(project=home.project, user=gone, role="lead")
    thread = asked(home)
    assert told(thread) == []
    User.objects.filter(pk=zoe.pk).update(preferences={"mails": True})
    monkeypatch.setattr(thread_read_marks, "MAX_MAILS_PER_DAY", 0)
    assert told(thread) == []
    monkeypatch.undo()
    assert told(thread) == ["zoe@example.org"]
    assert Thread.objects.get().waiting_for == Party.LEAD and Annotator.objects.filter(user=zoe).exists()


def test_an_annotator_who_wants_no_e_mails_gets_none() -> None:
    home = house()
    owner, lead = people(home)
    User.objects.filter(pk=owner.pk).update(email="anna@example.org", preferences={"mails": False})
    thread = thread_open(assignment=home.assignment, by=lead, text="One?")
    assert thread_mail_reserve(thread=thread) == ""
