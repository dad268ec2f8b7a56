"""Public names that stay, once they are published."""

from __future__ import annotations

from django.db import transaction

from annotation.models import Annotation, Annotator, Project, Source
from annotation.selectors.export_records import published_names


@transaction.atomic
def public_names_keep(project: Project) -> None:
    """Store the public names of everyone with submitted work, so that they stay the same whoever joins or leaves.

    People without work get none yet, so that the numbers stay free for work that is imported later.
    """
    Project.objects.select_for_update().get(pk=project.pk)
    annotations = Annotation.objects.filter(source=Source.HUMAN, assignment__annotator__project=project).exclude(
        verdict=""
    )
    people = Annotator.objects.filter(pk__in=annotations.values("assignment__annotator"), published_as="")
    annotators = list(people.only("pk"))
    if annotators:
        names = published_names(project)
        for each in annotators:
            each.published_as = names[each.pk]
        Annotator.objects.bulk_update(annotators, ["published_as"])
