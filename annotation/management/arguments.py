"""Shared parsing of commands' arguments."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path

from django.core.management.base import CommandError

from annotation.models import Annotator, Project, Role, User
from annotation.services.people import person_add
from annotation.settings_model import Setting, Settings, settings_by_name


def parse_settings(items: Iterable[str]) -> dict[str, str]:
    """`--set KEY=VALUE`, repeated, as a dictionary. Raises CommandError for one without '='."""
    settings: dict[str, str] = {}
    for item in items:
        key, mark, value = item.partition("=")
        if not mark or not key.strip():
            raise CommandError(f"--set {item}: must be KEY=VALUE")
        settings[key.strip()] = value
    return settings


def add_settings(parser: ArgumentParser, settings: type[Settings]) -> None:
    """`--set KEY=VALUE` for these settings, which its help lists with their titles."""
    described = "; ".join(
        f"{name} ({setting.title}): {setting.help}" for name, setting in settings_by_name(settings).items()
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        dest="given",
        help=f"a setting; may be repeated: {described}".replace("%", "%%"),
    )


def resolve_paths(settings: Mapping[str, Setting], values: Mapping[str, str]) -> dict[str, str]:
    """The settings with folders by their whole path: what uses them may run in another folder."""
    return {
        key: str(Path(value).resolve())
        if key in settings and settings[key].name_parts and Path(value).is_dir()
        else value
        for key, value in values.items()
    }


def add_lead(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--lead",
        metavar="USERNAME",
        default="",
        help="who is added to the project as a lead, unless they are in it (default: nobody)",
    )


def find_lead(options: Mapping[str, str]) -> User | None:
    """The account that `--lead` names, None without it. Raises CommandError if there is none."""
    if not options["lead"]:
        return None
    user = User.objects.filter(username=User.normalize_username(options["lead"])).first()
    if user is None:
        raise CommandError(f"There is no account {options['lead']}.")
    return user


def ensure_lead(slug: str, lead: User | None) -> str:
    """Make someone a lead of the project, unless they are in it already; returns what is to be said of it, or ''."""
    project = Project.objects.get(slug=slug)
    membership = Annotator.objects.filter(project=project, user=lead).first() if lead is not None else None
    if membership is not None and membership.role != Role.LEAD:
        return f"{membership.alias} is in {slug} already, as {membership.role}, and stays so."
    if lead is not None and membership is None:
        person_add(project=project, username=lead.username, role=Role.LEAD)
    if Annotator.objects.filter(project=project, role=Role.LEAD, user__isnull=False).exists():
        return ""
    return f"Nobody leads {slug}, so only superusers can open it. Run this again with --lead USERNAME to change that."
