"""The one figure by which a lead judges a project's agreement: what it means, what is usual, and what to do next.

Which figure depends on the scheme. If every word has exactly one label, it is Krippendorff's alpha over words, as in
X-PARADE. If spans may overlap or link, it is the share of marked words that both annotators marked (IoU), as in
SwissGov-RSD: there alpha would mostly count the words that nobody marked. For answers it is alpha over items, of the
question with the lowest one. What to do next depends on whatever people agree on least: words, labels or answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from agreement.metrics.bootstrap import FEW_DOCUMENTS, Estimate
from agreement.report.compute.figures import Figures
from agreement.report.compute.ratings import Rating
from agreement.report.display_names import DISTANCES, note_text
from agreement.report.render.headline import agreement_word, label_level
from agreement.report.render.published import SWISSGOV, XPARADE, Published
from agreement.report.render.tables import drilldown_link, number, percent
from annotation.scheme_words import question_text

RELIABLE, TENTATIVE = 0.8, 0.667
"""Krippendorff (2019), Content Analysis, section 12.7: alpha for reliable, and for tentative conclusions."""
OUTLIER_DISTANCE = 0.1
"""An annotator whose agreement is lower than that of all others by at least this much is named."""

_RULE = gettext_lazy(
    "Krippendorff (2019): conclusions are reliable from 0.80, and tentative from 0.667; 0 is chance, 1 is perfect."
)


@dataclass(frozen=True, slots=True)
class NextStep:
    """What to do next, and the page to do it on: `link` is the name of a page ('plan') or a drill-down link."""

    text: str
    link: str
    link_text: str


@dataclass(frozen=True, slots=True)
class RecommendedFigure:
    """The figure as shown: `value` with its unit, its 95 % interval, how it compares with published data.

    `usual` are lines of published values, `source` says whose.
    """

    name: str
    value: str
    interval: str
    note: str
    drilldown: str
    meaning: str
    usual: tuple[str, ...]
    compared: str
    source: str
    steps: tuple[NextStep, ...]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def recommended_for_marks(
    figures: Figures, names: dict[str, str], ratings: Sequence[Rating] = (), *, partition: bool
) -> RecommendedFigure | None:
    """The figure for a scheme in which words are marked; None if there is nothing to compare yet.

    `ratings`: agreement on the questions that the scheme also asks.
    """
    if partition:
        estimate, level = figures.alpha["nominal"], figures.alpha["nominal"].value
    else:
        estimate, level = figures.iou, figures.unitizing["binary"].value
    if estimate.value is None:
        return None
    lowest = _lowest(ratings)
    levels = (level, label_level(figures), lowest[2].value if lowest else None)
    least = min((each for each in levels if each is not None), default=None)
    steps = next_steps(least, figures.documents, figures.majority)
    if lowest and (lowest[2].value or 0) < TENTATIVE:
        steps.insert(0, _answers_step(*lowest))
    if partition:
        return _recommended(
            name=_("Krippendorff's α of word labels (nominal)"),
            estimate=estimate,
            say=_two_digits,
            drilldown=drilldown_link("disagreements", counted=1),
            meaning=str(_RULE),
            published=XPARADE,
            steps=steps,
        )
    text = _("Of the words that either of two annotators marked, the share that both marked: the mean over documents.")
    sides = ", ".join(
        _("%(side)s: %(share)s") % {"side": names[side], "share": _share(measures["iou"].value)}
        for side, measures in figures.sides.items()
        if measures["iou"].value is not None
    )
    return _recommended(
        name=_("Marked words in common (IoU)"),
        estimate=estimate,
        say=_share,
        drilldown=drilldown_link("documents", counted=1),
        meaning=f"{text} {sides}." if len(figures.sides) > 1 else text,
        published=SWISSGOV,
        steps=steps,
    )


def recommended_for_answers(ratings: Sequence[Rating]) -> RecommendedFigure | None:
    """The figure for a scheme of questions: alpha of the question on which people agree least."""
    lowest = _lowest(ratings)
    if lowest is None:
        return None
    rating, distance, alpha = lowest
    text = _("Krippendorff's α of answers (%(distance)s)") % {"distance": DISTANCES[distance]}
    question = _("“%(question)s”") % {"question": question_text(rating.question.key, rating.question.text)}
    return _recommended(
        name=f"{text}, {question}" if len(ratings) > 1 else text,
        estimate=alpha,
        say=_two_digits,
        drilldown=drilldown_link("answers", counted=1, question=rating.question.key),
        meaning=str(_RULE),
        published=None,
        steps=next_steps(alpha.value, rating.items, {}),
    )


def _lowest(ratings: Sequence[Rating]) -> tuple[Rating, str, Estimate] | None:
    """The question with the lowest alpha, its distance and that alpha; None if none is defined."""
    alphas = [(each, *_alpha(each)) for each in ratings]
    defined = [(each, distance, alpha) for each, distance, alpha in alphas if alpha.value is not None]
    return min(defined, key=lambda one: one[2].value or 0, default=None)


def _answers_step(rating: Rating, distance: str, alpha: Estimate) -> NextStep:
    say = _(
        "Agreement on “%(question)s” is %(word)s (%(distance)s α %(alpha)s): compare the answers, and say in the "
        "guidelines how to choose."
    )
    params = {"question": question_text(rating.question.key, rating.question.text), "distance": DISTANCES[distance]}
    text = say % {**params, "word": agreement_word(alpha.value or 0), "alpha": number(alpha.value, 2)}
    link = drilldown_link("answers", counted=1, question=rating.question.key)
    return NextStep(text, link, _("Open the answers"))


def _alpha(rating: Rating) -> tuple[str, Estimate]:
    distance: Any = "ordinal" if "ordinal" in rating.alpha else "nominal"
    return distance, rating.alpha[distance]


def _recommended(
    *,
    name: str,
    estimate: Estimate,
    say: Callable[[float | None], str],
    drilldown: str,
    meaning: str,
    published: Published | None,
    steps: Sequence[NextStep],
) -> RecommendedFigure:
    low, high = (say(bound) for bound in estimate.interval) if estimate.interval else ("", "")
    interval = _("95%% interval: %(low)s to %(high)s") % {"low": low, "high": high} if estimate.interval else ""
    usual, compared = _published_comparison(estimate.value or 0.0, published, say)
    return RecommendedFigure(
        name=name,
        value=say(estimate.value),
        interval=interval,
        note=note_text(estimate.note),
        drilldown=drilldown,
        meaning=meaning,
        usual=usual,
        compared=compared,
        source=published.source if published else "",
        steps=tuple(steps),
    )


def _published_comparison(
    value: float, published: Published | None, say: Callable[[float | None], str]
) -> tuple[tuple[str, ...], str]:
    """The published values, and how this one compares with them."""
    if published is None:
        return (), _("The papers behind this scheme publish no such figure for their ratings.")
    lines = tuple(f"{published.dataset}, {part}: {say(each)}" for part, each in published.values)
    # As they are printed: 0.657 is not below 0.66.
    values = [round(each, 2) for _part, each in published.values]
    if round(value, 2) < min(values):
        compared = _("This is lower than in published data.")
    elif round(value, 2) > max(values):
        compared = _("This is higher than in published data.")
    else:
        compared = _("This is within the range of published data.")
    return lines, compared


def next_steps(level: float | None, documents: int, majority: dict[str, Estimate]) -> list[NextStep]:
    """What to do next, the most urgent first; `level` is agreement beyond chance between -1 and 1."""
    steps = []
    if documents < FEW_DOCUMENTS:
        none = _(
            "No document has been submitted by two people yet; have at least %(few)s before you rely on the figure."
        )
        some = ngettext(
            "Only %(n)s document was submitted by two people; have at least %(few)s before you rely on the figure.",
            "Only %(n)s documents were submitted by two people; have at least %(few)s before you rely on the figure.",
            documents,
        )
        text = (some if documents else none) % {"n": documents, "few": FEW_DOCUMENTS}
        steps.append(NextStep(text, "plan", _("Plan an overlap")))
    if level is not None and level < TENTATIVE:
        text = _("Read the most disputed passages together, and add them to the guidelines as examples.")
        steps.append(NextStep(text, "disagreements?counted=1", _("Open the disagreements")))
    if name := _outlier(majority):
        text = _("Talk to %(name)s first: their work differs most from the others'.") % {"name": name}
        link = drilldown_link("disagreements", counted=1, annotator=name)
        steps.append(NextStep(text, link, _("Open this person's disagreements")))
    if level is not None and level < TENTATIVE:
        text = _("Then have a few new pairs annotated by everyone, and compare.")
        steps.append(NextStep(text, "plan", _("Plan pairs for everyone")))
    elif level is not None and level < RELIABLE:
        text = _("Good enough for gold if a person decides what is disputed.")
        steps.append(NextStep(text, "manual-adjudication", _("Adjudicate manually")))
    elif level is not None:
        text = _("Good enough for gold made by a rule; look at the few disputed passages.")
        steps.append(NextStep(text, "adjudication", _("Choose a rule")))
    return steps


def _outlier(majority: dict[str, Estimate]) -> str:
    """The annotator whose macro F1 against the majority is `OUTLIER_DISTANCE` or more below all others'; else ''."""
    values = sorted((estimate.value, name) for name, estimate in majority.items() if estimate.value is not None)
    return values[0][1] if len(values) > 2 and values[1][0] - values[0][0] >= OUTLIER_DISTANCE else ""


def _two_digits(value: float | None) -> str:
    return number(value, 2)


def _share(value: float | None) -> str:
    return _("%(n)s%%") % {"n": percent(value, 0)}
