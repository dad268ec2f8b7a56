"""Messages in the API: who sees which thread, whose names, and who is told by e-mail."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Annotator, User
from annotation.models.messages import Thread
from annotation.qualification.rule import KEY, PassRule
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save
from annotation.services.archiving import project_archive
from annotation.services.qualification import person_advance
from annotation.services.threads import thread_answer, thread_open
from annotation.views import invitation_mail
from tests.annotation.work import LIBRARY, House, doc, house, span
from tests.factories import AnnotatorFactory, AssignmentFactory, UserFactory

pytestmark = pytest.mark.django_db


class AtOnce:
    def submit(self, call: Any, *given: Any) -> None:
        call(*given)


def lead_of(home: House) -> User:
    user = home.project.annotators.filter(role="lead").earliest("pk").user
    assert user is not None
    return user


def ask(home: House, who: str, name: str, body: Any = None, method: str = "post", **keys: Any) -> Any:
    address = reverse(name, kwargs={"slug": home.project.slug, **keys})
    return getattr(getattr(home, who), method)(address, body or {}, content_type="application/json")


def opened(home: House, who: str = "annotator", **more: Any) -> Any:
    body = {"assignment": home.assignment.pk, "text": "One or two?", **more}
    return ask(home, who, "api-threads", body)


def test_an_annotator_asks_and_a_lead_answers_without_a_name() -> None:
    home = house()
    annotation_save(assignment=home.assignment, by=None, base=0, sent=AnnotationInput(spans=doc(span(LIBRARY))))
    made = opened(home, words=[LIBRARY], span="s1").json()
    assert made["words"] == [{**LIBRARY, "text": "library"}] and made["waiting_for"] == "lead" and not made["unread"]
    (question,) = made["messages"]
    assert question["mine"] and question["name"] == home.assignment.annotator.alias
    answered = ask(home, "lead", "api-thread", {"text": "<b>One</b>."}, pk=made["id"]).json()
    assert answered["messages"][1]["name"] == lead_of(home).get_username() and answered["unread"]
    seen = ask(home, "annotator", "api-thread", method="get", pk=made["id"]).json()
    assert seen["messages"][1] | {"id": 0, "made": ""} == {
        "id": 0,
        "by": "lead",
        "name": "",
        "mine": False,
        "text": "<b>One</b>.",
        "made": "",
    }
    last = seen["messages"][1]["id"]
    assert seen["new"]
    read = ask(home, "annotator", "api-thread-read", {"last": last}, "put", pk=made["id"]).json()
    assert not read["unread"] and not read["new"]
    for resolved in (True, False):
        body = {"resolved": resolved}
        assert ask(home, "annotator", "api-thread-resolved", body, "put", pk=made["id"]).json()["resolved"] is resolved


def test_others_are_not_told_that_there_is_a_thread() -> None:
    home = house()
    pk = opened(home).json()["id"]
    for who in ("other", "adjudicator"):
        assert ask(home, who, "api-thread", method="get", pk=pk).status_code == 404
        assert ask(home, who, "api-thread", {"text": "x"}, pk=pk).status_code == 404
        assert opened(home, who).status_code == 404
        listed = getattr(home, who).get(reverse("api-threads", args=(home.project.slug,))).json()
        assert (listed["count"], listed["threads"]) == (0, [])
        workspace = getattr(home, who).get(reverse("api-assignment", args=(home.assignment.pk,)))
        assert workspace.status_code == 403 or workspace.json()["urls"]["messages"] == ""


def test_lists_are_filtered_and_come_in_pages_with_as_many_statements() -> None:
    home = house()
    address = reverse("api-threads", args=(home.project.slug,))
    second = AssignmentFactory(annotator=home.assignment.annotator)
    thread_open(assignment=second, by=lead_of(home), text="And here?")

    def counted(query: str) -> tuple[Any, int]:
        with CaptureQueriesContext(connection) as captured:
            found = home.lead.get(f"{address}?{query}").json()
        return found, len(captured)

    _found, few = counted("status=open")
    for text in ("a", "b", "c"):
        thread = thread_open(assignment=home.assignment, by=home.assignment.annotator.user, text=text)
        thread_answer(thread=thread, by=lead_of(home), text="Yes.")
    found, many = counted("status=open&size=3")
    assert (found["count"], found["pages"], len(found["threads"])) == (4, 2, 3) and many == few
    assert counted(f"assignment={second.pk}")[0]["count"] == 1
    assert counted("status=resolved")[0]["count"] == 0
    assert home.lead.get(f"{address}?status=x").status_code == 422


def test_the_workspace_has_the_numbers() -> None:
    home = house()
    opened(home)
    address = reverse("api-assignment", args=(home.assignment.pk,))
    assert home.annotator.get(address).json()["messages"] == {"open": 1, "new": 0, "mine": True}
    assert home.lead.get(address).json()["messages"] == {"open": 1, "new": 1, "mine": False}
    assert home.lead.get(address).json()["urls"]["messages"] == reverse("api-threads", args=(home.project.slug,))


def test_an_annotator_is_told_by_e_mail_where_the_site_sends_it(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    home = house()
    monkeypatch.setattr(invitation_mail, "outbox", AtOnce())
    User.objects.filter(memberships=home.assignment.annotator).update(
        email="anna@example.org", preferences={"language": "de"}
    )
    pk = opened(home, words=[LIBRARY]).json()["id"]
    assert ask(home, "lead", "api-thread", {"text": "One, in the library."}, pk=pk).status_code == 200
    assert not mail.outbox, "this site sends none"
    settings.EMAIL = {"EMAIL_HOST": "localhost"}
    ask(home, "lead", "api-thread", {"text": "Or two."}, pk=pk)
    (message,) = mail.outbox
    assert message.to == ["anna@example.org"] and "Nachricht" in message.subject
    assert "library" not in str(message.body) and home.assignment.pair.external_id not in str(message.body)
    (link,) = re.findall(r"https?://\S+", str(message.body))
    assert link.endswith(reverse("work", args=(home.project.slug, home.assignment.pk)) + "#messages")
    ask(home, "lead", "api-thread", {"text": "Or three."}, pk=pk)
    assert len(mail.outbox) == 1


def test_leads_are_told_by_e_mail_of_what_annotators_write(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    home = house()
    monkeypatch.setattr(invitation_mail, "outbox", AtOnce())
    settings.EMAIL = {"EMAIL_HOST": "localhost"}
    User.objects.filter(pk=lead_of(home).pk).update(email="lead@example.org", preferences={"language": "fr"})
    made = opened(home, words=[LIBRARY]).json()
    (message,) = mail.outbox
    body = str(message.body)
    assert message.to == ["lead@example.org"] and message.subject != "A message in " + home.project.name
    assert "library" not in body and home.assignment.annotator.alias not in body
    (link,) = re.findall(r"https?://\S+", body)
    assert link.endswith(reverse("threads", args=(home.project.slug,)))
    ask(home, "annotator", "api-thread", {"text": "Please!"}, pk=made["id"])
    assert len(mail.outbox) == 1


def test_each_lead_has_read_it_or_not(client: Client) -> None:
    home = house()
    zoe = UserFactory(username="zoe")
    AnnotatorFactory(project=home.project, user=zoe, role="lead")
    made = opened(home).json()
    assert (made["new"], made["read_by"]) == (False, [])
    body = {"last": made["messages"][-1]["id"]}
    seen = ask(home, "lead", "api-thread", method="get", pk=made["id"]).json()
    assert seen["new"], "that it was read is said by another request"
    read = ask(home, "lead", "api-thread-read", body, "put", pk=made["id"]).json()
    assert (read["new"], read["read_by"]) == (False, [])
    client.force_login(zoe)
    (listed,) = client.get(reverse("api-threads", args=(home.project.slug,))).json()["threads"]
    assert (listed["new"], listed["read_by"]) == (True, [lead_of(home).get_username()])
    own = ask(home, "annotator", "api-thread", method="get", pk=made["id"]).json()
    assert (own["new"], own["read_by"]) == (False, []), "annotators don't see who leads"


def test_a_message_is_written_although_the_mail_server_refuses(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    home = house()
    monkeypatch.setattr(invitation_mail, "outbox", AtOnce())
    settings.EMAIL = {"EMAIL_HOST": "localhost"}
    settings.EMAIL_BACKEND = "tests.nowhere.Backend"
    User.objects.filter(memberships=home.assignment.annotator).update(email="anna@example.org")
    assert opened(home, "lead").status_code == 200


def test_those_without_access_are_not_written_to() -> None:
    home = house()
    Annotator.objects.filter(pk=home.assignment.annotator_id).update(user=None)
    refused = opened(home, "lead")
    assert refused.status_code == 409 and refused.json()["error"]["code"] == "no-access"


def held(home: House) -> None:
    """The project gets a pass rule: its annotator's main pair waits."""
    home.project.settings = {**home.project.settings, KEY: PassRule().to_json()}
    home.project.save()


