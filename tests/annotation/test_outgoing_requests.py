"""Which servers may be asked: none that is private, by whatever name; and little is read of what they answer."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from annotation.outgoing_requests import (
    RESPONSE_BYTES,
    FailureReason,
    Unreachable,
    checked_addresses,
    is_private_literal,
    is_public,
    parse_url,
    post,
)
from tests.annotation.receiver import receiving

PUBLIC = ["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1"]
PRIVATE = [
    *("127.0.0.1", "127.8.9.1", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"),
    *("169.254.169.254", "100.64.0.1", "192.0.0.8", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1"),
    *("255.255.255.255", "::", "::1", "fe80::1", "fc00::1", "fd12::1", "fec0::1", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:7f00:1::"),
]


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses(address: str) -> None:
    assert is_public(address) and not is_private_literal(address)


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses(address: str) -> None:
    assert not is_public(address) and is_private_literal(address)


def test_names_are_resolved_when_asked_but_this_machines_own() -> None:
    assert is_private_literal("localhost") and is_private_literal("localhost.")
    assert is_private_literal("hooks.localhost")
    assert not is_private_literal("example.org") and not is_private_literal("notlocalhost")


@pytest.mark.parametrize(
    "host", ["2130706433", "0x7f.1", "127.1", "0177.0.0.1", "10.1", "0xc0a80001", "0", "127.0.0.1."]
)
def test_private_addresses_in_other_notations(host: str) -> None:
    assert is_private_literal(host)


@pytest.mark.parametrize("host", ["134744072", "8.8.2056", "0x08080808"])
def test_public_addresses_in_other_notations(host: str) -> None:
    assert not is_private_literal(host)


@pytest.mark.parametrize(
    ("text", "host", "port", "target", "authority"),
    [
        ("https://example.org", "example.org", 443, "/", "example.org"),
        ("http://Example.org:8080/a/b?c=d", "example.org", 8080, "/a/b?c=d", "example.org:8080"),
        ("https://[2606:2800::1]:443/x", "2606:2800::1", 443, "/x", "[2606:2800::1]"),
    ],
)
def test_a_web_address_in_its_parts(text: str, host: str, port: int, target: str, authority: str) -> None:
    found = parse_url(text)
    assert (found.host, found.port, found.target, found.authority) == (host, port, target, authority)


@pytest.mark.parametrize(
    "text",
    [
        *("", "example.org", "ftp://example.org/", "file:///etc/passwd", "gopher://example.org", "http://"),
        *("http://user@example.org/", "http://user:secret@example.org/", "http://example.org/#part"),
        *("http://example.org:0/", "http://example.org:99999/", "http://exa mple.org/", "http://example.org/\r\nX: y"),
        *("http://bücher.example/", "http://example.org\\@127.0.0.1/", "http://[fe80::1%25eth0]/", "http://[::1"),
        "http://example.org/" + "x" * 500,
    ],
)
def test_what_is_no_web_address(text: str) -> None:
    with pytest.raises(ValueError):
        parse_url(text)
    with pytest.raises(Unreachable):
        post(text, b"", {}, private=True)


def resolving(patch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Have names resolve to these addresses, one answer after the other; returns the list of names that were asked."""
    asked: list[str] = []
    real = socket.getaddrinfo
    left = list(answers)

    def resolve(host: Any, port: Any, *args: Any, **more: Any) -> Any:
        if not str(host).endswith(".example"):
            return real(host, port, *args, **more)
        asked.append(host)
        found = left.pop(0) if len(left) > 1 else left[0]
        return [real(each, port, type=socket.SOCK_STREAM)[0] for each in found]

    patch.setattr(socket, "getaddrinfo", resolve)
    return asked


