"""The workspace's page contains its assignment, so that no second request is needed; errors have pages of their own."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Assignment, Status
from annotation.services.people import person_end_access
from tests.annotation.work import doc, house
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory

pytestmark = pytest.mark.django_db


def test_the_page_holds_what_the_api_says() -> None:
    home = house()
    page = home.annotator.get(reverse("work", args=(home.project.slug, home.assignment.pk))).content.decode()
    found = re.search(r'<script id="assignment" type="application/json">(.*?)</script>', page, re.S)
    assert found
    answered = home.annotator.get(reverse("api-assignment", args=(home.assignment.pk,))).json()
    held = json.loads(found.group(1))
    # Numbers of texts and highlights are packed in the page; unpacking is tested in JavaScript.
    pair, answered_pair = held.pop("pair"), answered.pop("pair")
    assert {side: pair[side]["text"] for side in "ab"} == {side: answered_pair[side]["text"] for side in "ab"}
    assert held == answered


def test_the_page_is_never_kept_by_the_browser() -> None:
    home = house()
    response = home.annotator.get(reverse("work", args=(home.project.slug, home.assignment.pk)))
    assert "no-store" in response["Cache-Control"]


def test_the_way_on_leads_to_the_first_open_pair() -> None:
    home = house()
    home.assignment.status = Status.DONE
    home.assignment.save()
    coming = AssignmentFactory(pair=PairFactory(project=home.project), annotator=home.assignment.annotator)
    response = home.annotator.get(reverse("work-next", args=(home.project.slug,)))
    assert response["Location"] == reverse("work", args=(home.project.slug, coming.pk))


def test_when_nothing_is_left_the_way_on_leads_back_and_says_so() -> None:
    home = house()
    home.assignment.status = Status.DONE
    home.assignment.save()
    page = home.annotator.get(reverse("work-next", args=(home.project.slug,)), follow=True).content.decode()
    assert "You have no pairs remaining" in page


def test_a_refusal_is_a_page_in_words() -> None:
    home = house()
    response = home.other.get(reverse("work", args=(home.project.slug, home.assignment.pk)))
    page = response.content.decode()
    assert response.status_code == 403 and "assigned to someone else" in page
    # Perhaps the wrong user is logged in: the page says who is, and links to the log-in.
    other = response.wsgi_request.user.get_username()
    assert f"You are logged in as {other}." in page and f'href="{reverse("login")}?as=&amp;next=' in page


def test_an_unknown_address_has_a_page() -> None:
    response = Client().get("/nowhere/")
    assert response.status_code == 404 and "This page doesn't exist." in response.content.decode()


def test_a_form_without_its_token_has_a_page() -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post(reverse("login"), {"username": "x", "password": "y"})
    assert response.status_code == 403 and "reload it" in response.content.decode()


def test_texts_cannot_break_out_of_the_page() -> None:
    home = house()
    home.annotator.put(
        reverse("api-annotation", args=(home.assignment.pk,)),
        {"revision": 0, "spans": doc(), "comment": "</script><script>alert(1)</script>"},
        content_type="application/json",
    )
    page = home.annotator.get(reverse("work", args=(home.project.slug, home.assignment.pk))).content.decode()
    assert "<script>alert" not in page


def test_styles_and_the_theme_are_part_of_the_page_and_allowed_by_its_policy() -> None:
    home = house()
    response = home.annotator.get(reverse("work", args=(home.project.slug, home.assignment.pk)))
    page = response.content.decode()
    nonces = set(re.findall(r'<(?:style|script) nonce="([^"]+)">', page))
    assert len(nonces) == 1 and f"'nonce-{nonces.pop()}'" in response["Content-Security-Policy"]
    assert "--paper:" in page
    assert 'rel="stylesheet"' not in page


def test_the_names_of_the_languages_come_with_the_page_as_they_stand_in_a_sentence() -> None:
    home = house()
    address = reverse("work", args=(home.project.slug, home.assignment.pk))
    for language, name in (("de", "Deutsch"), ("fr", "allemand"), ("en", "German")):
        page = home.annotator.get(address, headers={"accept-language": language}).content.decode()
        found = re.search(r'<script id="language-words" type="application/json">(.*?)</script>', page)
        assert found
        words = json.loads(found.group(1))
        assert (words["language.de"], words["own.de"]) == (name, "Deutsch")


def test_a_page_that_is_refused_says_what_is_kept_of_the_pair() -> None:
    at = house()
    mine = at.assignment.annotator.user_id
    other = AnnotatorFactory(project=at.project)
    Assignment.objects.filter(pk=at.assignment.pk).update(annotator=other)
    page = at.annotator.get(reverse("work", args=(at.project.slug, at.assignment.pk)))
    assert page.status_code == 403
    kept = f'data-scope="{mine}/{at.assignment.pk}"'
    assert kept in page.content.decode() and "js/unsaved-changes.js" in page.content.decode()
    assert 'id="unsaved-changes"' not in at.annotator.get("/projects/nowhere/").content.decode()


def test_who_has_no_access_any_more_is_told_that_and_a_stranger_is_not() -> None:
    at = house()
    person_end_access(annotator=at.assignment.annotator)
    for address in (
        reverse("work", args=(at.project.slug, at.assignment.pk)),
        reverse("project", args=(at.project.slug,)),
        reverse("api-assignment", args=(at.assignment.pk,)),
    ):
        told = at.annotator.get(address)
        assert told.status_code == 404 and "Your access to this project has ended." in told.content.decode()
        stranger = at.stranger.get(address)
        assert stranger.status_code == 404 and "ended" not in stranger.content.decode()
    saved = at.annotator.put(reverse("api-annotation", args=(at.assignment.pk,)), {}, content_type="application/json")
    assert saved.json()["error"]["code"] == "access-ended"


def test_the_page_links_to_the_previous_pair_of_its_annotator_alone() -> None:
    home = house()
    owner = home.assignment.annotator
    Assignment.objects.filter(pk=home.assignment.pk).update(order=100)
    first, second, third, last = (
        AssignmentFactory(pair=PairFactory(project=home.project), annotator=owner, order=order, status=status)
        for order, status in ((101, Status.DONE), (102, Status.REASSIGNED), (103, Status.OPEN), (104, Status.OPEN))
    )

    def previous(assignment: Assignment, client: Client) -> str:
        page = client.get(reverse("work", args=(home.project.slug, assignment.pk))).content.decode()
        found = re.search(r'id="previous-pair"\s+href="([^"]+)"', page)
        return found.group(1) if found else ""

    def at(assignment: Assignment) -> str:
        return reverse("work", args=(home.project.slug, assignment.pk))

    assert previous(third, home.annotator) == at(first), "a reassigned pair is passed over"
    assert previous(last, home.annotator) == at(third), "an unfinished one is not"
    assert (previous(first, home.annotator), previous(home.assignment, home.annotator)) == (at(home.assignment), "")
    assert previous(third, home.lead) == "", "a lead reads along, and has no way through someone's pairs"
    assert second.status == Status.REASSIGNED


def test_only_a_page_that_its_reader_may_change_may_be_kept_for_working_offline() -> None:
    home = house()
    address = reverse("work", args=(home.project.slug, home.assignment.pk))
    assert home.annotator.get(address)["X-Diptych-Keep"] == str(home.assignment.annotator.user_id)
    assert "X-Diptych-Keep" not in home.lead.get(address)
    home.assignment.status = Status.DONE
    home.assignment.save()
    assert "X-Diptych-Keep" not in home.annotator.get(address), "a reference may be on it"


def test_a_page_that_is_fetched_ahead_takes_no_message_from_the_page_that_is_seen_next() -> None:
    home = house()
    address = reverse("work", args=(home.project.slug, home.assignment.pk))
    home.annotator.post(reverse("account"), {"action": "language", "language": "en"})
    ahead = home.annotator.get(address, headers={"X-Diptych-Ahead": "1"}).content.decode()
    seen = home.annotator.get(address).content.decode()
    assert 'class="messages"' not in ahead
    assert ahead.count("<script") == seen.count("<script")


def test_the_service_worker_is_the_same_for_everyone_and_looked_for_with_each_page() -> None:
    home = house()
    scripts = [
        client.get(reverse("work-worker", args=(slug,)))
        for client in (home.annotator, home.stranger, home.anonymous)
        for slug in (home.project.slug, "nothing")
    ]
    assert {each.status_code for each in scripts} == {200} and len({each.content for each in scripts}) == 1
    assert {each["Cache-Control"] for each in scripts} == {"no-cache"}
    assert {each["Content-Type"] for each in scripts} == {'text/javascript; charset="utf-8"'}
    # Below the pairs' own address, so that it can answer for nothing else.
    assert reverse("work-worker", args=(home.project.slug,)).startswith(reverse("work-next", args=(home.project.slug,)))
    assert "worker-src" not in scripts[0]["Content-Security-Policy"], "script-src says where workers are from"


def test_the_next_few_pairs_begin_after_the_named_one() -> None:
    home = house()
    owner = home.assignment.annotator
    Assignment.objects.filter(pk=home.assignment.pk).update(order=100)
    rest = [AssignmentFactory(pair=PairFactory(project=home.project), annotator=owner, order=101 + n) for n in range(8)]
    Assignment.objects.filter(pk=rest[1].pk).update(status=Status.DONE)
    address = reverse("api-next", args=(home.project.slug,))

    def upcoming(query: str = "") -> list[int]:
        found: list[int] = home.annotator.get(address + query).json()["upcoming"]
        return found

    keys = [each.pk for each in rest]
    assert upcoming() == [home.assignment.pk, keys[0], *keys[2:5]]
    assert upcoming(f"?after={home.assignment.pk}") == [keys[0], *keys[2:6]]
    assert upcoming(f"?after={keys[6]}") == [keys[7], home.assignment.pk, keys[0], *keys[2:4]], "then earlier ones"
    stranger = AssignmentFactory()
    assert upcoming(f"?after={stranger.pk}") == upcoming(), "another person's says nothing"
    assert home.annotator.get(address + "?after=x").status_code == 422
    assert home.lead.get(address).json() == {"assignment": None, "upcoming": []}
    home.project.settings = {**home.project.settings, "closed_phases": ["main"]}
    home.project.save()
    assert upcoming() == []
