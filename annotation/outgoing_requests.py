"""Requests to a server whose address someone typed: which servers may be asked, and what is read of a response.

Every such request goes through here. The name is resolved first; if any of its addresses is private, loopback,
link-local or reserved, nothing is sent, unless the site's owner allows it (`settings.PRIVATE_ADDRESSES`). The
connection goes to the very address that was checked, so a name that resolves otherwise a moment later changes nothing.
No redirect is followed, no proxy is used, and the whole request has one time limit.
"""

from __future__ import annotations

import re
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from http.client import HTTPConnection, HTTPException, HTTPResponse, parse_headers
from ipaddress import IPv6Address, ip_address, ip_network
from threading import Timer
from urllib.parse import urlsplit

SECONDS = 10.0
"""From the first connection to the last byte; what the machine's resolver takes comes on top."""
RESPONSE_BYTES = 2048
MAX_INTERIM_RESPONSES = 10
"""Responses before the final one."""
SWITCHING = 101
MAX_URL_LENGTH = 500
PORTS = {"http": 80, "https": 443}
_RESERVED = tuple(map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "3fff::/20", "5f00::/16")))
"""Ranges for special purposes that Python's own list lacks, or has only in part."""
_HOST = re.compile(r"[a-z0-9_.-]+|[0-9a-f:.]+")
_URL = re.compile(r"[!-~]+")


class FailureReason(StrEnum):
    """Why a server could not be asked."""

    ADDRESS = "address"
    NAME = "name"
    TIME = "time"
    TLS = "tls"
    CONNECTION = "connection"
    RESPONSE = "answer"


class Unreachable(Exception):
    """There is no response. `sent`: the server may have got the request, or a part of it, all the same."""

    def __init__(self, reason: FailureReason, sent: bool = False) -> None:
        super().__init__(reason.value)
        self.reason = reason
        self.sent = sent


@dataclass(frozen=True, slots=True)
class Url:
    """A web address in its parts; `target` is the path with the query."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """The host as the header has it: without the port that the scheme implies."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == PORTS[self.scheme] else f"{name}:{self.port}"


@dataclass(frozen=True, slots=True)
class HttpResult:
    """The status of a response, the beginning of its body (all of it if asked for), and its headers by their names in
    lower case.
    """

    status: int
    start: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


def parse_url(text: str) -> Url:
    """Raises ValueError unless it is http or https with a host, in ASCII, without a username, password or fragment."""
    if len(text) > MAX_URL_LENGTH or not _URL.fullmatch(text) or "\\" in text:
        raise ValueError("not a web address")
    parts = urlsplit(text)
    port = parts.port
    host = parts.hostname or ""
    if parts.scheme not in PORTS or "@" in parts.netloc or "#" in text or not _HOST.fullmatch(host) or port == 0:
        raise ValueError("not a web address")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Url(parts.scheme, host, port or PORTS[parts.scheme], target)


def is_public(address: str) -> bool:
    """Whether an IP address can be reached by everyone; one that contains another address, as IPv6 may, can not."""
    ip = ip_address(address)
    if ip.is_multicast or ip.is_reserved or ip.is_loopback or ip.is_link_local or ip.is_unspecified:
        return False
    if isinstance(ip, IPv6Address) and (ip.ipv4_mapped or ip.sixtofour or ip.teredo or ip.is_site_local):
        return False
    return ip.is_global and not any(ip in each for each in _RESERVED)


def is_private_literal(host: str) -> bool:
    """Whether a host is an address that is refused, or this machine's name; other names are resolved when asked.

    Addresses may be written as resolvers read them, too: in one to four parts, each decimal, octal or hexadecimal.
    """
    name = host.rstrip(".")
    try:
        return not is_public(host)
    except ValueError:
        pass
    try:
        return not is_public(socket.inet_ntoa(socket.inet_aton(name)))
    except OSError:
        return name == "localhost" or name.endswith(".localhost")


def checked_addresses(host: str, port: int, *, private: bool) -> list[str]:
    """The addresses of a host. Raises Unreachable if it has none, or one that is not public unless `private`."""
    try:
        resolved = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable(FailureReason.NAME) from None
    addresses = list(dict.fromkeys(str(each[4][0]) for each in resolved))
    if not private and not all(is_public(each) for each in addresses):
        raise Unreachable(FailureReason.ADDRESS)
    return addresses


