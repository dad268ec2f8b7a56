"""A refused form can be sent again from the page that refuses it, and a refused part leaves its page as it is."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import URLPattern, URLResolver, reverse
from django.urls.converters import IntConverter

import agreement.urls
import annotation.urls
import assist.urls
from annotation.models import Guideline
from annotation.views import guidelines as guideline_views
from annotation.views import plan as plan_views
from annotation.views.refused_forms import NOTICE, sent_form
from config.errors import csrf_failure, server_error
from tests.annotation.work import House, client_of, house
from tests.factories import AnnotatorFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
TEXT = '# Mark\r\n\r\nwhat\'s "new" </input><script>x</script> & two\r\n'
HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')
HTMX = {"HX-Request": "true", "HX-Current-URL": "http://testserver/"}


def shown(response: Any) -> str:
    return str(response.content.decode())


def resent(response: Any) -> tuple[str, dict[str, str]]:
    """The URL and the fields of the page's form; the header has one of its own."""
    main = shown(response).partition("<main")[2]
    form = re.search(r'<form method="post" action="([^"]+)">(.*?)</form>', main, re.DOTALL)
    assert form is not None
    fields = {unescape(name): unescape(value) for name, value in HIDDEN.findall(form[2])}
    return unescape(form[1]), fields


def edit(home: House) -> str:
    return reverse("guidelines-edit", args=(home.project.slug,))


def busy(*_: object, **__: object) -> None:
    cause = sqlite3.OperationalError("database is locked")
    raise OperationalError("database is locked") from cause


def test_a_form_sent_with_an_expired_log_in_is_kept_and_sent_again_after_it() -> None:
    home = house()
    response = home.anonymous.post(edit(home) + "?x=1&y=2", {"text": TEXT, "base": "0", "step": ["a", "b"]})
    assert response.status_code == 401 and "You have been logged out" in shown(response)
    assert re.search(rf'href="{reverse("login")}\?next={reverse("logged-in")}"\s+target="_blank"', shown(response))
    assert not Guideline.objects.exists() and "<script>x" not in shown(response)
    address, fields = resent(response)
    assert address == edit(home) + "?x=1&y=2" and fields.pop("csrfmiddlewaretoken")
    assert fields == {"text": TEXT, "base": "0", "step": "b"}
    assert shown(response).count('name="step"') == 2, "every value of a field that has several"
    assert home.lead.post(address, fields).status_code == 302
    assert Guideline.objects.get().text.startswith("# Mark")


@pytest.mark.parametrize(("who", "status"), [("annotator", 403), ("stranger", 404)])
def test_a_form_sent_while_someone_else_is_logged_in_is_kept_and_sent_again(who: str, status: int) -> None:
    home = house()
    response = getattr(home, who).post(edit(home), {"text": TEXT, "base": "0"})
    assert response.status_code == status and "What you sent is kept on this page." in shown(response)
    switch = rf'href="{reverse("login")}\?as=&amp;next={reverse("logged-in")}"\s+target="_blank"'
    assert re.search(switch, shown(response)) and "Send again" in shown(response)
    address, fields = resent(response)
    assert fields.pop("csrfmiddlewaretoken") and (address, fields) == (edit(home), {"text": TEXT, "base": "0"})
    assert home.lead.post(address, fields).status_code == 302
    assert Guideline.objects.get().text.startswith("# Mark")


def test_a_new_project_is_kept_too() -> None:
    home = house()
    given = {"name": "Menus", "preset": "graded"}
    response = home.annotator.post(reverse("project-new"), given)
    assert response.status_code == 403 and resent(response)[1].items() >= given.items()


def test_a_refused_page_without_a_form_keeps_nothing() -> None:
    home = house()
    assert "kept on this page" not in shown(home.annotator.get(edit(home)))
    assert "kept on this page" not in shown(home.annotator.post(edit(home)))


def owner_of(home: House) -> str:
    user = home.project.annotators.get(role="lead").user
    assert user is not None
    return str(user.pk)


def test_every_form_of_a_page_says_for_whom_it_was_made() -> None:
    home = house()
    page = shown(home.lead.get(edit(home)))
    assert page.count(f'name="filled_in_by" value="{owner_of(home)}"') == page.count('method="post"') > 1
    assert "filled_in_by" not in shown(home.anonymous.get(reverse("login")))


