"""How far people agree, in a sentence before all tables."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from agreement.metrics.bootstrap import FEW_DOCUMENTS, Estimate
from agreement.report.compute.figures import Figures
from agreement.report.compute.ratings import Rating
from agreement.report.display_names import DISTANCES
from agreement.report.render.tables import number, whole
from annotation.scheme_words import question_text

# Krippendorff (2019), section 12.7: 0.8 for reliable, 0.667 for tentative conclusions. The words below that only rank.
_WORDS = (
    (0.8, gettext_lazy("very good")),
    (0.667, gettext_lazy("good")),
    (0.4, gettext_lazy("moderate")),
    (0.2, gettext_lazy("low")),
    (-2.0, gettext_lazy("very low")),
)
_ENOUGH_SPANS = 10


def agreement_word(value: float) -> str:
    """A word for an agreement between -1 and 1."""
    return str(next(say for bound, say in _WORDS if value >= bound))


def report_headline(figures: Figures, ratings: list[Rating], *, marks: bool, excluded: int) -> str:
    """The answer: about what is marked, if anything is in the scheme, then about each question.

    `excluded` are the documents that two people submitted and one of them left empty.
    """
    parts = [headline(figures, excluded) if marks else "", rated_headline(ratings)]
    return " ".join(filter(None, parts))


def headline(figures: Figures, excluded: int = 0) -> str:
    """One or two sentences, which say so if there is nothing to report, or too little to be reliable."""
    if not figures.documents and excluded:
        text = ngettext(
            "Agreement on what is marked can't be computed: in the %(n)s document that several annotators submitted, "
            "someone marked nothing.",
            "Agreement on what is marked can't be computed: in each of the %(n)s documents that several annotators "
            "submitted, someone marked nothing.",
            excluded,
        )
        return text % {"n": whole(excluded)}
    if not figures.documents:
        return _("Agreement can't be computed yet: no document has been submitted by two annotators.")
    sentences = [_agreement_on_passages(figures), _agreement_on_labels(figures)]
    if figures.documents < FEW_DOCUMENTS:
        rests = ngettext("Based on %(n)s document.", "Based on %(n)s documents.", figures.documents)
        sentences.append(rests % {"n": figures.documents})
    return " ".join(filter(None, sentences))


def share(value: float) -> str:
    """A percentage, formatted for the language."""
    return _("%(n)s%%") % {"n": number(100 * value, 0)}


def rated_headline(ratings: list[Rating]) -> str:
    """As `headline`, for a scheme that asks questions."""
    parts = []
    for rating in ratings:
        ordered = "ordinal" if "ordinal" in rating.alpha else "nominal"
        alpha = next(estimate for distance, estimate in rating.alpha.items() if distance == ordered)
        if rating.same.value is None:
            say = _("Agreement on “%(question)s” can't be computed yet: no item was answered by two people.")
            parts.append(say % {"question": question_text(rating.question.key, rating.question.text)})
        elif alpha.value is None:
            parts.append(
                _("On “%(question)s”, everyone gave the same answer to all items.")
                % {"question": question_text(rating.question.key, rating.question.text)}
            )
        else:
            say = _(
                "Agreement on “%(question)s” is %(word)s (%(distance)s α %(alpha)s): of two answers to an item, "
                "%(share)s are the same."
            )
            values = {
                "question": question_text(rating.question.key, rating.question.text),
                "word": agreement_word(alpha.value),
                "distance": DISTANCES[ordered],
                "alpha": number(alpha.value, 2),
                "share": share(rating.same.value),
            }
            parts.append(say % values)
    return " ".join(parts)


def _agreement_on_passages(figures: Figures) -> str:
    alpha = figures.unitizing["binary"].value
    shares = [side["iou"].value for side in figures.sides.values() if side["iou"].value is not None]
    if alpha is None or not shares:
        return _("Nothing is marked, so there is nothing to agree on.")
    say = _(
        "Agreement on where the texts differ is %(word)s: of the words that either of two annotators "
        "marked, both marked %(share)s."
    )
    return say % {"word": agreement_word(alpha), "share": share(sum(shares) / len(shares))}


def label_level(figures: Figures) -> float | None:
    """Agreement on labels beyond chance, as the headline judges it; None if it can't be judged."""
    matched = figures.fuzzy[min(figures.fuzzy)]
    if matched.spearman.value is not None:
        return matched.spearman.value if matched.count >= _ENOUGH_SPANS else None
    return figures.alpha["nominal"].value


def _agreement_on_labels(figures: Figures) -> str:
    matched = figures.fuzzy[min(figures.fuzzy)]
    if matched.spearman.value is not None:
        if matched.count < _ENOUGH_SPANS:
            say = ngettext(
                "Agreement on how much they differ can't be judged: only %(n)s span matches.",
                "Agreement on how much they differ can't be judged: only %(n)s spans match.",
                matched.count,
            )
            return say % {"n": whole(matched.count)}
        if _is_precise(matched.spearman):
            say = _(
                "Agreement on how much they differ is %(word)s: the labels of the %(n)s spans that two people both "
                "marked correlate at ρ %(rho)s."
            )
        else:
            say = _(
                "Agreement on how much they differ is %(word)s: the labels of the %(n)s spans that two people both "
                "marked correlate at ρ %(rho)s, but its interval is too wide to be sure."
            )
        rho = number(matched.spearman.value, 2)
        return say % {"word": agreement_word(matched.spearman.value), "n": whole(matched.count), "rho": rho}
    label = figures.alpha["nominal"].value
    if label is None:
        return ""
    say = _("Agreement on the label of a word is %(word)s (α %(alpha)s).")
    return say % {"word": agreement_word(label), "alpha": number(label, 2)}


def _is_precise(estimate: Estimate) -> bool:
    return estimate.interval is not None and estimate.interval[1] - estimate.interval[0] < 0.4
