"""Which layer of WebAnno TSV files is read, and its annotations as spans of a pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation.formats.source import refusal
from annotation.formats.webanno.text import Offsets
from annotation.formats.webanno.tsv import Layer, LayerSelection, Sheet, SheetMark, layers_of, parse
from annotation.phrases import Phrase
from annotation.strict_json import display_text
from annotation.text.schemes import Side
from annotation.text.spans import ORIGINS, bounds
from annotation.text.tokens import Range

SPANS = "webanno.custom.Difference"
LINKS = "webanno.custom.SameDifference"
FEATURES = ("comment", "difference", "label", "origin", "predicted", "side")
MAX_ID_LENGTH = 64


@dataclass(frozen=True, slots=True)
class ChosenLayers:
    """The names of what is read: the span layer, its feature that is the label, and the layer of relations or ''."""

    name: str
    label: str
    links: str = ""

    def select(self, layers: Sequence[Layer]) -> LayerSelection:
        """What is read of a file with these layers; a file has only those that someone used."""
        none = Layer("SP", self.name, (), 3)
        layer = next((each for each in layers if (each.kind, each.name) == ("SP", self.name)), none)
        links = next((each for each in layers if (each.kind, each.name) == ("RL", self.links)), None)
        return LayerSelection(layer, self.label, links)


def choose_layers(files: Iterable[tuple[Path, str]], options: Mapping[str, str]) -> ChosenLayers:
    """The layer that the options name, or Diptych's, or the only one. Raises FormatError if there are several."""
    spans: dict[str, set[str]] = {}
    links: dict[str, str] = {}
    for path, name in files:
        for layer in layers_of(path, name):
            if layer.kind == "SP":
                spans.setdefault(layer.name, set()).update(each for each in layer.columns if each)
            elif layer.kind == "RL":
                links[layer.name] = layer.of
    if not spans:
        return ChosenLayers("", "")
    layer_name = _choose_name("layer", options.get("layer") or (SPANS if SPANS in spans else ""), spans)
    features = {each for each in spans[layer_name] if not each.startswith("ROLE_")}
    usual = next((each for each in ("label", "value") if each in features), "")
    label = _choose_name("label", options.get("label") or usual, features) if features else ""
    if links_option := options.get("links"):
        return ChosenLayers(
            layer_name,
            label,
            _choose_name("links", links_option, [name for name, of in links.items() if of == layer_name]),
        )
    return ChosenLayers(layer_name, label, LINKS if layer_name == SPANS else "")


def _choose_name(option: str, name_given: str, names: Iterable[str]) -> str:
    """The name that an option gives, also without what precedes its last dot; the only one if it gives none."""
    available = sorted(names)
    matches = [name for name in available if name_given in ("", name, name.rpartition(".")[2])]
    if len(matches) != 1:
        reason = Phrase("choose one of %(names)s", {"names": display_text(", ".join(available)) or Phrase("none")})
        raise refusal(f"option {option}={display_text(name_given)}", reason)
    return matches[0]


def read_sheet(path: Path, name: str, layers: ChosenLayers) -> Sheet:
    """Read a file. Raises FormatError."""
    return parse(path, name, layers.select)