class FinalResponse(HTTPResponse):
    """A response without those before it (1xx), such as early hints, which Python's own takes for the response."""

    def _read_status(self) -> tuple[str, int, str]:
        for _interim in range(MAX_INTERIM_RESPONSES):
            status: tuple[str, int, str] = super()._read_status()  # type: ignore[misc]
            if not 100 <= status[1] < 200 or status[1] == SWITCHING:
                return status
            parse_headers(self.fp)
        raise HTTPException("no final response")


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    private: bool,
    seconds: float = SECONDS,
    max_bytes: int | None = None,
) -> HttpResult:
    """Send a body to a server. `private`: also to addresses that are not public. Raises Unreachable.

    With `max_bytes` the whole response is read, and one that is cut off or has more bytes counts as none; without it,
    only the beginning, as far as it comes.
    """
    try:
        parsed = parse_url(url)
    except ValueError:
        raise Unreachable(FailureReason.ADDRESS) from None
    addresses = checked_addresses(parsed.host, parsed.port, private=private)
    end = time.monotonic() + seconds
    sent = False
    try:
        sock = _wrap_tls(parsed, _connect(addresses, parsed.port, end), end)
        sent = True
        return _send_request(parsed, sock, body, headers, end, max_bytes)
    except (OSError, HTTPException, ValueError) as error:
        raise Unreachable(_failure_reason(error, end), sent) from None


def _failure_reason(error: Exception, end: float) -> FailureReason:
    if isinstance(error, TimeoutError) or time.monotonic() >= end:
        return FailureReason.TIME
    if isinstance(error, ssl.SSLError):
        return FailureReason.TLS
    return FailureReason.CONNECTION if isinstance(error, OSError) else FailureReason.RESPONSE


def _wrap_tls(url: Url, sock: socket.socket, end: float) -> socket.socket:
    """The connection, over TLS if the address says so."""
    if url.scheme == "http":
        return sock
    try:
        context = ssl.create_default_context()
        secured = context.wrap_socket(sock, server_hostname=url.host, do_handshake_on_connect=False)
        sock = secured
        with _enforce_deadline(sock, end):
            secured.do_handshake()
        return secured
    except BaseException:
        sock.close()
        raise


def _send_request(
    url: Url, sock: socket.socket, body: bytes, headers: Mapping[str, str], end: float, max_bytes: int | None
) -> HttpResult:
    try:
        with _enforce_deadline(sock, end):
            connection = HTTPConnection(url.host, url.port)
            connection.response_class = FinalResponse
            connection.sock = sock  # so that it makes no connection of its own
            connection.request("POST", url.target, body, {**headers, "Host": url.authority, "Connection": "close"})
            response = connection.getresponse()
            if time.monotonic() >= end:
                raise TimeoutError  # its headers may be cut off
            named = {name.lower(): value for name, value in response.getheaders()}
            if max_bytes is not None:
                return HttpResult(response.status, _read_body(response, max_bytes, end), named)
            try:
                return HttpResult(response.status, response.read(RESPONSE_BYTES), named)
            except (OSError, HTTPException, ValueError):
                return HttpResult(response.status, b"", named)
    finally:
        sock.close()


def _read_body(response: HTTPResponse, max_bytes: int, end: float) -> bytes:
    """A body of at most `max_bytes`. Raises ValueError if it is longer, TimeoutError or HTTPException if cut off."""
    parts, size = list[bytes](), 0
    while part := response.read(min(max_bytes + 1 - size, 65536)):
        parts.append(part)
        size += len(part)
        if size > max_bytes:
            raise ValueError("too long")
    if time.monotonic() >= end:
        raise TimeoutError  # without a length, the end of what was cut off looks like any other
    if response.length:
        raise HTTPException("cut off")
    return b"".join(parts)


def _connect(addresses: list[str], port: int, end: float) -> socket.socket:
    """A connection to the first address that takes one."""
    last: OSError = TimeoutError()
    for address in addresses:
        left = end - time.monotonic()
        if left <= 0:
            break
        try:
            return socket.create_connection((address, port), timeout=left)
        except OSError as error:
            last = error
    raise last


@contextmanager
def _enforce_deadline(sock: socket.socket, end: float) -> Iterator[None]:
    """Cut a connection when its time is over: a server that sends a byte now and then never meets a time-out."""

    def cut() -> None:
        try:
            socket.socket.shutdown(sock, socket.SHUT_RDWR)
        except OSError:
            return

    timer = Timer(max(0.0, end - time.monotonic()), cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
