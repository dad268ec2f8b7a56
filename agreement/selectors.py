"""Reads of adjudication. Human work and gold are read separately: `source` never has a default."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db.models import Max, Q, QuerySet
from django.utils.translation import gettext as _

from agreement.models import Exclusion, GoldJob, GoldVersion, Publication, Push, Withdrawal
from annotation.errors import NotFound
from annotation.formats.project_archive import FORMAT as ARCHIVE
from annotation.models import ACTIVE_JOB, Annotation, JobStatus, Project, Source
from annotation.selectors.annotations import IMPORTED, IS_GOLD

NEWEST_GOLD = -1
"""Stands for the newest gold version, whichever that is when the gold is read."""


def gold_versions(project: Project) -> QuerySet[GoldVersion]:
    """The gold versions created in this project, newest first, without the open draft.

    (Imported gold is number 0, with no row.)
    """
    return GoldVersion.objects.filter(project=project, open=False).select_related("made_by").order_by("-number")


def gold_draft(project: Project) -> GoldVersion | None:
    """The open draft, or None."""
    return GoldVersion.objects.filter(project=project, open=True).select_related("made_by").first()


def gold_next_number(project: Project) -> int:
    """The number of the next version or draft; the project must be locked."""
    last: int | None = GoldVersion.objects.filter(project=project).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def gold_version_get(project: Project, number: int) -> GoldVersion:
    """Raises NotFound."""
    version = gold_versions(project).filter(number=number).first()
    if version is None:
        raise NotFound(_("There is no gold version %(number)s.") % {"number": number}, where=project.name)
    return version


def gold_job_unfinished(project: Project) -> GoldJob | None:
    """The gold that a worker is making of this project, or will; None if none was requested."""
    return GoldJob.objects.filter(project=project, status__in=ACTIVE_JOB).first()


def gold_job_get(project: Project, pk: int) -> GoldJob:
    """Raises NotFound; only the newest jobs are kept."""
    job = GoldJob.objects.filter(project=project, pk=pk).first()
    if job is None:
        raise NotFound(_("There is no such job; only a project's latest jobs are kept."), where=project.name)
    return job


def gold_newest(project: Project) -> int | None:
    """The number of the newest gold version; 0 if gold was only imported, None if there is none."""
    newest = gold_versions(project).first()
    if newest is not None:
        return newest.number
    imported = Annotation.objects.filter(IS_GOLD, pair__project=project, gold_version=IMPORTED)
    return IMPORTED if imported.exists() else None


def imported_gold_beside(project: Project, number: int | None) -> int:
    """How many pairs have imported gold and are not in gold version `number`; 0 if that is the imported gold itself."""
    if not number:
        return 0
    gold = Annotation.objects.filter(IS_GOLD, pair__project=project)
    version = gold.filter(gold_version=number)
    return gold.filter(gold_version=IMPORTED).exclude(pair__in=version.values("pair")).count()


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
    """The gold of every manually decided pair, from any version; it holds until the pair is reopened."""
    return Annotation.objects.filter(source=Source.GOLD, decided__isnull=False, pair__project=project)


def manual_decisions(project: Project) -> Mapping[int, Annotation]:
    """The manual decisions, by pair."""
    decisions = decided_manually(project).select_related("decided_by").order_by("pair")
    return {decision.pair_id: decision for decision in decisions}


def push_list(publication: Publication) -> QuerySet[Push]:
    """The pushes of a publication, newest first."""
    return Push.objects.filter(publication=publication).select_related("made_by").order_by("-pk")


def withdrawals(project: Project) -> dict[int, datetime]:
    """When annotators of a project withdrew their consent, by membership."""
    rows = Withdrawal.objects.filter(annotator__project=project)
    return dict(rows.values_list("annotator_id", "made"))


def gold_withheld(project: Project, number: int) -> set[int]:
    """The pairs whose gold is not published: someone annotated them who withdrew their consent, and their gold was
    neither made by a rule nor decided by a person since.
    """
    withheld: set[int] = set()
    for person, when in withdrawals(project).items():
        annotations = Annotation.objects.filter(source=Source.HUMAN, assignment__annotator=person).exclude(verdict="")
        gold = Annotation.objects.filter(source=Source.GOLD, pair__in=annotations.values("pair"))
        # A person's decision holds in every later version.
        old = gold.filter(Q(gold_version=number, made__lte=when) | Q(decided__lte=when))
        again = gold.filter(decided__gt=when)
        withheld.update(set(old.values_list("pair_id", flat=True)) - set(again.values_list("pair_id", flat=True)))
    return withheld


def gold_published(project: Project, number: int) -> QuerySet[Annotation]:
    """One version's gold without what is withheld."""
    return gold_annotations(project, number).exclude(pair__in=gold_withheld(project, number))


def publication_list(project: Project) -> QuerySet[Publication]:
    """The project's publications, newest first."""
    publications = Publication.objects.filter(project=project).exclude(number=Publication.PREVIEW)
    return publications.select_related("made_by", "project").defer("card").order_by("-number")


def newest_archive(project: Project) -> Publication | None:
    """The newest publication that is an archive of the project; None if there is none."""
    return publication_list(project).filter(format=ARCHIVE.name, status=JobStatus.DONE).first()


def counts_for_deletion(project: Project) -> dict[str, int]:
    """How many gold versions and publications a project has, with the draft and the preview of a card."""
    return {
        "gold_versions": GoldVersion.objects.filter(project=project).count(),
        "publications": Publication.objects.filter(project=project).count(),
    }


def publication_get(project: Project, number: int) -> Publication:
    """A publication, or the preview. Raises NotFound."""
    publication = Publication.objects.filter(project=project, number=number).select_related("made_by").first()
    if publication is None:
        raise NotFound(_("There is no publication %(number)s.") % {"number": number}, where=project.name)
    return publication
