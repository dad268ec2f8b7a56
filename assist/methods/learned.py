"""The method that learns from the project's own annotations: gradient-boosted trees over features of a token.

A document that trees were trained on is scored by the trees of the fold that had not seen it (nor any document that
shares a text with it). While labels are few the default method's scores weigh in; see ``docs/prelabeling.md``.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from annotation.progress import OnProgress
from annotation.settings_model import Settings, setting
from annotation.text.related_texts import link_pairs, text_digest
from annotation.text.schemes import SIDES
from assist.methods.base import Method, PairInput, Result, register
from assist.methods.default import (
    Default,
    DefaultModel,
    DefaultSettings,
    counterpart_edges,
    languages_without_evidence,
    suggest,
    word_list_lines,
)
from assist.methods.shared.gold import gold_values, gold_varies, is_labelled
from assist.methods.shared.proposals import SuggestionThresholds, choose_thresholds
from assist.methods.wordmodel import folds, pieces, repetition
from assist.methods.wordmodel.document import PairArrays
from assist.methods.wordmodel.features import features
from assist.methods.wordmodel.fitting import Fold, agreement, fit_fold, rank_mean
from assist.methods.wordmodel.hinges import Scale
from assist.methods.wordmodel.label_decision import LabelDecisionRule, tune_decision_rule
from assist.methods.wordmodel.labels import label_codes, label_names
from assist.methods.wordmodel.pieces import Pieces
from assist.methods.wordmodel.repetition import Repetition
from assist.phrases.run_phrases import FEW_LABELLED, FEW_OF_EACH

Floats = NDArray[np.float64]
Rows = NDArray[np.float32]

PARTS = 10
"""The number of parts that documents are divided into, each learning how words are marked from the others."""

LABELS_FROM = 20
"""Below this many labelled documents no labels are predicted: the most common one would be as good."""


class LearnedSettings(DefaultSettings):
    """The default method's settings, and how trees are grown."""

    folds: int = setting(5, "Folds", "number of folds of the labelled documents", 2, 20)
    trees: int = setting(75, "Trees per ensemble", "number of trees per ensemble", 10, 2000)
    seeds: int = setting(2, "Ensembles", "number of ensembles with different seeds whose scores are averaged", 1, 20)
    least: int = setting(
        5,
        "Minimum number of labelled documents",
        "with fewer labelled documents than this, the default method's scores are used",
        2,
        1000,
    )
    enough: int = setting(
        100,
        "Labelled documents for full weight",
        "from this many labelled documents on, the default method's scores are no longer used",
        2,
        10_000,
    )


@dataclass(frozen=True)
class LearnedModel:
    """The default's model, and (unless labels are too few) what was fitted to each fold and what belongs to them.

    ``fold_of`` is the fold of each text, by digest, that is (for the most part) one of a labelled document. ``weight``
    is the trees' share of a score; the ``scales`` turn the default's and the trees' scores into ranks.
    """

    default: DefaultModel
    bars: SuggestionThresholds
    documents: int
    repetition: Repetition | None = None
    pieces: dict[str, Pieces] = field(default_factory=dict)
    folds: tuple[Fold, ...] = ()
    fold_of: dict[str, int] = field(default_factory=dict)
    weight: float = 0.0
    scales: tuple[Scale, Scale] | None = None
    scores: dict[str, float] | None = None
    naming: LabelDecisionRule | None = None


