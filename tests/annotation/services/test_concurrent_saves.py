"""Many tabs at once: one save wins, all others get a conflict, and no revision is written twice."""

from __future__ import annotations

import threading

import pytest
from django.db import connections

from annotation.errors import Conflict
from annotation.models import Annotation
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save
from tests.annotation.work import doc
from tests.factories import AssignmentFactory

TABS = 8


@pytest.mark.django_db(transaction=True)
def test_of_many_saves_based_on_one_revision_exactly_one_wins() -> None:
    assignment = AssignmentFactory()
    start = threading.Barrier(TABS)
    outcomes: list[str] = []

    def tab(number: int) -> None:
        start.wait()
        try:
            annotation_save(
                assignment=assignment, by=None, base=0, sent=AnnotationInput(spans=doc(), comment=f"tab {number}")
            )
            outcomes.append("saved")
        except Conflict as refusal:
            outcomes.append(f"conflict with {refusal.payload['annotation']['revision']}")
        finally:
            connections.close_all()

    threads = [threading.Thread(target=tab, args=(number,)) for number in range(TABS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["conflict with 1"] * (TABS - 1) + ["saved"]
    annotation = Annotation.objects.get()
    assert (annotation.revision, annotation.revisions.count()) == (1, 1)
