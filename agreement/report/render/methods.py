"""The methods paragraph: how each number was computed, in sentences ready to paste."""

from __future__ import annotations

from django.utils.translation import override

from agreement.metrics.base import METRICS
from agreement.metrics.bootstrap import FEW_DOCUMENTS, LEVEL, RESAMPLES, SEED
from agreement.report.compute.figures import Figures
from annotation.display_names import phase_name


def methods(
    figures: Figures, *, excluded: int, single: int, partition: bool, phase: str, merged: dict[str, str]
) -> str:
    """The paragraph for one report; `merged` maps labels to those they are counted as.

    Only what is in the report is described: a scheme without an order of labels has no rank correlation.
    """
    graded = figures.spearman is not None
    people = len(figures.annotators)
    sentences = [
        f"Agreement was computed over the {_count(figures.documents, 'document')} of the {_phase_phrase(phase)} phase "
        f"that at least two of {people} annotators submitted; annotators who rejected, flagged or skipped a document "
        "are not counted for it."
    ]
    if single == 1:
        sentences.append("One more document had only one annotator and was not used.")
    elif single:
        sentences.append(f"A further {_count(single, 'document')} had only one annotator and were not used.")
    sentences += _documents(excluded, partition)
    sentences += [f"The label '{label}' was counted as '{other}'." for label, other in merged.items()]
    sentences += [*_overlap(), *_spans(graded), *_chance(figures), *_pairwise(graded), *_people()]
    sentences.append(
        f"Intervals are {LEVEL:.0%} percentile bootstrap intervals over documents ({RESAMPLES:,} resamples, "
        f"seed {SEED}); with fewer than {FEW_DOCUMENTS} documents they are marked as rough, with one there is none."
    )
    return " ".join(sentences)


def answer_methods(phase: str, items: int) -> str:
    """The paragraph for a scheme that asks questions."""
    return (
        f"Agreement was computed over the {_count(items, 'item')} of the {_phase_phrase(phase)} phase that were "
        "answered by at least two annotators. Krippendorff's alpha (krippendorff package) takes each item as a unit, "
        "an annotator who did not answer it being missing data; its distance is nominal, and where every answer has a "
        "number also ordinal and interval. Fleiss' kappa takes items whatever the number of their answers, as the mean "
        "over pairs of answers. 'The same answer' is the share of pairs of answers to an item that are equal. "
        "Intervals are "
        f"{LEVEL:.0%} percentile bootstrap intervals over items ({RESAMPLES:,} resamples, seed {SEED})."
    )


def _phase_phrase(phase: str) -> str:
    """The paragraph is in English in every language of the page."""
    with override("en"):
        return phase_name(phase)


def _documents(excluded: int, partition: bool) -> list[str]:
    if partition:
        return ["Every token has one label; a token that nobody marked is counted as the default label."]
    return [
        f"A document in which an annotator marked nothing was excluded ({excluded} here), as in SwissGov-RSD; "
        "figures that include them are also given.",
        "If spans of one annotator overlap on a token, the highest label counts.",
    ]


def _overlap() -> list[str]:
    return [
        "IoU of a document and side is the number of tokens that both annotators marked over the number that either "
        "did, F1 twice the former over the sum of both annotators' marked tokens; both are averaged over documents "
        "(over pairs of annotators first, where there are more than two), and sides that neither marked are excluded."
    ]


def _spans(graded: bool) -> list[str]:
    rank = ", and Spearman's correlation is that of their labels (scipy)" if graded else ""
    sentences = [
        "Two spans match at a threshold when they share a token and the mean of the two sides' IoU reaches it, a side "
        f"on which neither has a token counting 1; every such pair of spans counts{rank}. They match exactly when they "
        "have the same tokens on both sides."
    ]
    if graded:
        sentences.append(
            "(The authors' script for SwissGov-RSD pairs the labels of exact matches by their order in the file; this "
            "mistake changes its EN-FR and EN-IT cells, but not EN-DE. Here labels are paired by "
            "span.)"
        )
    return sentences


def _chance(figures: Figures) -> list[str]:
    *others, last = figures.alpha
    distances = f"{', '.join(others)} and {last}" if others else last
    return [
        f"Krippendorff's alpha ({distances} distance; krippendorff package) is over all tokens, an annotator who did "
        "not see a document being missing data; of one label it is whether a token has it; over sentences, for each "
        "label, whether a sentence holds a token of it. Unitizing alpha (Krippendorff et al. 2016) compares passages "
        "of characters and needs no tokens, with the labels of the passages or for their positions only. Cohen's kappa "
        "(scikit-learn) is the mean over pairs of annotators.",
        *(METRICS[name].method for name in figures.metrics),
    ]


def _pairwise(graded: bool) -> list[str]:
    sentences = [
        "F1 of a label and macro F1 are computed for each ordered pair of annotators over all tokens both saw "
        "(scikit-learn) and given as mean and population standard deviation over pairs; F1 of two annotators is the "
        "same in either order."
    ]
    if graded:
        sentences.append(
            "Spearman's rho and Kendall's tau-b of token labels (scipy) are means over pairs of annotators, unmarked "
            "tokens counting with the default label's value."
        )
    return sentences


def _people() -> list[str]:
    return [
        "Each annotator is compared by macro F1 with the majority of the others, over tokens on which two others or "
        "more have a common label. The reliability of several annotators together is alpha extended by the "
        "Spearman-Brown formula. Change over time is Kendall's tau-b between a document's number in its annotator's "
        "own order of work and its figure, with scipy's two-sided p, not corrected for the number of tests; its "
        "interval is over the documents of that annotator. Counts cover everything that was submitted, not a "
        "sample, and have no interval."
    ]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
