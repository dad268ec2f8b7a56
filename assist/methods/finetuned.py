"""An encoder fine-tuned on the project's gold: both texts in one input, and one value for each subword.

As in SwissGov-RSD: a linear layer over the last hidden state, binary cross-entropy against values in [0, 1], early
stopping, the best of four learning rates, documents joined and permuted, and pairs without any difference. Our choices:
each text is scored once as the first and once as the second; folds, so that a document that was trained on is scored by
an encoder that has seen neither it nor any of its sentences; long documents in windows. See ``docs/finetuned.md``.
"""

import dataclasses
import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np

from annotation.phrases import Phrase, join_phrases
from annotation.progress import OnProgress
from annotation.settings_model import Settings, setting
from assist.methods.base import Method, MethodError, PairInput, Result, register
from assist.methods.default import POLICIES
from assist.methods.diffalign import DiffAlign, DiffAlignSettings
from assist.methods.encoder import pretrained
from assist.methods.encoder.contextual import MULTILINGUAL, Fitted, Floats, encoder_name, is_english, sample_pairs
from assist.methods.encoder.pretrained import PACKAGED
from assist.methods.encoder.subwords import Subwords, read
from assist.methods.joint import saved
from assist.methods.joint.examples import Example, ExampleCounts, sentences
from assist.methods.joint.training import Joint, TrainingPlan, TrainingResult, Weights
from assist.methods.shared.gold import gold_varies, is_labelled
from assist.methods.shared.proposals import SuggestionThresholds, choose_thresholds, propose
from assist.methods.wordmodel import folds
from assist.phrases.model_phrases import OTHER_ENCODER, OTHER_TARGET
from assist.phrases.run_phrases import FEW_FOR_TRAINING

RATES = (2e-5, 5e-5, 1e-4, 2e-4)
"""The learning rates of which the best is taken if none is set."""


def trained_encoder_setting() -> Any:
    """The setting that names an encoder which an earlier run trained."""
    return setting(
        None,
        "Trained encoder",
        "name of a folder that the server administrator provides, containing what save_model saved from an "
        "earlier run; nothing is then trained",
        name_parts=1,
    )


class FinetunedSettings(Settings):
    """Which encoder is trained, and how."""

    target: Literal["graded", "new"] = setting(
        "graded", "Target", "what the scores rank: any difference, or new content"
    )
    model: str | None = setting(
        None,
        "Encoder",
        "Hugging Face name of an encoder, or name of a folder that the server administrator provides; "
        f"if empty: {PACKAGED} if all pairs are English, else {MULTILINGUAL}",
        name_parts=2,
    )
    revision: str | None = setting(None, "Revision", "commit, branch or tag of a model from a hub", name_parts=3)
    trained: str | None = trained_encoder_setting()
    least: int = setting(
        20,
        "Minimum number of labelled documents",
        "with fewer labelled documents than this, DiffAlign's scores are used",
        2,
        1000,
    )
    folds: int = setting(
        5, "Folds", "number of folds of the labelled documents; one encoder is trained for each", 2, 20
    )
    rate: float | None = setting(
        None,
        "Learning rate",
        "if empty: the best of 0.00002, 0.00005, 0.0001 and 0.0002 on validation documents",
        1e-7,
        0.1,
    )
    epochs: int = setting(10, "Epochs", "maximum number of passes over the examples", 1, 100)
    patience: int = setting(
        2, "Patience", "training stops after this many epochs without a smaller validation loss", 1, 100
    )
    batch: int = setting(8, "Batch size", "inputs in a training step", 1, 1024)
    permutations: int = setting(
        1, "Permutations", "times that a document is repeated with one side's sentences in another order", 0, 5
    )
    joined: int = setting(5, "Documents joined", "short documents are joined, up to this many in one", 1, 20)
    negatives: float = setting(
        0.1, "Texts paired with themselves", "examples without any difference, as a share of the documents", 0.0, 1.0
    )
    lora: int | None = setting(
        None, "Adapter rank", "rank of low-rank adapters that are trained instead of all weights; if empty: all", 1, 256
    )
    embeddings: bool = setting(False, "Train vocabulary", "train the embeddings of the encoder's vocabulary too")
    seed: int = setting(0, "Seed", "seed of all random choices", 0, 10**6)
    device: str = setting("auto", "Device", "auto, cpu, cuda, cuda:1")
    threshold: float | None = setting(
        None,
        "Suggestion threshold",
        "score from which words are suggested; if empty: chosen from labelled pairs, or a share of all words",
        0.0,
        1.0,
    )


