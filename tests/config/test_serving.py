"""The web server: slow clients keep nobody waiting, and whoever stops it loses no request."""

from __future__ import annotations

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from waitress import wasyncore
from waitress.server import create_server

from benchmarks.serving import Server
from config.serving import THREADS, ServerChannel
from config.waitress_request import USUAL_BODY
from tests.paths import ROOT

pytestmark = pytest.mark.processes

PATIENCE = 60.0
TOKEN = b"a" * 32
FORM = b"Cookie: csrftoken=" + TOKEN + b"\r\nX-CSRFToken: " + TOKEN + b"\r\n"
LOG_IN = b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n" + FORM
PAGE = b"GET /login/ HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture(scope="module")
def data(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    shutil.copy(migrated, folder)
    return folder


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    """For tests after which it goes on."""
    yield from started(data, 1)


@pytest.fixture
def own_server(data: Path) -> Iterator[Server]:
    yield from started(data, 1)


@pytest.fixture
def two_processes(data: Path) -> Iterator[Server]:
    yield from started(data, 2)


def started(data: Path, processes: int) -> Iterator[Server]:
    made = Server(data, processes)
    made.start()
    yield made
    made.kill()


def connect(server: Server, sent: bytes) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    client.sendall(sent)
    return client


def status_of(client: socket.socket) -> str:
    """The status line of the answer; '' for a connection that was closed."""
    with client.makefile("rb") as answer:
        return answer.readline().decode().strip()


def until(happens: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.05)


def children(server: Server) -> set[int]:
    assert server.process is not None
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(server.process.pid)], capture_output=True, text=True)
    return {int(pid) for pid in listed.stdout.split()}


def refuses(server: Server) -> bool:
    try:
        socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE).close()
    except ConnectionError:
        return True
    return False


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(PAGE + b"X-Slow: ", id="header"),
        pytest.param(LOG_IN + b"Content-Length: 1000\r\n\r\nusername=", id="body"),
        pytest.param(LOG_IN + b"Transfer-Encoding: chunked\r\n\r\n400\r\nusername=", id="chunked body"),
        pytest.param(b"", id="idle"),
        pytest.param(PAGE + b"\r\n", id="kept alive"),
    ],
)
def test_slow_clients_keep_nobody_waiting(server: Server, sent: bytes) -> None:
    slow = [connect(server, sent) for _ in range(3 * THREADS)]
    try:
        with urllib.request.urlopen(f"{server.url}/login/", timeout=PATIENCE) as page:
            assert page.status == 200
    finally:
        for client in slow:
            client.close()


def test_clients_that_read_nothing_keep_nobody_waiting(server: Server) -> None:
    slow = []
    for _ in range(3 * THREADS):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.connect(("127.0.0.1", server.port))
        client.sendall((b"GET /static/js/workspace/main.js HTTP/1.1\r\nHost: localhost\r\n\r\n") * 50)
        slow.append(client)
    with urllib.request.urlopen(f"{server.url}/login/", timeout=PATIENCE) as page:
        assert page.status == 200
    for client in slow:
        client.close()


@pytest.mark.parametrize("address", ["/login/", "/nope/", "/api/nope/", "/api/schema/", "/static/js/workspace/main.js"])
def test_a_response_to_head_is_headers_alone(address: str, server: Server) -> None:
    request = f"HEAD {address} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    with connect(server, request) as client, client.makefile("rb") as answer:
        headers, _, body = answer.read().partition(b"\r\n\r\n")
    assert headers.startswith(b"HTTP/1.1 ") and b"\r\nContent-Length: " in headers and not body
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    for method in ("HEAD", "GET", "HEAD", "GET"):
        connection.request(method, address, headers={"Host": "localhost"})
        response = connection.getresponse()
        assert bool(response.read()) == (method == "GET")
    connection.close()


def streamed(environ: dict[str, Any], start_response: Any) -> Any:
    start_response("200 OK", [("Content-Type", "text/plain")])
    return iter([b"one", b"two"])


def from_a_file(environ: dict[str, Any], start_response: Any) -> Any:
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "6")])
    file = BytesIO(b"onetwo")
    return environ["wsgi.file_wrapper"](file) if "wsgi.file_wrapper" in environ else iter([file.read()])


@pytest.mark.parametrize("application", [streamed, from_a_file])
@pytest.mark.parametrize(("method", "sent"), [("HEAD", False), ("GET", True)])
def test_a_body_that_is_streamed_or_a_file_is_not_sent_to_head(application: Any, method: str, sent: bool) -> None:
    server = create_server(application, sockets=[socket.create_server(("127.0.0.1", 0))], threads=1)
    server.channel_class = ServerChannel
    request = f"{method} / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    answer = b""
    with socket.create_connection(("127.0.0.1", int(server.effective_port)), timeout=PATIENCE) as client:
        client.sendall(request)
        client.setblocking(False)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            wasyncore.loop(timeout=0.05, use_poll=True, map=server._map, count=1)
            with suppress(BlockingIOError):
                if not (part := client.recv(1 << 16)):
                    break
                answer += part
    server.task_dispatcher.shutdown()
    server.close()
    headers, _, body = answer.partition(b"\r\n\r\n")
    assert headers.startswith(b"HTTP/1.1 200 ") and (b"one" in body) is sent and bool(body) is sent


def test_a_header_longer_than_any_browser_sends_is_refused(server: Server) -> None:
    assert " 431 " in status_of(connect(server, PAGE + b"X-Long: " + b"a" * 70_000))


