"""What the workspace needs to adjudicate a pair: the shape of an assignment, and beside it what everybody marked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from agreement.adjudication.disputed_regions import Place
from agreement.adjudication.registry import rule as rule_named
from agreement.blind import Redactor, letters
from agreement.gold.reasons import reason_words
from agreement.gold.status import DECIDED, OUT, Standing, pairs_at_hand, progress
from annotation.models import Annotation
from annotation.payload import alignment_json, guideline_json, pair_json
from annotation.permissions import Access
from annotation.selectors.annotations import annotation_state
from annotation.selectors.projects import options_of
from annotation.services.checks import Work
from annotation.text.spans import Span, document
from annotation.vocabulary import Verdict
from annotation.words import VERDICT_NAMES


def hand_workspace(standing: Standing, access: Access) -> dict[str, Any]:
    """A pair of a draft as the workspace opens it. Names of people are letters where the lead wishes so.

    From adjudicators who may not know who is who, names are also kept that somebody wrote into a comment or a reason.
    """
    draft, pair = standing.draft, standing.pair
    project = draft.project
    redact = Redactor(project, hidden=access.blind, viewer=access.user)
    options = options_of(project)
    pairs = pairs_at_hand(draft)
    done = progress(draft)
    names = names_of(standing, blind=options.adjudication_blind)
    return {
        "id": f"gold-{draft.pk}-{pair.pk}",
        "phase": draft.phase,
        "status": "done" if standing.over else "started",
        "annotator": "",
        "editable": not standing.over,
        "reopen": standing.over,
        "final": False,
        "project": {"slug": project.slug, "name": project.name, "scheme": project.scheme},
        "pair": pair_json(pair, metadata=True),
        "paragraph_alignment": alignment_json(pair),
        "annotation": draft_state(standing, redact),
        "highlights": None,
        "comparison": None,
        "guideline": guideline_json(project),
        "position": {
            "n": next((n for n, each in enumerate(pairs, 1) if each.pk == pair.pk), 1),
            "of": len(pairs),
            "done": done.decided + done.out,
        },
        "mirror": "",
        "limits": {
            "verdicts": [Verdict.SUBMITTED, Verdict.REJECTED],
            "skip_percent": None,
            "skips_used": 0,
            "skips_left": None,
            "phase_open": True,
        },
        "urls": _urls(standing),
        "adjudication": {
            "blind": options.adjudication_blind,
            "rule": _(rule_named(draft.rule).title),
            "state": standing.state,
            "by": _by(standing, access),
            "reason": redact(standing.left_out.reason) if standing.left_out else "",
            "suggested": suggested_reason(standing, redact),
            "people": list(names.values()),
            "places": [_place(place, names, redact) for place in standing.places],
            "said": _said(standing, names, redact),
        },
    }


def names_of(standing: Standing, *, blind: bool) -> dict[int, str]:
    """What each person is called, by annotation, in the order in which they are shown."""
    named = letters([standing.pair.pk]).get(standing.pair.pk, {}) if blind else {}
    return {
        annotation.pk: named[annotation.assignment.annotator_id] if blind else annotation.assignment.annotator.alias
        for annotation in standing.given
        if annotation.assignment
    }


def suggested_reason(standing: Standing, redact: Redactor) -> str:
    """Why the pair might be left out: what the rule says, and what people said who rejected or flagged it."""
    excluded = standing.decision.excluded
    parts = [reason_words(excluded, redact)] if excluded else []
    for annotation in standing.given:
        if annotation.verdict in (Verdict.REJECTED, Verdict.FLAGGED):
            words = redact(annotation.reason or annotation.comment)
            name = str(VERDICT_NAMES[annotation.verdict])
            parts.append(f"{name}: {words}" if words else name)
    return "; ".join(dict.fromkeys(parts))


def _kept(standing: Standing) -> dict[str, Any]:
    """The draft's own state as it is kept, names included; what was decided in an earlier version has no revision."""
    state = annotation_state(standing.saved)
    state["spans"], state["answers"] = document(standing.begun), standing.answers
    state["comment"] = standing.annotation.comment if standing.annotation else ""
    return state


