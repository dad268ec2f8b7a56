"""The method for a fresh machine: sentence alignment, a word model trained on the project's own texts, smoothing.

Needs no download, no GPU and no label. The steps and their scores are described in ``docs/prelabeling.md``.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from annotation.phrases import Phrase
from annotation.progress import OnProgress
from annotation.settings_model import Settings, setting
from assist.methods.base import NO_LISTS, Method, PairInput, Proposal, Result, WordLists, held_out, register
from assist.methods.diffalign import DiffAlign, DiffAlignSettings
from assist.methods.encoder.contextual import is_english
from assist.methods.encoder.pretrained import PACKAGED, on_this_machine
from assist.methods.shared.proposals import GRADED, NEW, Policy, SuggestionThresholds, choose_thresholds, propose
from assist.methods.wordmodel import smoothing, training
from assist.methods.wordmodel.corpus import WordModelText
from assist.methods.wordmodel.differences import propose_differences, unaligned_sentences
from assist.methods.wordmodel.document import Counterparts, PairArrays, aligned_tokens, counterparts_of_both
from assist.methods.wordmodel.training import ProjectModel, TrainingConfig
from assist.phrases.model_phrases import NO_PACKAGES
from assist.phrases.run_phrases import ENTRIES, UNINFORMED

Floats = NDArray[np.float64]

AUTO = "auto"

LOST = 0.9
"""The minimum difference of a token whose sentence has no counterpart."""

LIKELY = 0.95
"""The minimum in such a sentence if it is neither a heading nor so long that its counterpart was probably missed."""

USUAL_LENGTH = (3, 20)
"""Words of a sentence that people mark as a whole when it has no counterpart."""

LOOSE = 0.25
"""How fast a counterpart's weight falls with distance for new content: such texts keep some of their order.
"""

POLICIES = {"graded": GRADED, "new": NEW}

SAMPLE = 200
"""The number of unlabelled pairs whose scores determine the threshold of suggestions."""


def training_config(
    target: Literal["graded", "new"], looks: float, *, listed: bool, lists: WordLists = NO_LISTS
) -> TrainingConfig:
    """How the word model is trained: comparable texts, the usual input for 'new', keep less of their order."""
    if target == "new":
        return TrainingConfig(
            looks, bar=0.3, length=0.3, uneven=0.03, diagonal=1.0, null=0.4, listed=listed, lists=lists
        )
    return TrainingConfig(looks, bar=0.25, length=0.25, uneven=0.06, diagonal=3.0, null=0.3, listed=listed, lists=lists)


class DefaultSettings(Settings):
    """Settings of the default method."""

    target: Literal["graded", "new"] = setting(
        "graded", "Target", "what the scores rank: any difference, or new content"
    )
    looks: float = setting(
        0.4,
        "Minimum similarity of look-alikes",
        "minimum character n-gram similarity for two words to look alike",
        0.2,
        1.0,
    )
    decay: float = setting(
        1.5,
        "Distance decay",
        "how fast a counterpart's weight falls with distance from its expected position",
        0.0,
        10.0,
    )
    sigma: float = setting(2.0, "Smoothing width", "width of the smoothing, in tokens", 0.1, 50.0)
    lexicon: bool = setting(True, "Use word lists", "look words up in bilingual word lists and the project's glossary")
    translations: bool = setting(True, "Use translations", "use translations supplied with the pairs")
    encoder: str | None = setting(
        AUTO,
        "Encoder",
        "Hugging Face name of an encoder, or name of a folder that the server administrator provides; "
        f"if empty: no encoder; {AUTO}: {PACKAGED} for pairs within English, if it is installed",
        name_parts=2,
    )
    edge: float = setting(
        0.3, "Minimum similarity of counterparts", "minimum similarity for showing a counterpart", 0.0, 1.0
    )
    threshold: float | None = setting(
        None,
        "Suggestion threshold",
        "score from which words are suggested; if empty: set so that the share or the precision below is reached",
        0.0,
        1.0,
    )
    share: float | None = setting(
        None,
        "Share suggested",
        "share of all words that is suggested while labels are few; if empty: by target",
        0.0,
        1.0,
    )
    precision: float | None = setting(
        None,
        "Target precision",
        "share of suggested words that people should have marked too, once pairs are labelled; if empty: by target",
        0.0,
        1.0,
    )

    def policy(self) -> Policy:
        """How much is suggested."""
        usual = POLICIES[self.target]
        share = usual.share if self.share is None else self.share
        precision = usual.precision if self.precision is None else self.precision
        return replace(usual, share=share, max_share=max(usual.max_share, share), precision=precision)


@dataclass(frozen=True)
class DefaultModel:
    """What was learned from the texts, and the scores from which words are suggested."""

    trained: ProjectModel
    bars: SuggestionThresholds
    encoders: tuple[tuple[str, str, int], ...] = ()
    """Name, revision and layer of the encoders that also read pairs."""


@register
class Default(Method[DefaultSettings, DefaultModel]):
    """Difference scores: 1 minus the similarity of a word's best counterpart, smoothed over neighbouring words."""

    name = "default"
    version = "5"
    Settings: ClassVar[type[Settings]] = DefaultSettings
    word_lists = True

    def fit(self, pairs: Sequence[PairInput], on_progress: OnProgress | None = None) -> DefaultModel:
        """Train the word models on all texts; choose the scores from which words are suggested."""
        settings = self.settings
        config = training_config(settings.target, settings.looks, listed=settings.lexicon, lists=self.lists)
        trained = training.build(pairs, config, on_progress, translations=settings.translations)
        chosen = sample_pairs(pairs)
        scores = [self.score(doc) for doc, _ in self.documents(trained, chosen)]
        encoders = [
            each
            for name, members in pairs_by_encoder(settings.encoder, pairs).items()
            for each in encoder_method(name).encoder_revisions([pairs[members[0]]])
        ]
        return DefaultModel(
            trained, choose_thresholds(chosen, scores, settings.policy(), settings.threshold), tuple(encoders)
        )

    def predict(
        self, model: DefaultModel, pairs: Sequence[PairInput], on_progress: OnProgress | None = None
    ) -> list[Result]:
        """Scores, counterparts and proposals of each pair."""
        results = []
        documents = self.documents(model.trained, pairs)
        for number, pair in enumerate(pairs, 1):
            doc, spent = next(documents)
            began = time.perf_counter()
            scores_a, scores_b = (side.tolist() for side in self.score(doc))
            results.append(
                Result(
                    pair.id,
                    scores_a,
                    scores_b,
                    edges=counterpart_edges(doc, self.settings.decay, self.settings.edge),
                    proposals=suggest(model, pair, doc, scores_a, scores_b, model.bars),
                    seconds=spent + time.perf_counter() - began,
                )
            )
            if on_progress:
                on_progress(number, len(pairs), "scoring")
        return results

    def report(self, model: DefaultModel) -> dict[str, Any]:
        """The threshold of suggestions, its effect on labelled pairs, and languages about which too little is known."""
        names = ("model", "revision", "layer")
        encoders = [dict(zip(names, each, strict=True)) for each in model.encoders]
        return {
            "threshold": model.bars.threshold,
            "curve": [*model.bars.curve],
            **({"encoders": encoders} if encoders else {}),
            **languages_without_evidence(model.trained),
            **word_list_lines(model.trained),
        }

    def documents(self, trained: ProjectModel, pairs: Sequence[PairInput]) -> Iterator[tuple[PairArrays, float]]:
        """The pairs as aligned documents, in order, with the seconds that each took, an encoder's included."""
        counterparts = self.encoder_counterparts(pairs)
        for index, pair in enumerate(pairs):
            began = time.perf_counter()
            doc = trained.read(pair)
            doc.encoder_counterparts, seconds = counterparts.get(index, (None, 0.0))
            yield doc, seconds + time.perf_counter() - began

    def encoder_counterparts(
        self, pairs: Sequence[PairInput]
    ) -> dict[int, tuple[tuple[Counterparts, Counterparts], float]]:
        """By index, what an encoder finds in pairs that have one: counterparts, and the seconds it took."""
        by_pair = {}
        for name, members in pairs_by_encoder(self.settings.encoder, pairs).items():
            chosen = encoder_method(name)
            part = [pairs[index] for index in members]
            for index, result in zip(members, chosen.predict(chosen.fit(part), part), strict=True):
                a, b = [-1] * len(result.scores_a), [-1] * len(result.scores_b)
                for i, j in result.edges:
                    a[i], b[j] = j, i
                sides = (result.scores_a, a), (result.scores_b, b)
                one, other = (Counterparts(1 - np.array(scores), np.array(to, np.int64)) for scores, to in sides)
                by_pair[index] = ((one, other), result.seconds)
        return by_pair

    def unavailable(self, languages: Iterable[tuple[str, str]]) -> Phrase | None:
        if self.settings.encoder in (None, AUTO):
            return None
        if missing := ", ".join(DiffAlign.missing_packages()):
            return NO_PACKAGES.with_params(packages=missing)
        return DiffAlign(DiffAlignSettings(model=self.settings.encoder)).unavailable(languages)

    def downloads(self, languages: Iterable[tuple[str, str]]) -> list[str]:
        named = self.settings.encoder not in (None, AUTO)
        return DiffAlign(DiffAlignSettings(model=self.settings.encoder)).downloads(languages) if named else []

    def score(self, doc: PairArrays) -> tuple[Floats, Floats]:
        """Difference scores of an aligned document, both sides, in [0, 1]."""
        sigma = self.settings.sigma
        if self.settings.target == "new":
            a, b = (1 - counterparts.similarity for counterparts in counterparts_of_both(doc, LOOSE))
            return new_content_scores(a, doc.weights_a, doc, sigma, "a"), new_content_scores(
                b, doc.weights_b, doc, sigma, "b"
            )
        near, anywhere = counterparts_of_both(doc, self.settings.decay), counterparts_of_both(doc, LOOSE)
        texts, weights_of = (doc.a, doc.b), (doc.weights_a, doc.weights_b)
        sides = []
        for each, other, text, weights, safe in zip(
            near, anywhere, texts, weights_of, aligned_tokens(doc), strict=True
        ):
            raw = 1 - each.similarity
            smooth = smoothing.gaussian_within(np.where(safe, raw, np.maximum(raw, LOST)), weights, text.units, sigma)
            sides.append(np.where(safe, smooth, unaligned_scores(1 - other.similarity, weights, text)).clip(0, 1))
        return sides[0], sides[1]


