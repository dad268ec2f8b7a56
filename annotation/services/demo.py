"""The demo: projects, people and work in every state, loaded once from `fixtures/`."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.db import transaction
from django.db.models import Sum

from annotation import formats
from annotation.errors import Forbidden, Invalid
from annotation.formats import jsonl
from annotation.formats.record import FormatError
from annotation.models import Annotation, Annotator, Project, Source, User
from annotation.services.guidelines import guideline_write
from annotation.services.imports import import_pairs
from annotation.services.people import login_create
from annotation.services.projects import preset, project_create
from annotation.services.time import worktime_add


@dataclass(frozen=True, slots=True)
class DemoLogin:
    """An account of the demo; `password` is '' if its owner has changed it."""

    username: str
    name: str
    password: str
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Demo:
    """The demo's projects, which of them were loaded now, and who can log in."""

    projects: list[Project]
    loaded: list[str]
    logins: list[DemoLogin]


def demo_load(*, folder: Path | None = None) -> Demo:
    """Load the demo from `folder` (the checkout's `fixtures/`). Existing projects are left as they are.

    Each project is loaded completely or not at all; an interrupted load is completed by the next.

    Raises Forbidden if the site can be reached from elsewhere: the passwords of the demo's accounts are public.
    """
    _check_local_only()
    folder = folder or Path(settings.BASE_DIR) / "fixtures"
    try:
        described = json.loads((folder / "demo.json").read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise Invalid(f"The demo cannot be read: {error}.", where=str(folder / "demo.json")) from error
    with transaction.atomic():
        for person in described["people"]:
            if not User.objects.filter(username=person["username"]).exists():
                login_create(username=person["username"], password=person["password"], name=person["name"])
    projects, loaded = [], []
    for entry in described["projects"]:
        project = Project.objects.filter(slug=entry["slug"]).first()
        if project is None:
            project = _load(folder, entry)
            loaded.append(project.slug)
        projects.append(project)
    return Demo(projects, loaded, _logins(described["people"], projects))


def _check_local_only() -> None:
    """Public passwords are allowed only on a site that serves just this machine, without HTTPS or a proxy."""
    foreign = set(settings.ALLOWED_HOSTS) - {"127.0.0.1", "localhost", "[::1]", "testserver"}
    if settings.HTTPS or settings.TRUSTED_PROXIES or settings.CSRF_TRUSTED_ORIGINS or foreign:
        raise Forbidden(
            "The demo is not loaded: the passwords of its accounts are public, and this site is open to others "
            "(DIPTYCH_HTTPS, DIPTYCH_HOSTS, DIPTYCH_ORIGINS or DIPTYCH_PROXIES is set).",
            code="demo",
            hint="Load it on your own machine, with none of them set.",
        )


@transaction.atomic
def _load(folder: Path, entry: dict[str, Any]) -> Project:
    project = project_create(name=entry["name"], slug=entry["slug"], scheme=preset(entry["scheme"]))
    # With these settings, workers pre-label the demo automatically, and its dataset's card is complete.
    stated = {"revision": 1, **entry["card"]}
    project.settings = {**project.settings, "prelabel": {"automatic": True}, "card": stated}
    project.save(update_fields=["settings"])
    guideline = guideline_write(
        project=project, text=(folder / entry["guidelines"]).read_text(encoding="utf-8"), base=0
    )
    users = User.objects.in_bulk([each["username"] for each in entry["annotators"]], field_name="username")
    for each in entry["annotators"]:
        Annotator.objects.create(
            project=project, user=users.get(each["username"]), alias=each["alias"], role=each["role"]
        )
    try:
        parsed = formats.read(jsonl.FORMAT.name, [folder / entry["pairs"]])
    except FormatError as error:
        raise Invalid(f"The demo's pairs cannot be read: {error}", where=entry["pairs"]) from error
    for record in parsed.records:
        for annotation in record.annotations:
            annotation.guideline = annotation.guideline or guideline.version
    import_pairs(slug=project.slug, parsed=parsed)
    _count_hours(project)
    return project


def _count_hours(project: Project) -> None:
    """The demo's people have worked here; otherwise the time of imported annotations counts as worked elsewhere."""
    annotations = Annotation.objects.filter(pair__project=project, source=Source.HUMAN).order_by()
    hours = annotations.values_list("assignment__annotator", "assignment__phase").annotate(Sum("active_seconds"))
    for annotator, phase, seconds in hours:
        worktime_add(annotator=annotator, phase=phase, seconds=seconds)


def _logins(people: list[dict[str, str]], projects: list[Project]) -> list[DemoLogin]:
    users = [User.objects.get(username=person["username"]) for person in people]
    # Slow by design, a quarter of a second each: on all cores at once.
    with ThreadPoolExecutor() as pool:
        same = pool.map(lambda user, person: check_password(person["password"], user.password), users, people)
    return [
        _login(user, person["password"] if same_account else "", projects)
        for user, person, same_account in zip(users, people, same, strict=True)
    ]


def _login(user: User, password: str, projects: list[Project]) -> DemoLogin:
    memberships = Annotator.objects.filter(user=user, project__in=projects).order_by("role")
    roles = tuple(memberships.values_list("role", flat=True).distinct())
    return DemoLogin(user.username, user.get_full_name(), password, roles)
