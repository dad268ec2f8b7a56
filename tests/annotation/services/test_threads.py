"""Messages: who they wait for, what they quote, what is refused, and when an e-mail is due."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from annotation.errors import Conflict, Invalid
from annotation.models import Annotation, Assignment, Status, User
from annotation.models.messages import Message, Party, Thread
from annotation.selectors.threads import (
    thread_counts,
    thread_numbers,
    threads_by_assignment,
    threads_listed,
    threads_of,
    threads_unread,
)
from annotation.services import threads
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save
from annotation.services.archiving import project_archive
from annotation.services.assignments import assignments_move
from annotation.services.people import person_end_access, person_replace
from annotation.services.thread_read_marks import thread_read
from annotation.services.threads import (
    thread_answer,
    thread_open,
    thread_reopen,
    thread_resolve,
)
from tests.annotation.work import BIBLIOTHEK, LIBRARY, House, doc, house, span
from tests.factories import AssignmentFactory, PairFactory

pytestmark = pytest.mark.django_db


def people(home: House) -> tuple[User, User]:
    """Whoever has the pair, and a lead."""
    owner, lead = home.assignment.annotator.user, home.project.annotators.filter(role="lead").earliest("pk").user
    assert owner is not None and lead is not None
    return owner, lead


def asked(home: House, text: str = "One or two?", **more: Any) -> Thread:
    return thread_open(assignment=home.assignment, by=people(home)[0], text=text, **more)


def test_a_question_waits_for_a_lead_and_an_answer_to_be_read() -> None:
    home = house()
    owner, lead = people(home)
    annotation_save(
        assignment=home.assignment, by=None, base=0, sent=AnnotationInput(spans=doc(span(LIBRARY, BIBLIOTHEK)))
    )
    thread = asked(home, words=[LIBRARY, BIBLIOTHEK], span="s1")
    assert [each["text"] for each in thread.quote] == ["library", "Bibliothek"] and thread.span == "s1"
    assert thread.waiting_for == Party.LEAD and thread.unread_since is None
    assert thread_numbers(home.assignment, owner) == {"open": 1, "new": 0}
    assert thread_numbers(home.assignment, lead) == {"open": 1, "new": 1}
    answer = thread_answer(thread=thread, by=lead, text="One.\r\nBoth words say it. ")
    assert answer.text == "One.\nBoth words say it." and answer.by == Party.LEAD and answer.author == lead
    answered = Thread.objects.get()
    assert answered.waiting_for == Party.ANNOTATOR and answered.unread_since is not None
    assert thread_numbers(home.assignment, owner) == {"open": 1, "new": 1}
    assert thread_numbers(home.assignment, lead) == {"open": 1, "new": 0}
    membership = home.assignment.annotator
    assert threads_unread([membership]) == {membership.pk: [thread]}
    assert threads_by_assignment(membership)[home.assignment.pk] == {"open": 1, "unread": 1}
    assert Annotation.objects.get().revision == 1, "the work on the pair is not touched"


def test_either_side_resolves_and_a_new_message_opens_it_again() -> None:
    home = house()
    owner, lead = people(home)
    thread = asked(home)
    thread_answer(thread=thread, by=lead, text="One.")
    resolved = thread_resolve(thread=thread, by=owner)
    assert resolved.resolved is not None and resolved.resolved_by == owner and resolved.unread_since is None
    again = thread_resolve(thread=thread, by=lead)
    assert (again.resolved, again.resolved_by) == (resolved.resolved, owner), "resolved once"
    thread_answer(thread=thread, by=owner, text="But why?")
    thread.refresh_from_db()
    assert thread.resolved is None and thread.resolved_by is None and thread.waiting_for == Party.LEAD
    thread_resolve(thread=thread, by=lead)
    assert thread_reopen(thread=thread).resolved is None
    assert thread_counts(home.project) == {"open": 1, "waiting": 1, "resolved": 0}


def test_what_waits_for_a_lead_comes_first() -> None:
    home = house()
    owner, lead = people(home)
    old, answered, closed, new = (asked(home, text) for text in ("old", "answered", "closed", "new"))
    thread_answer(thread=answered, by=lead, text="Yes.")
    thread_resolve(thread=closed, by=owner)
    every = threads_of(home.project, of=None)
    assert list(threads_listed(every, "all")) == [old, new, answered, closed]
    assert list(threads_listed(every, "open")) == [old, new, answered]
    assert list(threads_listed(every, "resolved")) == [closed]
    other = home.project.annotators.filter(role="annotator").exclude(user=owner).get()
    assert not threads_of(home.project, of=other).exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (" \n\u200b", "Enter a message"),
        ("x" * 4001, "at most 4000 characters, and this one has 4001"),
        ("a\x07b", r"Line 1, character 2: .* U\+0007"),
        ("one\r\n\r\ntwo\x1b", r"Line 3, character 4: .* U\+001B"),
        ("a\x00b", r"U\+0000"),
        ("a\u202eb", r"U\+202E"),
        ("a\ud800b", r"U\+D800"),
    ],
)
def test_what_no_message_is(text: str, said: str) -> None:
    home = house()
    with pytest.raises(Invalid, match=said) as error:
        asked(home, text)
    assert error.value.where == "text" and not Thread.objects.exists()


def test_words_have_to_be_in_the_text_and_long_ones_are_shortened() -> None:
    home = house()
    for start, end in ((-1, 3), (5, 5), (0, 10**6)):
        with pytest.raises(Invalid, match="no such words"):
            asked(home, words=[{"side": "b", "start": start, "end": end}])
    with pytest.raises(Invalid, match="at most 20"):
        asked(home, words=[LIBRARY] * 21)
    with pytest.raises(Invalid, match="named twice") as error:
        asked(home, words=[LIBRARY, BIBLIOTHEK, LIBRARY])
    assert error.value.where == "words[2]"
    with pytest.raises(Invalid, match="no span with this id") as error:
        asked(home, span="s\x00")
    assert error.value.where == "span" and not Thread.objects.exists()
    text = home.assignment.pair.a
    text.content = "word " * 100
    text.save()
    home.assignment.pair.refresh_from_db()
    (quoted,) = asked(home, words=[{"side": "a", "start": 0, "end": 400}]).quote
    assert len(quoted["text"]) == 301 and quoted["text"].endswith("…")


def test_a_line_break_is_one_character_however_it_is_sent() -> None:
    home = house()
    text = "x\r\n" * 2000 + "y"
    with pytest.raises(Invalid, match="this one has 4001"):
        asked(home, text)
    (message,) = asked(home, text.removesuffix("\r\ny")).messages.all()
    assert len(message.text) == 3999


def test_the_limit_of_an_hour_holds_for_requests_about_several_pairs_at_once(
    monkeypatch: pytest.MonkeyPatch, transactional_db: None
) -> None:
    home = house()
    owner, _lead = people(home)
    monkeypatch.setattr(threads, "MAX_PER_HOUR", 3)
    pairs = [home.assignment, *(AssignmentFactory(annotator=home.assignment.annotator) for _ in range(7))]
    start = threading.Barrier(len(pairs))
    refused: list[Conflict] = []

    def write(assignment: Assignment) -> None:
        start.wait()
        try:
            thread_open(assignment=assignment, by=owner, text="One?")
        except Conflict as error:
            refused.append(error)
        finally:
            connections.close_all()

    writing = [threading.Thread(target=write, args=(each,)) for each in pairs]
    for each in writing:
        each.start()
    for each in writing:
        each.join()
    assert (Message.objects.count(), len(refused)) == (3, 5)


def test_there_are_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    home = house()
    owner, lead = people(home)
    monkeypatch.setattr(threads, "MAX_THREADS", 2)
    monkeypatch.setattr(threads, "MAX_MESSAGES", 3)
    thread, _second = asked(home), asked(home)
    with pytest.raises(Conflict, match="2 conversations"):
        asked(home)
    for text in ("a", "b"):
        thread_answer(thread=thread, by=lead, text=text)
    with pytest.raises(Conflict, match="3 messages here"):
        thread_answer(thread=thread, by=lead, text="c")
    monkeypatch.setattr(threads, "MAX_PER_HOUR", 2)
    with pytest.raises(Conflict, match="within an hour"):
        thread_answer(thread=_second, by=owner, text="d")
    Message.objects.update(made=timezone.now() - timedelta(minutes=61))
    thread_answer(thread=_second, by=owner, text="d")


def test_nobody_writes_to_someone_who_would_not_read_it() -> None:
    home = house()
    _owner, lead = people(home)
    thread = asked(home)
    person_end_access(annotator=home.assignment.annotator)
    with pytest.raises(Conflict, match="has no access"):
        thread_answer(thread=thread, by=lead, text="One.")
    assert Message.objects.count() == 1
    assert thread_resolve(thread=thread, by=lead).resolved is not None


def test_an_archived_project_takes_no_messages() -> None:
    home = house()
    owner, lead = people(home)
    thread = asked(home)
    answer = thread_answer(thread=thread, by=lead, text="One.")
    project_archive(project=home.project, by=lead)
    for change in (
        lambda: asked(home),
        lambda: thread_answer(thread=thread, by=owner, text="x"),
        lambda: thread_resolve(thread=thread, by=owner),
        lambda: thread_reopen(thread=thread),
    ):
        with pytest.raises(Conflict, match="is archived"):
            change()
    assert thread_read(thread=thread, by=owner, last=answer.pk).unread_since is None, "what is there can be read"


def test_what_a_lead_resolved_before_it_was_read_can_be_read() -> None:
    home = house()
    owner, lead = people(home)
    thread = asked(home)
    answer = thread_answer(thread=thread, by=lead, text="One.")
    thread_resolve(thread=thread, by=lead)
    membership = home.assignment.annotator
    assert threads_unread([membership]) == {membership.pk: [thread]}
    thread_read(thread=thread, by=owner, last=answer.pk)
    assert threads_unread([membership]) == {}


def test_messages_stay_with_their_annotator_when_pairs_are_reassigned() -> None:
    home = house()
    owner, lead = people(home)
    leaver = home.assignment.annotator
    untouched = AssignmentFactory(annotator=leaver, pair=PairFactory(project=home.project))
    thread = asked(home, "Who else has this pair?")
    newcomer = home.project.annotators.filter(role="annotator").exclude(pk=leaver.pk).get()
    found = person_replace(leaver=leaver, newcomer=newcomer, by=lead, end_access=False)
    assert [each.pk for each in found.moves] == [untouched.pk]
    assert [each.pk for each in found.started] == [home.assignment.pk]
    thread.refresh_from_db()
    assert thread.assignment.annotator == leaver and thread.assignment.status == Status.REASSIGNED
    assert not threads_of(home.project, of=newcomer).exists()
    assert newcomer.assignments.filter(pair=home.assignment.pair).exists(), "the pair is annotated all the same"
    thread_answer(thread=thread, by=lead, text="Nobody.")
    assert threads_unread([leaver]) == {leaver.pk: [thread]} and owner == leaver.user


def test_an_assignment_that_got_messages_meanwhile_is_not_moved() -> None:
    home = house()
    asked(home)
    newcomer = home.project.annotators.filter(role="annotator").exclude(pk=home.assignment.annotator_id).get()
    assert assignments_move(project=home.project, ids=[home.assignment.pk], to=newcomer) == 0
