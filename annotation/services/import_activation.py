"""The moment at which an import takes effect: its staged rows move to their project, in one short transaction.

It takes a handful of statements, however many rows there are. If someone has meanwhile created a row that the import
wants to create, a constraint is violated, nothing is changed, and the import is prepared again.
"""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, models, transaction
from django.db.models import F, Max, OuterRef, QuerySet, Subquery

from annotation.models import Annotation, Annotator, Assignment, Guideline, Pair, Project, User
from annotation.models.imports import LinkKind, StagedLink
from annotation.services.archive_check import check_not_archived
from annotation.services.import_staging import Staging
from annotation.services.import_target import ImportTarget
from annotation.services.projects import project_change_scheme, project_create


class TargetChanged(Exception):
    """The project has changed since the import was prepared."""


def staging_activate(*, staging: Staging, target: ImportTarget, lead: User | None) -> Project:
    """Move the staged rows to their project, which is created if it is new. Call it in a transaction.

    Raises TargetChanged if the project changed since the import was prepared; the transaction must then be rolled back.
    """
    try:
        with transaction.atomic():
            project = _project(target, lead)
            _move(staging.project, project)
    except IntegrityError as error:
        raise TargetChanged(str(error)) from error
    return project


def _project(target: ImportTarget, lead: User | None) -> Project:
    was = target.project
    now = Project.objects.select_for_update().filter(slug=was.slug).first()
    if now is not None:
        check_not_archived(now.pk)
    if target.is_new:
        if now is not None:
            raise TargetChanged(f"{was.slug} has been created in the meantime")
        return project_create(name=was.name, slug=was.slug, scheme=was.scheme, lead=lead)
    if now is None or now.pk != was.pk:
        raise TargetChanged(f"{was.slug} has been deleted")
    if now.scheme != target.scheme_stored:
        raise TargetChanged(f"{was.slug} has another scheme now")
    if not target.guidelines and Guideline.objects.filter(project=now).exists():
        raise TargetChanged(f"{was.slug} has guidelines now")
    if target.preset:
        project_change_scheme(project=now, scheme=target.preset)
    return now


def _move(staged: Project, project: Project) -> None:
    links = _Links(staged)
    last = Pair.objects.filter(project=project).aggregate(last=Max("position"))["last"]
    new = Pair.objects.filter(project=staged).exclude(pk__in=links.staged(LinkKind.PAIR))
    new.update(project=project, position=F("position") + (0 if last is None else last + 1))
    Guideline.objects.filter(project=staged).update(project=project)
    _move_people(staged, project)
    # Rows still on staged pairs are on copies of existing pairs.
    on_copies = Annotation.objects.filter(pair__project=staged)
    twins = links.staged(LinkKind.ASSIGNMENT)
    Assignment.objects.filter(pk__in=links.targets(LinkKind.ASSIGNMENT)).update(
        status=Subquery(Assignment.objects.filter(pk=links.source(LinkKind.ASSIGNMENT, nested=True)).values("status"))
    )
    on_copies.filter(assignment__in=twins).update(assignment_id=links.target(LinkKind.ASSIGNMENT, "assignment_id"))
    on_copies.update(pair_id=links.target(LinkKind.PAIR, "pair_id"))
    Assignment.objects.filter(pair__project=staged).exclude(pk__in=twins).update(
        pair_id=links.target(LinkKind.PAIR, "pair_id")
    )
    Pair.objects.filter(pk__in=links.targets(LinkKind.TRANSLATIONS)).update(
        translations=Subquery(
            Pair.objects.filter(pk=links.source(LinkKind.TRANSLATIONS, nested=True)).values("translations")
        )
    )
    Pair.objects.filter(pk__in=links.staged(LinkKind.MIRROR)).update(mirror_id=links.target(LinkKind.MIRROR, "pk"))


def _move_people(staged: Project, project: Project) -> None:
    """New people are moved too; existing people get their staged work, after what they already have."""
    existing = {person.alias: person for person in Annotator.objects.filter(project=project)}
    for person in Annotator.objects.filter(project=staged).order_by("pk"):
        membership = existing.get(person.alias)
        if membership is None:
            person.project = project
            person.save()
            continue
        last = Assignment.objects.filter(annotator=membership).aggregate(last=Max("order"))["last"]
        Assignment.objects.filter(annotator=person).update(
            annotator=membership, order=F("order") + (0 if last is None else last + 1)
        )


class _Links:
    """The links of a staged project, as subqueries."""

    def __init__(self, staged: Project) -> None:
        self.rows = StagedLink.objects.filter(project=staged)

    def staged(self, kind: LinkKind) -> QuerySet[StagedLink, Any]:
        return self.rows.filter(kind=kind).values("staged")

    def targets(self, kind: LinkKind) -> QuerySet[StagedLink, Any]:
        return self.rows.filter(kind=kind).values("target")

    def target(self, kind: LinkKind, column: str) -> Subquery:
        """The target of the staged row that `column` names."""
        return Subquery(
            self.rows.filter(kind=kind, staged=OuterRef(column)).values("target"),
            output_field=models.BigIntegerField(),
        )

    def source(self, kind: LinkKind, *, nested: bool) -> Subquery:
        """The staged row that is linked to the row that is being updated."""
        outer = OuterRef(OuterRef("pk")) if nested else OuterRef("pk")
        return Subquery(self.rows.filter(kind=kind, target=outer).values("staged"))
