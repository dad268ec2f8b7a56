"""A form beyond a limit of the framework is refused with a sentence on a page of ours, whoever sends it."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.views.refused_forms import NOTICE
from tests.annotation.work import house
from tests.factories import UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
FORMS: dict[str, tuple[int, dict[str, Any], str, str]] = {
    "files": (413, {"upload": ["file"] * 101}, "At most 100 files can be sent at once.", "Pack them into one zip"),
    "fields": (413, {"option": ["x"] * 1_001}, "A form can have at most 1000 fields.", "in several parts"),
    "size": (413, {"text": "x" * 2_700_000}, "The texts of a form can have at most 2.5 MB.", "shorten them"),
}


def sent(client: Client, form: dict[str, Any], **more: Any) -> Any:
    home = house()
    if "upload" in form:
        form = {"upload": [SimpleUploadedFile(f"{n}.jsonl", b"{}") for n, _ in enumerate(form["upload"])]}
    return client.post(reverse("import", args=(home.project.slug,)), form, **more)


@pytest.mark.parametrize("checks", [False, True], ids=["", "token checked"])
@pytest.mark.parametrize("known", [True, False], ids=["logged in", "logged out"])
@pytest.mark.parametrize(("status", "form", "said", "advice"), FORMS.values(), ids=FORMS)
def test_a_form_beyond_a_limit_is_refused_with_a_sentence(
    status: int, form: dict[str, Any], said: str, advice: str, known: bool, checks: bool
) -> None:
    client = Client(enforce_csrf_checks=checks)
    if known:
        client.force_login(UserFactory())
    client.get(reverse("account" if known else "login"))  # sets the token's cookie
    response = sent(client, form)
    page = response.content.decode()
    assert response.status_code == status
    assert said in page and advice in page and "</html>" in page
    part = sent(client, form, headers={"HX-Request": "true"})
    assert part.status_code == status and part[NOTICE] and "<html" not in part.content.decode()


def test_a_damaged_form_is_refused_with_a_sentence() -> None:
    address = reverse("login")
    response = Client().generic("POST", address, b"x", "multipart/form-data; boundary=")
    assert response.status_code == 400 and "The form arrived damaged" in response.content.decode()


def test_other_bad_requests_keep_their_short_answer() -> None:
    response = Client().get("/", headers={"host": "elsewhere.example"})
    assert response.status_code == 400 and "elsewhere" not in response.content.decode()
