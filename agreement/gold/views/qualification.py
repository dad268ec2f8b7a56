"""A person's first submission of a qualification pair beside its reference, for leads."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from agreement.data.side_by_side import Person, side_by_side_of
from annotation.errors import NotFound
from annotation.models import Annotation, Pair, Source
from annotation.permissions import assignment_to_read, lead_access
from annotation.qualification.differences import reference_differences
from annotation.scheme_words import scheme_in_words
from annotation.selectors.annotations import gold_of
from annotation.selectors.assignments import no_assignment
from annotation.selectors.pairs import QuotedSpan, pair_get, quoted_span
from annotation.selectors.qualification import FirstSubmission, first_submissions
from annotation.services.references import references_record
from annotation.text.schemes import Scheme
from annotation.text.spans import Span, parse_spans, spans_document
from annotation.views.base import AuthenticatedRequest, person_page
from annotation.vocabulary import Phase, Verdict


@dataclass(frozen=True, slots=True)
class QuotedDifference:
    """A difference: the span of the person and that of the reference, each None if there is none."""

    kind: str
    own: QuotedSpan | None
    reference: QuotedSpan | None


@person_page
@require_safe
def pair(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """What differs on one pair: spans that are missed, extra, or have another label or other words; and answers."""
    access = lead_access(request.user, slug)
    assignment = assignment_to_read(request.user, pk)
    if assignment.annotator.project_id != access.project.pk or assignment.phase != Phase.QUALIFICATION:
        raise no_assignment(pk)
    own_pair = pair_get(access.project, assignment.pair_id)
    own_pair.project = access.project
    first, gold = first_submissions([assignment]).get(pk), gold_of(own_pair)
    if first is None or first.verdict != Verdict.SUBMITTED:
        raise NotFound(_("This pair has not been submitted."), where=own_pair.external_id)
    if gold is None:
        raise NotFound(_("This pair has no reference."), where=own_pair.external_id)
    references_record(project=access.project, pairs=[own_pair.pk], by=access.user)
    scheme = scheme_in_words(access.project.labels)
    own = _annotation(first, own_pair)
    answers = _answers(own, gold, scheme)
    drawn = _annotation(first, own_pair, only=frozenset(scheme.keys))
    people = (Person(0, assignment.annotator.alias, drawn), Person(1, _("Reference"), gold))
    context = {
        "access": access,
        "project": access.project,
        "pair": own_pair,
        "annotator": assignment.annotator,
        "rows": _rows(own, gold, own_pair, scheme),
        "answers": answers,
        "answers_count": len(answers),
        "side_by_side": side_by_side_of(access.project, own_pair, people) if scheme.labels else None,
        "scheme": scheme,
        "gold": gold,
    }
    return render(request, "agreement/qualification_pair.html", context)


def _annotation(first: FirstSubmission, pair: Pair, only: frozenset[str] | None = None) -> Annotation:
    """The first submission as an annotation that is not stored: what is stored may be a later one.

    `only`: labels that the scheme still has, without which nothing can be drawn.
    """
    spans = [span for span in parse_spans(first.spans) if only is None or span.label in only]
    return Annotation(
        source=Source.HUMAN, pair=pair, spans=spans_document(spans), answers=first.answers, span_count=len(spans)
    )


def _rows(own: Annotation, gold: Annotation, pair: Pair, scheme: Scheme) -> list[QuotedDifference]:
    labels = {label.key: label for label in scheme.labels}

    def quoted(span: Span | None) -> QuotedSpan | None:
        # Where it came from (marked, or an accepted suggestion) is no difference.
        return None if span is None else replace(quoted_span(span, pair, labels.get(span.label)), origin="")

    tokens = {"a": pair.a.tokens, "b": pair.b.tokens}
    differences = reference_differences(own.parsed_spans, gold.parsed_spans, tokens)
    return [QuotedDifference(each.kind.value, quoted(each.own), quoted(each.reference)) for each in differences]


def _answers(own: Annotation, gold: Annotation, scheme: Scheme) -> list[tuple[str, str, str]]:
    """Questions that are answered otherwise than in the reference: title, own answer, the reference's."""
    return [
        (question.title, question.name_of(own.answers.get(question.key, "")), question.name_of(expected))
        for question in scheme.rated
        if (expected := gold.answers.get(question.key, "")) and own.answers.get(question.key) != expected
    ]