def encoder_method(name: str) -> DiffAlign:
    """How an encoder reads pairs: each token's score is its difference from its nearest counterpart, not smoothed."""
    return DiffAlign(DiffAlignSettings(model=name, smoothing=0, threshold=1))


def pairs_by_encoder(name: str | None, pairs: Sequence[PairInput]) -> dict[str, list[int]]:
    """The encoders by which pairs are read, and which pairs (indices) by each."""
    if name is None or not pairs:
        return {}
    if name != AUTO:
        return {name: list(range(len(pairs)))}
    members = [index for index, pair in enumerate(pairs) if is_english(pair.a.language) and is_english(pair.b.language)]
    available = not DiffAlign.missing_packages() and on_this_machine(PACKAGED, None)
    return {PACKAGED: members} if members and available else {}


def unaligned_scores(raw: Floats, weights: Floats, text: WordModelText) -> Floats:
    """Scores of tokens in sentences without a counterpart: one per sentence, higher the less of it is said elsewhere.

    ``raw`` is each token's difference from its best counterpart anywhere.
    """
    least = np.full(len(text.units), LOST)
    words = np.bincount(text.unit[text.words], minlength=len(text.units))
    least[(words >= USUAL_LENGTH[0]) & (words <= USUAL_LENGTH[1])] = LIKELY
    means = smoothing.unit_means(raw, weights, text.unit, len(text.units))
    return np.asarray((least + (1 - LIKELY) * means)[text.unit])


