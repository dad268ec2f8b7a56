"""How labels are chosen from their probabilities, for every token and for a proposal as a whole."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assist.methods.base import Proposal
from assist.methods.shared.proposals import best_threshold
from assist.methods.wordmodel.labels import NONE, UNKNOWN, UNMARKED, balanced_factors, macro_f1, most_likely_labels

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]


@dataclass(frozen=True)
class LabelDecisionRule:
    """The labels' ``names``, the ``factors`` of their probabilities, and the ``sides`` with known labels.

    ``bar`` is the score from which a token is marked if UNMARKED is not one of the labels. ``scores`` are the results
    on labelled documents of models and choices that had not seen them.
    """

    names: tuple[str, ...]
    sides: tuple[str, ...]
    factors: Floats
    bar: float
    scores: Mapping[str, float]

    def codes(self, scores: Floats, shares: Floats) -> Ids:
        """The code of each token's label; NONE if it has none and UNMARKED is not one of the names."""
        likely = most_likely_labels(shares, self.factors)
        return likely if UNMARKED in self.names else np.where(scores >= self.bar, likely, NONE)

    def of_sides(self, scores: Floats, shares: Floats, size: int) -> dict[str, list[str]]:
        """A label for every token of A, of which there are ``size``, and of B; UNMARKED if it has none."""
        codes = self.codes(scores, shares).tolist()
        labels = [UNMARKED if code == NONE else self.names[code] for code in codes]
        return {side: part for side, part in (("a", labels[:size]), ("b", labels[size:])) if side in self.sides}

    def of_proposal(self, proposal: Proposal, shares: Floats, size: int) -> str:
        """The most likely label over all of a proposal's tokens; ``size`` is the number of A's tokens.

        No factors here: a person who accepts a proposal is best served by the label that is most often right.
        """
        rows = [at for low, high in proposal.a for at in range(low, high)]
        rows += [size + at for low, high in proposal.b for at in range(low, high)]
        total = shares[rows].sum(axis=0)
        marked = [at for at, name in enumerate(self.names) if name != UNMARKED]
        return self.names[max(marked, key=lambda at: (total[at], -at))]


def tune_decision_rule(
    names: tuple[str, ...],
    sides: tuple[str, ...],
    shares: Sequence[Floats],
    codes: Sequence[Ids],
    scores: Sequence[Floats],
    fold: Ids,
) -> LabelDecisionRule:
    """How to choose labels, from documents whose ``shares`` and ``scores`` are from models that had not seen them.

    ``codes``: their tokens' labels; ``fold``: the number of each document's fold. With UNMARKED among the
    names, factors are balanced for macro F1; without, a marked token gets its most likely label.
    """
    share, code, score = np.concatenate(shares), np.concatenate(codes), np.concatenate(scores)
    number = np.repeat(fold, [len(each) for each in codes])
    predicted = np.full(len(code), NONE)
    for each in np.unique(number):
        own = number == each
        predicted[own] = _tune(names, sides, share[~own], code[~own], score[~own]).codes(score[own], share[own])
    return replace(_tune(names, sides, share, code, score), scores=_rule_scores(names, code, predicted))


def _tune(names: tuple[str, ...], sides: tuple[str, ...], share: Floats, code: Ids, score: Floats) -> LabelDecisionRule:
    labelled = code != UNKNOWN
    if UNMARKED in names:
        return LabelDecisionRule(names, sides, balanced_factors(share[labelled], code[labelled]), 0.0, {})
    marked = code[labelled] >= 0
    bar = best_threshold(marked, score[labelled]) if marked.any() else 1.0
    return LabelDecisionRule(names, sides, np.ones(len(names)), bar, {})


def _rule_scores(names: tuple[str, ...], code: Ids, predicted: Ids) -> dict[str, float]:
    """Macro F1 over all labels or, for tokens that both people and the method mark, the share with the same label."""
    if UNMARKED in names:
        labelled = code != UNKNOWN
        return {"macro f1": macro_f1(code[labelled], predicted[labelled], len(names))}
    both = (code >= 0) & (predicted >= 0)
    return {"exact": float((code[both] == predicted[both]).mean())} if both.any() else {}
