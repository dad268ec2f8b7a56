"""Shared by tests of people's work: spans on the factories' texts, and users in every relation to a project."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.test import Client

from annotation.models import Annotator, Assignment, Project, Role, User
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
    client = Client()
    client.force_login(user)
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
