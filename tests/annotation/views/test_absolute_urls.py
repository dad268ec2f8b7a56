"""Links that leave the browser: the client chooses neither their host nor their port."""

from __future__ import annotations

import pytest
from django.core.exceptions import DisallowedHost
from django.test import RequestFactory
from pytest_django.fixtures import Settings

from annotation.views.absolute_urls import site_origin


@pytest.mark.parametrize(
    ("host", "origins", "secure", "origin"),
    [
        ("annotate.example.org", [], False, "http://annotate.example.org"),
        ("annotate.example.org:6666", [], False, "http://annotate.example.org"),
        ("annotate.example.org:8000", [], False, "http://annotate.example.org:8000"),
        ("annotate.example.org:6666", [], True, "https://annotate.example.org"),
        ("annotate.example.org", ["https://annotate.example.org:8443"], True, "https://annotate.example.org:8443"),
        ("annotate.example.org:6666", ["https://annotate.example.org"], True, "https://annotate.example.org"),
        ("annotate.example.org:8000", ["https://other.example.org"], False, "http://annotate.example.org:8000"),
        ("[::1]:8000", [], False, "http://[::1]:8000"),
        ("[::1]:6666", [], False, "http://[::1]"),
        ("[::1]", [], False, "http://[::1]"),
    ],
)
def test_the_origin_of_a_link(host: str, origins: list[str], secure: bool, origin: str, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["annotate.example.org", "[::1]"]
    settings.CSRF_TRUSTED_ORIGINS = origins
    request = RequestFactory().get("/", secure=secure, headers={"host": host}, SERVER_PORT="8000")
    assert site_origin(request) == origin


def test_a_host_that_is_not_ours_makes_no_link(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["annotate.example.org"]
    with pytest.raises(DisallowedHost):
        site_origin(RequestFactory().get("/", headers={"host": "evil.example.org"}))