def suggest(
    model: DefaultModel,
    pair: PairInput,
    doc: PairArrays,
    scores_a: Sequence[float],
    scores_b: Sequence[float],
    bars: SuggestionThresholds,
) -> list[Proposal]:
    """What a run suggests for a pair; nothing if too little is known about its languages."""
    if not model.trained.informed(pair):
        return []
    return propose(pair, scores_a, scores_b, bars, propose_differences(pair, doc), unaligned_sentences(doc))


def sample_pairs(pairs: Sequence[PairInput]) -> list[PairInput]:
    """Every labelled pair except those of the split 'test', and a sample of the others from across the project."""
    labelled = [pair for pair in pairs if not held_out(pair) and not (pair.gold_a is None and pair.gold_b is None)]
    taken = {id(pair) for pair in labelled}
    others = [pair for pair in pairs if id(pair) not in taken]
    return labelled + others[:: max(1, -(-len(others) // SAMPLE))]


def languages_without_evidence(trained: ProjectModel) -> dict[str, str]:
    """A line for a run's report if pairs of some languages get no suggestions."""
    names = ", ".join("-".join(languages) for languages in trained.languages_without_evidence())
    return {"no suggestions": UNINFORMED.with_params(languages=names).text()} if names else {}


def word_list_lines(trained: ProjectModel) -> dict[str, str]:
    """Lines for a run's report on the word lists that it used in addition to Diptych's."""
    lists = trained.recipe.lists if trained.recipe.listed else NO_LISTS
    entries = sum(map(len, lists.glossary.values()))
    glossary = ENTRIES.with_params(n=str(entries), revision=lists.revision)
    return {
        **({"glossary": glossary.text()} if entries else {}),
        **({"dictionaries": ", ".join(lists.dictionaries)} if lists.dictionaries else {}),
    }


def new_content_scores(raw: Floats, weights: Floats, doc: PairArrays, sigma: float, side: Literal["a", "b"]) -> Floats:
    """Scores of 'new': new content comes in whole phrases and sentences, so wider means are included."""
    text = doc.a if side == "a" else doc.b
    if not len(text):
        return raw
    sentence = smoothing.unit_means(raw, weights, text.unit, len(text.units))[text.unit]
    parts = [smoothing.gaussian(raw, weights, sigma * factor) for factor in (1, 4, 10)]
    whole = np.full(len(raw), smoothing.mean(raw, weights))
    return np.asarray(np.mean([*parts, sentence, whole], axis=0)).clip(0, 1)


def counterpart_edges(doc: PairArrays, decay: float, bar: float) -> list[tuple[int, int]]:
    """Every token of either side with its best counterpart, if they are similar enough; sorted."""
    a, b = counterparts_of_both(doc, decay)
    edges = {(int(i), int(a.counterpart[i])) for i in _shown_counterparts(a, bar)}
    return sorted(edges | {(int(b.counterpart[j]), int(j)) for j in _shown_counterparts(b, bar)})


def _shown_counterparts(counterparts: Counterparts, bar: float) -> NDArray[np.int64]:
    return np.flatnonzero((counterparts.similarity >= max(bar, 1e-9)) & (counterparts.counterpart >= 0))
