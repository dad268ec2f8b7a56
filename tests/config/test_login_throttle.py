"""However many log-ins arrive at once, no more passwords are checked than may be wrong."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.db import connections
from django.db.models import Sum
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from config import login_throttle
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "correct horse battery"


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names whose passwords were checked, which takes some time."""
    names: list[str] = []
    check = ModelBackend.authenticate

    def slow(self: ModelBackend, request: object, username: str = "", **more: str) -> object:
        names.append(username)
        time.sleep(0.1)
        return check(self, request, username, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(ModelBackend, "authenticate", slow)
    return names


def at_once(number: int, attempt: Callable[[int], int]) -> list[int]:
    """The responses to so many simultaneous attempts, each on a connection of its own."""
    start = threading.Barrier(number)
    answers: list[int] = []

    def act(index: int) -> None:
        try:
            start.wait()
            answers.append(attempt(index))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=act, args=(index,)) for index in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def log_in(name: str, password: str = "wrong", address: str = "192.0.2.1") -> int:
    body = {"username": name, "password": password}
    return Client(REMOTE_ADDR=address).post(reverse("login"), body).status_code


def test_wrong_passwords_for_a_name_at_once(checked: list[str]) -> None:
    name = UserFactory().username
    answers = at_once(settings.AXES_FAILURE_LIMIT + 6, lambda index: log_in(name, address=f"192.0.2.{index}"))
    assert len(checked) == settings.AXES_FAILURE_LIMIT
    assert answers.count(429) >= 6
    assert AccessAttempt.objects.aggregate(total=Sum("failures_since_start"))["total"] == settings.AXES_FAILURE_LIMIT
    assert log_in(name, PASSWORD) == 429


def test_wrong_passwords_from_an_address_at_once(checked: list[str]) -> None:
    at_once(settings.LOGIN_ADDRESS_LIMIT + 4, lambda index: log_in(f"name{index}"))
    assert len(checked) == settings.LOGIN_ADDRESS_LIMIT


def test_right_passwords_at_once_leave_no_count(checked: list[str]) -> None:
    name = UserFactory().username
    assert at_once(4, lambda index: log_in(name, PASSWORD)) == [302] * 4
    assert not AccessAttempt.objects.exists()


def test_an_attempt_whose_check_never_ended_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    name = UserFactory().username

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the process ends")

    with monkeypatch.context() as patch:
        patch.setattr(ModelBackend, "authenticate", broken)
        with pytest.raises(RuntimeError):
            log_in(name)
    assert AccessAttempt.objects.get().failures_since_start == 1


def test_a_class_can_log_in_at_once(checked: list[str]) -> None:
    names = [UserFactory().username for _ in range(30)]
    assert len(names) > settings.LOGIN_ADDRESS_LIMIT
    assert at_once(len(names), lambda index: log_in(names[index], PASSWORD)) == [302] * len(names)
    assert not AccessAttempt.objects.exists()


def test_a_wrong_password_among_many_right_ones_is_one_failure(checked: list[str]) -> None:
    names = [UserFactory().username for _ in range(20)]
    answers = at_once(21, lambda index: log_in(names[index], PASSWORD) if index < 20 else log_in("nobody"))
    assert sorted(answers) == [200, *[302] * 20]


def open_attempts(name: str) -> None:
    """As many attempts for a name as may be wrong, whose passwords are being checked."""
    for number in range(settings.AXES_FAILURE_LIMIT):
        request = RequestFactory().post("/", {"username": name}, REMOTE_ADDR=f"192.0.2.{number}")
        assert AxesProxyHandler.is_allowed(request, {"username": name})


def test_who_waits_in_vain_is_told_to_try_again(checked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(login_throttle, "MAX_WAIT_SECONDS", 0.2)
    name, other = UserFactory().username, UserFactory().username
    open_attempts(name)
    response = Client().post(reverse("login"), {"username": name, "password": PASSWORD})
    assert response.status_code == 429 and response["Retry-After"] == "5"
    assert "Several people are logging in at once" in response.content.decode()
    assert not checked
    assert log_in(other, PASSWORD) == 302


def test_attempts_that_never_ended_block_after_a_while(checked: list[str]) -> None:
    name = UserFactory().username
    open_attempts(name)
    AccessAttempt.objects.update(attempt_time=timezone.now() - 2 * login_throttle.MAX_CHECK_TIME)
    response = Client().post(reverse("login"), {"username": name, "password": PASSWORD})
    assert response.status_code == 429 and "blocked for 15 minutes" in response.content.decode()
    assert "Retry-After" not in response
    assert not checked
