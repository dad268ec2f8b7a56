"""Writes of what a lead has dealt with."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.errors import Conflict
from annotation.models import Annotation, User
from annotation.models.reviews import Review
from annotation.services.archive_check import changes_project


@changes_project("annotation.pair.project_id")
@transaction.atomic
def review_set(*, annotation: Annotation, revision: int, by: User | None) -> Review:
    """Take an annotation off the queue. Raises Conflict if it was changed since `revision`, which the lead saw."""
    locked = Annotation.objects.select_for_update(of=("self",)).only("revision").get(pk=annotation.pk)
    if locked.revision != revision:
        raise Conflict(
            _("The annotator has changed this since."),
            code="changed",
            hint=_("Reload the page to see the current version."),
        )
    return Review.objects.update_or_create(annotation=locked, defaults={"revision": revision, "made_by": by})[0]


@changes_project("annotation.pair.project_id")
def review_remove(*, annotation: Annotation) -> None:
    """Put an annotation back on the queue."""
    Review.objects.filter(annotation=annotation).delete()
