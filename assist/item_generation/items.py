"""Items that people rate: pairs of sentences, each with what it is made of in its metadata.

`metadata["item"]` is what ratings are counted by and validated items are written from (`agreement.rated`): for `clsd`
`{"task", "row", "source", "source_language", "number", "jaccard", "model"}`, whose side A is the translation and side B
the distractor; for `compositionality` `{"task", "row", "operator", "target", "cosines", "model"}`, whose sides are A
and B, and whose statement says what the target is meant to be.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

from annotation.formats.record import PairRecord, ParsedSource, TextRecord
from annotation.text.schemes import PRESETS
from annotation.text.tokens import base_language
from assist.encoder_choice.clsd import WORD
from assist.encoder_choice.tables import Operator
from assist.item_generation.settings import GenerationSettings
from assist.item_generation.sources import Parallel, Triple

SCHEMES = {"clsd": "distractor", "compositionality": "likert"}
"""The presets of projects that are created for items."""
INTRODUCTIONS: dict[str, dict[Operator, str]] = {
    "en": {
        "overlap": "This is what texts A and B have in common:",
        "difference": "This is what text A says and text B does not:",
        "union": "This is what texts A and B say together:",
    },
    "de": {
        "overlap": "Das haben Text A und Text B gemeinsam:",
        "difference": "Das sagt Text A und Text B nicht:",
        "union": "Das sagen Text A und Text B zusammen:",
    },
    "fr": {
        "overlap": "Voici ce que les textes A et B ont en commun :",
        "difference": "Voici ce que dit le texte A et que ne dit pas le texte B :",
        "union": "Voici ce que disent ensemble les textes A et B :",
    },
    "it": {
        "overlap": "Ecco ciò che i testi A e B hanno in comune:",
        "difference": "Ecco ciò che dice il testo A e non il testo B:",
        "union": "Ecco ciò che dicono insieme i testi A e B:",
    },
    "es": {
        "overlap": "Esto es lo que tienen en común los textos A y B:",
        "difference": "Esto es lo que dice el texto A y no el texto B:",
        "union": "Esto es lo que dicen juntos los textos A y B:",
    },
}
"""How a statement begins, by language: the language of the sentences if it is one of these, else English."""
GUIDELINES = {
    "clsd": (
        "Text A is a sentence, text B another one that was written to look like it.\n\n"
        "- *Close in form*: the sentences have most words in common, in the same order.\n"
        "- *Different in meaning*: what B says is not what A says. If B could be a translation of the same sentence, "
        "answer no.\n\nJudge each question by itself. If B is not a proper sentence, flag the pair.\n"
    ),
    "compositionality": (
        "The statement says what its last sentence is meant to be: what A and B have in common, what only A says, or "
        "what both say together. Say how far you agree.\n\n"
        "- *4, strongly agree*: the sentence has all of that, and nothing else.\n"
        "- *2, neutral*: a part is missing, or something is added.\n"
        "- *0, strongly disagree*: it is something else.\n\nJudge the meaning, not the wording.\n"
    ),
}


def jaccard(one: str, other: str) -> float:
    """The share of words that two sentences have in common, of all words that either has; case is ignored."""
    ours, theirs = set(WORD.findall(one.casefold())), set(WORD.findall(other.casefold()))
    return len(ours & theirs) / len(ours | theirs) if ours | theirs else 1.0


def distractor_items(
    row: Parallel, sentences: Sequence[str], settings: GenerationSettings, model: str
) -> list[PairRecord]:
    """A pair of the translation and each distractor."""
    return [
        PairRecord(
            f"{row.id}:{number}",
            TextRecord(settings.language, row.target),
            TextRecord(settings.language, text),
            metadata={
                "item": {
                    "task": "clsd",
                    "row": row.id,
                    "source": row.source,
                    "source_language": settings.source_language,
                    "number": number,
                    "jaccard": round(jaccard(row.target, text), 4),
                    "model": model,
                }
            },
            where=row.id,
        )
        for number, text in enumerate(sentences, 1)
    ]


def samples(triple: Triple, first: str, second: str) -> list[tuple[Operator, str, str, str]]:
    """(Operator, A, B, target) of three sentences and the fusions of the first two and the last two."""
    p, c, n = triple.before, triple.middle, triple.after
    return [
        ("overlap", first, second, c),
        ("difference", first, p, c),
        ("difference", first, c, p),
        ("difference", first, second, p),
        ("difference", second, n, c),
        ("difference", second, c, n),
        ("difference", second, first, n),
        ("union", p, c, first),
        ("union", c, n, second),
    ]


def triple_items(
    triple: Triple, first: str, second: str, cosines: dict[str, list[float]], settings: GenerationSettings, model: str
) -> list[PairRecord]:
    """A pair of A and B for each sample, with the statement that is rated; differences only within the bound."""
    lead = INTRODUCTIONS.get(base_language(settings.language), INTRODUCTIONS["en"])
    alike = any(value >= settings.most_similar for values in cosines.values() for value in values)
    return [
        PairRecord(
            f"{triple.id}:{number}",
            TextRecord(settings.language, a),
            TextRecord(settings.language, b),
            TextRecord(settings.language, f"{lead[operator]} {target}"),
            metadata={
                "item": {
                    "task": "compositionality",
                    "row": triple.id,
                    "operator": operator,
                    "target": target,
                    "cosines": cosines,
                    "model": model,
                }
            },
            where=triple.id,
        )
        for number, (operator, a, b, target) in enumerate(samples(triple, first, second), 1)
        if operator != "difference" or not alike
    ]


def sample_items(items: Iterable[PairRecord], size: int | None, seed: int) -> list[PairRecord]:
    """So many items of each operator, chosen at random, in their order; all if `size` is None."""
    every = list(items)
    if size is None:
        return every
    groups: dict[Any, list[int]] = {}
    for index, record in enumerate(every):
        groups.setdefault(record.metadata["item"].get("operator"), []).append(index)
    chooser = random.Random(seed)
    sampled = {index for group in groups.values() for index in chooser.sample(group, min(size, len(group)))}
    return [record for index, record in enumerate(every) if index in sampled]


def items_source(task: str, items: list[PairRecord]) -> ParsedSource:
    """The items as pairs of a rating project, with guidelines for a project that has none."""
    return ParsedSource(items, PRESETS[SCHEMES[task]], guidelines={1: GUIDELINES[task]})
