"""What asking costs: tokens counted before (estimated, and at most), and after (as the server says)."""

from collections.abc import Iterable
from dataclasses import dataclass

from assist.methods.language_models.prompt import KINDS, Request
from assist.methods.language_models.site import Price

_LATIN, _OTHER = 4.0, 1.5
"""Characters in a token of today's models: letters of the Latin script, and all others, roughly."""
_MESSAGE = 8
"""Tokens that a message has besides its text."""
_ENTRY = 11
"""Tokens of an entry for a word in an answer, besides the word."""
_QUOTED = 0.4
"""The share of a text that spans quote, roughly."""


def estimated_tokens(text: str) -> int:
    """Roughly how many tokens a text has."""
    latin = sum(character < "\u0250" for character in text)
    return round(latin / _LATIN + (len(text) - latin) / _OTHER)


def prompt_tokens(request: Request) -> int:
    """Roughly how many tokens a request has."""
    return estimated_tokens(request.characters) + _MESSAGE * len(request.messages)


def max_prompt_tokens(request: Request) -> int:
    """At least as many tokens as a request has: no token is shorter than a byte. The schema may be counted too."""
    return len(request.characters.encode()) + len(str(request.schema)) + 4 * _MESSAGE * len(request.messages)


def answer_tokens(request: Request, task: str) -> int:
    """Roughly how many tokens its answer will have."""
    _, question = request.messages[-1]
    words = sum(part.tokens[1] - part.tokens[0] for part in request.parts)
    if task in KINDS:
        return round(_QUOTED * estimated_tokens(question)) + _MESSAGE
    return _ENTRY * words + estimated_tokens(question)


def max_cost(request: Request, price: Price) -> float:
    """What a request can cost at most."""
    return price.of(max_prompt_tokens(request), request.max_tokens)


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """What a run would ask: requests and tokens, with what they cost at ``price`` (and at most)."""

    requests: int = 0
    prompt: int = 0
    answer: int = 0
    cost: float = 0.0
    max_cost: float = 0.0

    @property
    def tokens(self) -> int:
        return self.prompt + self.answer

    def times(self, factor: float) -> "CostEstimate":
        """The estimate for so many times as much."""
        requests, prompt, answer = (round(factor * each) for each in (self.requests, self.prompt, self.answer))
        return CostEstimate(requests, prompt, answer, self.cost * factor, self.max_cost * factor)


def estimate(requests: Iterable[Request], task: str, price: Price, reasoning: int = 0) -> CostEstimate:
    """An estimate over requests; ``reasoning`` tokens are expected in each answer."""
    count = prompt = answer = 0
    highest = 0.0
    for each in requests:
        count += 1
        prompt += prompt_tokens(each)
        answer += answer_tokens(each, task) + reasoning
        highest += max_cost(each, price)
    return CostEstimate(count, prompt, answer, price.of(prompt, answer), highest)
