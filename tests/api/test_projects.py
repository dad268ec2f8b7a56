"""What the API says of projects and pairs, and that plans are applied as they were shown."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Assignment, Project
from annotation.selectors.assignments import assignments_of_pair
from annotation.services.reading_languages import reading_skills_set
from annotation.services.tokens import token_create
from tests.annotation.work import client_of, house
from tests.api.site import Site, site
from tests.assist.conftest import fakes, notified  # noqa: F401
from tests.factories import AnnotatorFactory, PairFactory, ProjectFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]


def lead_of(at: Site) -> Any:
    return at.home.project.annotators.get(role="lead").user


def test_projects_are_listed_with_the_role_in_each_and_in_pages(django_assert_max_num_queries: Any) -> None:
    lead = UserFactory()
    for name, role in (("c", "lead"), ("a", "annotator"), ("b", "adjudicator")):
        AnnotatorFactory(project=ProjectFactory(name=name), user=lead, role=role)
    ProjectFactory(name="d")
    client = client_of(lead)
    with django_assert_max_num_queries(6):
        found = client.get("/api/projects/").json()
    assert [(each["name"], each["role"]) for each in found["projects"]] == [
        ("a", "annotator"),
        ("b", "adjudicator"),
        ("c", "lead"),
    ]
    assert (found["count"], found["page"], found["pages"]) == (3, 1, 1)
    second = client.get("/api/projects/?size=2&page=2").json()
    assert [each["name"] for each in second["projects"]] == ["c"] and second["pages"] == 2
    assert client.get("/api/projects/?size=2&page=9").json()["page"] == 2
    assert client.get("/api/projects/?size=201").status_code == 422


def test_a_token_for_one_project_lists_that_one_alone() -> None:
    lead = UserFactory()
    one, _other = (AnnotatorFactory(project=ProjectFactory(), user=lead, role="lead").project for _ in range(2))
    token = token_create(user=lead, name="x", access="read", days=1, project=one, role="annotator")
    found = client_of(UserFactory()).get("/api/projects/", headers={"authorization": f"Bearer {token.secret}"}).json()
    assert [(each["slug"], each["role"]) for each in found["projects"]] == [(one.slug, "annotator")]


def test_the_site_owner_sees_all_projects_as_their_lead() -> None:
    ProjectFactory()
    owner = UserFactory(is_superuser=True)
    (found,) = client_of(owner).get("/api/projects/").json()["projects"]
    assert found["role"] == "lead"
    token = token_create(user=owner, name="x", access="read", days=1, role="annotator")
    headers = {"authorization": f"Bearer {token.secret}"}
    assert client_of(owner).get("/api/projects/", headers=headers).json()["projects"] == []


def test_a_project_has_its_size_and_progress_for_leads_alone() -> None:
    at = site()
    found = at.ask("project").json()
    assert found["role"] == "lead" and found["pairs"] == at.home.project.pairs.count()
    (phase,) = [each for each in found["progress"] if each["phase"] == "main"]
    assert phase["done"] == 2 and phase["assigned"] >= 3
    other = at.ask("project", "annotator").json()
    assert other["role"] == "annotator" and other["pairs"] is None and other["progress"] is None


def test_pairs_are_listed_by_filter_and_page() -> None:
    at = site()
    for number in range(3):
        PairFactory(project=at.home.project, external_id=f"extra-{number}")
    everything = at.ask("pairs").json()
    assert everything["count"] == at.home.project.pairs.count()
    assert [each["external_id"] for each in at.ask("pairs", body={"q": "extra-1"}).json()["pairs"]] == ["extra-1"]
    unassigned = at.ask("pairs", body={"only": "unassigned", "size": 2}).json()
    assert len(unassigned["pairs"]) == 2 and unassigned["pages"] > 1
    assert all(each["assigned"] == 0 for each in unassigned["pairs"])


def test_a_pair_has_its_texts_and_everyones_work() -> None:
    at = site()
    found = at.ask("pair").json()
    pair = at.home.project.pairs.get(pk=at.adjudicated)
    assert (found["text_a"], found["language_b"]) == (pair.a.content, pair.b.language)
    assert [len(each["spans"]) for each in found["annotations"]] == [1, 2]
    assert {each["verdict"] for each in found["annotations"]} == {"submitted"}
    assert [(each["person"], each["status"]) for each in found["assignments"]] == [
        (row.annotator_id, row.status) for row in assignments_of_pair(pair)
    ]
    assert len(found["assignments"]) >= len(found["annotations"])


def test_a_created_project_is_led_by_whoever_created_it() -> None:
    at = site()
    made = at.ask("project_create", body={"name": "Town pages", "preset": "graded"}).json()
    assert (made["slug"], made["role"], made["pairs"]) == ("town-pages", "lead", 0)
    project = Project.objects.get(slug="town-pages")
    assert project.annotators.get().user == lead_of(at)
    assert at.ask("project_create", body={"name": "Third"}).status_code == 422
    assert at.ask("project_create", body={"name": "Third", "scheme": {"labels": []}}).status_code == 422
    assert not Project.objects.filter(slug="third").exists()


def test_a_plan_is_applied_as_it_was_shown_and_not_otherwise() -> None:
    at = house(slug="planned")
    pairs = [PairFactory(project=at.project) for _ in range(3)]
    user = at.project.annotators.get(role="lead").user
    assert user
    lead = client_of(user)
    people = [AnnotatorFactory(project=at.project, user=UserFactory()).pk for _ in range(2)]
    address = f"/api/projects/{at.project.slug}/plan/"

    def ask(**changed: Any) -> Any:
        return lead.post(address, {"people": people, "trial": 1, **changed}, content_type="application/json")

    before = Assignment.objects.count()
    shown = ask().json()
    assert not shown["applied"] and Assignment.objects.count() == before
    assert [each["phases"]["trial"] for each in shown["people"]] == [1, 1]
    late = PairFactory(project=at.project)
    assert ask(digest=shown["digest"]).status_code == 409 and Assignment.objects.count() == before
    again = ask().json()
    assert ask(digest=again["digest"]).json()["applied"]
    assert Assignment.objects.count() == before + again["assignments"]
    planned = set(Assignment.objects.filter(annotator__in=people).values_list("pair_id", flat=True))
    assert planned >= {pair.pk for pair in [*pairs, late]}
    assert ask().status_code == 422
    assert ask(people=[*people, 10**6]).json()["error"]["where"] == "people"


def test_a_plan_begins_with_a_published_one_and_says_what_it_takes() -> None:
    at = house(slug="planned")
    for _ in range(9):
        PairFactory(project=at.project)
    lead = client_of(lead_of_house(at))
    people = [AnnotatorFactory(project=at.project, user=UserFactory()) for _ in range(2)]
    reading_skills_set(annotator=people[0], skills={"fr": "native"})
    address = f"/api/projects/{at.project.slug}/plan/"
    now = lead.get(address).json()
    swissgov = next(each for each in now["presets"] if each["preset"] == "swissgov")
    assert now["unassigned"] == 9 and (swissgov["trial"], swissgov["overlap"]) == (3, 6)
    body = {"people": [each.pk for each in people], "preset": "swissgov", "minutes": 10}
    shown = lead.post(address, body, content_type="application/json").json()
    assert [each["phases"]["trial"] for each in shown["people"]] == [3, 3]
    assert all(each["seconds"] == 600 * sum(each["to_do"].values()) for each in shown["people"])
    assert [(each["person"], each["pairs"]) for each in shown["unread_by"]] == [(people[0].pk, 9)]
    fewer = lead.post(address, {**body, "trial": 1}, content_type="application/json").json()
    assert fewer["people"][0]["phases"]["trial"] == 1
    lead.post(address, {**body, "digest": shown["digest"]}, content_type="application/json")
    now = lead.get(address).json()
    assert (now["trial"], now["unassigned"]) == (3, 0)


def lead_of_house(at: Any) -> Any:
    return at.project.annotators.get(role="lead").user