@dataclass(frozen=True)
class FinetunedModel:
    """What was trained for each fold, and what belongs to it; without ``weights``, labelled documents were too few.

    ``fold_of`` is the fold of each text, by digest, of a labelled document or linked to one.
    """

    encoder: str
    revision: str
    bars: SuggestionThresholds
    documents: int
    weights: tuple[Weights, ...] = ()
    fold_of: dict[str, int] = dataclasses.field(default_factory=dict)
    rates: tuple[float, ...] = ()
    epochs: tuple[int, ...] = ()
    losses: tuple[float, ...] = ()
    lora: int | None = None
    embeddings: bool = False
    untrained: Fitted | None = None


@register
class Finetuned(Method[FinetunedSettings, FinetunedModel]):
    """An encoder that reads both texts at once, trained on the labelled documents of all splits except 'test'."""

    name = "finetuned"
    version = "2"
    Settings: ClassVar[type[Settings]] = FinetunedSettings
    advice = "Choose it where a GPU is available and 100 pairs or more are labelled; training takes minutes to hours"
    learns = True
    gpu = True
    packages = ("torch", "transformers", "peft")

    def unavailable(self, languages: Iterable[tuple[str, str]]) -> Phrase | None:
        if self.settings.trained and (reason := saved.folder_problem(self.settings.trained)):
            return reason
        if self.settings.trained:
            return pretrained.unavailable(self._encoder(languages), self.settings.revision)
        names = {self._encoder(languages), *(encoder_name(self._fallback.settings, *each) for each in languages)}
        return join_phrases(pretrained.unavailable(name, self.settings.revision) for name in sorted(names))

    def downloads(self, languages: Iterable[tuple[str, str]]) -> list[str]:
        if self.settings.trained and saved.folder_problem(self.settings.trained):
            return []
        name = self._encoder(languages)
        return [] if pretrained.on_this_machine(name, self.settings.revision) else [name]

    def trains(self, labelled: bool) -> bool:
        return not self.settings.trained or (labelled and self.settings.threshold is None)

    def fit(self, pairs: Sequence[PairInput], on_progress: OnProgress | None = None) -> FinetunedModel:
        """Train one encoder for each fold of the labelled pairs, or read what was trained earlier."""
        if self.settings.trained:
            return self._reused(self.settings.trained, pairs, on_progress)
        chosen = [pair for pair in pairs if is_labelled(pair)]
        parts = folds.assign(chosen, [True] * len(chosen), 2 * self.settings.folds, by_sentence=True)
        used = sorted({int(part) // 2 for part in parts})
        if len(chosen) < self.settings.least or not gold_varies(chosen) or len(used) < 2:
            return self._untrained_model(pairs, len(chosen), on_progress)
        encoder = self._encoder((pair.a.language, pair.b.language) for pair in pairs)
        joint = self._load(encoder, self.settings.lora, self.settings.embeddings)
        texts = _read(joint, chosen)
        documents = [
            Example(sentences(a, pair.gold_a), sentences(b, pair.gold_b))
            for pair, (a, b) in zip(chosen, texts, strict=True)
        ]
        outcomes: list[tuple[float, TrainingResult]] = []
        scores: list[tuple[Floats, Floats]] = [(np.zeros(0), np.zeros(0))] * len(chosen)
        for number, fold in enumerate(used):
            # The first half of the fold after it is not trained on: it shows when to stop, and which rate is best.
            after = 2 * used[(number + 1) % len(used)]
            dev = [each for each, part in zip(documents, parts, strict=True) if part == after]
            train = [each for each, part in zip(documents, parts, strict=True) if part // 2 != fold and part != after]
            steps = _part_progress(on_progress, number, len(used))
            outcomes.append(self._best(joint, *((train, dev) if train else (dev, [])), _part_progress(steps, 0, 2)))
            joint.set_weights(outcomes[-1][1].weights)
            own = np.flatnonzero(parts // 2 == fold).tolist()
            for index, each in zip(
                own, joint.scores([texts[index] for index in own], _part_progress(steps, 1, 2)), strict=True
            ):
                scores[index] = each
        return FinetunedModel(
            joint.name,
            joint.revision,
            choose_thresholds(chosen, scores, POLICIES[self.settings.target], self.settings.threshold),
            len(chosen),
            tuple(outcome.weights for _, outcome in outcomes),
            folds.fold_by_text(pairs, chosen, [used.index(part // 2) for part in parts.tolist()]),
            tuple(rate for rate, _ in outcomes),
            tuple(outcome.epoch for _, outcome in outcomes),
            tuple(outcome.loss for _, outcome in outcomes),
            self.settings.lora,
            self.settings.embeddings,
        )

    def _reused(self, name: str, pairs: Sequence[PairInput], on_progress: OnProgress | None) -> FinetunedModel:
        """What was trained earlier, with thresholds for these pairs."""
        trained = saved.read(name)
        about = trained.about
        if about.target != self.settings.target:
            raise MethodError(OTHER_TARGET.with_params(name=name, target=about.target))
        model = FinetunedModel(
            self.settings.model or about.encoder,
            about.revision,
            SuggestionThresholds(0.5, 0.5, 0.5),
            about.documents,
            trained.weights,
            about.fold_of,
            lora=about.lora,
            embeddings=about.embeddings,
        )
        joint = self._joint(model)
        if joint.revision != about.revision or any(not joint.accepts(each) for each in trained.weights):
            raise MethodError(OTHER_ENCODER.with_params(name=name, encoder=pretrained.display_name(model.encoder)))
        some = sample_pairs(pairs)
        scores = [(np.array(each.scores_a), np.array(each.scores_b)) for each in self.predict(model, some, on_progress)]
        return dataclasses.replace(
            model, bars=choose_thresholds(some, scores, POLICIES[about.target], self.settings.threshold)
        )

    def predict(
        self, model: FinetunedModel, pairs: Sequence[PairInput], on_progress: OnProgress | None = None
    ) -> list[Result]:
        """The scores of the fold that a document's texts were not trained on; of other documents, the folds' mean."""
        if model.untrained is not None:
            return self._fallback.predict(model.untrained, pairs, on_progress)
        if not pairs:
            return []
        began = time.perf_counter()
        joint = self._joint(model)
        texts = _read(joint, pairs)
        fold_numbers = [folds.own_fold(model.fold_of, pair) for pair in pairs]
        total = [(np.zeros(a.words), np.zeros(b.words)) for a, b in texts]
        for fold, weights in enumerate(model.weights):
            members = [index for index, own in enumerate(fold_numbers) if own in (None, fold)]
            if not members:
                continue
            joint.set_weights(weights)
            scored = joint.scores(
                [texts[index] for index in members], _part_progress(on_progress, fold, len(model.weights))
            )
            for index, (a, b) in zip(members, scored, strict=True):
                share = 1.0 if fold_numbers[index] is not None else 1.0 / len(model.weights)
                total[index] = (total[index][0] + share * a, total[index][1] + share * b)
        each_token = (time.perf_counter() - began) / max(1, sum(len(a) + len(b) for a, b in total))
        results = []
        for pair, (a, b) in zip(pairs, total, strict=True):
            of_a, of_b = a.clip(0, 1).tolist(), b.clip(0, 1).tolist()
            seconds = each_token * (len(of_a) + len(of_b))
            proposals = propose(pair, of_a, of_b, model.bars)
            results.append(Result(pair.id, of_a, of_b, proposals=proposals, seconds=seconds))
        return results

    def report(self, model: FinetunedModel) -> dict[str, Any]:
        """The encoder, the number of documents, and of each fold its learning rate, epochs and validation loss."""
        if model.untrained is not None:
            params = {"n": str(model.documents), "needed": str(self.settings.least)}
            return {**self._fallback.report(model.untrained), "training": FEW_FOR_TRAINING.with_params(**params).text()}
        rounds = zip(model.rates, model.epochs, model.losses, strict=True)
        return {
            "encoders": [{"model": model.encoder, "revision": model.revision}],
            "documents": model.documents,
            **({"trained": self.settings.trained} if self.settings.trained else {}),
            "folds": [
                {"rate": rate, "epochs": epochs, **({} if math.isnan(loss) else {"loss": round(loss, 4)})}
                for rate, epochs, loss in rounds
            ],
            "threshold": model.bars.threshold,
            "curve": [*model.bars.curve],
        }

    @property
    def _fallback(self) -> DiffAlign:
        """What is used while labels are too few."""
        settings = self.settings
        return DiffAlign(
            DiffAlignSettings(
                model=settings.model, revision=settings.revision, device=settings.device, threshold=settings.threshold
            )
        )

    def _untrained_model(
        self, pairs: Sequence[PairInput], documents: int, on_progress: OnProgress | None
    ) -> FinetunedModel:
        fitted = self._fallback.fit(pairs, on_progress)
        return FinetunedModel("", "", fitted.bars, documents, untrained=fitted)

    def _encoder(self, languages: Iterable[tuple[str, str]]) -> str:
        if self.settings.trained:
            return self.settings.model or saved.read_about(self.settings.trained).encoder
        english = all(is_english(a) and is_english(b) for a, b in languages)
        return self.settings.model or (PACKAGED if english else MULTILINGUAL)

    def _joint(self, model: FinetunedModel) -> Joint:
        return self._load(model.encoder, model.lora, model.embeddings)

    def _load(self, name: str, lora: int | None, embeddings: bool) -> Joint:
        return _load_joint(name, self.settings.revision, self.settings.device, lora, embeddings)

    def _best(
        self, joint: Joint, train: Sequence[Example], dev: Sequence[Example], on_progress: OnProgress
    ) -> tuple[float, TrainingResult]:
        """The learning rate with the smallest loss on validation documents, and what it gave."""
        settings = self.settings
        course = TrainingPlan(
            settings.epochs,
            settings.batch,
            ExampleCounts(settings.permutations, settings.joined, settings.negatives),
            settings.seed,
            settings.patience,
        )
        rates = (settings.rate,) if settings.rate is not None else RATES if dev else RATES[1:2]
        outcomes = [
            (rate, joint.train(train, dev, course, rate, _part_progress(on_progress, number, len(rates))))
            for number, rate in enumerate(rates)
        ]
        return min(outcomes, key=lambda each: each[1].loss) if dev else outcomes[0]


@lru_cache(maxsize=1)
def _load_joint(name: str, revision: str | None, device: str, lora: int | None, embeddings: bool) -> Joint:
    return Joint(name, revision, device, lora, embeddings)


def _read(joint: Joint, pairs: Sequence[PairInput]) -> list[tuple[Subwords, Subwords]]:
    sides = [side for pair in pairs for side in (pair.a, pair.b)]
    texts = read(joint.tokenizer, sides, "sentence", "text")
    return list(zip(texts[::2], texts[1::2], strict=True))


def _part_progress(on_progress: OnProgress | None, number: int, of: int) -> OnProgress:
    """Progress within one of several equal parts of the work."""

    def report(done: int, total: int, what: str) -> None:
        if on_progress is not None:
            on_progress(number * total + done, of * total, what)

    return report
