"""Labels of one pair carried to another that shares a text with it: EN-DE's to EN-FR over the same English page.

The labels of the shared text are taken over. Those of the other text are carried by word alignment to the text in the
other language, directly (German to French) or through the shared text (German to English to French). They are
highlights like those of any method: what people make of them is their own.
"""

import time
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from annotation.phrases import Phrase
from annotation.progress import OnProgress
from annotation.settings_model import Settings, setting
from annotation.text.related_texts import text_digest
from annotation.text.schemes import SIDES, Side
from annotation.text.spans import token_ranges
from assist.methods.base import Method, PairInput, Proposal, Range, Result, TextSide, create, register
from assist.methods.carry.labels import (
    CarriedLabels,
    Edge,
    carried_tokens,
    carry,
    combine_sources,
    compose_alignments,
    fill_gaps,
    same_language,
)
from assist.methods.carry.sources import LabelSource, Sources, other_side, side_of
from assist.methods.default import training_config
from assist.methods.shared.gold import has_gold
from assist.methods.shared.proposals import SuggestionThresholds
from assist.methods.simalign import SimAlignArgmax
from assist.methods.wordmodel import training
from assist.methods.wordmodel.document import counterparts_of_both
from assist.phrases.model_phrases import NO_PACKAGES
from assist.phrases.run_phrases import CARRIED

WORDS = "words"
DECAY = 1.5
SIMILAR = 0.3
"""How fast a counterpart's weight falls with distance, and the least similarity of one, as in ``default``."""

_BARS = SuggestionThresholds(threshold=0.0, surer=0.5, surest=0.8)
_EACH = 0.5
"""The share of a span's tokens that must have its label once all sources are counted."""


class ProjectionSettings(Settings):
    """Where labels come from, and how words are aligned."""

    align: Literal["words", "simalign-argmax", "simalign-itermax", "simalign-match"] = setting(
        "words",
        "Word alignment",
        "words: a word model trained on the project's texts, with word lists; the others: SimAlign, with an encoder",
    )
    path: Literal["direct", "shared"] = setting(
        "direct",
        "Path",
        "direct: the two texts in different languages are aligned with each other; shared: each with the shared text",
    )
    source: str | None = setting(
        None,
        "Source language",
        "code of the language whose labels are carried over, such as de; if empty: all available",
    )
    encoder: str | None = setting(
        None,
        "Encoder",
        "for SimAlign: Hugging Face name of an encoder, or name of a folder that the server administrator "
        "provides; if empty: SimAlign's default",
        name_parts=2,
    )
    lexicon: bool = setting(True, "Use word lists", "look words up in bilingual word lists and the project's glossary")


@dataclass(frozen=True)
class ProjectionModel:
    """The labelled pairs, what aligns words, and how the project's pairs get labels.

    ``links``: by pair, the pairs its labels come from, each with the pair's side that both share; empty if there are
    none. ``carried``: how many pairs by the languages from and to which labels are carried.
    """

    sources: tuple[PairInput, ...]
    aligner: Any
    links: dict[str, tuple[tuple[str, Side], ...]]
    carried: dict[tuple[str, str], int]


