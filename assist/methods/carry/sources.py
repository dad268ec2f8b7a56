"""Which labelled pairs a pair can get labels from: those that share one text with it, the other in another language."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotation.text.related_texts import text_digest
from annotation.text.schemes import SIDES, Side
from annotation.text.tokens import base_language
from assist.methods.base import PairInput, TextSide, held_out
from assist.methods.shared.gold import has_gold

Key = tuple[str, str, str]
"""A language, and either the digest of a text or the name of a parallel document."""


@dataclass(frozen=True, slots=True)
class LabelSource:
    """A pair and one that labels come from: the pair's side ``shared`` is the source's side ``theirs``."""

    pair: PairInput
    source: PairInput
    shared: Side
    theirs: Side

    def source_side(self, side: Side) -> Side:
        """The side of the source whose labels a side of the pair gets."""
        return side if self.shared == self.theirs else other_side(side)

    @property
    def languages(self) -> tuple[str, str]:
        """From which language to which labels are carried by alignment."""
        source, target = (
            side_of(each, other_side(side)) for each, side in ((self.source, self.theirs), (self.pair, self.shared))
        )
        return base_language(source.language), base_language(target.language)


def other_side(side: Side) -> Side:
    """The opposite side."""
    return "b" if side == "a" else "a"


def side_of(pair: PairInput, side: Side) -> TextSide:
    """A pair's text on a side."""
    return pair.a if side == "a" else pair.b


class Sources:
    """The labelled pairs of a project, by the texts and parallel documents that they are about.

    ``sides`` are those that may be marked: if that is one alone, labels are carried to the same side only, since they
    say something about that side as seen from the other. ``language``: only pairs whose other text is in it.
    """

    def __init__(self, pairs: Iterable[PairInput], sides: Sequence[str], language: str | None = None) -> None:
        self.sides = sides
        self.language = base_language(language) if language else ""
        self.by_key: dict[Key, list[tuple[int, PairInput, Side]]] = {}
        for number, pair in enumerate(pairs):
            if has_gold(pair):
                for side in SIDES:
                    for key in _keys(pair, side):
                        self.by_key.setdefault(key, []).append((number, pair, side))

    def of(self, pair: PairInput) -> list[LabelSource]:
        """The links of a pair, at most one to each source: those by the same text first, then by the same parallel
        document.

        A pair is never its own source, nor that of a mirror or another version in the same two languages: its own
        labels would come back. One of the split 'test' is a source for test pairs only.
        """
        links: dict[int, LabelSource] = {}
        keys = [(key, side) for side in SIDES for key in _keys(pair, side)]
        for key, side in sorted(keys, key=lambda each: each[0][1] != "text"):
            for number, source, theirs in self.by_key.get(key, ()):
                if number not in links and self._fits(link := LabelSource(pair, source, side, theirs)):
                    links[number] = link
        return list(links.values())

    def _fits(self, link: LabelSource) -> bool:
        source, target = link.languages
        return (
            source != target
            and self.language in ("", source)
            and (link.shared == link.theirs or len(self.sides) > 1)
            and (held_out(link.pair) or not held_out(link.source))
        )


def _keys(pair: PairInput, side: Side) -> list[Key]:
    """How a side is found: by its text and its parallel document, each with its language. Nothing of an empty text."""
    text = side_of(pair, side)
    if not text.text.strip():
        return []
    language = base_language(text.language)
    by_document = [(language, "document", pair.document)] if pair.document else []
    return [(language, "text", text_digest(text)), *by_document]