def test_a_kept_form_is_not_sent_as_another_person() -> None:
    home = house()
    given = {"text": TEXT, "base": "0", "filled_in_by": owner_of(home)}
    address, fields = resent(home.anonymous.post(edit(home), given))
    assert fields["filled_in_by"] == owner_of(home)
    second = AnnotatorFactory(project=home.project, role="lead").user
    assert second is not None
    response = client_of(second).post(address, fields)
    assert response.status_code == 403 and not Guideline.objects.exists()
    assert "Someone else filled in this form, so nothing was changed." in shown(response)
    assert f"You are logged in as {second.username}." in shown(response)
    again = resent(response)
    assert again == (address, fields | {"csrfmiddlewaretoken": again[1]["csrfmiddlewaretoken"]})
    assert home.lead.post(*again).status_code == 302
    assert Guideline.objects.get().text.startswith("# Mark")


def test_an_old_form_of_another_person_is_refused_as_such() -> None:
    home = house()
    client = Client(enforce_csrf_checks=True)
    client.force_login(UserFactory(username="second"))
    given = {"text": TEXT, "base": "0", "filled_in_by": owner_of(home)}
    response = client.post(edit(home), given, headers={"Origin": "http://testserver"})
    assert response.status_code == 403 and "You are logged in as second." in shown(response)
    assert resent(response)[1]["filled_in_by"] == owner_of(home)


def test_a_part_of_a_page_of_another_person_is_refused_in_it() -> None:
    home = house()
    response = home.annotator.post(edit(home), {"filled_in_by": owner_of(home)}, headers=HTMX)
    assert response.status_code == 403 and response[NOTICE] and "<html" not in shown(response)
    assert "Someone else filled in this form" in shown(response)


@pytest.mark.parametrize("name", ["logout", "login", "set_language"])
def test_anyone_can_log_in_and_out_from_a_page_of_another_person(name: str) -> None:
    home = house()
    response = home.annotator.post(reverse(name), {"filled_in_by": owner_of(home), "language": "de"})
    assert "Someone else filled in" not in shown(response) and response.status_code in (200, 302)


def test_a_button_without_fields_is_not_turned_into_a_link_to_an_address_that_only_takes_posts() -> None:
    home = house()
    address = reverse("import-cancel", args=(home.project.slug, 1))
    response = home.anonymous.post(address)
    assert response.status_code == 401 and resent(response)[0] == address
    assert f'href="{address}' not in shown(response) and f"next={address}" not in shown(response)


def test_files_and_passwords_are_not_echoed() -> None:
    home = house()
    file = SimpleUploadedFile("pairs.jsonl", b"{}")
    response = home.anonymous.post(reverse("import", args=(home.project.slug,)), {"format": "jsonl", "upload": file})
    assert resent(response)[1].keys() == {"csrfmiddlewaretoken", "format"}
    assert "Files and passwords are not sent again" in shown(response)
    given = {"old_password": "secret-1", "new_password1": "secret-2", "new_password2": "secret-2", "language": "de"}
    response = home.anonymous.post(reverse("account"), given)
    assert "secret" not in shown(response) and resent(response)[1]["language"] == "de"
    assert "Files and passwords are not sent again" in shown(response)
    kept = sent_form(RequestFactory().post("/", {"Password": "secret", "username": "anna"}))
    assert kept is not None and kept.fields == [("username", "anna")] and kept.incomplete


