"""Requests to carry labels from one text to another in another language."""

import json
from collections.abc import Sequence

from assist.methods.base import TextSide
from assist.methods.language_models.prompt import PromptPart, Request, answer_tokens, object_schema, units
from assist.methods.language_models.texts import CARRY


def carry_requests(
    name: str,
    source: TextSide,
    labels: Sequence[int],
    text: TextSide,
    *,
    highest: int,
    words: int,
    reasoning: int,
    temperature: float,
    version: str = "1",
) -> list[Request]:
    """What is asked to carry the labels of a source's tokens (their numbers, 0 for none, up to ``highest``) to a text.

    At most so many ``words`` of the text are asked about at once; the source is always sent whole.
    """
    prompt = CARRY[version]
    worked = [
        (role, json.dumps(each, ensure_ascii=False))
        for example in prompt.examples
        for role, each in zip(("user", "assistant"), example, strict=True)
    ]
    labelled = {"language": source.language, "words": [list(each) for each in zip(source.words(), labels, strict=True)]}
    entry = object_schema({"word": {"type": "string"}, "label": {"type": "integer", "enum": list(range(highest + 1))}})
    schema = object_schema({"B": {"type": "array", "items": entry}})
    requests = []
    for tokens in units(text, "document", words) if source.tokens and text.tokens else ():
        question = {"A": labelled, "B": {"language": text.language, "words": text.words()[slice(*tokens)]}}
        messages = (
            ("system", f"{prompt.instructions}\n\n{prompt.form}"),
            *worked,
            ("user", json.dumps(question, ensure_ascii=False)),
        )
        longest = answer_tokens(text, tokens) + reasoning
        requests.append(Request(name, (PromptPart("b", tokens),), messages, schema, longest, temperature))
    return requests
