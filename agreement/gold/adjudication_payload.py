"""What the workspace needs to adjudicate a pair: the shape of an assignment, plus what each annotator marked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from agreement.adjudication.answers import DisputedQuestion
from agreement.adjudication.disputed_regions import Region
from agreement.adjudication.registry import rule as rule_named
from agreement.blind import Redactor, letters
from agreement.gold.reasons import reason_text
from agreement.gold.status import PairState, PairStatus, draft_progress, submitted_pairs
from annotation.display_names import OUTCOMES
from annotation.models import Annotation, Status
from annotation.permissions import Access
from annotation.selectors.annotations import annotation_state
from annotation.selectors.assignments import Limits
from annotation.selectors.projects import options_of
from annotation.services.annotation_checks import AnnotationInput
from annotation.text.items.yes_no_choices import YES
from annotation.text.schemes import Question
from annotation.text.spans import Span, spans_document
from annotation.vocabulary import Verdict
from annotation.workspace_payload import guideline_json, opened_pair_json


def adjudication_workspace(status: PairStatus, access: Access) -> dict[str, Any]:
    """The data that the workspace needs to open a pair of a draft. People's names are letters if the lead hides them.

    Names in comments and reasons are also hidden from adjudicators who may not know who is who.
    """
    draft, pair = status.draft, status.pair
    project = draft.project
    redact = Redactor(project, hidden=access.blind, viewer=access.user)
    options = options_of(project)
    pairs = submitted_pairs(draft)
    progress = draft_progress(draft)
    names = names_of(status, blind=options.adjudication_blind)
    archived = project.archived is not None
    position = next((n for n, each in enumerate(pairs, 1) if each.pk == pair.pk), 1)
    return opened_pair_json(
        pair,
        project.labels,
        id=f"gold-{draft.pk}-{pair.pk}",
        phase=draft.phase,
        status=(Status.DONE if status.closed else Status.STARTED).value,
        archived=archived,
        editable=not status.closed and not archived,
        reopen=status.closed and not archived,
        metadata=True,
        annotation=draft_state(status, redact),
        guideline=guideline_json(project),
        position=(position, len(pairs), progress.decided + progress.excluded),
        limits=Limits((Verdict.SUBMITTED.value, Verdict.REJECTED.value)),
        urls=_urls(status),
        adjudication={
            "blind": options.adjudication_blind,
            "rule": _(rule_named(draft.rule).title),
            "state": status.state.value,
            "by": _decided_by(status, access),
            "reason": redact(status.exclusion.reason) if status.exclusion else "",
            "suggested": suggested_reason(status, redact),
            "people": list(names.values()),
            "regions": [_region(region, names, redact) for region in status.regions],
            "questions": [_question(each, names, redact) for each in status.questions],
            "comments": _remarks(status, names, redact),
        },
    )


def names_of(status: PairStatus, *, blind: bool) -> dict[int, str]:
    """The name shown for each person, by annotation, in display order."""
    named = letters([status.pair.pk]).get(status.pair.pk, {}) if blind else {}
    return {
        annotation.pk: named[annotation.assignment.annotator_id] if blind else annotation.assignment.annotator.alias
        for annotation in status.submitted
        if annotation.assignment
    }


def suggested_reason(status: PairStatus, redact: Redactor) -> str:
    """Why the pair might be excluded: the reasons of the rule and of people who rejected or flagged it."""
    excluded = status.decision.excluded
    parts = [reason_text(excluded, redact)] if excluded else []
    for annotation in status.submitted:
        if annotation.verdict in (Verdict.REJECTED, Verdict.FLAGGED):
            remark = redact(annotation.reason or annotation.comment)
            name = str(OUTCOMES[annotation.verdict])
            parts.append(f"{name}: {remark}" if remark else name)
    return "; ".join(part.removesuffix(".") for part in dict.fromkeys(parts))


def _stored_state(status: PairStatus) -> dict[str, Any]:
    """The draft's own state as stored, names included; a decision from an earlier version has no revision."""
    state = annotation_state(status.saved)
    state["spans"], state["answers"] = spans_document(status.spans), status.answers
    state["comment"] = status.annotation.comment if status.annotation else ""
    state["unmarked"] = status.annotation.unmarked if status.annotation else []
    return state


def with_unredacted_comments(status: PairStatus, access: Access, sent: AnnotationInput) -> AnnotationInput:
    """The submitted work, with every unchanged comment restored to its stored, unredacted form.

    Blind adjudicators see comments without names; saving must not overwrite the full comments with these.
    """
    if not access.blind:
        return sent
    redact = Redactor(status.draft.project, hidden=True, viewer=access.user)
    state = _stored_state(status)
    comments = {span["id"]: span.get("comment", "") for span in state["spans"]["spans"]}

    def with_stored_comment(span: Any) -> Any:
        if not isinstance(span, dict):
            return span
        before = comments.get(str(span.get("id")), "")
        return {**span, "comment": before} if before and span.get("comment") == redact(before) else span

    spans = sent.spans
    if isinstance(spans, dict) and isinstance(spans.get("spans"), list):
        spans = {**spans, "spans": [with_stored_comment(span) for span in spans["spans"]]}
    comment = state["comment"] if sent.comment == redact(state["comment"]) else sent.comment
    return replace(sent, spans=spans, comment=comment)


