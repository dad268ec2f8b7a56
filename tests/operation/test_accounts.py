"""The owner's pages of accounts: search, everything stored about a person as a zip, and their removal."""

from __future__ import annotations

import io
import json
import logging
import re
import zipfile

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Annotator, User
from tests.annotation.work import client_of
from tests.factories import AnnotatorFactory, AssignmentFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> Client:
    return client_of(UserFactory(username="owner", is_superuser=True))


@pytest.fixture
def person() -> User:
    user = UserFactory(username="quill", email="quill@example.org")
    AssignmentFactory(annotator=AnnotatorFactory(user=user, alias="Feather"))
    return user


def page(client: Client, query: str = "") -> str:
    return client.get(reverse("accounts"), {"q": query}).content.decode()


def listed(client: Client, query: str) -> list[str]:
    return re.findall(r'accounts/\d+/">(\w+)</a>', page(client, query))


def test_an_account_is_found_by_name_address_and_alias(owner: Client, person: User) -> None:
    for query in ("QUILL", "example.org", "feath"):
        assert listed(owner, query) == ["quill"]
    assert {"owner", "quill"} <= set(listed(owner, "")) and "accounts</b> on this site" in page(owner)
    assert "<b>0 accounts</b> found" in page(owner, "nobody")


def test_everything_stored_is_downloaded_and_logged(
    owner: Client, person: User, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "diptych.security"):
        response = owner.post(reverse("account-export", args=[person.pk]))
    packed = zipfile.ZipFile(io.BytesIO(b"".join(response)))
    assert json.loads(packed.read("account.json"))[0]["email"] == "quill@example.org"
    assert json.loads(packed.read("memberships.json"))[0]["alias"] == "Feather"
    assert response["Content-Disposition"] == f'attachment; filename="account-{person.pk}.zip"'
    assert "person exported" in [record.message for record in caplog.records]


def test_a_person_is_removed_only_when_their_username_was_typed(owner: Client, person: User) -> None:
    address, stored = (reverse(name, args=[person.pk]) for name in ("account-delete", "account-stored"))
    said = " ".join(owner.get(stored).content.decode().split())
    assert "1 assignment stays" in said and "Feather becomes" in said and "To confirm, type the username: quill" in said
    for typed in ("", "Quill", "owner"):
        refused = owner.post(address, {"username": typed})
        assert refused.status_code == 422 and "No changes were made." in refused.content.decode()
        assert User.objects.filter(pk=person.pk).exists()
    done = owner.post(address, {"username": "quill"}, follow=True).content.decode()
    assert "The account quill was deleted." in done
    assert not User.objects.filter(pk=person.pk).exists()
    assert Annotator.objects.filter(user=None).get().assignments.count() == 1
    assert owner.get(stored).status_code == 404


def test_the_only_owner_cannot_go_and_one_of_two_leaves_at_once(owner: Client) -> None:
    own = User.objects.get(username="owner")
    assert (
        "The only superuser can&#x27;t be deleted"
        in owner.get(reverse("account-stored", args=[own.pk])).content.decode()
    )
    address = reverse("account-delete", args=[own.pk])
    owner.post(address, {"username": "owner"})
    assert User.objects.filter(pk=own.pk).exists()
    UserFactory(username="second", is_superuser=True)
    assert owner.post(address, {"username": "owner"})["Location"] == reverse("login")
    assert not User.objects.filter(pk=own.pk).exists()
    assert owner.get(reverse("home")).status_code == 302
