"""What the workspace needs to adjudicate a pair: the shape of an assignment, and beside it what everybody marked."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_uppercase
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from agreement.adjudication.places import Place
from agreement.adjudication.registry import rule as rule_named
from agreement.hand.standing import DECIDED, OUT, Standing, pairs_at_hand, progress
from agreement.reasons import reason_said
from annotation.models import Annotation
from annotation.selectors.annotations import annotation_state
from annotation.selectors.projects import options_of
from annotation.selectors.workspace import alignment_json, guideline_json, pair_json
from annotation.text.spans import Span, document
from annotation.words import VERDICT_NAMES


def hand_workspace(standing: Standing) -> dict[str, Any]:
    """A pair of a draft as the workspace opens it. Names of people are letters where the lead wishes so."""
    draft, pair = standing.draft, standing.pair
    project = draft.project
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
        "project": {"slug": project.slug, "name": project.name, "scheme": project.scheme},
        "pair": pair_json(pair, metadata=True),
        "paragraph_alignment": alignment_json(pair),
        "annotation": _state(standing),
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
            "verdicts": ["submitted", "rejected"],
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
            "by": _by(standing),
            "reason": standing.left_out.reason if standing.left_out else "",
            "suggested": suggested_reason(standing),
            "people": list(names.values()),
            "places": [_place(place, names) for place in standing.places],
            "said": _said(standing, names),
        },
    }


def names_of(standing: Standing, *, blind: bool) -> dict[int, str]:
    """What each person is called, by annotation, in the order in which they are shown."""
    return {
        annotation.pk: _letter(place) if blind or not annotation.assignment else annotation.assignment.annotator.alias
        for place, annotation in enumerate(standing.given)
    }


def _letter(place: int) -> str:
    return ascii_uppercase[place % 26] + (str(place // 26 + 1) if place >= 26 else "")


def suggested_reason(standing: Standing) -> str:
    """Why the pair might be left out: what the rule says, and what people said who rejected or flagged it."""
    parts = [reason_said(standing.decision.excluded)] if standing.decision.excluded else []
    for annotation in standing.given:
        if annotation.verdict in ("rejected", "flagged"):
            words = annotation.reason or annotation.comment
            name = str(VERDICT_NAMES[annotation.verdict])
            parts.append(f"{name}: {words}" if words else name)
    return "; ".join(dict.fromkeys(parts))


def _state(standing: Standing) -> dict[str, Any]:
    """The draft's own state. Every paragraph counts as read: whoever adjudicates goes from place to place."""
    state = annotation_state(standing.annotation)
    if standing.annotation is None or standing.hand is not None:
        state["spans"], state["answers"] = document(standing.begun), standing.answers
    if standing.hand is not None:
        state["comment"] = standing.hand.comment
    texts = {"a": standing.pair.a, "b": standing.pair.b}
    state["read"] = {side: list(range(len(text.paragraphs))) for side, text in texts.items()}
    state["reason"] = suggested_reason(standing)
    return state


def _place(place: Place, names: dict[int, str]) -> dict[str, Any]:
    return {
        "key": place.key,
        "state": place.state,
        "why": reason_said(place.why),
        "versions": [
            {"people": [names[vote.annotation] for vote in version.votes], "spans": _spans(version.spans)}
            for version in place.versions
        ],
        "proposed": _spans(gold.span for gold in place.proposed),
    }


def _spans(spans: Iterable[Span]) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = document(spans)["spans"]
    return made


def _said(standing: Standing, names: dict[int, str]) -> list[dict[str, str]]:
    """What people said of the pair as a whole: answers, verdicts other than 'submitted', reasons and comments."""

    named = {
        question.key: {choice.key: choice.name for choice in question.choices}
        for question in standing.case.scheme.questions
    }

    def words(annotation: Annotation) -> str:
        answers = (choices.get(annotation.answers.get(key, "")) for key, choices in named.items())
        return " · ".join(part for part in (*answers, annotation.reason, annotation.comment) if part)

    return [
        {
            "name": names[annotation.pk],
            "verdict": "" if annotation.verdict == "submitted" else str(VERDICT_NAMES[annotation.verdict]),
            "words": words(annotation),
        }
        for annotation in standing.given
        if annotation.verdict != "submitted" or words(annotation)
    ]


def _by(standing: Standing) -> str:
    maker = None
    if standing.state == OUT and standing.left_out:
        maker = standing.left_out.made_by
    elif standing.state == DECIDED and standing.hand:
        maker = standing.hand.made_by
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
