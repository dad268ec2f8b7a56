"""Reading preferences: saved for one user only, on every device."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import User
from tests.annotation.work import client_of
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def put(client: Client, body: object) -> int:
    return client.put(reverse("api-preferences"), body, content_type="application/json").status_code


def test_given_values_are_saved_and_the_rest_stays() -> None:
    user, other = UserFactory(preferences={"language": "de", "size": 15}), UserFactory()
    client = client_of(user)
    assert put(client, {"size": 21, "face": "sans"}) == 200
    assert put(client, {"theme": "dark"}) == 200
    preferences = User.objects.get(pk=user.pk).preferences
    assert preferences == {"language": "de", "size": 21, "face": "sans", "theme": "dark"}
    assert User.objects.get(pk=other.pk).preferences == {}
    assert 'data-own-theme="dark"' in client.get(reverse("home")).content.decode()


@pytest.mark.parametrize("body", [{"size": 90}, {"theme": "pink"}, {"together": "perhaps"}, {"split": 0}])
def test_what_no_page_can_show_is_refused_and_named(body: dict[str, object]) -> None:
    user = UserFactory()
    response = client_of(user).put(reverse("api-preferences"), body, content_type="application/json")
    assert (response.status_code, response.json()["error"]["where"]) == (422, next(iter(body)))
    assert User.objects.get(pk=user.pk).preferences == {}


def test_unknown_preferences_are_not_stored() -> None:
    user = UserFactory()
    assert put(client_of(user), {"language": "xx", "is_superuser": True}) == 200
    assert User.objects.get(pk=user.pk).preferences == {}


def test_only_logged_in_users_have_preferences_and_no_other_site_can_set_them() -> None:
    assert put(Client(), {"theme": "dark"}) == 403
    client = Client(enforce_csrf_checks=True)
    client.force_login(UserFactory())
    assert put(client, {"theme": "dark"}) == 403
