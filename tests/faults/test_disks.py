"""A disk that is full or read-only: reading goes on, pages say so, nothing is half-written, and room is enough."""

from __future__ import annotations

import http.client
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchmarks.imports import TOKEN, Browser
from benchmarks.kills import SEED, STORED, program, work
from benchmarks.servers import Postgres
from benchmarks.serving import Server
from tests.faults.disks import Disk, small_disk
from tests.paths import ROOT

pytestmark = [pytest.mark.processes, pytest.mark.long, pytest.mark.takes(12), pytest.mark.namespaces]

FILL = (
    SEED.replace("print(json.dumps(found))", "")
    + """
user = User.objects.create_user("lead")
Annotator.objects.create(project=Project.objects.get(), user=user, alias="lead", role="lead")
client = Client()
client.force_login(user)
print(json.dumps([*found[0], client.cookies["sessionid"].value]))
"""
)
PUBLICATIONS = """
import django, json; django.setup()
from agreement.models import *
rows = Publication.objects.order_by("number")
print(json.dumps([[row.status, row.problem[:21], row.parts.count()] for row in rows]))
"""


OTHER_PAGES = ("", "people/", "people/invitations/", "pairs/", "guidelines/", "glossary/", "time/", "monitor/", "plan/")


class Site(Server):
    """A server as `script/web` starts it, with what it sets beside the program."""

    def command(self, port: int) -> list[str]:
        return [str(ROOT / "script" / "web"), "--port", str(port), "--processes", str(self.processes)]


class Annotator:
    """An annotator who saves, and what was acknowledged."""

    def __init__(self, server: Server, session: str, assignment: int) -> None:
        self.browser, self.assignment = Browser(server, session), assignment
        self.revision = self.number = 0

    def save(self, extra: int = 0) -> tuple[int, dict[str, str]]:
        """The status of the next save, and the error's code and message; `extra`: bytes of a comment more."""
        whole = work(self.number + 1)
        body = {"revision": self.revision, **whole, "comment": whole["comment"] + "." * extra}
        path = f"/api/assignments/{self.assignment}/annotation/"
        status, _, answer = self.browser.ask("PUT", path, json.dumps(body).encode(), "application/json")
        told = json.loads(answer)
        if status == 200:
            self.revision, self.number = told["revision"], self.number + 1
        return status, told.get("error", {})

    def reads(self) -> int:
        """The status of the pair's page, whose data is read too."""
        assert self.browser.ask("GET", f"/api/assignments/{self.assignment}/")[0] == 200
        return self.browser.ask("GET", f"/projects/faults/work/{self.assignment}/")[0]


def stored(server: Server, of: Annotator) -> list[Any]:
    """The annotation's revision, and the numbers of its stored revisions."""
    revision, _, spans, count, revisions = program(server, STORED)[str(of.assignment)]
    assert count == len(spans["spans"]) and revisions[-1][2] == spans
    return [revision, [number for number, _, _ in revisions]]


def healthy(database: Path) -> bool:
    with sqlite3.connect(database) as connection:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@dataclass(frozen=True)
class Filled:
    """A site's data folder with an annotator and a lead, and their sessions, to be copied."""

    folder: Path
    annotator: str
    assignment: int
    lead: str


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Filled:
    folder = tmp_path_factory.mktemp("filled")
    server = Server(folder)
    shutil.copy(migrated, folder)
    annotator, assignment, lead = program(server, FILL, "1")
    return Filled(folder, annotator, assignment, lead)


@contextmanager
def site_on(disk: Disk, data: Path, filled: Filled) -> Iterator[tuple[Server, Annotator, Browser]]:
    """A copy of the site in the folder `data`, with its temporary files on the disk: an annotator and a lead."""
    shutil.copytree(filled.folder, data, dirs_exist_ok=True)
    server = Site(data)
    server.environment["TMPDIR"] = str(disk.path)
    server.start()
    try:
        yield server, Annotator(server, filled.annotator, filled.assignment), Browser(server, filled.lead)
    finally:
        server.kill()


