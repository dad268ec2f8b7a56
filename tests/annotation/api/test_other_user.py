"""A page that one user opened can't send anything in another user's session: neither to a pair nor to a draft."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Annotation, Role, User
from tests.agreement.gold.home import home as adjudicated
from tests.annotation.work import client_of, doc, house
from tests.factories import AnnotatorFactory

pytestmark = pytest.mark.django_db


def named(user: User) -> dict[str, str]:
    """The header in which a page names its user."""
    return {"X-Diptych-User": str(user.pk)}


def test_work_of_one_person_is_refused_in_the_session_of_another() -> None:
    home = house()
    owner = home.assignment.annotator.user
    assert owner is not None
    address = reverse("api-annotation", args=(home.assignment.pk,))
    body = {"revision": 0, "spans": doc()}
    for client in (home.other, home.lead, home.stranger):
        response = client.put(address, body, content_type="application/json", headers=named(owner))
        error = response.json()["error"]
        # The same message for everyone, which never says that the pair is gone or someone else's.
        assert (response.status_code, error["code"]) == (403, "other-user")
        assert error["where"] == response.wsgi_request.user.get_username()
    assert not Annotation.objects.exists()
    kept = home.annotator.put(address, body, content_type="application/json", headers=named(owner))
    assert kept.status_code == 200


def test_a_shared_draft_of_the_gold_is_not_written_under_another_name() -> None:
    at = adjudicated()
    at.open()
    one, two = (AnnotatorFactory(project=at.project, role=Role.ADJUDICATOR).user for _ in range(2))
    assert isinstance(one, User) and isinstance(two, User)
    address = reverse("api-manual-adjudication-annotation", args=(at.project.slug, at.pair.pk))
    body = {"revision": 0, "spans": doc(), "comment": "decided by one"}
    client = client_of(two)
    refused = client.put(address, body, content_type="application/json", headers=named(one))
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "other-user")
    assert not Annotation.objects.filter(decided__isnull=False).exists()
    assert client.put(address, body, content_type="application/json", headers=named(two)).status_code == 200


def test_a_lost_log_in_stays_one() -> None:
    home = house()
    address = reverse("api-assignment", args=(home.assignment.pk,))
    error = Client().get(address, headers={"X-Diptych-User": "1"}).json()["error"]
    assert error["code"] == "not_authenticated"


def test_a_request_that_names_no_user_is_let_through() -> None:
    home = house()
    assert home.annotator.get(reverse("api-assignment", args=(home.assignment.pk,))).status_code == 200
