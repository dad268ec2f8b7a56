"""Figures of labels carried over from another language pair, as tables for the page and the command."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agreement.data.projections import RevisedAnnotation, projections
from agreement.prelabel_eval.projection import PUBLISHED_CHANGED, LabelComparison, ProjectionScore, changed_by_language
from agreement.report.render.tables import number, percent, whole, with_interval
from annotation.figure_tables import NONE, Table
from annotation.models import Project
from annotation.selectors.highlights import HighlightRun


def projection_tables(score: ProjectionScore, run: str = "") -> list[Table]:
    """Changed tokens, and carried labels against their gold beside two languages' gold on the shared text.

    `run`: whose lists the shares link to; '' for no links.
    """
    changed = tuple(
        (
            each.languages,
            whole(each.pairs),
            whole(each.submissions),
            whole(each.tokens),
            with_interval(each.share, percent, drilldown=_list_link(run, each.languages) if run else ""),
        )
        for each in score.changed
    )
    tables = [
        Table(
            _("Labels carried over that people changed (× 100)"),
            (_("languages"), _("pairs"), _("submissions"), _("tokens"), _("tokens with another label")),
            changed,
            _changed_note(bool(changed)),
            "changed",
        )
    ]
    if score.carried or score.seen:
        rows = tuple(_row(each.name, each) for each in score.carried)
        tables.append(
            Table(
                _("Labels carried over by alignment, compared with the gold of their language (× 100)"),
                (_("languages"), *_columns()),
                rows,
                _seen_note(score.seen),
                "carried",
            )
        )
    if score.shared:
        rows = tuple(_row(f"{each.name} ({', '.join(each.others)})", each) for each in score.shared)
        tables.append(
            Table(
                _("Gold of two language pairs on the text they share (× 100)"),
                (_("text (other languages)"), *_columns()),
                rows,
                _("An upper bound: how well labels of one language can hold for another."),
                "shared",
            )
        )
    return tables


def _columns() -> tuple[str, ...]:
    return (
        _("pairs"),
        _("tokens"),
        _("Spearman's ρ"),
        _("Kendall's τ-b"),
        _("same label"),
        _("marked by both, of those marked by either"),
    )


def _row(name: str, match: LabelComparison) -> tuple[str, ...]:
    ranks = (
        with_interval(each, percent) if each.value is not None else NONE for each in (match.spearman, match.kendall)
    )
    return name, whole(match.documents), whole(match.tokens), *ranks, percent(match.same), percent(match.iou)


def _changed_note(some: bool) -> str:
    low, high = (percent(share, 1) for share in PUBLISHED_CHANGED)
    published = _(
        "Published, for SwissGov-RSD (arXiv 2512.07538): %(low)s to %(high)s%% of the tokens in a sample."
    ) % {
        "low": low,
        "high": high,
    }
    nobody = _("Nobody has yet submitted a pair on which these labels were shown.")
    return published if some else f"{nobody} {published}"


def _seen_note(seen: int) -> str:
    if not seen:
        return ""
    return ngettext(
        "%(n)s pair with gold is excluded: people saw pre-labels as they annotated it.",
        "%(n)s pairs with gold are excluded: people saw pre-labels as they annotated them.",
        seen,
    ) % {"n": whole(seen)}


def _list_link(run: str, languages: str) -> str:
    return "?" + urlencode({"changed": run, "languages": languages})


def changed_list(project: Project, run: HighlightRun, languages: str) -> tuple[list[RevisedAnnotation], str]:
    """The submissions behind a share, the most changed first, and the share in a sentence."""
    projected = projections(project, run.run, None)
    chosen = [each for each in projected.revised if each.languages == languages]
    shares = changed_by_language(replace(projected, revised=tuple(chosen)), 1)
    chosen.sort(key=lambda each: (-each.changed / max(each.tokens, 1), each.name, each.annotator))
    text = ngettext(
        "%(n)s submission; %(share)s%% of its tokens have a different label from the one carried over.",
        "%(n)s submissions; %(share)s%% of their tokens have a different label from the one carried over.",
        len(chosen),
    )
    return chosen, text % {"n": whole(len(chosen)), "share": percent(shares[0].share.value) if shares else NONE}


def changed_cells(each: RevisedAnnotation) -> tuple[str, ...]:
    """A submission's row: who, tokens, how many changed, and their share."""
    share = each.changed / each.tokens if each.tokens else None
    return each.annotator, whole(each.tokens), whole(each.changed), number(share, 3)


def changed_columns() -> tuple[str, ...]:
    """The heads of those columns."""
    return _("annotator"), _("tokens"), _("changed"), _("share changed")