def test_a_pair_that_waits_for_the_qualification_is_neither_written_nor_read_about() -> None:
    home = house()
    thread = thread_open(assignment=home.assignment, by=lead_of(home), text="Look here.", words=[LIBRARY])
    last = thread.messages.get().pk
    held(home)
    refused = [
        opened(home, words=[LIBRARY]),
        ask(home, "annotator", "api-thread", method="get", pk=thread.pk),
        ask(home, "annotator", "api-thread", {"text": "Where?"}, pk=thread.pk),
        ask(home, "annotator", "api-thread-resolved", {"resolved": True}, "put", pk=thread.pk),
        ask(home, "annotator", "api-thread-read", {"last": last}, "put", pk=thread.pk),
    ]
    for answer in refused:
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "qualification")
        assert "library" not in answer.content.decode()
    thread.refresh_from_db()
    assert thread.resolved is None and thread.unread_since and thread.messages.count() == 1
    for query in ("", f"assignment={home.assignment.pk}"):
        listed = home.annotator.get(f"{reverse('api-threads', args=(home.project.slug,))}?{query}").json()
        assert (listed["count"], listed["threads"]) == (0, [])
    for address in (reverse("home"), reverse("project", args=(home.project.slug,))):
        assert "new-message" not in home.annotator.get(address).content.decode()
    # the lead is not held back, and whoever is advanced sees all of it
    assert ask(home, "lead", "api-thread", {"text": "Later."}, pk=thread.pk).status_code == 200
    person_advance(annotator=home.assignment.annotator, by=None)
    assert len(ask(home, "annotator", "api-thread", method="get", pk=thread.pk).json()["messages"]) == 2
    assert "new-message" in home.annotator.get(reverse("home")).content.decode()
    assert opened(home, words=[LIBRARY]).json()["words"] == [{**LIBRARY, "text": "library"}]