def draft_state(status: PairStatus, redact: Redactor) -> dict[str, Any]:
    """The draft's own state, as the adjudicator may see it.

    Every paragraph counts as read: adjudicators go from one disputed region to the next.
    """
    state = _stored_state(status)
    if redact.hidden:
        state["spans"], state["comment"] = redact.comments(state["spans"]), redact(state["comment"])
    texts = {"a": status.pair.a, "b": status.pair.b}
    state["read"] = {side: list(range(len(text.paragraphs))) for side, text in texts.items()}
    state["reason"] = suggested_reason(status, redact)
    return state


def _region(region: Region, names: dict[int, str], redact: Redactor) -> dict[str, Any]:
    return {
        "key": region.key,
        "state": region.state,
        "why": reason_text(region.why, redact) if region.why else "",
        "versions": [
            {"people": [names[vote.annotation] for vote in variant.votes], "spans": redact.spans(_spans(variant.spans))}
            for variant in region.variants
        ],
        "proposed": redact.spans(_spans(gold.span for gold in region.proposed)),
    }


def _question(disputed: DisputedQuestion, names: dict[int, str], redact: Redactor) -> dict[str, Any]:
    return {
        "key": disputed.question.key,
        "state": disputed.state,
        "why": reason_text(disputed.why, redact) if disputed.why else "",
        "versions": [
            {"answer": answer, "people": [names[annotation] for annotation in annotations]}
            for answer, annotations in disputed.annotations.items()
        ],
        "proposed": disputed.proposed,
    }


def _spans(spans: Iterable[Span]) -> list[dict[str, Any]]:
    """Spans that gold may be made from, without what a model predicted for them."""
    spans_json: list[dict[str, Any]] = spans_document(replace(span, predicted="") for span in spans)["spans"]
    return spans_json


def _remarks(status: PairStatus, names: dict[int, str], redact: Redactor) -> list[dict[str, str]]:
    """What people said about the whole pair: answers, verdicts other than 'submitted', reasons and comments."""

    def remark(annotation: Annotation) -> str:
        answers = (_answer_text(question, annotation, redact) for question in status.case.scheme.questions)
        # The reason for skipping a pair may name who took it over, and says nothing about the texts.
        reason = "" if redact.hidden and annotation.verdict == Verdict.SKIPPED else redact(annotation.reason)
        return " · ".join(part for part in (*answers, reason, redact(annotation.comment)) if part)

    return [
        {
            "name": names[annotation.pk],
            "verdict": "" if annotation.verdict == Verdict.SUBMITTED else str(OUTCOMES[annotation.verdict]),
            "words": remark(annotation),
        }
        for annotation in status.submitted
        if annotation.verdict != Verdict.SUBMITTED or remark(annotation)
    ]


def _answer_text(question: Question, annotation: Annotation, redact: Redactor) -> str:
    """An answer; of a question with several, the answers that were chosen."""
    answer = annotation.answers.get(question.key, "")
    if question.of:
        return question.text if answer == YES else ""
    return redact(answer) if question.open else question.name_of(answer)


def _decided_by(status: PairStatus, access: Access) -> str:
    maker = None
    if status.state == PairState.EXCLUDED and status.exclusion:
        maker = status.exclusion.made_by
    elif status.state == PairState.DECIDED and status.annotation:
        maker = status.annotation.decided_by
    if maker is not None and access.blind and maker != access.user:
        return _("someone else")
    return maker.get_username() if maker else _("someone without an account here")


def _urls(status: PairStatus) -> dict[str, str]:
    slug, pk = status.draft.project.slug, status.pair.pk
    draft = {"draft": status.draft.number}

    def api(name: str, **more: str) -> str:
        return f"{reverse(name, args=(slug, pk))}?{urlencode({**draft, **more})}"

    return {
        "page": reverse("manual-adjudication-pair", args=(slug, pk)),
        "assignment": api("api-manual-adjudication"),
        "annotation": api("api-manual-adjudication-annotation"),
        "submit": api("api-manual-adjudication-submit", seen=status.fingerprint),
        "reopen": api("api-manual-adjudication-reopen"),
        "next_page": f"{reverse('manual-adjudication-next', args=(slug,))}?{urlencode({'after': pk})}",
        "project": reverse("manual-adjudication", args=(slug,)),
        "guidelines": reverse("guidelines", args=(slug,)),
        "home": reverse("home"),
        "login": reverse("login"),
    }
