"""A `<TEI>` element as the object that `jsonl` has for a pair. Elements count by their local names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element

from annotation.formats.field_types import FieldError, check_keys, mapping, parse_json_cell
from annotation.formats.tei.writer import NOTES, PAIR
from annotation.number_parsing import MAX_DIGITS
from annotation.phrases import Phrase, field_problem
from annotation.strict_json import display_text
from annotation.text.schemes import SIDES
from annotation.vocabulary import Phase

ID = "xml:id"
WORDS = ("w", "pc")
BLOCKS = ("ab", "p")
NUMBERS = ("guideline", "active_seconds")
_SPACE = re.compile(r"\s+")
_INTEGER = re.compile(rf"\d{{1,{MAX_DIGITS}}}", re.ASCII)


def tei_pair_json(tree: Element, labels: Mapping[str, str]) -> dict[str, Any]:
    """The pair with everyone's work and the gold; `labels` by the ids of their categories.

    Raises FieldError naming the element.
    """
    return _Pair(tree, labels).json()


def content_of(element: Element) -> str:
    """The text in an element."""
    return "".join(element.itertext())


def _outermost_elements(element: Element, *tags: str) -> Iterator[Element]:
    """The elements with these tags that are in no other: the text of nested ones would count once for each."""
    for child in element:
        if child.tag in tags:
            yield child
        else:
            yield from _outermost_elements(child, *tags)


def _pointer(element: Element, name: str) -> str:
    """A pointer to an element of this file ('#p1.a.1'), without its '#'. Raises FieldError."""
    value = element.get(name, "")
    if not value.startswith("#") or " " in value:
        raise _fault(
            element,
            Phrase("%(name)s='%(value)s' is not a pointer ('#id')", {"name": name, "value": display_text(value)}),
        )
    return value[1:]


def _fault(element: Element, reason: Phrase) -> FieldError:
    return FieldError(field_problem(f"{element.tag} {display_text(element.get(ID, ''))}".strip(), reason))


class _Text:
    """The text of a side, put together from its blocks, and its words."""

    def __init__(self, element: Element) -> None:
        self.language = element.get("xml:lang", "")
        self.words: list[tuple[str, int, int]] = []
        self._parts: list[str] = []
        self._length = 0
        self._keep = True
        body = element.find("body")
        for number, block in enumerate(_outermost_elements(element if body is None else body, *BLOCKS)):
            self._keep = True
            self._add("\n" if number else "")
            self._keep = block.get("xml:space") == "preserve"
            self._walk(block, inside=False)
        self.text = "".join(self._parts)
        if not self._keep:
            self.text = self.text.rstrip()

    def _walk(self, element: Element, *, inside: bool) -> None:
        start = self._length
        self._add(element.text or "")
        word = element.tag in WORDS and not inside
        for child in element:
            self._walk(child, inside=inside or word)
            self._add(child.tail or "")
        if word:
            self.words.append((element.get(ID, ""), start, self._length))

    def _add(self, text: str) -> None:
        if not self._keep:
            text = _SPACE.sub(" ", text)
            if not self._parts or self._parts[-1][-1:].isspace():
                text = text.lstrip()
        if text:
            self._parts.append(text)
            self._length += len(text)

    def json(self) -> dict[str, Any]:
        """The side as in `jsonl`; without words the language's tokenizer decides."""
        tokens = [[start, end] for _, start, end in self.words]
        return {"language": self.language, "text": self.text, "tokens": tokens or None}


_Key = tuple[str, str, str]
"""Whose work it is, in which phase and round."""


@dataclass(slots=True)
class _Annotation:
    """What one person made of the pair: spans by the ids of their elements, answers and notes."""

    spans: dict[str, dict[str, Any]] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)


