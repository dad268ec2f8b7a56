"""Writes of projects: created once with a scheme, then changed in name and settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid, sentences
from annotation.models import Annotator, Pair, Project, Role, User
from annotation.project_options import LATEST, OptionsError, ProjectOptions
from annotation.selectors.highlights import highlight_runs
from annotation.selectors.projects import options_of
from annotation.services.archive_check import changes_project
from annotation.services.assignments import assignments_refresh_highlights
from annotation.services.name_checks import name_check
from annotation.text.scheme_parsing import parse_scheme
from annotation.text.schemes import PRESETS, Scheme, SchemeError

RESERVED = {"new"}
"""Words that addresses have in the place of a project's short name, so no project may be called so."""


@dataclass(frozen=True, slots=True)
class ValidProject:
    """A valid name, slug and scheme of a project."""

    name: str
    slug: str
    scheme: Scheme


def validate_project(*, name: str, slug: str, scheme: Mapping[str, Any]) -> ValidProject:
    """Raises Invalid for a name without a letter or digit, and for a scheme, with all that is wrong with it."""
    name = name.strip()
    slug = slugify(slug or name)[:80]
    if not any(character.isalnum() for character in name):
        raise Invalid(_("A project name needs at least one letter or digit."), where="name")
    if not slug:
        raise Invalid(
            _("The project's address needs Latin letters or digits, and its name has none."),
            where="slug",
            hint=_("Enter a short name in Latin letters too."),
        )
    if slug in RESERVED:
        raise Invalid(
            _("“%(slug)s” is an address of the site itself.") % {"slug": slug},
            where="slug",
            hint=_("Enter another short name."),
        )
    name_check(name, "name")
    try:
        return ValidProject(name, slug, parse_scheme(scheme))
    except SchemeError as error:
        wrong = sentences(*(phrase.text(_) for phrase in error.phrases))
        raise Invalid(wrong, where="scheme", hint=_("See the built-in schemes for examples.")) from error


def check_slug_free(slug: str) -> None:
    """Raises Conflict if there is a project with this slug."""
    if Project.with_staged.filter(slug=slug).exists():
        raise Conflict(
            _("A project called “%(slug)s” already exists.") % {"slug": slug},
            where="slug",
            hint=_("Choose another name."),
        )


@transaction.atomic
def project_create(
    *,
    name: str,
    scheme: Mapping[str, Any],
    slug: str = "",
    lead: User | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Project:
    """Create a project, and its lead's membership. Raises Invalid for a bad name or scheme, Conflict for a slug.

    `slug`, the project's name in URLs and commands, is derived from `name` unless given. `settings` are those that
    differ from the defaults.
    """
    checked = validate_project(name=name, slug=slug, scheme=scheme)
    check_slug_free(checked.slug)
    project = Project.objects.create(
        slug=checked.slug,
        name=checked.name,
        scheme=checked.scheme.to_json(),
        settings={**ProjectOptions().to_json(), **(settings or {})},
    )
    if lead is not None:
        Annotator.objects.create(project=project, user=lead, alias=lead.get_username()[:80], role=Role.LEAD)
    return project


@changes_project()
@transaction.atomic
def project_change_scheme(*, project: Project, scheme: str) -> Project:
    """Change a project without pairs to the built-in scheme `scheme`. Raises Conflict if there are pairs."""
    locked = Project.objects.select_for_update().get(pk=project.pk)
    if Pair.objects.filter(project=locked).exists():
        raise Conflict(
            _("The scheme can't be changed once pairs exist."),
            where=project.slug,
            hint=_("Create a new project with the other scheme and import there."),
        )
    locked.scheme = preset(scheme)
    locked.save()
    return locked


@changes_project()
@transaction.atomic
def project_change(*, project: Project, name: str, options: ProjectOptions) -> Project:
    """Change a project's name and settings; open assignments follow a changed share of highlights."""
    locked = Project.objects.select_for_update().get(pk=project.pk)
    if not name.strip():
        raise Invalid(_("A project needs a name."), where="name")
    name_check(name.strip(), "name")
    before = options_of(locked)
    if options.highlights_run != before.highlights_run:
        _check_run(locked, options.highlights_run)
    locked.name = name.strip()
    locked.settings = {**locked.settings, **options.to_json()}
    locked.save()
    if before.highlights_share != options.highlights_share:
        assignments_refresh_highlights(project=locked)
    return locked


def _check_run(project: Project, run: str) -> None:
    """Raises Invalid unless a run has highlights in the project, or it is none or the newest."""
    if run not in ("", LATEST) and run not in {each.run for each in highlight_runs(project)}:
        raise Invalid(
            _("There is no run “%(run)s” in this project.") % {"run": run},
            where="highlights_run",
            hint=_("Choose a finished run."),
        )


def options_from(**values: Any) -> ProjectOptions:
    """Settings from a form's values. Raises Invalid."""
    try:
        return ProjectOptions(**values)
    except OptionsError as error:
        raise Invalid(str(error), where="settings") from error


def preset(name: str) -> dict[str, Any]:
    """A built-in scheme as JSON. Raises Invalid."""
    if name not in PRESETS:
        raise Invalid(_("There is no scheme “%(name)s”.") % {"name": name}, where="scheme", hint=", ".join(PRESETS))
    return PRESETS[name].to_json()
