"""Access to the API: an assignment belongs to its annotator; leads and adjudicators may read it."""

import pytest
from django.urls import reverse

from annotation.models import Annotation
from tests.annotation.work import doc, house

pytestmark = pytest.mark.django_db
SAVE = {"revision": 0, "spans": doc()}
SUBMIT = {"revision": 0, "verdict": "submitted"}


@pytest.mark.parametrize(
    ("who", "status"),
    [
        ("annotator", 200),
        ("lead", 200),
        ("adjudicator", 200),
        ("superuser", 200),
        ("other", 403),
        ("stranger", 404),
        ("anonymous", 403),
    ],
)
def test_reading_an_assignment(who: str, status: int) -> None:
    home = house()
    address = reverse("api-assignment", args=(home.assignment.pk,))
    assert getattr(home, who).get(address).status_code == status


@pytest.mark.parametrize(
    ("who", "status"),
    [("lead", 403), ("adjudicator", 403), ("superuser", 403), ("other", 403), ("stranger", 404), ("anonymous", 403)],
)
@pytest.mark.parametrize(
    ("name", "method", "body"),
    [("api-annotation", "put", SAVE), ("api-submit", "post", SUBMIT), ("api-reopen", "post", {})],
)
def test_only_the_annotator_may_write(who: str, status: int, name: str, method: str, body: dict[str, object]) -> None:
    home = house()
    address = reverse(name, args=(home.assignment.pk,))
    response = getattr(getattr(home, who), method)(address, body, content_type="application/json")
    assert response.status_code == status
    assert set(response.json()["error"]) == {"code", "message", "where", "hint"}
    assert not Annotation.objects.exists()


@pytest.mark.parametrize(("who", "status"), [("annotator", 200), ("lead", 200), ("stranger", 404), ("anonymous", 403)])
def test_the_next_assignment(who: str, status: int) -> None:
    home = house()
    assert getattr(home, who).get(reverse("api-next", args=(home.project.slug,))).status_code == status


@pytest.mark.parametrize("name", ["api-assignment", "api-annotation", "api-submit", "api-reopen"])
def test_missing_assignments_are_not_found(name: str) -> None:
    home = house()
    method = {"api-assignment": "get", "api-annotation": "put"}.get(name, "post")
    response = getattr(home.annotator, method)(reverse(name, args=(10**6,)), {}, content_type="application/json")
    assert (response.status_code, response.json()["error"]["code"]) == (404, "not-found")


def test_a_save_without_the_token_is_refused() -> None:
    home = house()
    home.annotator.handler.enforce_csrf_checks = True
    address = reverse("api-annotation", args=(home.assignment.pk,))
    response = home.annotator.put(address, SAVE, content_type="application/json")
    assert response.status_code == 403 and not Annotation.objects.exists()
