"""Pages of messages: what leads find and answer, and where annotators see that there is something to read."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import User
from annotation.models.messages import Message, Thread
from annotation.services.archiving import project_archive
from annotation.services.thread_read_marks import thread_read
from annotation.services.threads import thread_answer, thread_open, thread_resolve
from tests.annotation.work import LIBRARY, House, house
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def lead_of(home: House) -> User:
    user = home.project.annotators.filter(role="lead").earliest("pk").user
    assert user is not None
    return user


def asked(home: House, text: str = "One or two?", **more: Any) -> Thread:
    return thread_open(assignment=home.assignment, by=home.assignment.annotator.user, text=text, **more)


def page(client: Client, name: str, home: House, *keys: int, query: str = "") -> str:
    response = client.get(reverse(name, args=(home.project.slug, *keys)) + query)
    assert response.status_code == 200
    return " ".join(unescape(response.content.decode()).split())


def test_a_project_without_messages_says_how_they_come() -> None:
    home = house()
    text = page(home.lead, "threads", home)
    assert "Nobody has written yet." in text and reverse("pairs", args=(home.project.slug,)) in text


def test_the_list_is_filtered_and_what_waits_comes_first() -> None:
    home = house()
    answered, waiting, closed = asked(home, "is answered"), asked(home, "still waits"), asked(home, "is closed")
    thread_answer(thread=answered, by=lead_of(home), text="yes, answered")
    thread_resolve(thread=closed, by=lead_of(home))
    text = page(home.lead, "threads", home)
    assert "<b>1 conversation</b> is waiting for a reply." in text
    assert text.index("still waits") < text.index("yes, answered") and "is closed" not in text
    assert "is closed" in page(home.lead, "threads", home, query="?status=resolved")
    text = page(home.lead, "threads", home, query="?status=all")
    assert all(each in text for each in ("still waits", "yes, answered", "is closed")) and "Open: 2" in text
    thread_resolve(thread=waiting, by=None)
    thread_resolve(thread=answered, by=None)
    assert "All conversations are resolved." in page(home.lead, "threads", home)


def test_a_lead_answers_resolves_and_opens_again() -> None:
    home = house()
    thread = asked(home, "<script>One?</script>", words=[LIBRARY])
    address = reverse("thread", args=(home.project.slug, thread.pk))
    raw = home.lead.get(address).content.decode()
    assert "<script>One?" not in raw and "<q" in raw and "library" in raw
    assert f"{reverse('work', args=(home.project.slug, home.assignment.pk))}#thread-{thread.pk}" in raw
    refused = home.lead.post(address, {"text": "a\x07"})
    assert (
        refused.status_code == 422
        and b"Line 1, character 2: a message can&#x27;t contain the control character U+0007. Delete it"
        in refused.content
    )
    for text, said in (
        ("", b"Enter a message first."),
        ("x" * 4001, b"at most 4000 characters, and this one has 4001. Shorten it"),
        ("x\r\n" * 2000 + "y", b"this one has 4001"),
    ):
        refused = home.lead.post(address, {"text": text})
        assert refused.status_code == 422 and said in refused.content, text[:10]
    assert home.lead.post(address, {"text": "x\r\n" * 2000}).status_code == 302
    assert home.lead.post(address, {"text": "One."}).status_code == 302
    assert Message.objects.last().text == "One."  # type: ignore[union-attr]
    assert home.lead.post(address, {"resolve": "1"})["Location"] == address
    assert Thread.objects.get().resolved is not None
    back = home.lead.post(address, {"reopen": "1", "from": "pair"})["Location"]
    assert back == reverse("pair", args=(home.project.slug, home.assignment.pair_id)) + f"#thread-{thread.pk}"
    assert Thread.objects.get().resolved is None


def test_the_page_of_a_pair_has_its_messages_and_an_answer_each() -> None:
    home = house()
    first, second = asked(home, "one"), asked(home, "two")
    other = AssignmentFactory(annotator=home.assignment.annotator, pair=PairFactory(project=home.project))
    thread_open(assignment=other, by=lead_of(home), text="of another pair")
    text = page(home.lead, "pair", home, home.assignment.pair_id)
    assert f'id="answer-{first.pk}-text"' in text and f'id="answer-{second.pk}-text"' in text
    assert "of another pair" not in text
    assert f"{reverse('work', args=(home.project.slug, home.assignment.pk))}#messages" in text


def test_leads_are_told_on_the_monitor_and_on_progress() -> None:
    home = house()
    for name in ("monitor", "project"):
        assert "is waiting for a reply" not in page(home.lead, name, home)
    assert "Nothing to review." in page(home.lead, "project", home)
    asked(home, "Is it so?", words=[LIBRARY])
    text = page(home.lead, "monitor", home)
    needs, queue = text.index("1 conversation is waiting for a reply."), text.index("Messages waiting for a reply")
    assert needs < queue < text.index('id="queue"') and "Is it so?" in text
    text = page(home.lead, "project", home)
    assert "1 conversation is waiting for a reply." in text and "Nothing to review." not in text


def test_leads_see_what_is_new_to_them_who_has_read_it_and_whether_the_annotator_has() -> None:
    home = house()
    thread = asked(home)
    zoe = UserFactory(username="zoe")
    AnnotatorFactory(project=home.project, user=zoe, role="lead")
    listed = page(home.lead, "threads", home)
    assert "New to you: 1." in listed and '<b class="new">new</b>' in listed
    assert '<b class="new">new</b>' in page(home.lead, "monitor", home), "the list alone is no reading"
    assert '<b class="new">new</b>' in page(home.lead, "thread", home, thread.pk)
    for name, keys in (("threads", ()), ("monitor", ()), ("pair", (home.assignment.pair_id,))):
        text = page(home.lead, name, home, *keys)
        assert "waiting for a lead" in text and '<b class="new">' not in text and "New to you" not in text
    client = Client()
    client.force_login(zoe)
    assert f"read by {lead_of(home).get_username()}" in page(client, "threads", home)
    assert '<b class="new">new</b>' in page(client, "pair", home, home.assignment.pair_id)
    assert '<b class="new">' not in page(client, "threads", home)
    answer = thread_answer(thread=thread, by=lead_of(home), text="One.")
    assert "waiting for the annotator, who has not read it" in page(home.lead, "threads", home)
    thread_read(thread=thread, by=home.assignment.annotator.user, last=answer.pk)
    assert "waiting for the annotator, who has read it" in page(home.lead, "thread", home, thread.pk)


def test_annotators_see_what_they_have_not_read() -> None:
    home = house()
    thread = asked(home)
    link = f"{reverse('work', args=(home.project.slug, home.assignment.pk))}#thread-{thread.pk}"
    start = home.annotator.get(reverse("home")).content.decode()
    assert link not in start and "messages" in page(home.annotator, "project", home)
    message = thread_answer(thread=thread, by=lead_of(home), text="One.")
    start = home.annotator.get(reverse("home")).content.decode()
    own = page(home.annotator, "project", home)
    assert link in start and link in own and "new message" in own and "<b>1 conversation</b>" in own
    assert "new message" not in page(home.other, "project", home)
    thread_read(thread=thread, by=home.assignment.annotator.user, last=message.pk)
    assert link not in home.annotator.get(reverse("home")).content.decode()


def test_lists_need_as_many_statements_for_many_threads() -> None:
    home = house()
    addresses = [reverse(name, args=(home.project.slug,)) for name in ("threads", "monitor")]
    pair = reverse("pair", args=(home.project.slug, home.assignment.pair_id))

    def counted() -> list[int]:
        found = []
        for client, address in [
            *((home.lead, each) for each in (*addresses, pair)),
            *((home.annotator, each) for each in (reverse("home"), reverse("project", args=(home.project.slug,)))),
        ]:
            client.get(address)
            with CaptureQueriesContext(connection) as captured:
                assert client.get(address).status_code == 200
            found.append(len(captured))
        return found

    thread_answer(thread=asked(home), by=lead_of(home), text="a")
    counted()  # the page of the pair notes what was read, which lists load
    few = counted()
    for text in ("b", "c", "d"):
        thread_answer(thread=asked(home, text), by=lead_of(home), text=text)
    asked(home, "e")
    asked(home, "f")
    many = counted()
    assert many[2:] == few[2:] and many[0] == few[0], (few, many)


def test_in_an_archived_project_messages_can_be_read() -> None:
    home = house()
    thread = asked(home, "Is it so?")
    project_archive(project=home.project, by=lead_of(home))
    text = page(home.lead, "thread", home, thread.pk)
    assert "Is it so?" in text and "<textarea" not in text
    assert home.lead.post(reverse("thread", args=(home.project.slug, thread.pk)), {"text": "x"}).status_code == 409