@dataclass(slots=True)
class WebannoDocument:
    """A document: its text, where the sides are in it, and its words; all in code points."""

    text: str
    offsets: Offsets
    a: Range
    b: Range
    words: Sequence[Range]
    tokens: dict[Side, list[Range]] = field(init=False)

    def __post_init__(self) -> None:
        self.tokens = {
            side: [word for word in self.words if low <= word[0] and word[1] <= high]
            for side, (low, high) in self.sides.items()
        }

    @property
    def sides(self) -> dict[Side, Range]:
        return {"a": self.a, "b": self.b}

    @classmethod
    def of(cls, pair: Mapping[str, Any]) -> WebannoDocument:
        """The document of a pair as `writer.document` makes it, from its `jsonl` object."""
        texts = [pair[name]["text"] for name in ("a", "b", "statement") if pair.get(name)]
        begin = len(texts[0]) + 1
        text = "\n".join(texts)
        words = [(low, high) for low, high in pair["a"]["tokens"]]
        words += [(begin + low, begin + high) for low, high in pair["b"]["tokens"]]
        return cls(text, Offsets(text), (0, len(texts[0])), (begin, begin + len(texts[1])), words)

    def fragments(self, mark: SheetMark) -> tuple[list[dict[str, Any]], bool]:
        """The words under an annotation, by side; and whether some of them are only partly under it."""
        fragments, whole = [], self.offsets.range(mark.start, mark.end)
        extended = False
        if whole is None or whole[0] == whole[1]:
            return [], False
        for side, (low, high) in self.sides.items():
            start, end = max(whole[0], low), min(whole[1], high)
            first, last = bounds(start, end, self.tokens[side]) if start < end else (0, 0)
            if first >= last:
                continue
            begin, stop = self.tokens[side][first][0], self.tokens[side][last - 1][1]
            extended |= begin < start or stop > end
            fragments.append({"side": side, "start": begin - low, "end": stop - low})
        return fragments, extended


def spans(sheet: Sheet, layers: ChosenLayers, grid: WebannoDocument) -> tuple[list[dict[str, Any]], int]:
    """The spans of a file as `jsonl` has them, and how many annotations were extended to whole words.

    Raises FormatError for an annotation without a label, and for joined ones with different labels.
    """
    groups = _marks_by_span(sheet)
    result: list[dict[str, Any]] = []
    used: set[str] = set()
    number = extended = 0
    for marks in groups:
        labels = {mark.values.get(layers.label, "") for mark in marks}
        if labels == {""} or len(labels) > 1:
            reason = Phrase("an annotation without a label; give it one, or delete it")
            if len(labels) > 1:
                reason = Phrase(
                    "annotations that are joined to one span have different labels: %(labels)s",
                    {"labels": display_text(", ".join(sorted(labels)))},
                )
            raise refusal(marks[0].where, reason)
        fragments: dict[tuple[Any, ...], dict[str, Any]] = {}
        for mark in marks:
            parts, partly = grid.fragments(mark)
            fragments |= {tuple(part.values()): part for part in parts if tuple(part.values()) not in fragments}
            extended += partly
        identity = next((value for mark in marks if (value := mark.values.get("difference"))), "")
        if layers.name != SPANS or not identity or identity in used or len(identity) > MAX_ID_LENGTH:
            number = max(number, len(result)) + 1
            while (identity := f"s{number}") in used:
                number += 1
        used.add(identity)
        result.append(
            {
                "id": identity,
                "label": labels.pop(),
                "fragments": list(fragments.values()),
                **_extra_fields(marks, layers),
            }
        )
    return result, extended


def _extra_fields(marks: Sequence[SheetMark], layers: ChosenLayers) -> dict[str, str]:
    """The comment and, of Diptych's layer, what a suggestion predicted."""
    comments = list(dict.fromkeys(value for mark in marks if (value := mark.values.get("comment"))))
    more = {"comment": "\n".join(comments)} if comments and layers.label != "comment" else {}
    if layers.name == SPANS:
        first = marks[0].values
        more["origin"] = origin if (origin := first.get("origin", "")) in ORIGINS else ORIGINS[0]
        more["predicted"] = first.get("predicted", "")
    return more


def _marks_by_span(sheet: Sheet) -> list[list[SheetMark]]:
    """The annotations of each span, in the order of their numbers if all have one, otherwise in that of the text."""
    root = list(range(len(sheet.marks)))

    def find(at: int) -> int:
        while root[at] != at:
            root[at] = root[root[at]]
            at = root[at]
        return at

    for one, other in sheet.joined:
        root[find(other)] = find(one)
    numbered = all(mark.number for mark in sheet.marks)
    order = sorted(
        range(len(sheet.marks)),
        key=lambda at: (sheet.marks[at].number if numbered else sheet.marks[at].start, sheet.marks[at].end),
    )
    groups: dict[int, list[SheetMark]] = {}
    for at in order:
        groups.setdefault(find(at), []).append(sheet.marks[at])
    return list(groups.values())
