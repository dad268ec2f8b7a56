"""Requests about a pair: which words are asked about at once, and the messages that are sent.

Texts go into a message as strings of a JSON object, so that nothing in them can pose as another part of it.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from annotation.text.schemes import Side
from annotation.text.tokens import base_language
from assist.methods.base import PairInput, Range, TextSide
from assist.methods.language_models.texts import PROMPTS, Prompt

Task = Literal["graded", "new", "new-inferable"]
PromptUnit = Literal["document", "paragraph", "sentence"]
KINDS: Mapping[str, tuple[str, ...]] = {"new": ("new",), "new-inferable": ("new", "inferable")}
"""The labels of spans by task."""
GRADES = 5
ENGLISH = "en"
_EACH_WORD = 24
"""Tokens that an entry for a word may need besides the word itself."""
_SOME = 256
"""Tokens that any answer may need."""


@dataclass(frozen=True, slots=True)
class PromptPart:
    """Tokens of one side that are asked about: a half-open range of token indices."""

    side: Side
    tokens: Range


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked at once. ``messages`` are (role, text); ``max_tokens`` is how many tokens an answer may have."""

    pair: str
    parts: tuple[PromptPart, ...]
    messages: tuple[tuple[str, str], ...]
    schema: Mapping[str, Any]
    max_tokens: int
    temperature: float = 0.0

    def digest(self, url: str, model: str, structured: str) -> str:
        """Identifies what is asked of a model on a server: equal requests get the same answer."""
        contents = [url, model, structured, self.messages, self.schema, self.max_tokens, self.temperature]
        return hashlib.sha256(json.dumps(contents, sort_keys=True).encode()).hexdigest()

    @property
    def characters(self) -> str:
        """All that is sent, for counting."""
        return "".join(text for _, text in self.messages)


@dataclass(frozen=True, slots=True)
class PromptOptions:
    """How to ask: the task, the version of the prompt, and the lead's own instructions, '' for those of the version.

    ``words`` is how many words of a side are asked about at once, ``reasoning`` how many tokens an answer may have in
    addition, for models that think first.
    """

    task: Task
    version: str
    instructions: str = ""
    unit: PromptUnit = "document"
    translation: bool = False
    words: int = 400
    reasoning: int = 0
    temperature: float = 0.0

    @property
    def prompt(self) -> Prompt:
        return PROMPTS[self.version, self.task]

    @property
    def system(self) -> str:
        """The system message."""
        return f"{self.instructions.strip() or self.prompt.instructions}\n\n{self.prompt.form}"


def requests(pair: PairInput, options: PromptOptions, sides: Sequence[str] = ("a", "b")) -> Iterator[Request]:
    """Everything to ask about a pair: nothing about empty texts or sides that aren't labelled.

    By document, both sides are labelled at once if they are short enough. Otherwise each part of a side is compared
    with the whole other text.
    """
    names: list[Side] = [name for name in ("a", "b") if name in sides] if options.task == "graded" else ["b"]
    names = [name for name in names if _side(pair, name).tokens]
    if not names:
        return
    short = all(len(_side(pair, name).tokens) <= options.words for name in names)
    if options.unit == "document" and short:
        yield _request(pair, options, [PromptPart(name, (0, len(_side(pair, name).tokens))) for name in names])
        return
    for name in names:
        for tokens in units(_side(pair, name), options.unit, options.words):
            yield _request(pair, options, [PromptPart(name, tokens)])


def units(side: TextSide, unit: PromptUnit, words: int) -> list[Range]:
    """The tokens of a side in parts: its sentences, paragraphs or all of it, cut where one is longer than ``words``.

    Cut at the ends of sentences, or anywhere in a sentence that is too long itself. Every token is in one part.
    """
    ranges = {"sentence": side.sentences, "paragraph": side.paragraphs, "document": ()}[unit]
    result: list[Range] = []
    sentences = {start for start, _ in _token_ranges(side, side.sentences)}
    for first, last in _token_ranges(side, ranges):
        begin = end = first
        for index in range(first, last):
            if index in sentences and index > begin:
                end = index
            if index - begin == words:
                cut = end if end > begin else index
                result.append((begin, cut))
                begin = end = cut
        result.append((begin, last))
    return result


