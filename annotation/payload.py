"""Everything the workspace needs to open an assignment, as one object: embedded in the page, returned by the API."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.urls import reverse

from annotation.models import Annotation, Assignment, Pair, Project, Text, User
from annotation.options import ProjectOptions
from annotation.selectors.annotations import annotation_of, annotation_state
from annotation.selectors.assignments import (
    FINISHED,
    UNFINISHED,
    assignment_position_and_limits,
    mirror_position,
)
from annotation.selectors.glossary import glossary_in_pair
from annotation.selectors.highlights import highlight_for, proposals_shown
from annotation.selectors.projects import guideline_current, options_of
from annotation.selectors.references import submission_final
from annotation.text.alignment import Bead, align_paragraphs
from annotation.text.markdown import markdown_html
from annotation.text.segments import direction
from annotation.text.tokens import Range


def workspace_json(assignment: Assignment, user: User, reference: Annotation | None) -> dict[str, Any]:
    """The assignment as `user` may see it. Only its annotator can edit it; `highlights` is None if none are shown.

    `reference` is the gold to compare with, if `reference_show` allows it to be seen.
    """
    pair = _with_texts(assignment.pair_id)
    assignment.pair = pair
    project = pair.project = assignment.annotator.project
    options = options_of(project)
    annotation = annotation_of(assignment)
    state = annotation_state(annotation)
    position, limits = assignment_position_and_limits(assignment, options)
    mine = assignment.annotator.user_id == user.pk
    final = mine and assignment.status in FINISHED and submission_final(assignment)
    return {
        "id": assignment.pk,
        "phase": assignment.phase,
        "status": assignment.status,
        "annotator": assignment.annotator.alias,
        "editable": mine and limits.phase_open and assignment.status in UNFINISHED,
        "reopen": mine and limits.phase_open and assignment.status in FINISHED and not final,
        "final": final,
        "project": {"slug": project.slug, "name": project.name, "scheme": project.scheme},
        "pair": pair_json(pair, metadata=options.metadata_shown),
        "paragraph_alignment": alignment_json(pair),
        "annotation": state,
        "highlights": _highlights(assignment, options, state["dismissed"]),
        "comparison": _comparison(reference),
        "guideline": guideline_json(project),
        "position": {"n": position.n, "of": position.of, "done": position.done},
        "mirror": mirror_position(assignment, pair),
        "limits": {
            "verdicts": list(limits.verdicts),
            "skip_percent": limits.skip_percent,
            "skips_used": limits.skips_used,
            "skips_left": limits.skips_left,
            "phase_open": limits.phase_open,
        },
        "urls": _urls(assignment, project.slug),
    }


def _with_texts(pair: int) -> Pair:
    rows = Pair.objects.select_related("a", "b", "statement")
    return rows.defer("translations", "translators", "a__digest", "b__digest").get(pk=pair)


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