def test_a_form_that_cannot_be_read_is_not_offered(settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    assert sent_form(RequestFactory().post("/", {"text": "x" * 11})) is None
    assert sent_form(RequestFactory().get("/?text=x")) is None


def test_a_busy_database_keeps_what_was_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    home = house()
    with monkeypatch.context() as patched:
        patched.setattr(guideline_views, "guideline_write", busy)
        response = home.lead.post(edit(home), {"text": TEXT, "base": "0"})
    assert response.status_code == 503 and "Try again" in shown(response)
    address, fields = resent(response)
    assert home.lead.post(address, fields).status_code == 302
    assert Guideline.objects.exists()


def test_a_busy_page_is_tried_again_with_its_query_and_a_post_never_by_a_link() -> None:
    def refused(request: Any) -> HttpResponse:
        try:
            busy()
        except OperationalError:
            return server_error(request)
        raise AssertionError

    assert 'href="/list/?page=2&amp;q=x"' in shown(refused(RequestFactory().get("/list/?page=2&q=x")))
    response = refused(RequestFactory().post("/start/?x=1", {"scheme": "likert"}))
    assert resent(response)[0] == "/start/?x=1" and 'href="/start/' not in shown(response)
    cut = RequestFactory().post("/start/", b"x", content_type="multipart/form-data; boundary=b")
    cut._read_started = True  # type: ignore[attr-defined]
    assert 'href="/start/' not in shown(refused(cut))


@pytest.mark.parametrize(
    ("headers", "offered"),
    [
        ({"Origin": "http://testserver"}, True),
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Origin": "http://elsewhere"}, False),
        ({"Origin": "null", "Sec-Fetch-Site": "same-origin"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({}, False),
    ],
)
def test_a_form_older_than_the_log_in_can_be_sent_again_if_it_is_our_own(
    headers: dict[str, str], offered: bool
) -> None:
    home = house()
    user = home.project.annotators.get(role="lead").user
    assert user is not None
    lead = Client(enforce_csrf_checks=True)
    lead.force_login(user)
    response = lead.post(edit(home), {"text": TEXT, "base": "0", "csrfmiddlewaretoken": "x" * 64}, headers=headers)
    assert response.status_code == 403 and (TEXT in unescape(shown(response))) == offered
    if offered:
        address, fields = resent(response)
        assert lead.post(address, fields, headers=headers).status_code == 302


def test_an_old_form_in_a_browser_that_lost_its_log_in_offers_the_log_in_too() -> None:
    home = house()
    nobody = Client(enforce_csrf_checks=True)
    response = nobody.post(edit(home), {"text": TEXT}, headers={"Origin": "http://testserver"})
    assert response.status_code == 403 and "Log in in a new tab" in shown(response)
    assert "no longer has this site's cookies" in shown(response)
    nobody.cookies[settings.CSRF_COOKIE_NAME] = "x" * 32
    response = nobody.post(edit(home), {"text": TEXT}, headers={"Origin": "http://testserver"})
    assert response.status_code == 403 and "opened before you last logged in" in shown(response)


PARTS = [
    ("plan", "post"),
    ("plan-change", "post"),
    ("plan-again", "post"),
    ("guidelines-edit", "post"),
    ("import-result", "get"),
    ("agreement", "get"),
    ("publish", "get"),
    ("adjudication", "get"),
    ("adjudication-try", "post"),
    ("prelabels-runs", "get"),
    ("prelabels-method", "get"),
    ("prelabels-run", "get"),
    ("prelabels-quality", "get"),
]


@pytest.mark.parametrize(("name", "method"), PARTS)
def test_no_part_of_a_page_is_answered_with_the_log_in(name: str, method: str) -> None:
    home = house()
    more = {"import-result": (1,), "prelabels-run": ("run",)}.get(name, ())
    address = reverse(name, args=(home.project.slug, *more))
    response = getattr(home.anonymous, method)(address, headers=HTMX)
    assert response.status_code == 401 and response[NOTICE]
    assert "You have been logged out." in shown(response) and "<html" not in shown(response)
    assert f"next={reverse('logged-in')}" in shown(response), "the log-in opens beside the page, and leaves it alone"


def pages(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            yield pattern
        else:
            yield from pages(pattern.url_patterns)


def test_every_page_is_refused_by_the_one_place() -> None:
    """Whatever URL a later template requests with htmx: no page of any app responds with a redirect."""
    open_to_all = {"healthz", "login", "logout"}
    open_to_all |= {"join", "join-link"}
    # Without a provider there are none.
    open_to_all |= {"openid", "openid-callback", "openid-new", "openid-account"}
    # A script that is the same for everyone.
    open_to_all |= {"work-worker"}
    open_to_all |= {f"password-reset{page}" for page in ("", "-sent", "-done", "-new")}
    seen = 0
    for pattern in pages([*annotation.urls.urlpatterns, *assist.urls.urlpatterns, *agreement.urls.urlpatterns]):
        kinds = pattern.pattern.converters
        if pattern.name in open_to_all or str(pattern.name).startswith("api-"):
            continue
        seen += 1
        given = {name: 1 if isinstance(kind, IntConverter) else "x" for name, kind in kinds.items()}
        given = given or ({"slug": "x", "ending": "csv"} if pattern.name == "agreement-download" else {})
        address = reverse(str(pattern.name), kwargs=given)
        assert Client().get(address, headers=HTMX).status_code == 401, pattern.name
    assert seen > 40


def test_a_part_that_is_refused_says_why_in_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    home = house()
    address = reverse("plan", args=(home.project.slug,))
    response = home.annotator.post(address, headers=HTMX)
    assert response.status_code == 403 and response[NOTICE] and "<html" not in shown(response)
    monkeypatch.setattr(plan_views, "units_unassigned", busy)
    response = home.lead.post(address, headers=HTMX)
    assert response.status_code == 503 and response[NOTICE] and response["Retry-After"]
    assert "The database is busy" in shown(response) and "<html" not in shown(response)
    request = RequestFactory().post(address, headers=HTMX)
    request.user = UserFactory()
    assert csrf_failure(request)[NOTICE]
