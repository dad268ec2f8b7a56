"""The client's address behind the proxies of this deployment.

Forwarding headers are trusted only if the connection itself comes from a configured proxy (`DIPTYCH_PROXIES`);
otherwise they are removed, so that nothing behind this middleware can read a forged one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse

Networks = tuple[IPv4Network | IPv6Network, ...]
FORWARDING = (
    "HTTP_FORWARDED",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PORT",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_REAL_IP",
    "HTTP_X_REQUEST_ID",
)


def parse_networks(entries: Iterable[str]) -> Networks:
    """Addresses and CIDR ranges as networks. Raises ImproperlyConfigured for anything else."""
    try:
        return tuple(ip_network(entry.strip()) for entry in entries)
    except ValueError as error:
        raise ImproperlyConfigured(
            f"DIPTYCH_PROXIES: {error}. Give addresses or ranges, separated by commas: 127.0.0.1,10.0.0.0/8"
        ) from error


def _parse(address: str) -> IPv4Address | IPv6Address | None:
    """An IP address (IPv4-mapped IPv6, as from a dual-stack socket, as IPv4); None for anything else."""
    try:
        parsed = ip_address(address.strip())
    except ValueError:
        return None
    return (parsed.ipv4_mapped or parsed) if isinstance(parsed, IPv6Address) else parsed


def is_trusted(address: str, proxies: Networks) -> bool:
    """Whether `address` is one of the proxies; a socket's path or an empty string never is."""
    parsed = _parse(address)
    return parsed is not None and any(parsed in network for network in proxies)


def client_address(peer: str, forwarded_for: str, proxies: Networks) -> str:
    """The client's address: the last one in `X-Forwarded-For` that is not a trusted proxy.

    `peer` is the address of the connection. Each proxy appends the address of its own client, so entries are read from
    the right, and whatever a client wrote on the left is never reached.
    """
    address = peer
    for entry in reversed(forwarded_for.split(",")):
        if not is_trusted(address, proxies):
            break
        if (parsed := _parse(entry)) is None:
            break
        address = str(parsed)
    return address


class TrustedProxyMiddleware:
    """Set `REMOTE_ADDR` to the client's address, and remove forwarding headers that no trusted proxy sent."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.proxies = parse_networks(settings.TRUSTED_PROXIES)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        peer = request.META.get("REMOTE_ADDR", "")
        if is_trusted(peer, self.proxies):
            forwarded_for = request.META.get("HTTP_X_FORWARDED_FOR", "")
            request.META["REMOTE_ADDR"] = client_address(peer, forwarded_for, self.proxies)
        else:
            for header in FORWARDING:
                request.META.pop(header, None)
        return self.get_response(request)


def throttled_address(request: HttpRequest) -> str | None:
    """The address under which failed log-ins are counted: for IPv6 its /64, which belongs to one subscriber."""
    parsed = _parse(request.META.get("REMOTE_ADDR", ""))
    if isinstance(parsed, IPv6Address):
        return str(ip_network((parsed, 64), strict=False).network_address)
    return str(parsed) if parsed else None
