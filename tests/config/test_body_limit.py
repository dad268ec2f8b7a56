"""A request that is larger than any upload is refused with a sentence; see test_limited_request for what is read."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from annotation.import_models import Import
from annotation.text.limits import LARGEST_UPLOAD
from tests.annotation.work import house

SAID = "The upload is too large; the limit is 500 MB."


@pytest.mark.django_db
def test_an_upload_that_says_it_is_too_large_is_refused_with_a_sentence() -> None:
    home = house()
    too_large: dict[str, Any] = {"CONTENT_LENGTH": str(LARGEST_UPLOAD * 2)}
    refused = home.lead.generic("POST", reverse("import", args=(home.project.slug,)), b"", "text/plain", **too_large)
    assert refused.status_code == 413 and SAID in refused.content.decode()
    api = home.lead.generic("PUT", reverse("api-preferences"), b"{}", "application/json", **too_large)
    assert (api.status_code, api.json()["error"]["code"]) == (413, "too-large")
    assert not Import.objects.exists()
