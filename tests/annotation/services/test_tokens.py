"""API tokens: who gets one, what it may do, and how it ends."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.errors import Conflict, Invalid, NotFound
from annotation.models import User
from annotation.models.tokens import ApiToken
from annotation.services import tokens as service
from annotation.services.tokens import NewToken, token_create, token_revoke, token_use, tokens_revoke_all
from tests.factories import AnnotatorFactory, ProjectFactory, UserFactory

pytestmark = pytest.mark.django_db


def made(user: User, **changed: object) -> NewToken:
    given = {"name": "nightly", "access": "read", "days": 30, **changed}
    return token_create(user=user, **given)  # type: ignore[arg-type]


def test_only_a_digest_of_the_secret_is_stored() -> None:
    user = UserFactory()
    new = made(user)
    (row,) = ApiToken.objects.values()
    assert new.secret.startswith("diptych_") and len(new.secret) > 45
    assert new.secret not in str(row) and row["ending"] == new.secret[-4:]
    assert made(user, name="other").secret != new.secret


def test_a_secret_finds_its_token_and_owner() -> None:
    new = made(UserFactory())
    found = token_use(secret=new.secret)
    assert found == new.token and found.user.token == found
    for wrong in ("", "diptych_", new.secret[:-1], new.secret + "x", new.token.digest):
        assert token_use(secret=wrong) is None


def test_uses_are_noted_once_an_hour() -> None:
    new = made(UserFactory())
    token_use(secret=new.secret)
    first = ApiToken.objects.get().last_used
    assert first is not None
    token_use(secret=new.secret)
    assert ApiToken.objects.get().last_used == first
    ApiToken.objects.update(last_used=first - service.NOTED_AFTER - timedelta(seconds=1))
    token_use(secret=new.secret)
    again = ApiToken.objects.get().last_used
    assert again is not None and again >= first


def test_it_ends_when_it_expires_when_it_is_revoked_and_with_its_owners_account() -> None:
    user = UserFactory()
    expired, revoked, closed = (made(user, name=name) for name in ("expired", "revoked", "closed"))
    ApiToken.objects.filter(pk=expired.token.pk).update(expires=timezone.now())
    token_revoke(user=user, pk=revoked.token.pk)
    assert token_use(secret=expired.secret) is None and token_use(secret=revoked.secret) is None
    assert token_use(secret=closed.secret)
    User.objects.update(is_active=False)
    assert token_use(secret=closed.secret) is None


def test_only_its_owner_revokes_it() -> None:
    new = made(UserFactory())
    for pk in (new.token.pk, 10**18):
        with pytest.raises(NotFound):
            token_revoke(user=UserFactory(), pk=pk)
    assert token_use(secret=new.secret)
    assert tokens_revoke_all(user=new.token.user) == 1 and tokens_revoke_all(user=new.token.user) == 0
    assert token_use(secret=new.secret) is None


@pytest.mark.parametrize(
    ("changed", "where"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 81}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"access": "all"}, "access"),
        ({"role": "owner"}, "role"),
        ({"days": 0}, "days"),
        ({"days": 367}, "days"),
    ],
)
def test_what_is_invalid_makes_none(changed: dict[str, object], where: str) -> None:
    with pytest.raises(Invalid) as refused:
        made(UserFactory(), **changed)
    assert refused.value.where == where and not ApiToken.objects.exists()


def test_a_project_that_one_is_not_in_is_unknown() -> None:
    member = AnnotatorFactory(user=UserFactory())
    assert made(member.user, project=member.project).token.project == member.project
    with pytest.raises(NotFound):
        made(member.user, name="other", project=ProjectFactory())
    assert made(UserFactory(is_superuser=True), project=member.project).token.project == member.project


def test_names_are_taken_once_and_the_number_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    user = UserFactory()
    made(user)
    with pytest.raises(Conflict, match="already"):
        made(user)
    made(UserFactory())
    monkeypatch.setattr(service, "MAX_TOKENS", 1)
    with pytest.raises(Conflict, match="1 tokens"):
        made(user, name="another")
    ApiToken.objects.filter(user=user).update(expires=timezone.now())
    made(user)


def test_the_command_prints_the_secret_alone() -> None:
    member = AnnotatorFactory(user=UserFactory(username="lena"), role="lead")
    out = StringIO()
    options = ["--access", "write", "--role", "annotator", "--days", "3", "--project", member.project.slug]
    call_command("api_token", "lena", "--name", "import", *options, stdout=out)
    token = token_use(secret=out.getvalue().strip())
    assert token is not None and token.user == member.user
    assert (token.access, token.role, token.project) == ("write", "annotator", member.project)
    for wrong in (["nobody", "--name", "x"], ["lena", "--name", "import"], ["lena", "--name", "x", "--days", "0"]):
        with pytest.raises(CommandError):
            call_command("api_token", *wrong)