@register
class Projection(Method[ProjectionSettings, ProjectionModel]):
    """Labels of another language pair on the same text, carried over to this one by word alignment."""

    name = "projection"
    version = "1"
    Settings: ClassVar[type[Settings]] = ProjectionSettings
    advice = (
        "Choose it where the same documents are labelled in another language pair; pairs that share no text with a "
        "labelled one get no pre-labels"
    )
    scores_differences = False
    # It says what people said about other pairs, and about some pairs nothing.
    combines = False
    learns = True
    word_lists = True
    rest: ClassVar[bool] = False
    """Whether labelled words that no carried span covers are suggested too."""

    def unavailable(self, languages: Iterable[tuple[str, str]]) -> Phrase | None:
        if self.settings.align == WORDS:
            return None
        if missing := ", ".join(SimAlignArgmax.missing_packages()):
            return NO_PACKAGES.with_params(packages=missing)
        return self._simalign().unavailable(languages)

    def downloads(self, languages: Iterable[tuple[str, str]]) -> list[str]:
        return [] if self.settings.align == WORDS else self._simalign().downloads(languages)

    def fit(self, pairs: Sequence[PairInput], on_progress: OnProgress | None = None) -> ProjectionModel:
        """Find each pair's sources, and learn to align the texts between which labels are carried."""
        gold_pairs = tuple(pair for pair in pairs if has_gold(pair))
        sources = Sources(gold_pairs, self.labelling.sides, self.settings.source)
        links = {pair.id: sources.of(pair) for pair in pairs}
        texts = {each.id: each for own_links in links.values() for link in own_links for each in self._bitexts(link)}
        if self.settings.align == WORDS:
            config = training_config("graded", 0.4, listed=self.settings.lexicon, lists=self.lists)
            aligner: Any = training.build(list(texts.values()), config, on_progress)
        else:
            aligner = self._simalign().fit(list(texts.values()), on_progress)
        carried = Counter(
            languages for own_links in links.values() for languages in {link.languages for link in own_links}
        )
        return ProjectionModel(
            gold_pairs,
            aligner,
            {name: tuple((link.source.id, link.shared) for link in own_links) for name, own_links in links.items()},
            dict(sorted(carried.items())),
        )

    def predict(
        self, model: ProjectionModel, pairs: Sequence[PairInput], on_progress: OnProgress | None = None
    ) -> list[Result]:
        """The carried labels of each pair; an empty result for one without a source."""
        sources = Sources(model.sources, self.labelling.sides, self.settings.source)
        has_labels = any(each is not None for pair in model.sources for each in (pair.labels_a, pair.labels_b))
        named: list[Side] = [side for side in SIDES if has_labels and side in self.labelling.sides]
        results = []
        for number, pair in enumerate(pairs, 1):
            began = time.perf_counter()
            links = sources.of(pair)
            edges = self._edges(model, links)
            result = self._result(pair, [(link, dict(zip(SIDES, each, strict=True))) for link, each in edges], named)
            results.append(replace(result, seconds=time.perf_counter() - began))
            if on_progress:
                on_progress(number, len(pairs), "carrying labels")
        return results

    def report(self, model: ProjectionModel) -> dict[str, Any]:
        """How many pairs labels come from, how many get some and by which languages; of each pair its sources
        and the side that it shares with them."""
        return {
            "documents": len({source for own_links in model.links.values() for source, _ in own_links}),
            "carried": [
                CARRIED.with_params(source=source, target=target, n=str(n)).text()
                for (source, target), n in model.carried.items()
            ],
            "without a source": sum(not own_links for own_links in model.links.values()),
            "sources": {name: [list(each) for each in own_links] for name, own_links in model.links.items()},
        }

    def _simalign(self) -> Method[Any, Any]:
        encoder = {"model": self.settings.encoder} if self.settings.encoder else {}
        return create(self.settings.align, {"null_threshold": 1.0, **encoder})

    def _bitexts(self, link: LabelSource) -> list[PairInput]:
        """The two texts that a link needs aligned, or each of them with the shared one; the source's first."""
        theirs, ours = side_of(link.source, other_side(link.theirs)), side_of(link.pair, other_side(link.shared))
        if self.settings.path == "direct":
            return [bitext(theirs, ours)]
        return [
            bitext(theirs, side_of(link.source, link.theirs)),
            bitext(side_of(link.pair, link.shared), ours),
        ]

    def _edges(
        self, model: ProjectionModel, links: Sequence[LabelSource]
    ) -> Iterator[tuple[LabelSource, tuple[list[Edge], list[Edge]]]]:
        """Of each link the edges from the source to the pair's side A, and to its side B."""
        texts = [each for link in links for each in self._bitexts(link)]
        alignments = iter(self._aligned(model, texts))
        for link in links:
            shared = same_language(side_of(link.source, link.theirs), side_of(link.pair, link.shared))
            carried = next(alignments)
            if self.settings.path == "shared":
                carried = compose_alignments(compose_alignments(carried, shared), next(alignments))
            yield link, ((shared, carried) if link.shared == "a" else (carried, shared))

    def _aligned(self, model: ProjectionModel, texts: Sequence[PairInput]) -> list[list[Edge]]:
        if self.settings.align != WORDS:
            method = self._simalign()
            return [result.edges for result in method.predict(model.aligner, texts)] if texts else []
        return [word_edges(model.aligner, each) for each in texts]

    def _result(
        self, pair: PairInput, links: Sequence[tuple[LabelSource, Mapping[Side, list[Edge]]]], named: Sequence[Side]
    ) -> Result:
        sides: dict[Side, CarriedLabels] = {}
        weights = self.labelling.weights
        for side in SIDES:
            text = side_of(pair, side)
            parts = []
            for link, edges in links if side in self.labelling.sides else ():
                if part := self.carried(link, side, edges[side]):
                    parts.append(part)
            sides[side] = fill_gaps(text, combine_sources(parts, len(text.tokens), weights))
        return Result(
            pair.id,
            sides["a"].values,
            sides["b"].values,
            proposals=list(self._proposals(pair, links, sides)),
            labels={side: sides[side].labels for side in named},
            empty=not links,
        )

    def carried(self, link: LabelSource, side: Side, edges: Sequence[Edge]) -> CarriedLabels | None:
        """What a source says about the tokens of one side of a pair; None if nobody labelled that side."""
        gold, labels = gold_of(link.source, link.source_side(side))
        size = len(side_of(link.pair, side).tokens)
        return None if gold is None else carry(edges, size, gold, labels, self.labelling.weights)

    def _proposals(
        self,
        pair: PairInput,
        links: Sequence[tuple[LabelSource, Mapping[Side, list[Edge]]]],
        sides: Mapping[Side, CarriedLabels],
    ) -> Iterator[Proposal]:
        """The sources' spans on this pair's tokens, each with its fragments, where most of these have its label.

        Of spans that share tokens, which several sources and annotations have, the first.
        """
        taken: set[tuple[Side, int]] = set()
        for link, edges in links:
            for span in link.source.spans:
                tokens: set[tuple[Side, int]] = set()
                for side in SIDES:
                    if side in self.labelling.sides:
                        ranges = span.a if link.source_side(side) == "a" else span.b
                        tokens |= {(side, index) for index in carried_tokens(side_of(pair, side), edges[side], ranges)}
                labelled = [index for side, index in tokens if sides[side].labels[index] == span.label]
                if not tokens or tokens & taken or len(labelled) < _EACH * len(tokens):
                    continue
                taken |= tokens
                score = sum(sides[side].values[index] for side, index in tokens) / len(tokens)
                a, b = (tuple(token_ranges(index for side, index in tokens if side == name)) for name in SIDES)
                yield Proposal(a, b, score, _BARS.level(score), None, span.label)
        for side in SIDES if self.rest else ():
            labels, values = sides[side].labels, sides[side].values
            for low, high in label_runs(side_of(pair, side), labels, {index for name, index in taken if name == side}):
                score = sum(values[low:high]) / (high - low)
                run = ((low, high),)
                a, b = (run if side == name else () for name in SIDES)
                yield Proposal(a, b, score, _BARS.level(score), None, labels[low])


