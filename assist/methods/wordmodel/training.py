"""Learning about words from a project's unlabelled pairs: sentences and words are aligned in turns."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotation.progress import OnProgress
from assist.methods.base import NO_LISTS, PairInput, WordLists
from assist.methods.wordmodel import corpus, dictionary, smoothing, word_model
from assist.methods.wordmodel.corpus import Vocabulary
from assist.methods.wordmodel.dictionary import StemDictionary
from assist.methods.wordmodel.document import Bridge, PairArrays, document
from assist.methods.wordmodel.translations import translated_sides, with_translated_sides
from assist.methods.wordmodel.word_model import WordModel

SHARD = 250_000
"""Tokens that one word model is trained on: more doesn't improve quality, and memory stays bounded."""

ROUNDS = 4
_ANCHORED = 0.15

MIN_PAIRS = 20
"""With fewer pairs of two languages, a word model learns too little, unless words look similar or are listed.
"""


@dataclass(frozen=True)
class TrainingConfig:
    """How to learn from a project.

    Words look similar from ``looks``; ``bar``, ``length`` and ``uneven`` are those of ``sentence_align.align``,
    ``diagonal`` and ``null`` those of ``word_model.train``. ``listed``: word lists are used, both Diptych's and
    ``lists``.
    """

    looks: float
    bar: float
    length: float
    uneven: float
    diagonal: float
    null: float
    listed: bool = True
    lists: WordLists = NO_LISTS

    def align(self, doc: PairArrays) -> None:
        """Find the document's beads."""
        doc.align(bar=self.bar, length=self.length, uneven=self.uneven)


@dataclass(frozen=True)
class LanguagePairModel:
    """Vocabularies of both languages and the word model of the pairs it was trained on."""

    a: Vocabulary
    b: Vocabulary
    model: WordModel
    recipe: TrainingConfig
    informed: bool
    """Whether enough is known about the languages to identify words without a counterpart."""
    beside: StemDictionary | None = None
    """The entries of the run's own word lists for the vocabularies."""

    def read(self, pair: PairInput) -> PairArrays:
        """A pair, aligned."""
        doc = document(pair, self.a, self.b, self.recipe.looks, lexicon=self.recipe.listed, beside=self.beside)
        doc.learn(self.model.either)
        self.recipe.align(doc)
        return doc


@dataclass(frozen=True)
class ProjectModel:
    """The models of a project: one or more per language pair, and the model for each pair.

    ``bridged``: pairs are read with their translations.
    """

    recipe: TrainingConfig
    models: dict[tuple[str, str], list[LanguagePairModel]]
    shard: dict[str, int]
    bridged: bool = False

    def read(self, pair: PairInput) -> PairArrays:
        """A pair, aligned, and its translations, if there are any."""
        doc = self.of(pair).read(pair)
        if self.bridged:
            doc.bridges = [
                Bridge(each.side, self.of(each.literal).read(each.literal), self.of(each.same).read(each.same))
                for each in translated_sides(pair)
            ]
        return doc

    def informed(self, pair: PairInput) -> bool:
        """Whether enough is known about a pair's languages, directly or through translations, to suggest anything."""
        return self.of(pair).informed or (self.bridged and any(True for _ in translated_sides(pair)))

    def languages_without_evidence(self) -> list[tuple[str, str]]:
        """The languages about which too little is known."""
        return [languages for languages, models in self.models.items() if not all(each.informed for each in models)]

    def of(self, pair: PairInput) -> LanguagePairModel:
        """The model to read a pair with; for languages that ``build`` never saw, one made from the pair alone."""
        shards = self.models.get(corpus.languages(pair))
        if not shards:
            return train([pair], self.recipe)
        return shards[min(self.shard.get(pair.id, 0), len(shards) - 1)]


def build(
    pairs: Sequence[PairInput],
    recipe: TrainingConfig,
    on_progress: OnProgress | None = None,
    *,
    translations: bool = False,
) -> ProjectModel:
    """Models for all pairs of a project, language pair by language pair, shard by shard.

    ``translations``: also learn from them, and read pairs with them, if there are any.
    """
    without_bridged = len(pairs)
    pairs = with_translated_sides(pairs) if translations else pairs
    groups: dict[tuple[str, str], list[PairInput]] = {}
    for pair in pairs:
        groups.setdefault(corpus.languages(pair), []).append(pair)
    models: dict[tuple[str, str], list[LanguagePairModel]] = {}
    shard: dict[str, int] = {}
    done = 0
    for languages, members in sorted(groups.items()):
        for part in shards(members):
            word_models = models.setdefault(languages, [])
            shard.update((pair.id, len(word_models)) for pair in part)
            word_models.append(train(part, recipe))
            done += len(part)
            if on_progress:
                on_progress(done, len(pairs), "learning words")
    return ProjectModel(recipe, models, shard, bridged=len(pairs) > without_bridged)


def shards(pairs: Sequence[PairInput]) -> list[list[PairInput]]:
    """The pairs in parts of similar size, each of at most about ``SHARD`` tokens (a single pair may exceed it)."""
    sizes = np.cumsum([len(pair.a.tokens) + len(pair.b.tokens) for pair in pairs])
    count = max(1, -(-int(sizes[-1]) // SHARD))
    number = np.minimum((sizes - 1) * count // max(1, int(sizes[-1])), count - 1)
    parts: list[list[PairInput]] = [[] for _ in range(count)]
    for pair, part in zip(pairs, number, strict=True):
        parts[int(part)].append(pair)
    return [part for part in parts if part]


def train(pairs: Sequence[PairInput], recipe: TrainingConfig) -> LanguagePairModel:
    """One model: sentences aligned by looks (or, if nothing looks similar, not at all), then by what was learned."""
    known_a = corpus.vocabulary(pair.a for pair in pairs)
    known_b = corpus.vocabulary(pair.b for pair in pairs)
    beside = None
    if recipe.listed:
        stems = known_a.number.keys(), known_b.number.keys()
        beside = dictionary.run_word_lists(corpus.languages(pairs[0]), stems, recipe.lists)
    docs = [document(pair, known_a, known_b, recipe.looks, lexicon=recipe.listed, beside=beside) for pair in pairs]
    model: WordModel | None = None
    unanchored = _anchored_share(docs) < _ANCHORED
    informed = not unanchored or len(pairs) >= MIN_PAIRS
    for _ in range(ROUNDS):
        passages = []
        for doc in docs:
            if model is None and unanchored:
                doc.beads = doc.whole()
            else:
                recipe.align(doc)
            passages.extend(doc.passages())
        model = word_model.train(
            passages, len(known_a.number), len(known_b.number), diagonal=recipe.diagonal, null=recipe.null
        )
        table = model.either
        for doc in docs:
            doc.learn(table)
    assert model is not None
    return LanguagePairModel(known_a, known_b, model, recipe, informed, beside)


def _anchored_share(docs: Sequence[PairArrays]) -> float:
    """The mean share of the weight of A's words that look like a word of B, or are listed with one."""
    shares = []
    for doc in docs:
        if len(doc.a) and len(doc.b):
            best = doc.prior.max(axis=1).toarray().ravel()[doc.a.types]
            shares.append(smoothing.mean(best, doc.weights_a))
    return float(np.mean(shares)) if shares else 0.0