def with_kept_comments(standing: Standing, access: Access, work: Work) -> Work:
    """Work as it was sent, with every comment that still reads as it was shown put back as it is kept.

    Whoever adjudicates blind is shown comments without names; saving must not write these over the full ones.
    """
    if not access.blind:
        return work
    redact = Redactor(standing.draft.project, hidden=True, viewer=access.user)
    state = _kept(standing)
    kept = {span["id"]: span.get("comment", "") for span in state["spans"]["spans"]}

    def put_back(span: Any) -> Any:
        if not isinstance(span, dict):
            return span
        before = kept.get(str(span.get("id")), "")
        return {**span, "comment": before} if before and span.get("comment") == redact(before) else span

    spans = work.spans
    if isinstance(spans, dict) and isinstance(spans.get("spans"), list):
        spans = {**spans, "spans": [put_back(span) for span in spans["spans"]]}
    comment = state["comment"] if work.comment == redact(state["comment"]) else work.comment
    return replace(work, spans=spans, comment=comment)


def draft_state(standing: Standing, redact: Redactor) -> dict[str, Any]:
    """The draft's own state, as whoever adjudicates may read it.

    Every paragraph counts as read: they go from disputed region to disputed region.
    """
    state = _kept(standing)
    if redact.hidden:
        state["spans"], state["comment"] = redact.comments(state["spans"]), redact(state["comment"])
    texts = {"a": standing.pair.a, "b": standing.pair.b}
    state["read"] = {side: list(range(len(text.paragraphs))) for side, text in texts.items()}
    state["reason"] = suggested_reason(standing, redact)
    return state


def _place(place: Place, names: dict[int, str], redact: Redactor) -> dict[str, Any]:
    return {
        "key": place.key,
        "state": place.state,
        "why": reason_words(place.why, redact) if place.why else "",
        "versions": [
            {"people": [names[vote.annotation] for vote in version.votes], "spans": redact.spans(_spans(version.spans))}
            for version in place.versions
        ],
        "proposed": redact.spans(_spans(gold.span for gold in place.proposed)),
    }


def _spans(spans: Iterable[Span]) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = document(spans)["spans"]
    return made


def _said(standing: Standing, names: dict[int, str], redact: Redactor) -> list[dict[str, str]]:
    """What people said of the pair as a whole: answers, verdicts other than 'submitted', reasons and comments."""

    named = {
        question.key: {choice.key: choice.name for choice in question.choices}
        for question in standing.case.scheme.questions
    }

    def words(annotation: Annotation) -> str:
        answers = (choices.get(annotation.answers.get(key, "")) for key, choices in named.items())
        # Why somebody skipped a pair may say who took it over, and says nothing about the texts.
        reason = "" if redact.hidden and annotation.verdict == Verdict.SKIPPED else redact(annotation.reason)
        return " · ".join(part for part in (*answers, reason, redact(annotation.comment)) if part)

    return [
        {
            "name": names[annotation.pk],
            "verdict": "" if annotation.verdict == Verdict.SUBMITTED else str(VERDICT_NAMES[annotation.verdict]),
            "words": words(annotation),
        }
        for annotation in standing.given
        if annotation.verdict != Verdict.SUBMITTED or words(annotation)
    ]


def _by(standing: Standing, access: Access) -> str:
    maker = None
    if standing.state == OUT and standing.left_out:
        maker = standing.left_out.made_by
    elif standing.state == DECIDED and standing.annotation:
        maker = standing.annotation.decided_by
    if maker is not None and access.blind and maker != access.user:
        return _("someone else")
    return maker.get_username() if maker else _("nobody here")


def _urls(standing: Standing) -> dict[str, str]:
    slug, pk = standing.draft.project.slug, standing.pair.pk
    return {
        "page": reverse("hand-pair", args=(slug, pk)),
        "assignment": reverse("api-hand", args=(slug, pk)),
        "annotation": reverse("api-hand-annotation", args=(slug, pk)),
        "submit": f"{reverse('api-hand-submit', args=(slug, pk))}?{urlencode({'seen': standing.fingerprint})}",
        "reopen": reverse("api-hand-reopen", args=(slug, pk)),
        "next_page": f"{reverse('hand-next', args=(slug,))}?{urlencode({'after': pk})}",
        "project": reverse("hand", args=(slug,)),
        "guidelines": reverse("guidelines", args=(slug,)),
        "home": reverse("home"),
        "login": reverse("login"),
    }