def _token_ranges(side: TextSide, ranges: Sequence[Range]) -> list[Range]:
    """Ranges of text as ranges of tokens, in which every token is once; those without tokens are omitted."""
    starts = sorted({start for start, _ in ranges})
    cuts, position = [0], 0
    for start in starts:
        while position < len(side.tokens) and side.tokens[position][0] < start:
            position += 1
        cuts.append(position)
    cuts = sorted({*cuts, len(side.tokens)})
    return [(low, high) for low, high in pairwise(cuts) if high > low]


def part_text(side: TextSide, tokens: Range) -> Range:
    """The text of a range of tokens, as code points: from the first one's beginning to the last one's end."""
    return side.tokens[tokens[0]][0], side.tokens[tokens[1] - 1][1]


def _request(pair: PairInput, options: PromptOptions, parts: Sequence[PromptPart]) -> Request:
    question = _question(pair, options, parts)
    messages = [("system", options.system)]
    for example, answer in options.prompt.examples:
        messages += [("user", _json(example)), ("assistant", _json(answer))]
    messages.append(("user", _json(question)))
    return Request(
        pair.id,
        tuple(parts),
        tuple(messages),
        _schema(options.task, [part.side.upper() for part in parts]),
        _max_answer_tokens(pair, options, parts) + options.reasoning,
        options.temperature,
    )


def _question(pair: PairInput, options: PromptOptions, parts: Sequence[PromptPart]) -> dict[str, Any]:
    labelled = {part.side: part for part in parts}
    question: dict[str, Any] = {"label": [part.side.upper() for part in parts]} if options.task == "graded" else {}
    names: tuple[Side, ...] = ("a", "b")
    for name in names:
        side = _side(pair, name)
        translation = _translation(pair, name) if options.translation else None
        if name not in labelled:
            shown = translation or side
            question[name.upper()] = {"language": shown.language, "text": shown.text}
            continue
        tokens = labelled[name].tokens
        start, end = part_text(side, tokens)
        words = [side.text[low:high] for low, high in side.tokens[tokens[0] : tokens[1]]]
        content = {"words": words} if options.task == "graded" else {"text": side.text[start:end]}
        more = {"translation": translation.text} if translation else {}
        question[name.upper()] = {"language": side.language, **content, **more}
    return question


def _translation(pair: PairInput, name: Side) -> TextSide | None:
    """The English translation of a side in another language, if the other side is English and there is one."""
    side, other = _side(pair, name), _side(pair, "b" if name == "a" else "a")
    translations = pair.translations_a if name == "a" else pair.translations_b
    if base_language(side.language) == ENGLISH or base_language(other.language) != ENGLISH:
        return None
    return next((each for each in translations if each.text.strip()), None)


def _side(pair: PairInput, name: Side) -> TextSide:
    return pair.a if name == "a" else pair.b


def _max_answer_tokens(pair: PairInput, options: PromptOptions, parts: Sequence[PromptPart]) -> int:
    """How many tokens an answer may have: no token of a model is shorter than a byte."""
    graded = options.task == "graded"
    return _SOME + sum(answer_tokens(_side(pair, part.side), part.tokens, entries=graded) - _SOME for part in parts)


def answer_tokens(side: TextSide, tokens: Range, *, entries: bool = True) -> int:
    """How many tokens an answer about a range of a side's tokens may have; ``entries``: with one for every word."""
    start, end = part_text(side, tokens)
    return _SOME + len(side.text[start:end].encode()) + (_EACH_WORD * (tokens[1] - tokens[0]) if entries else 0)


def _schema(task: Task, labelled: Sequence[str]) -> dict[str, Any]:
    """The JSON schema of the answer."""
    if task == "graded":
        entry = object_schema(
            {"word": {"type": "string"}, "similarity": {"type": "integer", "enum": list(range(GRADES + 1))}}
        )
        return object_schema({name: {"type": "array", "items": entry} for name in labelled})
    return object_schema({name: {"type": "array", "items": {"type": "string"}} for name in KINDS[task]})


def object_schema(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object that has exactly these properties."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
