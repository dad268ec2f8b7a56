"""The API by token: every operation as the token allows, and never more than its owner may."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from agreement.publication.card import Terms
from agreement.publication.services.publications import publication_request
from annotation.models import Annotator, Project, User
from annotation.permissions import can_create_projects
from annotation.services.tokens import token_create, token_revoke
from config import api_tokens
from config.request_limit import Allowance
from tests.annotation.work import client_of
from tests.api.document import operations
from tests.api.site import SAVE, Site, site
from tests.assist.conftest import fakes, notified  # noqa: F401
from tests.factories import AnnotatorFactory, ProjectFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]
READING = sorted(name for name, (method, _, _) in operations().items() if method == "get")
WRITING = sorted(operations().keys() - set(READING))


def bearer(user: User, name: str = "a program", **given: Any) -> dict[str, str]:
    new = token_create(user=user, name=name, **{"access": "write", "days": 1, **given})
    return {"authorization": f"Bearer {new.secret}"}


def lead_of(at: Site) -> User:
    user = at.home.project.annotators.get(role="lead").user
    assert user is not None
    return user


def code(response: Any) -> tuple[int, str]:
    return response.status_code, response.json().get("error", {}).get("code", "")


def test_a_program_saves_and_submits_without_cookies_or_csrf_tokens() -> None:
    at = site()
    assert at.home.assignment.annotator.user
    headers = bearer(at.home.assignment.annotator.user)
    strict = Client(enforce_csrf_checks=True)
    address = at.address("annotation_save")
    saved = strict.put(address, SAVE, content_type="application/json", headers=headers)
    assert (saved.status_code, saved.json()["revision"]) == (200, 1)
    assert not saved.cookies
    done = strict.post(
        at.address("assignment_submit"),
        {"revision": 1, "verdict": "submitted"},
        content_type="application/json",
        headers=headers,
    )
    assert done.json()["status"] == "done"
    assert strict.put(address, SAVE, content_type="application/json").status_code == 403


def test_a_token_that_reads_changes_nothing() -> None:
    at = site()
    headers = bearer(lead_of(at), access="read")
    for operation in WRITING:
        assert code(at.ask(operation, "anonymous", {}, headers=headers)) == (403, "read-only-token"), operation


def test_a_token_that_reads_reads_everything_that_its_owner_may() -> None:
    at = site()
    headers = bearer(lead_of(at), access="read")
    for operation in READING:
        mine = at.ask(operation, "lead").status_code
        assert at.ask(operation, "anonymous", headers=headers).status_code == mine, operation


def test_a_token_for_another_project_reaches_nothing_here() -> None:
    at = site()
    lead = lead_of(at)
    elsewhere = AnnotatorFactory(user=lead, role="lead", project=ProjectFactory()).project
    headers = bearer(lead, project=elsewhere)
    for operation in operations().keys() - {"preferences", "projects", "project_create"}:
        assert code(at.ask(operation, "anonymous", {}, headers=headers)) == (404, "not-found"), operation
    here = bearer(lead, "here", project=at.home.project)
    assert at.ask("people", "anonymous", headers=here).status_code == 200


def test_only_a_token_for_all_projects_changes_preferences() -> None:
    at = site()
    lead = lead_of(at)
    before = lead.preferences
    headers = bearer(lead, project=at.home.project)
    assert code(at.ask("preferences", "anonymous", {"size": 20}, headers=headers)) == (403, "forbidden")
    lead.refresh_from_db()
    assert lead.preferences == before
    answer = at.ask("preferences", "anonymous", {"size": 20}, headers=bearer(lead, "everywhere"))
    assert answer.json()["size"] == 20


def test_a_person_with_a_token_for_another_project_has_no_assignments_here() -> None:
    at = site()
    annotator = at.home.assignment.annotator.user
    assert annotator
    elsewhere = AnnotatorFactory(user=annotator, project=ProjectFactory()).project
    headers = bearer(annotator, project=elsewhere)
    for operation in ("assignment", "annotation_save", "assignment_submit", "assignment_reopen"):
        assert at.ask(operation, "anonymous", SAVE, headers=headers).status_code == 404, operation


@pytest.mark.parametrize(("role", "adjudicates"), [("annotator", False), ("adjudicator", True)])
def test_a_leads_token_acts_in_a_lower_role(role: str, adjudicates: bool) -> None:
    at = site()
    headers = bearer(lead_of(at), role=role)
    assert code(at.ask("people", "anonymous", headers=headers)) == (403, "forbidden")
    expected = 200 if adjudicates else 403
    assert at.ask("manual_adjudication_pair", "anonymous", headers=headers).status_code == expected
    assert at.ask("assignment_next", "anonymous", headers=headers).status_code == 200


def test_a_role_above_ones_own_gives_no_more_rights() -> None:
    at = site()
    annotator = at.home.assignment.annotator.user
    assert annotator
    headers = bearer(annotator, role="lead")
    assert code(at.ask("people", "anonymous", headers=headers)) == (403, "forbidden")


def test_a_superusers_token_of_a_lower_role_needs_a_membership() -> None:
    at = site()
    owner = UserFactory(is_superuser=True)
    assert at.ask("people", "anonymous", headers=bearer(owner)).status_code == 200
    assert at.ask("people", "anonymous", headers=bearer(owner, "low", role="annotator")).status_code == 404


def test_ended_access_ends_what_a_token_reaches() -> None:
    at = site()
    lead = lead_of(at)
    headers = bearer(lead)
    AnnotatorFactory(project=at.home.project, user=UserFactory(), role="lead")
    Annotator.objects.filter(user=lead).update(user=None)
    assert at.ask("people", "anonymous", headers=headers).status_code == 404


def test_the_token_counts_and_not_a_session_that_comes_with_it() -> None:
    at = site()
    annotator = at.home.assignment.annotator.user
    assert annotator
    refused = at.ask("people", "lead", headers=bearer(annotator))
    assert code(refused) == (403, "forbidden")
    other = at.ask("people", "lead", headers={"authorization": "Basic eDp5"})
    assert other.status_code == 200, "a proxy's own password is none of our tokens"


@pytest.mark.parametrize("given", ["Bearer", "Bearer ", "Bearer x", "Bearer é", "Bearer " + "x" * 5000, "bearer a b"])
def test_what_is_no_token_is_refused(given: str) -> None:
    at = site()
    refused = at.ask("people", "lead", headers={"authorization": given})
    assert code(refused) == (401, "invalid-token")
    assert refused["WWW-Authenticate"] == 'Bearer error="invalid_token"'


def test_a_revoked_token_is_refused_at_once() -> None:
    at = site()
    new = token_create(user=lead_of(at), name="x", access="read", days=1)
    headers = {"authorization": f"Bearer {new.secret}"}
    assert at.ask("people", "anonymous", headers=headers).status_code == 200
    token_revoke(user=new.token.user, pk=new.token.pk)
    assert code(at.ask("people", "anonymous", headers=headers)) == (401, "invalid-token")


def test_pages_know_no_tokens() -> None:
    at = site()
    headers = bearer(lead_of(at))
    page = f"/projects/{at.home.project.slug}/people/"
    assert Client().get(page, headers=headers).status_code == 302
    assert Client().post("/account/tokens/", {}, headers=headers).status_code in (401, 403)


def test_a_token_of_one_project_or_of_a_lower_role_creates_no_projects() -> None:
    lead = AnnotatorFactory(user=UserFactory(), role="lead")
    user = User.objects.get(pk=lead.user_id)
    assert can_create_projects(user)
    for given in ({"project": lead.project}, {"role": "annotator"}):
        user.token = token_create(user=user, name=str(given), access="write", days=1, **given).token
        assert not can_create_projects(user)
    user.token = token_create(user=user, name="lead", access="write", days=1, role="lead").token
    assert can_create_projects(user)


def test_so_many_requests_at_once_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    at = site()
    headers = bearer(lead_of(at))
    now = 0.0
    monkeypatch.setattr(api_tokens, "token_allowance", Allowance(burst=2, per_second=10, clock=lambda: now))
    asked = [at.ask("assignment_next", "anonymous", headers=headers) for _ in range(3)]
    assert [each.status_code for each in asked] == [200, 200, 429] and asked[2]["Retry-After"] == "1"
    assert at.ask("assignment_next", "lead").status_code == 200, "pages are not limited"
    now = 0.1
    assert at.ask("assignment_next", "anonymous", headers=headers).status_code == 200


def test_a_publications_file_is_read_by_token() -> None:
    at = site()
    lead = lead_of(at)
    made = publication_request(project=at.home.project, to="jsonl", terms=Terms("cc0-1.0", ""), by=lead)
    address = reverse("publication", args=(at.home.project.slug, made.number))
    assert Client().get(address, headers=bearer(lead, access="read")).status_code == 200
    assert Client().get(address, headers={"authorization": "Bearer x"}).status_code == 401
    annotator = at.home.assignment.annotator.user
    assert annotator and Client().get(address, headers=bearer(annotator)).status_code == 403
    assert Client().get("/nowhere/", headers=bearer(lead, "again")).status_code == 404


def test_making_a_token_shows_its_secret_once_and_revoking_ends_it() -> None:
    user = UserFactory()
    client = client_of(user)
    form = {"name": "nightly export", "access": "read", "project": "", "role": "", "days": "7"}
    shown = client.post("/account/tokens/", form)
    secret = shown.context["made"].secret
    assert secret in shown.text
    again = client.get("/account/tokens/")
    assert secret not in again.text and "nightly export" in again.text and secret[-4:] in again.text
    headers = {"authorization": f"Bearer {secret}"}
    assert Client().get("/api/projects/none/next/", headers=headers).status_code == 404
    for wrong in ("x", "-1", "99999999999999999999", ""):
        assert client.post("/account/tokens/", {"revoke": wrong}).status_code in (404, 422)
    pk = shown.context["made"].token.pk
    assert client_of(UserFactory()).post("/account/tokens/", {"revoke": pk}).status_code == 404
    client.post("/account/tokens/", {"revoke": pk})
    assert Client().get("/api/projects/none/next/", headers=headers).status_code == 401


def test_refusals_are_shown_at_their_field() -> None:
    member = AnnotatorFactory(user=UserFactory())
    client = client_of(member.user)
    hidden: Project = ProjectFactory()
    form = {"name": "x", "access": "read", "days": "7"}
    assert client.post("/account/tokens/", {**form, "project": hidden.pk}).status_code == 422
    assert client.post("/account/tokens/", {**form, "days": "400"}).status_code == 422
    client.post("/account/tokens/", form)
    taken = client.post("/account/tokens/", form)
    assert taken.status_code == 422 and "already" in str(taken.context["form"].errors["name"])
