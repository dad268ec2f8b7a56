"""What the tests of runs share: a run worked through, and work submitted."""

from __future__ import annotations

from annotation.models import Annotation, Project, Source, Verdict
from assist.models import Queue, Run
from assist.runs import processing
from assist.runs.selectors import run_get
from tests.factories import AnnotatorFactory, AssignmentFactory


def work_through(run: Run) -> Run:
    processing.lots_process(Queue.values)
    return run_get(run.project, run.slug)


def submit_pairs(project: Project, count: int) -> None:
    annotator = AnnotatorFactory(project=project)
    for pair in project.pairs.all()[:count]:
        Annotation.objects.create(
            source=Source.HUMAN,
            pair=pair,
            assignment=AssignmentFactory(pair=pair, annotator=annotator),
            verdict=Verdict.SUBMITTED,
            spans={"v": 1, "spans": [{"id": "s", "label": "5", "fragments": [{"side": "b", "start": 0, "end": 3}]}]},
        )