def gold_of(source: PairInput, side: Side) -> tuple[Sequence[float] | None, Sequence[str] | None]:
    """The gold values and the labels of a side."""
    return (source.gold_a, source.labels_a) if side == "a" else (source.gold_b, source.labels_b)


def label_runs(side: TextSide, labels: Sequence[str], taken: Container[int]) -> list[Range]:
    """Longest runs of tokens of a sentence with the same label that are not taken."""
    starts = {start for start, _ in side.sentences}
    runs: list[Range] = []
    for index, (label, (start, _)) in enumerate(zip(labels, side.tokens, strict=True)):
        if label and index not in taken:
            if runs and runs[-1][1] == index and labels[index - 1] == label and start not in starts:
                runs[-1] = (runs[-1][0], index + 1)
            else:
                runs.append((index, index + 1))
    return runs


def bitext(source: TextSide, text: TextSide) -> PairInput:
    """Two texts to be aligned, as a pair; the same texts have the same id."""
    return PairInput(f"{text_digest(source)} {text_digest(text)}", source, text)


def word_edges(model: training.ProjectModel, pair: PairInput) -> list[Edge]:
    """Every token of B with its best counterpart in A; where it has none, with those of A whose best one it is."""
    forth, back = counterparts_of_both(model.read(pair), DECAY)
    edges = {
        (int(i), j)
        for j, (i, similar) in enumerate(zip(back.counterpart, back.similarity, strict=True))
        if i >= 0 and similar >= SIMILAR
    }
    aligned = {j for _, j in edges}
    more = {
        (i, int(j))
        for i, (j, similar) in enumerate(zip(forth.counterpart, forth.similarity, strict=True))
        if j >= 0 and similar >= SIMILAR and int(j) not in aligned
    }
    return sorted(edges | more)