def test_a_pair_that_was_started_before_the_rule_is_still_written_about() -> None:
    home = house()
    home.assignment.status = "started"
    home.assignment.save()
    held(home)
    assert opened(home, words=[LIBRARY]).status_code == 200


def test_no_e_mail_leads_to_a_pair_that_waits(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    home = house()
    settings.EMAIL = True
    monkeypatch.setattr(invitation_mail, "outbox", AtOnce())
    User.objects.filter(memberships=home.assignment.annotator).update(email="anna@example.org")
    held(home)
    assert opened(home, "lead").status_code == 200
    assert not mail.outbox
    person_advance(annotator=home.assignment.annotator, by=None)
    assert opened(home, "lead").status_code == 200
    assert len(mail.outbox) == 1


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ({"assignment": "1"}, "assignment"),
        ({"assignment": True}, "assignment"),
        ({"text": 5}, "text"),
        ({"text": None}, "text"),
        ({"text": "x" * 4001}, "text"),
        ({"span": 1}, "span"),
        ({"span": "s9"}, "span"),
        ({"words": "library"}, "words"),
        ({"words": [LIBRARY, {**LIBRARY, "start": "0"}]}, "words[1].start"),
        ({"words": [{**LIBRARY, "end": 11.0}]}, "words[0].end"),
        ({"words": [{**LIBRARY, "text": "library"}]}, "words[0].text"),
        ({"words": [LIBRARY, LIBRARY]}, "words[1]"),
        ({"words": [{"side": "a", "start": 4}]}, "words[0].end"),
        ({"words": [LIBRARY, 3]}, "words[1]"),
    ],
)
def test_a_value_of_another_type_is_refused_by_field(more: dict[str, Any], where: str) -> None:
    home = house()
    refused = opened(home, **more)
    error = refused.json()["error"]
    assert (refused.status_code, error["where"]) == (422, where)
    assert error["message"] and "Ensure this" not in error["message"] and not Thread.objects.exists()


def test_whether_it_is_resolved_and_what_was_read_have_types_too() -> None:
    home = house()
    pk = opened(home).json()["id"]
    for name, body in (
        ("api-thread-resolved", {"resolved": "yes"}),
        ("api-thread-resolved", {"resolved": 1}),
        ("api-thread-read", {"last": "1"}),
    ):
        refused = ask(home, "annotator", name, body, "put", pk=pk)
        assert (refused.status_code, refused.json()["error"]["where"]) == (422, *body)
    assert Thread.objects.get().resolved is None


def test_a_line_break_of_a_browser_counts_once() -> None:
    home = house()
    made = opened(home, text="x\r\n" * 2000)
    assert made.status_code == 200 and len(made.json()["messages"][0]["text"]) == 3999


def test_a_lead_is_told_that_there_is_no_such_assignment() -> None:
    home, elsewhere = house(), house()
    for who, said in (("lead", "There is no such assignment in this project."), ("annotator", "You have no such")):
        refused = opened(home, who, assignment=elsewhere.assignment.pk)
        assert refused.status_code == 404 and said in refused.json()["error"]["message"]


def test_what_is_there_can_be_read_in_an_archived_project() -> None:
    home = house()
    pk = opened(home).json()["id"]
    answer = thread_answer(thread=Thread.objects.get(), by=lead_of(home), text="One.")
    project_archive(project=home.project, by=lead_of(home))
    read = ask(home, "annotator", "api-thread-read", {"last": answer.pk}, "put", pk=pk)
    assert read.status_code == 200 and not read.json()["unread"]
    assert ask(home, "annotator", "api-thread", {"text": "But?"}, pk=pk).status_code == 409


def test_a_message_that_is_far_too_long_is_no_upload() -> None:
    home = house()
    refused = opened(home, text="x" * (5 * 1024 * 1024))
    error = refused.json()["error"]
    assert (refused.status_code, error["code"]) == (413, "too-large")
    assert "upload" not in error["message"] and "Import" not in error["hint"]