@register
class Learned(Method[LearnedSettings, LearnedModel]):
    """Decision trees trained on the labelled tokens of all splits except 'test', blended with the default method.

    Where enough documents are labelled it predicts labels too.
    """

    name = "learned"
    version = "6"
    Settings: ClassVar[type[Settings]] = LearnedSettings
    advice = (
        "Choose it for graded labels once 20 pairs are labelled: its suggestions are then better than those of "
        "default. For 'new' they are about as good, but come with a predicted label"
    )
    learns = True
    word_lists = True

    def __init__(self, settings: LearnedSettings | None = None) -> None:
        super().__init__(settings)
        shared = {key: getattr(self.settings, key) for key in DefaultSettings.model_fields}
        self.default = Default(DefaultSettings(**shared))

    def fit(self, pairs: Sequence[PairInput], on_progress: OnProgress | None = None) -> LearnedModel:
        """Train on every labelled pair whose split is not 'test'."""
        self.default.lists = self.lists
        base = self.default.fit(pairs, on_progress)
        labelled = [is_labelled(pair) for pair in pairs]
        train = [pair for pair, use in zip(pairs, labelled, strict=True) if use]
        if len(train) < self.settings.least or not gold_varies(train):
            return LearnedModel(base, base.bars, len(train))
        number = folds.assign(pairs, labelled, self.settings.folds)
        own_fold = number[np.array(labelled)]
        if len(set(own_fold.tolist())) < 2:  # versions of one text: nothing else to learn from
            return LearnedModel(base, base.bars, len(train))
        docs = [doc for doc, _ in self.default.documents(base.trained, pairs)]
        repeated, cut = repetition.repetition(docs), pieces.build(base.trained, pairs, docs)
        of_train = [doc for doc, use in zip(docs, labelled, strict=True) if use]
        rows = [self._rows(base, repeated, cut, pair, doc) for pair, doc in zip(train, of_train, strict=True)]
        keys = [repetition.phrases(doc) for doc in of_train]
        golds = [gold_values(pair) for pair in train]
        parts = folds.assign(train, [True] * len(train), PARTS)
        names = self._names(train)
        codes = [label_codes(pair, gold, names) for pair, gold in zip(train, golds, strict=True)] if names else []
        trees: list[Fold] = []
        own, shares = [np.zeros(0)] * len(train), [np.zeros((0, 0))] * len(train)
        for fold in range(self.settings.folds):
            rest = np.flatnonzero(own_fold != fold).tolist()
            trees.append(
                fit_fold(
                    [rows[index] for index in rest],
                    [keys[index] for index in rest],
                    [golds[index] for index in rest],
                    parts[rest],
                    target=self.settings.target,
                    trees=self.settings.trees,
                    seeds=self.settings.seeds,
                    codes=[codes[index] for index in rest] if names else (),
                    labels=len(names),
                )
            )
            for index in np.flatnonzero(own_fold == fold).tolist():
                own[index] = trees[-1].predict(rows[index], keys[index])
                if trees[-1].labels is not None:
                    shares[index] = trees[-1].shares(rows[index], keys[index])
            if on_progress:
                on_progress(fold + 1, self.settings.folds, "training")
        plain = [np.concatenate(self.default.score(doc)) for doc in of_train]
        scales = (Scale.of(np.concatenate(plain)), Scale.of(np.concatenate(own)))
        weight = min(1.0, len(train) / self.settings.enough)
        blended = [rank_mean(scales, each, mine, weight) for each, mine in zip(plain, own, strict=True)]
        scored = [(each[: len(doc.a)], each[len(doc.a) :]) for each, doc in zip(blended, of_train, strict=True)]
        bars = choose_thresholds(train, scored, self.settings.policy(), self.settings.threshold)
        scores = {
            name: agreement(golds, values, own_fold, self.settings.target)
            for name, values in (("learned", blended), ("unblended", own), ("default", plain))
        }
        groups = link_pairs([(pair.a, pair.b) for pair in pairs])
        seen_groups = {group for group, use in zip(groups, labelled, strict=True) if use}
        fold_of = {
            text_digest(side): int(number[index])
            for index, pair in enumerate(pairs)
            if groups[index] in seen_groups
            for side in (pair.a, pair.b)
            if side.text.strip()
        }
        rule = None
        if names and all(each.labels is not None for each in trees):
            sides = tuple(name for name in SIDES if any(getattr(pair, f"labels_{name}") is not None for pair in train))
            rule = tune_decision_rule(names, sides, shares, codes, blended, own_fold)
        return LearnedModel(base, bars, len(train), repeated, cut, tuple(trees), fold_of, weight, scales, scores, rule)

    def predict(
        self, model: LearnedModel, pairs: Sequence[PairInput], on_progress: OnProgress | None = None
    ) -> list[Result]:
        """Scores of the trees (out of fold for what they were trained on), blended; counterparts as the default's."""
        results = []
        documents = self.default.documents(model.default.trained, pairs)
        for number, pair in enumerate(pairs, 1):
            doc, spent = next(documents)
            began = time.perf_counter()
            scores, shares = self._score(model, pair, doc)
            a, b = scores[: len(doc.a)].tolist(), scores[len(doc.a) :].tolist()
            proposals = suggest(model.default, pair, doc, a, b, model.bars)
            labels: dict[str, list[str]] = {}
            if model.naming is not None and shares is not None:
                proposals = [replace(each, label=model.naming.of_proposal(each, shares, len(a))) for each in proposals]
                labels = model.naming.of_sides(scores, shares, len(a))
            results.append(
                Result(
                    pair.id,
                    a,
                    b,
                    edges=counterpart_edges(doc, self.settings.decay, self.settings.edge),
                    proposals=proposals,
                    labels=labels,
                    seconds=spent + time.perf_counter() - began,
                )
            )
            if on_progress:
                on_progress(number, len(pairs), "scoring")
        return results

    def report(self, model: LearnedModel) -> dict[str, Any]:
        """The number of training documents, and the cross-validated score with the default's on the same documents."""
        kind = "spearman" if self.settings.target == "graded" else "f1"
        return {
            "documents": model.documents,
            "weight": model.weight,
            "metric": kind,
            **(model.scores or {}),
            "labels": model.naming.scores if model.naming else self._why_no_labels(model.documents),
            "threshold": model.bars.threshold,
            "curve": [*model.bars.curve],
            **languages_without_evidence(model.default.trained),
            **word_list_lines(model.default.trained),
        }

    def _why_no_labels(self, documents: int) -> str:
        """Why a fitted model predicts no labels."""
        if documents < LABELS_FROM:
            return FEW_LABELLED.with_params(n=str(documents), needed=str(LABELS_FROM)).text()
        return FEW_OF_EACH.text()

    def _rows(
        self, base: DefaultModel, repeated: Repetition, cut: dict[str, Pieces], pair: PairInput, doc: PairArrays
    ) -> Rows:
        trained = base.trained
        own = cut.get(pieces.key(trained, pair)) or pieces.train([doc], trained.recipe)
        return features(pair, doc, trained.of(pair), own, repeated)[1]

    def _names(self, train: Sequence[PairInput]) -> tuple[str, ...]:
        """The labels to learn; none if there is too little data.

        If labels are graded, the score determines which tokens are marked, and grades are learned from marked ones.
        """
        names = label_names(train, unmarked=self.settings.target == "new") if len(train) >= LABELS_FROM else ()
        return names if len(names) > 1 else ()

    def _score(self, model: LearnedModel, pair: PairInput, doc: PairArrays) -> tuple[Floats, Floats | None]:
        """The scores of A's and then B's tokens, and the probabilities of their labels if these were learned."""
        plain = np.concatenate(self.default.score(doc))
        if model.repetition is None or model.scales is None or not len(plain):
            return plain, np.zeros((0, len(model.naming.names))) if model.naming else None
        rows = self._rows(model.default, model.repetition, model.pieces, pair, doc)
        keys = repetition.phrases(doc)
        texts = map(text_digest, (pair.a, pair.b))
        own = [model.fold_of[text] for text in texts if text in model.fold_of]
        chosen = [model.folds[own[0]]] if own else model.folds
        learned = np.mean([fold.predict(rows, keys) for fold in chosen], axis=0)
        shares = np.mean([fold.shares(rows, keys) for fold in chosen], axis=0) if model.naming else None
        return rank_mean(model.scales, plain, learned, model.weight), shares
