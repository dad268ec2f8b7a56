"""Who may open what: a stranger is told there is no such thing, a member without the role is refused."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client

from annotation.models import Project, Role, User
from tests.annotation.work import client_of
from tests.factories import AnnotatorFactory, UserFactory


def member(of: Project, role: str) -> Client:
    """A browser in which someone with a role in the project is logged in."""
    return logged_in(AnnotatorFactory(project=of, role=role).user)


def logged_in(user: User | None) -> Client:
    assert user is not None
    return client_of(user)


def statuses(of: Project, address: str, method: str = "get") -> dict[str, int]:
    """The status that each kind of person gets at an address."""
    people = {"stranger": logged_in(UserFactory())} | {role: member(of, role) for role in Role.values}
    found = {name: getattr(client, method)(address).status_code for name, client in people.items()}
    return found | {"nobody": getattr(Client(), method)(address).status_code}


def text(response: Any) -> str:
    """A page without its tokens, in which any short name can occur by chance, and with single spaces."""
    page = re.sub(r'name="(csrfmiddlewaretoken|csrf-token)"[^>]+>', "", response.content.decode())
    return " ".join(page.split())
