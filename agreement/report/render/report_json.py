"""The report as JSON: the stable shape that `agreement --format json` prints, and further figures."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from agreement.metrics.alpha import DISTANCES
from agreement.metrics.bootstrap import Estimate
from agreement.metrics.documents import SIDES
from agreement.report.compute.drift import Drift, Trend
from agreement.report.compute.effect import Highlights
from agreement.report.compute.figure_parts import Matched, Spread
from agreement.report.compute.figures import Figures
from agreement.report.compute.ratings import Rating
from agreement.report.compute.summary_rows import SummaryRow
from agreement.report.render.sentences import conclusion, row_name


def numbers(**estimates: Estimate | None) -> dict[str, Any]:
    """Each estimate under its name, its interval as `…_ci`, and its note, if any, as `…_note`."""
    result: dict[str, Any] = {}
    for name, estimate in estimates.items():
        result[name] = estimate.value if estimate else None
        result[f"{name}_ci"] = list(estimate.interval) if estimate and estimate.interval else None
        if estimate and estimate.note:
            result[f"{name}_note"] = estimate.note
    return result


def matched_json(matched: Matched) -> dict[str, Any]:
    return {"count": matched.count, **numbers(spearman=matched.spearman)}


def spread_json(spread: Spread | None) -> dict[str, Any] | None:
    return None if spread is None else numbers(mean=spread.mean, sd=spread.sd)


def sides_json(sides: dict[str, dict[str, Estimate]]) -> dict[str, Any]:
    return {side: numbers(**sides[side]) if side in sides else None for side in SIDES}


def alpha_json(estimates: dict[Any, Estimate]) -> dict[str, Any]:
    return numbers(**{distance: estimates.get(distance) for distance in DISTANCES})


def figures_json(figures: Figures) -> dict[str, Any]:
    """The stable part first (see ARCHITECTURE: the command line), then every other figure."""
    return {
        "documents": figures.documents,
        "annotators": {name: asdict(counted) for name, counted in figures.annotators.items()},
        "sides": sides_json(figures.sides),
        "exact": matched_json(figures.exact),
        "fuzzy": {str(percent): matched_json(matched) for percent, matched in figures.fuzzy.items()},
        "alpha": alpha_json(figures.alpha),
        "macro_f1": spread_json(figures.macro_f1),
        "label_f1": {label: spread_json(spread) for label, spread in figures.label_f1.items()},
        "side_alpha": {
            side: alpha_json(figures.side_alpha[side]) if side in figures.side_alpha else None for side in SIDES
        },
        "cohen": spread_json(figures.cohen),
        **numbers(**figures.metrics),
        "token_spearman": spread_json(figures.spearman),
        "token_kendall": spread_json(figures.kendall),
        "unitizing": numbers(**figures.unitizing),
        "sentence_alpha": numbers(**figures.sentences),
        "label_alpha": numbers(**figures.label_alpha),
        "against_majority": numbers(**figures.majority),
        "confusion": {"labels": list(figures.labels), "tokens": [list(row) for row in figures.confusion]},
    }


def summary_row_json(row: SummaryRow) -> dict[str, Any]:
    """One row of a breakdown."""
    return {
        "name": row_name(row),
        "documents": row.documents,
        "sides": sides_json(row.sides),
        "alpha": alpha_json(row.alpha),
        **numbers(macro_f1=row.macro_f1, cohen=row.cohen),
        "matched": matched_json(row.matched),
    }


def rating_json(rating: Rating) -> dict[str, Any]:
    """One question's agreement."""
    return {
        "items": rating.items,
        "alpha": alpha_json(rating.alpha),
        **numbers(fleiss=rating.fleiss, same=rating.same),
        "answers": rating.answers,
        "people": rating.people,
    }


def drift_json(drift: Drift) -> dict[str, Any]:
    """One annotator's trends."""

    def trend(figure: Trend | None) -> dict[str, Any] | None:
        return None if figure is None else {**asdict(figure), **numbers(tau=figure.tau)}

    shares = {label: trend(share_trend) for label, share_trend in drift.shares.items()}
    figures = {name: trend(getattr(drift, name)) for name in ("agreement", "marked", "label")}
    return {"name": drift.name, **figures, "shares": shares}


def highlights_json(highlights: Highlights) -> dict[str, Any]:
    """With highlights against without: every outcome with its effect size, and the conclusion."""
    return {
        "shown": highlights.shown,
        "hidden": highlights.hidden,
        "outcomes": {
            effect.name: numbers(
                without=effect.without,
                with_highlights=effect.with_them,
                difference=effect.difference,
                cohens_d=effect.size,
            )
            for effect in highlights.effects
        },
        **numbers(accepted=highlights.accepted),
        "conclusion": conclusion(highlights),
    }