def test_a_name_that_resolves_to_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving() as receiver:
        port = parse_url(receiver.url).port
        for answer in (["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::ffff:127.0.0.1"]):
            resolving(monkeypatch, answer)
            with pytest.raises(Unreachable) as refused:
                post(f"http://hooks.example:{port}/", b"{}", {}, private=False)
            assert refused.value.reason == FailureReason.ADDRESS
        for host in ("127.0.0.1", "2130706433", "0x7f.1", "localhost"):
            with pytest.raises(Unreachable) as refused:
                post(f"http://{host}:{port}/", b"{}", {}, private=False)
            assert refused.value.reason == FailureReason.ADDRESS, host
        assert receiver.received == []


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is public when it is checked and private a moment later is asked for its address once."""
    with receiving() as receiver:
        port = parse_url(receiver.url).port
        asked = resolving(monkeypatch, ["127.0.0.1"], ["127.0.0.2"])
        answer = post(f"http://rebinding.example:{port}/hook?x=1", b"{}", {"X-One": "1"}, private=True)
        assert answer.status == 204 and asked == ["rebinding.example"]
        (got,) = receiver.received
        assert got.path == "/hook?x=1" and got.headers["x-one"] == "1"
        assert got.headers["host"] == f"rebinding.example:{port}", "the name, not the address"


def test_a_name_without_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(*_args: Any, **_more: Any) -> Any:
        raise socket.gaierror("unknown")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with pytest.raises(Unreachable) as refused:
        checked_addresses("nowhere.example", 80, private=True)
    assert refused.value.reason == FailureReason.NAME


def test_a_redirect_is_not_followed_and_no_proxy_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with receiving() as receiver, receiving() as other:
        receiver.statuses, receiver.headers = [307], {"Location": other.url}
        assert post(receiver.url, b"{}", {}, private=True).status == 307
        assert len(receiver.received) == 1 and other.received == []


def test_the_beginning_of_a_long_answer_is_read() -> None:
    with receiving() as receiver:
        receiver.statuses, receiver.body = [200], b"x" * 10_000_000
        assert post(receiver.url, b"{}", {}, private=True).start == b"x" * RESPONSE_BYTES


@contextmanager
def talking(talk: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server that does as `talk` says with each connection."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _address = listening.accept()
            except OSError:
                return
            with connection:
                try:
                    talk(connection)
                except OSError:
                    continue

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{listening.getsockname()[1]}"
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()


def drip(connection: socket.socket) -> None:
    """Send a header without end, until the other side closes the connection."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
    while True:
        time.sleep(0.02)
        connection.sendall(b"x")


def trouble(url: str, **more: Any) -> FailureReason:
    with pytest.raises(Unreachable) as refused:
        post(url, b"{}", {}, private=True, **more)
    return refused.value.reason


def test_a_server_that_sends_a_byte_now_and_then_is_cut_off() -> None:
    with talking(drip) as server:
        assert trouble(f"http://{server}/", seconds=0.3) == FailureReason.TIME
        assert trouble(f"https://{server}/", seconds=0.3) in (FailureReason.TIME, FailureReason.TLS)


def test_an_answer_whose_body_never_ends_still_counts() -> None:
    def talk(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
        time.sleep(1)

    with talking(talk) as server:
        answer = post(f"http://{server}/", b"{}", {}, private=True, seconds=0.3)
        assert answer.status == 200


def test_an_answer_whose_body_is_broken_still_counts() -> None:
    def talk(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n")

    with talking(talk) as server:
        answer = post(f"http://{server}/", b"{}", {}, private=True)
        assert (answer.status, answer.start) == (200, b"")


def test_what_is_no_answer() -> None:
    def greet(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(b"SSH-2.0-OpenSSH\r\n")

    with talking(greet) as server:
        assert trouble(f"http://{server}/") == FailureReason.RESPONSE
        assert trouble(f"https://{server}/") == FailureReason.TLS
    with talking(lambda connection: None) as server:
        assert trouble(f"http://{server}/") == FailureReason.CONNECTION
    free = socket.create_server(("127.0.0.1", 0))
    port = free.getsockname()[1]
    free.close()
    assert trouble(f"http://127.0.0.1:{port}/") == FailureReason.CONNECTION


def test_certificates_are_checked() -> None:
    """The context of Python's defaults is used: it knows the host's name and the authorities."""
    context = ssl.create_default_context()
    assert context.check_hostname and context.verify_mode == ssl.CERT_REQUIRED
    made: list[str] = []

    class Context:
        def wrap_socket(self, sock: socket.socket, server_hostname: str, **_more: Any) -> socket.socket:
            made.append(server_hostname)
            raise ssl.SSLCertVerificationError("not this one")

    with receiving() as receiver, pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", Context)
        assert trouble(receiver.url.replace("http:", "https:")) == FailureReason.TLS
        assert made == ["127.0.0.1"] and receiver.received == []


def test_what_comes_before_the_answer_is_not_the_answer() -> None:
    def hints(sock: socket.socket) -> None:
        sock.recv(65536)
        early = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
        sock.sendall(early + b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")

    with talking(hints) as server:
        assert post(f"http://{server}/", b"{}", {}, private=True).status == 204


def test_hints_without_an_answer_are_no_answer() -> None:
    def hints(sock: socket.socket) -> None:
        sock.recv(65536)
        sock.sendall(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 50)

    with talking(hints) as server, pytest.raises(Unreachable) as refused:
        post(f"http://{server}/", b"{}", {}, private=True)
    assert refused.value.reason is FailureReason.RESPONSE
