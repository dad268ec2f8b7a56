"""Large requests are refused with a sentence, except uploads by leads; see test_limited_request for what is read."""

from __future__ import annotations

import errno
import os
from typing import Any

import pytest
from django.conf.global_settings import FILE_UPLOAD_MAX_MEMORY_SIZE
from django.core.files.uploadedfile import SimpleUploadedFile, TemporaryUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models.imports import Import
from annotation.text.limits import MAX_UPLOAD_BYTES
from config.upload_gate import is_upload, max_body_bytes_for_path
from config.waitress_request import MAX_BODY_BYTES, NOT_STORED, USUAL_BODY
from tests.annotation.work import house
from tests.paths import ROOT

SAID = "The upload is too large; the limit is 500 MB."


@pytest.mark.django_db
def test_an_upload_that_says_it_is_too_large_is_refused_with_a_sentence() -> None:
    home = house()
    too_large: dict[str, Any] = {"CONTENT_LENGTH": str(MAX_UPLOAD_BYTES * 2)}
    refused = home.lead.generic("POST", reverse("import", args=(home.project.slug,)), b"", "text/plain", **too_large)
    assert refused.status_code == 413 and SAID in refused.content.decode()
    not_much: dict[str, Any] = {"CONTENT_LENGTH": str(USUAL_BODY + 1)}
    page = home.lead.generic("POST", reverse("home"), b"", "text/plain", **not_much)
    assert page.status_code == 413 and "the limit is 4 MB" in page.content.decode()
    api = home.lead.generic("PUT", reverse("api-preferences"), b"{}", "application/json", **too_large)
    assert (api.status_code, api.json()["error"]["code"]) == (413, "too-large")
    assert not Import.objects.exists()


@pytest.mark.django_db
def test_only_leads_may_send_large_files_and_only_where_files_are_sent() -> None:
    home, other = house(), house()
    upload = reverse("import", args=(home.project.slug,))
    glossary = reverse("glossary-upload", args=(home.project.slug,))
    large: dict[str, Any] = {"CONTENT_LENGTH": str(USUAL_BODY + 1)}

    def status_of(client: Client, address: str) -> int:
        cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
        answer = client.generic("POST", address, b"", "text/plain", **large)
        # The server and the application agree.
        assert (max_body_bytes_for_path(address, cookies) == MAX_BODY_BYTES) is (answer.status_code not in (413, 401))
        return answer.status_code

    for address in (upload, glossary):
        assert status_of(home.lead, address) in (200, 422)
        assert status_of(home.superuser, address) in (200, 422)
        for client in (home.annotator, home.adjudicator, home.stranger, other.lead):
            assert status_of(client, address) == 413
    refused = home.anonymous.generic("POST", upload, b"", "text/plain", **large)
    assert refused.status_code == 401 and "Log in, and send them again." in refused.content.decode()
    assert status_of(home.lead, reverse("guidelines-edit", args=(home.project.slug,))) == 413
    assert (
        max_body_bytes_for_path(upload, "sessionid=nonsense") == max_body_bytes_for_path(upload, "\0=;;") == USUAL_BODY
    )


def test_the_addresses_of_uploads_are_those_of_the_site() -> None:
    names = ["import", "glossary-upload", "mining", "encoders", "items"]
    assert [name for name in names if is_upload(reverse(name, args=("a-b_1",)))] == names
    forms = [path.name for path in ROOT.glob("templates/**/*.html") if "multipart/form-data" in path.read_text()]
    # Encoders and items share a form. The file of a scheme is as small as any other form.
    assert sorted(forms) == [f"{name}.html" for name in ("_requested_form", "glossary", "import", "mining", "scheme")]


@pytest.mark.django_db
def test_a_body_for_which_the_disk_had_no_room_is_refused_with_a_sentence() -> None:
    home = house()
    said = "The server&#x27;s disk is full. No changes were made."
    lost: dict[str, Any] = {NOT_STORED: "full", "CONTENT_LENGTH": "3000000"}
    upload = reverse("import", args=(home.project.slug,))
    for kind in ("multipart/form-data; boundary=x", "application/x-www-form-urlencoded"):
        page = home.lead.generic("POST", upload, b"", kind, **lost)
        # There is no form to be sent again: what was in it is lost.
        assert page.status_code == 507 and said in page.content.decode() and "<form" not in page.content.decode()
    notice = home.lead.generic("POST", upload, b"", "text/plain", **lost, HTTP_HX_REQUEST="true")
    assert notice.status_code == 507 and said in notice.content.decode()
    api = home.lead.generic("PUT", reverse("api-preferences"), b"", "application/json", **lost)
    assert (api.status_code, api.json()["error"]["code"]) == (507, "disk-full")
    lost[NOT_STORED] = "protected"
    protected = home.lead.generic("PUT", reverse("api-preferences"), b"", "application/json", **lost)
    assert (protected.status_code, protected.json()["error"]["code"]) == (507, "disk-protected")


@pytest.mark.django_db
def test_a_file_for_which_the_disk_has_no_room_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Django stores a large file of a form, too, before the page sees it."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    home = house()
    monkeypatch.setattr(TemporaryUploadedFile, "write", full, raising=False)
    home.lead.raise_request_exception = False
    files = {"file": SimpleUploadedFile("large.csv", b"a" * (FILE_UPLOAD_MAX_MEMORY_SIZE + 1))}
    page = home.lead.post(reverse("import", args=(home.project.slug,)), files)
    assert page.status_code == 507 and "disk is full" in page.content.decode()
    assert not Import.objects.exists()
