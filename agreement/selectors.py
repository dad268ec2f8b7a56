"""Reads of adjudication. Human work and gold are read separately: `source` never has a default."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from agreement.models import Exclusion, GoldVersion, Publication
from annotation.errors import NotFound
from annotation.models import Annotation, Project, Source
from annotation.selectors.annotations import IS_GOLD

IMPORTED = 0


def gold_versions(project: Project) -> QuerySet[GoldVersion]:
    """The gold versions created in this project, newest first, without the open draft.

    (Imported gold is number 0, with no row.)
    """
    return GoldVersion.objects.filter(project=project, open=False).select_related("made_by").order_by("-number")


def gold_draft(project: Project) -> GoldVersion | None:
    """The open draft, or None."""
    return GoldVersion.objects.filter(project=project, open=True).select_related("made_by").first()


def gold_version_get(project: Project, number: int) -> GoldVersion:
    """Raises NotFound."""
    found = gold_versions(project).filter(number=number).first()
    if found is None:
        raise NotFound(_("There is no gold version %(number)s.") % {"number": number}, where=project.name)
    return found


def gold_newest(project: Project) -> int | None:
    """The number of the newest gold version; 0 if gold was only imported, None if there is none."""
    made = gold_versions(project).first()
    if made is not None:
        return made.number
    imported = Annotation.objects.filter(IS_GOLD, pair__project=project, gold_version=IMPORTED)
    return IMPORTED if imported.exists() else None


def gold_annotations(project: Project, number: int) -> QuerySet[Annotation]:
    """One version's gold, in the order of the pairs, with texts."""
    return (
        Annotation.objects.filter(IS_GOLD, pair__project=project, gold_version=number)
        .select_related("pair__a", "pair__b")
        .order_by("pair__position", "pair_id")
    )


def exclusions(project: Project) -> Mapping[int, str]:
    """The reason for each exclusion, by pair."""
    return dict(Exclusion.objects.filter(pair__project=project).values_list("pair_id", "reason"))


def decided_manually(project: Project) -> QuerySet[Annotation]:
    """The gold of every manually decided pair, from any version; it holds until the decision is withdrawn."""
    return Annotation.objects.filter(source=Source.GOLD, decided__isnull=False, pair__project=project)


def manual_decisions(project: Project) -> Mapping[int, Annotation]:
    """The manual decisions, by pair."""
    found = decided_manually(project).select_related("decided_by").order_by("pair")
    return {decision.pair_id: decision for decision in found}


def publication_list(project: Project) -> QuerySet[Publication]:
    """The project's publications, newest first."""
    return Publication.objects.filter(project=project).select_related("made_by").order_by("-number")


def publication_get(project: Project, number: int) -> Publication:
    """Raises NotFound."""
    found = publication_list(project).filter(number=number).first()
    if found is None:
        raise NotFound(_("There is no publication %(number)s.") % {"number": number}, where=project.name)
    return found
