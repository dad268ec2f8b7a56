"""Reads of a project's scheme: its revision, and what existing work uses of it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Count, Q, TextField
from django.db.models.functions import Cast

from annotation.models import Annotation, Pair, Project, Revision, Source, Verdict
from annotation.text.scheme_changes import Usage


def scheme_revision(scheme: Mapping[str, Any]) -> str:
    """Names a scheme's content: the same for the same scheme."""
    return hashlib.sha256(json.dumps(scheme, sort_keys=True).encode()).hexdigest()[:16]


def scheme_usage(project: Project) -> Usage:
    """What the newest state of a project's work uses; four queries, however many pairs there are."""
    pairs = Pair.objects.filter(project=project).aggregate(n=Count("pk"), statements=Count("statement"))
    rows = Annotation.objects.filter(pair__project=project).order_by()
    counts = rows.aggregate(
        n=Count("pk"), submitted=Count("pk", filter=Q(source=Source.HUMAN, verdict=Verdict.SUBMITTED))
    )
    labels: Counter[str] = Counter()
    for label_counts in rows.exclude(label_counts={}).values_list("label_counts", flat=True).iterator():
        labels.update(label_counts)
    answers = _answers(rows.exclude(answers={}).values_list("answers", flat=True).iterator())
    return Usage(pairs["n"], pairs["statements"], counts["n"], counts["submitted"], labels, answers)


def _answers(rows: Iterable[Mapping[str, str]]) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        for key, answer in row.items():
            counts.setdefault(key, Counter())[answer] += 1
    return counts


def labels_in_history(project: Project, labels: Iterable[str]) -> Counter[str]:
    """How many stored spans documents (revisions, and what annotations hold now) name each of these labels.

    A span names its label, and the label that a model predicted for it. Only spans documents in which a label's letters
    occur are read.
    """
    keys = set(labels)
    counts: Counter[str] = Counter()
    if not keys:
        return counts
    sources: tuple[Any, ...] = (
        Revision.objects.filter(annotation__pair__project=project),
        Annotation.objects.filter(pair__project=project),
    )
    for source in sources:
        rows = source.order_by().annotate(words=Cast("spans", TextField())).filter(_mentions(keys))
        for spans_document in rows.values_list("spans", flat=True).iterator(chunk_size=200):
            used = {span.get(name) for span in spans_document["spans"] for name in ("label", "predicted")}
            counts.update(used & keys)
    return counts


def _mentions(labels: Iterable[str]) -> Q:
    condition = Q()
    for label in labels:
        # PostgreSQL writes letters as they are, SQLite stores what json.dumps escapes.
        for words in {json.dumps(label), json.dumps(label, ensure_ascii=False)}:
            condition |= Q(words__contains=words)
    return condition


def answers_in_history(project: Project, questions: Iterable[str]) -> dict[str, Counter[str]]:
    """The answers to some questions in all revisions, each with its number of revisions."""
    keys = set(questions)
    if not keys:
        return {}
    rows = Revision.objects.filter(annotation__pair__project=project).exclude(answers={}).order_by()
    counts = _answers(rows.values_list("answers", flat=True).iterator(chunk_size=500))
    return {key: answers for key, answers in counts.items() if key in keys}
