"""The target project as it was before the import: read once, and compared again when the import takes effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.formats.record import ParsedSource
from annotation.models import Annotator, Guideline, Pair, Project
from annotation.project_options import ProjectOptions
from annotation.services.projects import check_slug_free, preset, validate_project
from annotation.text.schemes import Scheme

BATCH = 400
Sides = tuple[tuple[str, str], tuple[str, str]]
"""Language and content of side A and of side B."""


@dataclass(frozen=True, slots=True)
class ImportTarget:
    """`project` is unsaved if the import creates it; `people` are by alias, `guidelines` by version.

    `scheme` is the one that the import is prepared for: the one stored as `scheme_stored`, or the preset `preset`,
    which a project without pairs changes to with the import.
    """

    project: Project
    scheme: Scheme
    people: Mapping[str, Annotator]
    guidelines: Mapping[int, Guideline]
    scheme_stored: Mapping[str, Any] = field(default_factory=dict)
    preset: str = ""

    @property
    def is_new(self) -> bool:
        return self.project._state.adding


def import_target(
    slug: str, scheme: Mapping[str, Any] | None, parsed: ParsedSource, *, change_to: str = ""
) -> ImportTarget:
    """The project `slug`, or a new one with `scheme` or else the format's. Raises Invalid if either is invalid.

    `change_to`: the preset that a project without pairs changes to.
    """
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        made_of = scheme if scheme is not None else parsed.scheme.to_json()
        checked = validate_project(name=slug, slug=slug, scheme=made_of)
        check_slug_free(checked.slug)
        settings = ProjectOptions().to_json()
        project = Project(slug=checked.slug, name=checked.name, scheme=checked.scheme.to_json(), settings=settings)
        return ImportTarget(project, checked.scheme, {}, {})
    stored = project.scheme
    if change_to:
        project.scheme = preset(change_to)
    return ImportTarget(
        project,
        project.labels,
        {person.alias: person for person in Annotator.objects.filter(project=project)},
        {guideline.version: guideline for guideline in Guideline.objects.filter(project=project)},
        stored,
        change_to,
    )


def pairs_by_id(project: Project, ids: Sequence[str]) -> dict[str, Pair]:
    """The pairs of a project with these ids, with their texts."""
    by_id: dict[str, Pair] = {}
    if project._state.adding:
        return by_id
    for start in range(0, len(ids), BATCH):
        pairs = Pair.objects.filter(project=project, external_id__in=ids[start : start + BATCH])
        for pair in pairs.select_related("a", "b", "statement"):
            pair.project = project  # one project, loaded once
            by_id[pair.external_id] = pair
    return by_id


def existing_mirrors(project: Project, ids: Sequence[str]) -> dict[str, str]:
    """The mirrors' ids of the pairs with these ids, for those that have one."""
    mirrors: dict[str, str] = {}
    if project._state.adding:
        return mirrors
    for start in range(0, len(ids), BATCH):
        rows = Pair.objects.filter(project=project, external_id__in=ids[start : start + BATCH], mirror__isnull=False)
        mirrors.update(rows.values_list("external_id", "mirror__external_id"))
    return mirrors


def existing_sides(project: Project, ids: Sequence[str]) -> dict[str, Sides]:
    """Language and content of both sides of the pairs with these ids."""
    sides: dict[str, Sides] = {}
    if project._state.adding:
        return sides
    columns = ("external_id", "a__language", "a__content", "b__language", "b__content")
    for start in range(0, len(ids), BATCH):
        rows = Pair.objects.filter(project=project, external_id__in=ids[start : start + BATCH])
        sides.update({name: ((one, a), (other, b)) for name, one, a, other, b in rows.values_list(*columns)})
    return sides


def pair_keys(project: Project, ids: Sequence[str]) -> dict[str, tuple[int, int | None]]:
    """By id: the key of the pair and of its mirror."""
    keys: dict[str, tuple[int, int | None]] = {}
    if project._state.adding:
        return keys
    for start in range(0, len(ids), BATCH):
        rows = Pair.objects.filter(project=project, external_id__in=ids[start : start + BATCH])
        keys.update({name: (pk, mirror) for name, pk, mirror in rows.values_list("external_id", "pk", "mirror_id")})
    return keys