def readiness(server: Server) -> dict[str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", "/readyz")
    return dict(json.loads(connection.getresponse().read())["checks"])


def publish(browser: Browser, to: str = "jsonl") -> tuple[int, str]:
    form = f"format={to}&licence=unknown&description=&csrfmiddlewaretoken={TOKEN}".encode()
    status, _, page = browser.ask("POST", "/projects/faults/publish/", form, "application/x-www-form-urlencoded")
    return status, page.decode()


def until_refused(annotator: Annotator) -> dict[str, str]:
    """Save until a save is refused; returns its error. What fits into the room that files still have is saved."""
    for _ in range(200):
        status, said = annotator.save(2_000)
        if status != 200:
            assert status == 507
            return said
    raise AssertionError("the disk is never full")


def test_a_full_disk_on_sqlite(tmp_path: Path, filled: Filled) -> None:
    with (
        small_disk(tmp_path / "disk", 40) as disk,
        site_on(disk, disk.path, filled) as (server, annotator, lead),
    ):
        assert annotator.save()[0] == 200
        disk.fill()
        said = until_refused(annotator)
        assert said["code"] == "disk-full"
        assert said["message"] == "The server's disk is full. No changes were made."
        assert annotator.reads() == 200
        assert readiness(server)["data"] == "not-writable"
        status, page = publish(lead)
        assert status == 507 and "The server&#x27;s disk is full" in page and "Try again" in page
        assert lead.ask("GET", "/projects/faults/publish/")[0] == 200
        # Each counts in a metric of its own.
        assert [lead.ask("GET", f"/projects/faults/{page}")[0] for page in OTHER_PAGES] == [200] * len(OTHER_PAGES)
        # A crash while there is no room.
        server.kill()
        server.start()
        for browser in (annotator.browser, lead):
            browser.connection.close()
        assert annotator.reads() == 200
        assert stored(server, annotator) == [annotator.revision, list(range(1, annotator.revision + 1))]
        disk.empty()
        assert annotator.save()[0] == 200
        assert publish(lead)[0] == 302
        assert stored(server, annotator) == [annotator.revision, list(range(1, annotator.revision + 1))]
        ((status_of, _, parts),) = program(server, PUBLICATIONS)
        assert (status_of, parts) == ("done", 1)
        assert healthy(disk.path / "diptych.sqlite3")
        assert not list(disk.path.glob("diptych-publication-*"))


def test_no_room_for_temporary_files_fails_a_publication_in_words(tmp_path: Path, filled: Filled) -> None:
    """The database is elsewhere, and has room."""
    with (
        small_disk(tmp_path / "disk", 1) as disk,
        site_on(disk, tmp_path / "data", filled) as (server, _annotator, lead),
    ):
        assert publish(lead)[0] == 302  # a folder for temporary files is chosen once
        disk.fill()
        assert publish(lead, "csv")[0] == 302
        page = lead.ask("GET", "/projects/faults/publish/")[2].decode()
        assert "its disk is full" in page
        disk.empty()
        retry = b"csrfmiddlewaretoken=" + TOKEN.encode()
        kind = "application/x-www-form-urlencoded"
        assert lead.ask("POST", "/projects/faults/publish/2/retry/", retry, kind)[0] == 302
        assert program(server, PUBLICATIONS) == [["done", "", 1], ["done", "", 1]]


def test_no_room_for_temporary_files_is_said_and_reading_goes_on(tmp_path: Path, filled: Filled) -> None:
    """The database is elsewhere. What is large, a request or an answer, would be in a file until it is processed."""
    with (
        small_disk(tmp_path / "disk", 10) as disk,
        site_on(disk, tmp_path / "data", filled) as (server, annotator, lead),
    ):
        large = {"revision": 0, "spans": {"v": 1, "spans": []}, "comment": "." * 1_000_000}
        path = f"/api/assignments/{annotator.assignment}/annotation/"
        save = ("PUT", path, json.dumps(large).encode(), "application/json")
        assert annotator.browser.ask(*save)[0] == 422  # a folder for temporary files is chosen once
        disk.fill()
        for _ in range(2):
            status, _, said = annotator.browser.ask(*save)
            assert (status, json.loads(said)["error"]["code"]) == (507, "disk-full")
        status, _, page = lead.ask(
            "POST", "/projects/faults/import/", b"." * 6_000_000, "multipart/form-data; boundary=x"
        )
        assert status == 507 and "The server&#x27;s disk is full" in page.decode()
        # The page of a form that came without its token has what was sent.
        stranger = Browser(server, "")
        stranger.headers = {"Origin": server.url}
        form = b"comment=" + b'"' * 400_000
        for _ in range(2):
            status, _, page = stranger.ask("POST", "/login/", form, "application/x-www-form-urlencoded")
            assert status == 403 and page.count(b"&quot;") == 400_000 and page.rstrip().endswith(b"</html>")
        assert annotator.reads() == 200
        disk.empty()
        assert annotator.browser.ask(*save)[0] == 422
        assert annotator.save()[0] == 200


def test_a_read_only_data_folder_on_sqlite(tmp_path: Path, filled: Filled) -> None:
    """As after an error of the disk: the site was killed, and its disk is read-only when it is started again."""
    with (
        small_disk(tmp_path / "disk", 40) as disk,
        site_on(disk, disk.path, filled) as (server, annotator, _lead),
    ):
        assert annotator.save()[0] == 200
        server.kill()
        disk.protect(writable=False)
        server.start()
        annotator.browser.connection.close()
        assert annotator.reads() == 200
        status, said = annotator.save()
        assert (status, said["code"]) == (507, "disk-protected")
        assert said["message"] == "The server can't write to its disk. No changes were made."
        assert readiness(server)["data"] == "not-writable"
        server.kill()
        disk.protect(writable=True)
        server.start()
        annotator.browser.connection.close()
        assert annotator.save()[0] == 200
        assert stored(server, annotator) == [2, [1, 2]]


@pytest.mark.postgres_server
def test_a_full_disk_on_postgresql(tmp_path: Path) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="diptych-full-") as name,
        small_disk(Path(name) / "disk", 90) as disk,
    ):
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "wal").mkdir()
        cluster = Postgres(disk.path / "postgres", wal=folder / "wal")
        cluster.execute("CREATE DATABASE site")
        server = Server(folder / "data")
        server.environment["DATABASE_URL"] = cluster.url("site")
        try:
            server.manage("migrate", "-v0")
            session, assignment, _lead = program(server, FILL, "1")
            server.start()
            annotator = Annotator(server, session, assignment)
            assert annotator.save()[0] == 200
            disk.fill()
            assert until_refused(annotator)["code"] == "disk-full"
            assert annotator.reads() == 200
            disk.empty()
            assert annotator.save()[0] == 200
            assert stored(server, annotator) == [annotator.revision, list(range(1, annotator.revision + 1))]
        finally:
            server.kill()
            cluster.stop()
