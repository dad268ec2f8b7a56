"""Everything the workspace needs to open an assignment, as one object: embedded in the page, returned by the API."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.urls import reverse

from annotation.cached_statements import PreparedQuery
from annotation.models import Annotation, Assignment, Pair, Project, Text, User
from annotation.permissions import is_lead
from annotation.project_options import ProjectOptions
from annotation.scheme_words import scheme_in_words
from annotation.selectors.annotations import annotation_of, annotation_state
from annotation.selectors.assignments import (
    Limits,
    assignment_position_and_limits,
    mirror_position,
    no_assignment,
)
from annotation.selectors.glossary import glossary_in_pair
from annotation.selectors.highlights import highlight_for, proposals_shown
from annotation.selectors.projects import guideline_current, options_of
from annotation.selectors.references import submission_final
from annotation.selectors.threads import thread_numbers
from annotation.text.alignment import Bead, align_paragraphs
from annotation.text.markdown import markdown_html
from annotation.text.paragraphs import direction
from annotation.text.schemes import Scheme
from annotation.text.tokens import Range
from annotation.vocabulary import FINISHED, UNFINISHED, Phase, Status, Verdict


def workspace_json(assignment: Assignment, user: User, reference: Annotation | None) -> dict[str, Any]:
    """The assignment as `user` may see it. Only its annotator can edit it; `highlights` is None if none are shown.

    `reference` is the gold to compare with, if `reference_show` allows it to be seen.
    """
    pair = _WITH_TEXTS.first(pk=assignment.pair_id)
    if pair is None:
        raise no_assignment(assignment.pk)  # it was deleted a moment ago
    assignment.pair = pair
    project = pair.project = assignment.annotator.project
    options = options_of(project)
    annotation = annotation_of(assignment)
    state = annotation_state(annotation)
    position, limits = assignment_position_and_limits(assignment, options)
    mine = assignment.annotator.user_id == user.pk
    archived = project.archived is not None
    final = mine and assignment.status in FINISHED and submission_final(assignment)
    changeable = mine and limits.phase_open and not archived
    return opened_pair_json(
        pair,
        project.labels,
        id=assignment.pk,
        phase=assignment.phase,
        status=assignment.status,
        annotator=assignment.annotator.alias,
        archived=archived,
        editable=changeable and assignment.status in UNFINISHED,
        reopen=changeable and assignment.status in FINISHED and not final,
        final=final,
        metadata=options.metadata_shown,
        annotation=state,
        highlights=_highlights(assignment, options, state["dismissed"]),
        comparison=_comparison(reference),
        guideline=guideline_json(project),
        position=(position.n, position.of, position.finished),
        mirror=mirror_position(assignment, pair),
        limits=limits,
        messages={**thread_numbers(assignment, user), "mine": mine},
        urls={
            **_urls(assignment, project.slug),
            # For the two sides of a conversation; adjudicators who read along belong to neither.
            "messages": reverse("api-threads", args=(project.slug,)) if mine or is_lead(user, project) else "",
        },
    )


_WITH_TEXTS: PreparedQuery[Pair] = PreparedQuery(
    lambda pk: (
        Pair.objects.filter(pk=pk)
        .select_related("a", "b", "statement")
        .defer("translations", "translators", "a__digest", "b__digest")
    ),
    pk=int,
)


def preview_json(pair: Pair, scheme: Scheme) -> dict[str, Any]:
    """A pair as annotators would see it under `scheme`: what the workspace needs, with no assignment behind it.

    Its addresses begin with '#', so that the workspace sends nothing.
    """
    here = dict.fromkeys(("page", "assignment", "annotation", "submit", "reopen", "next", "next_page"), "#")
    return opened_pair_json(
        pair,
        scheme,
        id="preview",
        phase=Phase.MAIN.value,
        status=Status.OPEN.value,
        editable=True,
        reopen=False,
        metadata=False,
        annotation=annotation_state(None),
        position=(1, 1, 0),
        limits=Limits((Verdict.SUBMITTED.value,)),
        messages={"open": 0, "new": 0, "mine": False},
        urls={"messages": "", **here, **dict.fromkeys(("project", "guidelines", "home", "login"), "#")},
    )


def opened_pair_json(
    pair: Pair,
    scheme: Scheme,
    *,
    id: int | str,
    phase: str,
    status: str,
    editable: bool,
    reopen: bool,
    metadata: bool,
    annotation: Mapping[str, Any],
    position: tuple[int, int, int],
    limits: Limits,
    urls: Mapping[str, str],
    annotator: str = "",
    archived: bool = False,
    final: bool = False,
    highlights: Mapping[str, Any] | None = None,
    comparison: Mapping[str, Any] | None = None,
    guideline: Mapping[str, Any] | None = None,
    mirror: str = "",
    **others: Any,
) -> dict[str, Any]:
    """The shape of everything that the workspace opens: what differs is given, and `others` are added.

    `position`: the pair's number, how many there are, and how many are done.
    """
    project, (n, of, done) = pair.project, position
    return {
        "id": id,
        "phase": phase,
        "status": status,
        "annotator": annotator,
        "archived": archived,
        "editable": editable,
        "reopen": reopen,
        "final": final,
        "project": {"slug": project.slug, "name": project.name, "scheme": scheme_in_words(scheme).to_json()},
        "pair": pair_json(pair, metadata=metadata),
        "paragraph_alignment": alignment_json(pair),
        "annotation": annotation,
        "highlights": highlights,
        "comparison": comparison,
        "guideline": guideline,
        "position": {"n": n, "of": of, "done": done},
        "mirror": mirror,
        "limits": {
            "verdicts": list(limits.verdicts),
            "skip_percent": limits.skip_percent,
            "skips_used": limits.skips_used,
            "skips_left": limits.skips_left,
            "phase_open": limits.phase_open,
        },
        "urls": urls,
        **others,
    }


def pair_json(pair: Pair, *, metadata: bool) -> dict[str, Any]:
    """A pair with its texts, and the glossary entries for their words if the project has a glossary."""
    glossary = glossary_in_pair(pair)
    return {
        **({"glossary": glossary} if glossary else {}),
        "id": pair.pk,
        "external_id": pair.external_id,
        "metadata": pair.metadata if metadata else {},
        "a": text_json(pair.a),
        "b": text_json(pair.b),
        "statement": text_json(pair.statement) if pair.statement else None,
    }


def alignment_json(pair: Pair) -> list[list[list[int]]]:
    """Which paragraphs are aligned: [[of A, of B], …], every paragraph once."""
    return [[list(a), list(b)] for a, b in _beads(*_cut(pair.a), *_cut(pair.b))]


def guideline_json(project: Project) -> dict[str, Any] | None:
    guideline = guideline_current(project)
    return {"version": guideline.version, "html": markdown_html(guideline.text)} if guideline else None


@lru_cache(maxsize=128)
def _beads(a: str, of_a: tuple[Range, ...], b: str, of_b: tuple[Range, ...]) -> list[Bead]:
    """Cached: aligning a long document takes tens of milliseconds."""
    return align_paragraphs(a, of_a, b, of_b)


def _cut(text: Text) -> tuple[str, tuple[Range, ...]]:
    return text.content, tuple((start, end) for start, end in text.paragraphs)


def text_json(text: Text) -> dict[str, Any]:
    """A text with its ranges in code points and its writing direction."""
    return {
        "language": text.language,
        "direction": direction(text.language),
        "text": text.content,
        "tokens": text.tokens,
        "sentences": text.sentences,
        "paragraphs": text.paragraphs,
    }


def _highlights(assignment: Assignment, options: ProjectOptions, dismissed: list[str]) -> dict[str, Any] | None:
    highlight = highlight_for(assignment, options)
    if highlight is None:
        return None
    return {
        "run": highlight.run,
        "method": highlight.method,
        "scores_a": highlight.scores_a,
        "scores_b": highlight.scores_b,
        "edges": highlight.edges,
        "proposals": proposals_shown(highlight, dismissed),
        "dismissed": dismissed,
    }


def _comparison(gold: Annotation | None) -> dict[str, Any] | None:
    """The gold and the lead's feedback on it."""
    if gold is None:
        return None
    return {"gold": gold.spans["spans"], "answers": gold.answers, "feedback": gold.feedback}


def _urls(assignment: Assignment, slug: str) -> dict[str, str]:
    return {
        "page": reverse("work", args=(slug, assignment.pk)),
        "assignment": reverse("api-assignment", args=(assignment.pk,)),
        "annotation": reverse("api-annotation", args=(assignment.pk,)),
        "submit": reverse("api-submit", args=(assignment.pk,)),
        "reopen": reverse("api-reopen", args=(assignment.pk,)),
        "next": reverse("api-next", args=(slug,)),
        "next_page": reverse("work-next", args=(slug,)),
        "project": reverse("project", args=(slug,)),
        "guidelines": reverse("guidelines", args=(slug,)),
        "home": reverse("home"),
        "login": reverse("login"),
    }