def test_requests_that_have_begun_are_answered_when_the_server_ends(own_server: Server) -> None:
    server = own_server
    assert server.process is not None
    body = b"username=nobody&password=wrong"
    head = LOG_IN + b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(body)
    whole, half, idle = connect(server, head + body), connect(server, head + body[:9]), connect(server, b"")
    other = connect(server, PAGE + b"\r\n")
    assert " 200 " in status_of(other)
    server.process.send_signal(signal.SIGTERM)
    until(lambda: refuses(server))
    half.sendall(body[9:])
    assert " 200 " in status_of(whole) and " 200 " in status_of(half)
    assert status_of(idle) == ""
    assert server.process.wait(timeout=PATIENCE) == 0


def test_a_process_that_dies_is_replaced_and_all_end_together(two_processes: Server) -> None:
    server = two_processes
    assert server.process is not None
    until(lambda: len(children(server)) == 2)
    before = children(server)
    os.kill(min(before), signal.SIGKILL)
    until(lambda: len(children(server) - before) == 1 and len(children(server)) == 2)
    with urllib.request.urlopen(f"{server.url}/login/", timeout=PATIENCE) as page:
        assert page.status == 200
    running = children(server)
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(timeout=PATIENCE) == 0
    assert not any(Path(f"/proc/{pid}").exists() for pid in running)


def test_processes_end_with_the_one_that_started_them(two_processes: Server) -> None:
    until(lambda: len(children(two_processes)) == 2)
    running = children(two_processes)
    two_processes.kill()
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in running))


def test_a_port_that_is_taken_is_said(server: Server, data: Path) -> None:
    command = Server(data).command(server.port)
    refused = subprocess.run(command, env=server.environment, capture_output=True, text=True, timeout=PATIENCE)
    assert refused.returncode == 1 and f"port {server.port} cannot be used" in refused.stderr


def test_of_requests_sent_at_once_the_first_is_answered(server: Server) -> None:
    """Each answer would keep a file open until it is read."""
    with connect(server, (PAGE + b"\r\n") * 5).makefile("rb") as answer:
        received = answer.read()
    assert received.count(b"HTTP/1.1 200 OK") == 1 and b"Connection: close" in received


def test_empty_lines_before_a_request_are_ignored(server: Server) -> None:
    assert status_of(connect(server, b"\r\n\r\n" + PAGE + b"\r\n")) == "HTTP/1.1 200 OK"


def test_requests_one_after_the_other_share_a_connection(server: Server) -> None:
    client = connect(server, PAGE + b"\r\n")
    for _ in range(3):
        response = http.client.HTTPResponse(client)
        response.begin()
        assert response.status == 200 and response.read() and not response.will_close
        client.sendall(PAGE + b"\r\n")
    client.close()


@pytest.mark.parametrize(
    "body",
    [
        b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n1;" + b"x" * 100_000,
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + b"X-Trailer: x\r\n" * 10_000,
    ],
    ids=["two lengths", "endless extension", "endless trailer"],
)
def test_a_body_with_two_lengths_or_endless_lines_is_refused(server: Server, body: bytes) -> None:
    client = connect(server, LOG_IN)
    with suppress(ConnectionError):  # closed before it has read everything
        client.sendall(body)
    assert status_of(client).startswith("HTTP/1.1 400")


LEAD = """
from importlib import import_module
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from annotation.models import Project, User
from annotation.text.schemes import PRESETS
Project.objects.get_or_create(slug="library", name="library", scheme=PRESETS["graded"].to_json())
user = User.objects.filter(username="owner-of-large-files").first() or User.objects.create_superuser(
    "owner-of-large-files"
)
session = import_module(settings.SESSION_ENGINE).SessionStore()
session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
session.save()
print("session", session.session_key)
"""


@pytest.mark.parametrize("stated", [True, False], ids=["stated", "chunked"])
def test_large_bodies_are_kept_only_of_leads_who_upload(server: Server, stated: bool) -> None:
    said = server.manage("shell", "-c", LEAD)
    session = said.split("session ")[-1].split()[0].encode()
    size = USUAL_BODY + 1
    body = b"a" * size if stated else b"%x\r\n%s\r\n0\r\n\r\n" % (size, b"a" * size)
    length = b"Content-Length: %d\r\n\r\n" % size if stated else b"Transfer-Encoding: chunked\r\n\r\n"

    def status(path: bytes, key: bytes) -> str:
        """The status: 403 comes after the body was accepted, for the form has no token."""
        head = b"POST " + path + b" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n"
        return status_of(connect(server, head + b"Cookie: sessionid=" + key + b"\r\n" + length + body)).split()[1]

    assert status(b"/projects/library/import/", session) == "403"
    assert status(b"/projects/library/import/", b"x" * 32) == "401"
    assert status(b"/projects/nowhere/import/", session) == "413"
    assert status(b"/account/", session) == "413"
    assert status(b"/login/", b"") == "413"


WAITING = """
import os, signal, socket, sys, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from config import serving

def send():
    time.sleep(0.5)
    Path(sys.argv[1]).write_text("sent")

def serve(listening, *, parent):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    ThreadPoolExecutor(1).submit(send)
    os.kill(parent, signal.SIGTERM)

serving._loaded, serving.serve = lambda: None, serve
serving.serve_in_processes(socket.socket(), 1)
"""


def test_messages_that_wait_are_sent_before_a_process_ends(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WAITING, str(tmp_path / "sent")]
    subprocess.run(command, cwd=ROOT, check=True, timeout=60)
    assert (tmp_path / "sent").read_text() == "sent"
