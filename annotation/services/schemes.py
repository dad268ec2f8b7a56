"""Writes of a project's scheme, which may change while people work: nothing recorded becomes invalid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.errors import Conflict, Invalid, sentences
from annotation.models import Annotation, Assignment, Pair, Project, Revision
from annotation.phrases import Phrase
from annotation.selectors.schemes import answers_in_history, labels_in_history, scheme_revision, scheme_usage
from annotation.services.archive_check import changes_project
from annotation.services.name_checks import name_check
from annotation.text.scheme_changes import Usage, consequences, may_invalidate_spans, removed_labels
from annotation.text.scheme_parsing import parse_scheme
from annotation.text.schemes import Scheme, SchemeError
from annotation.text.spans import check, parse_spans

BATCH = 100


class SchemeRefused(Invalid):
    """A scheme that is invalid, or that existing work does not allow.

    `phrases` say all that is wrong, and where, and so does the message; `phrase` is the first.
    """

    def __init__(self, phrase: Phrase, *others: Phrase) -> None:
        field = str(phrase.params.get("field", "scheme"))
        super().__init__(sentences(*(each.text(_) for each in (phrase, *others))), code="scheme", where=field)
        self.phrase = phrase
        self.phrases = (phrase, *others)


class ConfirmationNeeded(Conflict):
    """A change that is allowed, and has consequences that a lead has to confirm."""

    def __init__(self, questions: Sequence[Phrase]) -> None:
        self.questions = [phrase.text(_) for phrase in questions]
        hint = _("Confirm the change if this is what you want.")
        super().__init__(" ".join(self.questions), code="confirm", where="scheme", hint=hint)


def scheme_read(data: object) -> Scheme:
    """An untrusted scheme. Raises SchemeRefused with the locations of what is wrong."""
    try:
        return parse_scheme(data)
    except SchemeError as error:
        raise SchemeRefused(*error.phrases) from error


@changes_project()
@transaction.atomic
def scheme_change(*, project: Project, scheme: Mapping[str, Any], base: str, confirmed: bool = False) -> Project:
    """Change a project's scheme, from the revision `base` that the lead saw.

    Raises SchemeRefused if the scheme is invalid or would make recorded work invalid, Conflict (`scheme-changed`) if
    someone changed it since, ConfirmationNeeded for consequences, unless they are `confirmed`.
    """
    new = scheme_read(scheme)
    name_check(new.name, "scheme.name")
    locked = Project.objects.select_for_update().get(pk=project.pk)
    if scheme_revision(locked.scheme) != base:
        raise Conflict(
            _("Someone else has changed the scheme since you opened it."),
            code="scheme-changed",
            where="scheme",
            hint=_(
                "Export the scheme in the form, under “Advanced”; then reload the page and make your changes again."
            ),
        )
    if locked.scheme == new.to_json():
        return locked
    saves_lock(locked)
    old = locked.labels
    usage = _whole_usage(locked, old, new)
    effects = consequences(old, new, usage)
    if effects.refused:
        raise SchemeRefused(*effects.refused)
    if usage.annotations and may_invalidate_spans(old, new):
        _check_shapes(locked, old, new)
    if effects.questions and not confirmed:
        raise ConfirmationNeeded(effects.questions)
    locked.scheme = new.to_json()
    locked.save(update_fields=["scheme"])
    return locked


def saves_lock(project: Project) -> None:
    """Wait for saves in progress, and let the next ones see the new scheme: each locks its assignment or its pair."""
    for rows in (Assignment.objects.filter(pair__project=project), Pair.objects.filter(project=project)):
        for _pk in rows.select_for_update(of=("self",)).order_by("pk").values_list("pk", flat=True).iterator():
            pass


def _whole_usage(project: Project, old: Scheme, new: Scheme) -> Usage:
    """The usage with that of earlier revisions, as far as the change may concern them."""
    usage = scheme_usage(project)
    labels = labels_in_history(project, removed_labels(old, new))
    now = {question.key: question for question in new.questions}
    changed = [question.key for question in old.questions if now.get(question.key) != question]
    answers = {key: dict(counts) for key, counts in usage.answers.items()}
    for key, counts in answers_in_history(project, changed).items():
        answers[key] = {**counts, **answers.get(key, {})}
    return replace(usage, labels={**labels, **usage.labels}, answers=answers)


def _check_shapes(project: Project, old: Scheme, new: Scheme) -> None:
    """Raises SchemeRefused if a stored spans document is valid under `old` and would not be under `new`."""
    sources: tuple[Any, ...] = (
        Annotation.objects.filter(pair__project=project).order_by("pair").values_list("pair", "spans"),
        Revision.objects.filter(annotation__pair__project=project)
        .order_by("annotation__pair")
        .values_list("annotation__pair", "spans"),
    )
    wrong: set[int] = set()
    for rows in sources:
        batch: list[tuple[int, Any]] = []
        for row in rows.iterator(chunk_size=BATCH):
            batch.append(row)
            if len(batch) == BATCH:
                wrong |= _misshapen(batch, old, new)
                batch = []
        wrong |= _misshapen(batch, old, new)
    if wrong:
        message = ngettext(
            "%(n)s pair has spans that would no longer be allowed.",
            "%(n)s pairs have spans that would no longer be allowed.",
            len(wrong),
        )
        raise Invalid(
            message % {"n": len(wrong)},
            code="scheme",
            where="scheme.shape",
            hint=_("Keep the rules for spans as they are, or change these spans first."),
        )


def _misshapen(rows: Sequence[tuple[int, Any]], old: Scheme, new: Scheme) -> set[int]:
    """The pairs whose spans documents only `old` allows."""
    pairs = Pair.objects.select_related("a", "b").in_bulk({pair for pair, _ in rows})
    wrong = set()
    for key, stored in rows:
        spans, a, b = parse_spans(stored), pairs[key].a.grid, pairs[key].b.grid
        if check(spans, new, a, b) and not check(spans, old, a, b):
            wrong.add(key)
    return wrong
