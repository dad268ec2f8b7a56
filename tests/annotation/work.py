"""Shared by tests of people's work: spans on the factories' texts, and users in every relation to a project."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.test import Client

from annotation.models import Annotator, Assignment, Project, Role, User
from config.sessions import SessionStore
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory, UserFactory

# Of the factories' texts: 'library' and 'Bibliothek', 'nothing' and 'Hälfte'.
LIBRARY = {"side": "a", "start": 4, "end": 11}
BIBLIOTHEK = {"side": "b", "start": 4, "end": 14}
NOTHING = {"side": "a", "start": 45, "end": 52}


def span(*fragments: dict[str, Any], label: str = "3", id: str = "s1", **rest: Any) -> dict[str, Any]:
    return {"id": id, "label": label, "origin": "manual", "comment": "", "fragments": list(fragments), **rest}


def doc(*spans: dict[str, Any]) -> dict[str, Any]:
    return {"v": 1, "spans": list(spans)}


@dataclass
class House:
    """A project with a pair assigned to `annotator`; clients of everyone who may try to access it."""

    project: Project
    assignment: Assignment
    annotator: Client
    other: Client
    adjudicator: Client
    lead: Client
    superuser: Client
    stranger: Client
    anonymous: Client


def client_of(user: User) -> Client:
    """A client with a session of this user, made without what happens at a log-in: that takes ten times as long."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = str(session.session_key)
    return client


def house(**project: Any) -> House:
    made: Project = ProjectFactory(**project)

    def person(role: str) -> Annotator:
        membership: Annotator = AnnotatorFactory(project=made, role=role, user__made_in=made)
        return membership

    def member(role: str) -> Client:
        user = person(role).user
        assert user is not None
        return client_of(user)

    owner = person(Role.ANNOTATOR)
    assert owner.user is not None
    assignment: Assignment = AssignmentFactory(pair=PairFactory(project=made), annotator=owner)
    return House(
        made,
        assignment,
        client_of(owner.user),
        member(Role.ANNOTATOR),
        member(Role.ADJUDICATOR),
        member(Role.LEAD),
        client_of(UserFactory(is_superuser=True)),
        client_of(UserFactory()),
        Client(),
    )
