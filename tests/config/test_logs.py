"""JSON logs: where a line comes from by ids, and nothing that anyone wrote."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, transaction
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from annotation.errors import Invalid
from annotation.log_context import log_context, log_fields
from annotation.models import Text
from annotation.services.import_jobs import IMPORTS
from annotation.services.jobs import jobs_run
from annotation.views import home
from assist.runs import processing
from config.logs import Json, Plain, safe_description
from operation.middleware import request_id
from tests.annotation.work import house
from tests.assist.fake import fakes_registered
from tests.blind.site import NAMES, site
from tests.blind.test_every_address import visit
from tests.blind.visits import VISITS
from tests.factories import PairFactory, UserFactory

CANARY = "Kanarienvogel"


@pytest.fixture
def log() -> Iterator[Log]:
    """The lines that everything logs, as in production."""
    found = Log()
    handler = logging.StreamHandler(found.stream)
    handler.setFormatter(Json())
    root, requests = logging.getLogger(), logging.getLogger("diptych.request")
    before = requests.level
    root.addHandler(handler)
    requests.setLevel(logging.INFO)
    try:
        yield found
    finally:
        root.removeHandler(handler)
        requests.setLevel(before)


class Log:
    def __init__(self) -> None:
        self.stream = io.StringIO()

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    def lines(self, **fields: Any) -> list[dict[str, Any]]:
        """The lines with these fields; every line is an object."""
        every = [json.loads(line) for line in self.text.splitlines()]
        return [line for line in every if fields.items() <= line.items()]


@pytest.mark.django_db
def test_a_request_is_a_line_with_ids_and_without_its_query(log: Log) -> None:
    at = house()
    query = {"next": CANARY, "token": CANARY}
    response = at.annotator.get(reverse("work", args=[at.project.slug, at.assignment.pk]), query)
    (line,) = log.lines(message="request")
    assert at.assignment.annotator.user is not None
    assert (line["view"], line["method"], line["status"]) == ("work", "GET", response.status_code)
    assert line["request"] == response["X-Request-ID"] and line["ms"] >= 0
    assert line["level"] == "INFO" and line["logger"] == "diptych.request" and line["time"]
    assert CANARY not in log.text and at.assignment.annotator.user.username not in log.text


@pytest.mark.django_db
@pytest.mark.parametrize(("method", "address"), [("get", "/no/such/page"), ("put", "/login/"), ("get", "/metrics")])
def test_what_django_logs_after_a_request_has_its_number(log: Log, method: str, address: str) -> None:
    response = getattr(Client(), method)(address)
    (line,) = log.lines(logger="django.request")
    assert response.status_code in (404, 405) and line["request"] == response["X-Request-ID"]


@pytest.mark.django_db
def test_a_path_that_is_not_found_is_logged_without_its_query(log: Log) -> None:
    """docs/operations.md says so."""
    assert house().stranger.get("/projects/Something/", {"q": CANARY}).status_code == 404
    (line,) = log.lines(logger="django.request")
    assert line["message"] == "Not Found: /projects/Something/" and CANARY not in log.text
    (request,) = log.lines(message="request")
    assert "Something" not in json.dumps(request)


@pytest.mark.django_db
def test_lines_of_a_view_name_the_person_by_key(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    user = UserFactory()
    client = Client()
    client.force_login(user)

    def said(*arguments: Any) -> Any:
        logging.getLogger("a view").warning("said")
        return []

    monkeypatch.setattr(home, "former_projects_of", said)
    response = client.get(reverse("home"))
    (line,) = log.lines(message="said")
    assert (line["user"], line["request"]) == (user.pk, response["X-Request-ID"])
    assert log_fields() == {}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("given", "kept"),
    [("0af7651916cd43dd8448eb211c80319c", True), ("a-b_c.12", True), ("short", False), ("x" * 65, False),
     ("a b c d e f", False), ('"quoted-and-more"', False), ("äöüäöüäöü", False), (".starts-with-a-dot", False)],
)  # fmt: skip
def test_a_proxys_number_is_accepted_if_it_is_well_formed(given: str, kept: bool, settings: Settings) -> None:
    settings.TRUSTED_PROXIES = ["10.0.0.1"]
    address, headers = reverse("login"), {"x-request-id": given}
    said = Client().get(address, headers=headers, REMOTE_ADDR="10.0.0.1")["X-Request-ID"]
    assert (said == given) is kept and len(said) in (len(given), 32)
    assert Client().get(address, headers=headers, REMOTE_ADDR="10.0.0.2")["X-Request-ID"] != given


def test_a_number_is_made_anew() -> None:
    assert request_id("") != request_id("")


@pytest.mark.django_db
def test_the_error_page_shows_the_number_and_the_log_the_place(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: Any) -> Any:
        raise ValueError(f"{CANARY} is no number")

    monkeypatch.setattr(home, "memberships_of", broken)
    client = Client(raise_request_exception=False)
    client.force_login(UserFactory())
    response = client.get(reverse("home"))
    number = response["X-Request-ID"]
    assert response.status_code == 500 and number in response.content.decode()
    (line,) = log.lines(error="ValueError")
    assert line["request"] == number and any("broken" in frame for frame in line["places"])
    assert CANARY not in log.text


def test_messages_of_errors_are_left_out_unless_they_are_of_the_machine() -> None:
    assert safe_description(Invalid(CANARY)) == "Invalid"
    assert safe_description(IntegrityError(f"DETAIL: ({CANARY})")) == "IntegrityError"
    assert safe_description(OperationalError(f"cannot connect\nDETAIL: {CANARY}")) == "OperationalError: cannot connect"
    assert safe_description(PermissionError(13, "Permission denied", "/srv/x")).endswith("Permission denied: '/srv/x'")


def test_errors_as_arguments_are_shortened_for_json_alone(log: Log, caplog: pytest.LogCaptureFixture) -> None:
    logging.getLogger("x").warning("it failed: %s", ValueError(CANARY))
    logging.getLogger("x").warning("it failed: %(why)s", {"why": ValueError(CANARY)})
    logging.getLogger("x").warning(ValueError(CANARY))
    assert [line["message"] for line in log.lines()] == ["it failed: ValueError"] * 2 + ["ValueError"]
    assert CANARY in caplog.text


@pytest.mark.django_db(transaction=True)
def test_lines_of_a_worker_name_run_and_job(log: Log) -> None:
    from annotation.models.imports import Import
    from assist.runs import services

    with fakes_registered():
        pair = PairFactory()
        run = services.run_request(project=pair.project, method="fake")
        assert processing.lots_process(["cpu"]) == 1
        waiting = Import.objects.create(project=pair.project, slug=pair.project.slug)
        jobs_run(IMPORTS)
    (lot,) = log.lines(message="lot ended")
    assert lot["run"] == run.pk and lot["job"].startswith("Lot ") and lot["ms"] >= 0
    (job,) = log.lines(message="job ended")
    assert (job["job"], job["kind"]) == (f"Import {waiting.pk}", "imports")


def test_fields_end_with_their_block() -> None:
    with log_context(run=1):
        with log_context(job="x"):
            assert log_fields() == {"run": 1, "job": "x"}
        assert log_fields() == {"run": 1}
    assert log_fields() == {}


@pytest.mark.long
@pytest.mark.any_database
@pytest.mark.django_db
@pytest.mark.takes(8)
def test_no_page_writes_texts_names_or_queries_into_the_log(log: Log) -> None:
    at = site("agreed")
    contents = list(Text.objects.values_list("content", flat=True))
    assert contents
    for name in sorted(VISITS):
        for client in (at.lead, at.adjudicator):
            with transaction.atomic():
                list(visit(client, name, at))
                transaction.set_rollback(True)
    at.lead.get(reverse("pairs", args=[at.project.slug]), {"q": CANARY})
    Client().post(reverse("login"), {"username": CANARY, "password": CANARY + "!"})
    assert len(log.lines(message="request")) > 100
    assert not [text for text in (CANARY, *NAMES, *contents) if text and text in log.text]


@pytest.mark.parametrize("formatter", [Json(), Plain()])
def test_secrets_of_invitations_are_left_out(formatter: logging.Formatter) -> None:
    path = "/join/12-0123456789abcdef/"
    record = logging.makeLogRecord({"msg": "Not Found: %s", "args": (path,), "levelname": "WARNING", "path": path})
    line = formatter.format(record)
    assert "/join/…" in line and "0123" not in line


@pytest.mark.parametrize("formatter", [Json(), Plain()])
def test_secrets_of_links_for_a_password_are_left_out(formatter: logging.Formatter) -> None:
    path = "/login/reset/MQ/c1x2y3-0123456789abcdef/"
    record = logging.makeLogRecord(
        {"msg": "Not Found: %s", "args": (path + "x",), "levelname": "WARNING", "path": path}
    )
    line = formatter.format(record)
    assert "/login/reset/…" in line and "MQ" not in line and "c1x2y3" not in line
