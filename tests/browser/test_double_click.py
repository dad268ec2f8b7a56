"""A second click while the server is slow sends nothing twice."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import User
from annotation.models.people import Invitation
from tests.annotation.work import House, house

LogIn = Callable[[BrowserContext, User], None]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def home(context: BrowserContext, log_in: LogIn) -> House:
    made = house()
    lead = made.project.annotators.get(role="lead").user
    assert lead is not None
    log_in(context, lead)
    return made


def slow(monkeypatch: pytest.MonkeyPatch, name: str) -> list[float]:
    """Have a function of the server take a second; returns when it was called."""
    module, _, function = name.rpartition(".")
    real, called = getattr(import_module(module), function), list[float]()

    def delayed(*given: Any, **named: Any) -> Any:
        called.append(time.monotonic())
        time.sleep(1)
        return real(*given, **named)

    monkeypatch.setattr(name, delayed)
    return called


def click_twice(button: Locator) -> None:
    """Half a second apart, while the first request is under way."""
    button.evaluate("button => { button.click(); setTimeout(() => button.click(), 500); }")


def test_the_password_of_a_new_person_is_not_lost(
    page: Page, live_server: LiveServer, home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = slow(monkeypatch, "annotation.views.people.person_add")
    page.goto(live_server.url + reverse("people", args=(home.project.slug,)))
    page.locator("[name=username]").fill("wilma")
    click_twice(page.locator("section:has([name=username]) button.strong"))
    expect(page.locator("main")).to_contain_text("wilma")
    expect(page.locator(".secret").first).to_be_visible()
    assert len(called) == 1 and User.objects.filter(username="wilma").count() == 1


def test_a_form_can_be_sent_again_from_the_next_page(
    page: Page, live_server: LiveServer, home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = slow(monkeypatch, "annotation.views.invitations.invitations_create")
    for name in ("pia", "otto"):
        page.goto(live_server.url + reverse("invitations", args=(home.project.slug,)))
        page.locator("textarea").first.fill(name)
        click_twice(page.locator("form:has(textarea) button.strong"))
        expect(page.locator(".secret, .address").first).to_be_visible()
    assert len(called) == 2 and Invitation.objects.count() == 2