class _Pair:
    def __init__(self, tree: Element, labels: Mapping[str, str]) -> None:
        self.tree, self.labels = tree, labels
        self.texts = [_Text(text) for text in tree.findall("text")]
        self.words: dict[str, tuple[int, int, int]] = {}
        """The words by their ids: the number of the text, start and end."""
        for side, text in enumerate(self.texts):
            for name, start, end in text.words:
                if name in self.words:
                    raise _duplicate_id(name)
                if name:
                    self.words[name] = (side, start, end)
        self.people: dict[str, tuple[str, str]] = {}
        for stated in _outermost_elements(tree, "respStmt"):
            kind, name = (
                content_of(each) if (each := stated.find(tag)) is not None else "" for tag in ("resp", "name")
            )
            self.people[stated.get(ID, "")] = (kind.strip(), name)
        self.annotations_by_key: dict[_Key, _Annotation] = {}
        self.parts: dict[str, _Key] = {}
        """Whose work the elements of spans belong to, by their ids; those that a link has joined are excluded."""

    def json(self) -> dict[str, Any]:
        if not 2 <= len(self.texts) <= 3:
            reason = Phrase("%(n)s texts; a pair has two, and a statement as the third", {"n": str(len(self.texts))})
            raise FieldError(reason)
        pair: dict[str, Any] = {"id": self.tree.get("n") or self._title(), "annotations": [], **self._header_json()}
        pair |= {name: text.json() for name, text in zip((*SIDES, "statement"), self.texts, strict=False)}
        groups = [group for stand_off in _outermost_elements(self.tree, "standOff") for group in stand_off]
        for group in groups:
            if group.tag == "spanGrp":
                for span in group.findall("span"):
                    self._span(self._key(group), span)
            elif group.tag == "interpGrp":
                self._interpret(self._annotation(self._key(group)), group)
        for group in groups:
            for link in group.findall("link") if group.tag == "linkGrp" else ():
                self._join(link)
        if any(kind == "adjudication" for kind, _ in self.people.values()):
            pair["gold"] = {"spans": []}
        for (who, phase, round), annotation in self.annotations_by_key.items():
            kind, name = self.people[who]
            spans = list(annotation.spans.values())
            if kind == "adjudication":
                pair["gold"] = {"spans": spans, "answers": annotation.answers}
            else:
                fields = {"annotator": name, "phase": phase, "round": int(round), "answers": annotation.answers}
                pair["annotations"].append({**fields, **annotation.notes, "spans": spans})
        return pair

    def _title(self) -> str:
        title = self.tree.find("teiHeader/fileDesc/titleStmt/title")
        return content_of(title).strip() if title is not None else ""

    def _header_json(self) -> dict[str, Any]:
        """What the header has as JSON."""
        for data in self.tree.iter("xenoData"):
            if data.get("type") == "pair":
                own = mapping({"xenoData": parse_json_cell(content_of(data), "xenoData")}, "xenoData")
                check_keys(own, set(PAIR), "xenoData.")
                return dict(own)
        return {}

    def _key(self, group: Element) -> _Key:
        who = _pointer(group, "resp")
        round = group.get("n", "0")
        if who not in self.people:
            raise _fault(group, Phrase("resp='#%(who)s' is not a respStmt of this pair", {"who": display_text(who)}))
        if not _INTEGER.fullmatch(round):
            raise _fault(group, Phrase("n='%(round)s' is not a whole number", {"round": display_text(round)}))
        return (who, group.get("subtype", Phase.MAIN.value), round)

    def _annotation(self, key: _Key) -> _Annotation:
        return self.annotations_by_key.setdefault(key, _Annotation())

    def _span(self, key: _Key, element: Element) -> None:
        name = element.get(ID, "") or f"-{len(self.parts)}"
        if name in self.parts or name in self.words:
            raise _duplicate_id(name)
        self.parts[name] = key
        spans = self._annotation(key).spans
        span: dict[str, Any] = {"id": element.get("n") or f"s{len(spans) + 1}", "label": self._label(element, "ana")}
        span |= {"comment": content_of(element), "origin": element.get("type", "manual")}
        if "corresp" in element.attrib:
            span["predicted"] = self._label(element, "corresp")
        span["fragments"] = [self._fragment(element)] if "from" in element.attrib else []
        spans[name] = span

    def _label(self, element: Element, attribute: str) -> str:
        name = _pointer(element, attribute)
        if name not in self.labels:
            params = {"name": attribute, "value": display_text(name)}
            raise _fault(element, Phrase("%(name)s='#%(value)s' is not a category of this file", params))
        return self.labels[name]

    def _fragment(self, element: Element) -> dict[str, Any]:
        ends = []
        for attribute in ("from", "to"):
            name = _pointer(element, attribute)
            if name not in self.words:
                params = {"name": attribute, "value": display_text(name)}
                raise _fault(element, Phrase("%(name)s='#%(value)s' is not a word of this pair", params))
            ends.append(self.words[name])
        (side, start, _), (other, _, end) = ends
        if side != other or start >= end or side >= len(SIDES):
            raise _fault(element, Phrase("'from' and 'to' are in two texts, in the statement, or in the wrong order"))
        return {"side": SIDES[side], "start": start, "end": end}

    def _join(self, link: Element) -> None:
        """Make the targets of a link one span: the first, with the fragments of all."""
        names = [name.removeprefix("#") for name in link.get("target", "").split()]
        keys = {self.parts.get(name) for name in names}
        if not names or len(set(names)) < len(names) or None in keys or len(keys) > 1:
            raise _fault(link, Phrase("its targets must be distinct spans by one person, each in only one link"))
        spans = self.annotations_by_key[self.parts[names[0]]].spans
        labels = {spans[name]["label"] for name in names}
        if len(labels) > 1:
            params = {"labels": display_text(", ".join(sorted(labels)))}
            raise _fault(link, Phrase("its targets have different labels: %(labels)s", params))
        for name in names:
            del self.parts[name]
        for name in names[1:]:
            spans[names[0]]["fragments"] += spans.pop(name)["fragments"]

    def _interpret(self, annotation: _Annotation, group: Element) -> None:
        for interp in group.findall("interp"):
            kind, value = interp.get("type", ""), content_of(interp)
            if kind == "answer":
                annotation.answers[interp.get("n", "")] = value
            elif kind in NUMBERS:
                if not _INTEGER.fullmatch(value):
                    params = {"value": display_text(value)}
                    raise _fault(interp, Phrase("'%(value)s' is not a whole number", params))
                annotation.notes[kind] = int(value)
            elif kind in NOTES:
                annotation.notes[kind] = value
            else:
                raise _fault(interp, Phrase("type='%(kind)s' is unknown", {"kind": display_text(kind)}))


def _duplicate_id(name: str) -> FieldError:
    return FieldError(Phrase("xml:id '%(name)s' appears twice", {"name": display_text(name)}))
