"""What this app's tables say of changes to a project, for its audit page."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from agreement.models import GoldVersion, Publication, Push
from annotation.models import JobStatus
from annotation.selectors.audit import AuditEntry, AuditSource, Topic, ValueChange


def _gold(keys: Sequence[int]) -> dict[int, AuditEntry]:
    entries = {}
    for row in GoldVersion.objects.filter(pk__in=keys).only("number", "rule", "open", "counts"):
        what = _("Draft opened") if row.open else _("Gold version %(number)s created") % {"number": row.number}
        pairs = row.counts.get("pairs")
        values = (ValueChange(_("Pairs"), "", str(pairs)),) if isinstance(pairs, int) and not row.open else ()
        entries[row.pk] = AuditEntry(what, row.rule, values)
    return entries


def _publications(keys: Sequence[int]) -> dict[int, AuditEntry]:
    rows = Publication.objects.filter(pk__in=keys).only("number", "format", "licence")
    return {
        row.pk: AuditEntry(
            _("Publication %(number)s requested") % {"number": row.number},
            row.format,
            (ValueChange(_("Licence"), "", row.licence),),
        )
        for row in rows
    }


def _pushes(keys: Sequence[int]) -> dict[int, AuditEntry]:
    rows = (
        Push.objects.filter(pk__in=keys).select_related("publication").only("repository", "tag", "publication__number")
    )
    return {
        row.pk: AuditEntry(
            _("Publication %(number)s pushed") % {"number": row.publication.number}, f"{row.repository} {row.tag}"
        )
        for row in rows
    }


SOURCES = (
    AuditSource(
        "gold", Topic.GOLD, lambda project: GoldVersion.objects.filter(project=project), "made", "made_by", _gold
    ),
    AuditSource(
        "publications",
        Topic.PUBLICATIONS,
        lambda project: Publication.objects.filter(project=project, number__gt=Publication.PREVIEW),
        "made",
        "made_by",
        _publications,
    ),
    AuditSource(
        "pushes",
        Topic.PUBLICATIONS,
        lambda project: Push.objects.filter(publication__project=project, status=JobStatus.DONE),
        "made",
        "made_by",
        _pushes,
    ),
)
