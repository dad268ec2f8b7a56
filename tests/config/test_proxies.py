"""The client address of a request: forwarding headers are trusted only if a configured proxy sends them."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory, override_settings

from config.proxies import FORWARDING, TrustedProxyMiddleware, client_address, parse_networks, throttled_address

PROXIES = parse_networks(["127.0.0.1", "10.0.0.0/8", "::1"])


@pytest.mark.parametrize(
    ("peer", "forwarded_for", "address"),
    [
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("127.0.0.1", "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        ("127.0.0.1", "203.0.113.9, 198.51.100.7, 10.1.2.3", "198.51.100.7"),
        ("127.0.0.1", "not an address", "127.0.0.1"),
        ("127.0.0.1", "198.51.100.7, unknown, 10.1.2.3", "10.1.2.3"),
        ("::1", "2001:db8::5", "2001:db8::5"),
        ("198.51.100.7", "203.0.113.9", "198.51.100.7"),
        ("::ffff:127.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("", "203.0.113.9", ""),
    ],
)
def test_the_client_is_the_last_address_that_is_not_a_trusted_proxy(
    peer: str, forwarded_for: str, address: str
) -> None:
    assert client_address(peer, forwarded_for, PROXIES) == address


def test_a_proxy_that_is_no_address_is_refused_by_name() -> None:
    with pytest.raises(ImproperlyConfigured, match=r"DIPTYCH_PROXIES.*proxy.example"):
        parse_networks(["proxy.example"])


def seen(proxies: list[str], **meta: Any) -> HttpRequest:
    """A request as seen behind the middleware."""
    requests: list[HttpRequest] = []

    def view(request: HttpRequest) -> HttpResponse:
        requests.append(request)
        return HttpResponse()

    with override_settings(TRUSTED_PROXIES=proxies):
        TrustedProxyMiddleware(view)(RequestFactory().get("/", **meta))
    return requests[0]


def test_headers_that_no_trusted_proxy_sent_are_removed() -> None:
    forged = dict.fromkeys(FORWARDING, "203.0.113.9")
    request = seen([], REMOTE_ADDR="127.0.0.1", **forged)
    assert request.META["REMOTE_ADDR"] == "127.0.0.1"
    assert not set(FORWARDING) & set(request.META)


@override_settings(SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https"))
def test_only_a_trusted_proxy_can_say_that_a_request_came_by_https() -> None:
    forwarded = {"HTTP_X_FORWARDED_PROTO": "https", "HTTP_X_FORWARDED_FOR": "198.51.100.7"}
    behind = seen(["10.0.0.0/8"], REMOTE_ADDR="10.0.0.2", **forwarded)
    assert behind.is_secure() and behind.META["REMOTE_ADDR"] == "198.51.100.7"
    assert not seen(["10.0.0.0/8"], REMOTE_ADDR="198.51.100.7", **forwarded).is_secure()


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::"),
        ("::ffff:198.51.100.7", "198.51.100.7"),
        ("", None),
        ("unix:", None),
    ],
)
def test_a_whole_ipv6_network_of_one_subscriber_is_counted_as_one_address(address: str, counted: str | None) -> None:
    request = RequestFactory().get("/", REMOTE_ADDR=address)
    assert throttled_address(request) == counted
