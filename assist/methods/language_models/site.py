"""Which server is asked, and with what: the site's own, which its owner sets, or one that a lead names.

The key of the environment belongs to the address of the environment: it is sent there and nowhere else. A lead may name
another server, which gets no key, and which may be in a private network only if the site's owner allows that.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from annotation.outgoing_requests import is_private_literal, parse_url
from annotation.phrases import Phrase
from assist.methods.base import MethodError
from assist.phrases.llm_phrases import (
    BAD_ADDRESS,
    BAD_MODEL,
    NO_ADDRESS,
    NO_MODEL,
    NO_MODELS,
    NOT_A_MODEL,
    PRIVATE_ADDRESS,
)

_MODEL = re.compile(r"[\w./:@+-][\w ./:@+-]{0,199}")


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in the currency in which the owner (or lead) counts."""

    prompt: float = 0.0
    answer: float = 0.0

    def of(self, prompt: int, answer: int) -> float:
        """The cost of so many tokens."""
        return (self.prompt * prompt + self.answer * answer) / 1_000_000


@dataclass(frozen=True, slots=True)
class Site:
    """What the site's owner set.

    ``url`` is the server's base address ('https://…/v1'), '' for none; ``key`` the key for it; ``models`` what may be
    asked there and its price. With a key, only these models may be asked. ``limit`` is the most that all projects may
    spend there in a calendar month, ``rate`` the most requests a minute. ``private``: leads may name servers in private
    networks. ``seconds`` is how long a request may take, at any server.
    """

    url: str = ""
    key: str = field(default="", repr=False)
    models: Mapping[str, Price] = field(default_factory=dict)
    limit: float = 0.0
    rate: int = 60
    private: bool = False
    seconds: float = 120.0


@dataclass(frozen=True, slots=True)
class ModelTarget:
    """A model on a server. ``own``: it is the site's server, for which the owner's limits hold and the key is used."""

    url: str
    model: str
    price: Price = Price()
    own: bool = False
    private: bool = False
    seconds: float = 120.0
    key: str = field(default="", repr=False)

    @property
    def host(self) -> str:
        """The server without its path, as shown to people."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"


_site: Callable[[], Site] = Site


def site_from(read: Callable[[], Site]) -> None:
    """Have `read` say what the owner set; called once when Django has started."""
    global _site
    _site = read


def site() -> Site:
    """What the owner set, at this moment."""
    return _site()


def base_address(url: str) -> str:
    """A base address in one form. Raises ValueError if it is not one."""
    parsed = parse_url(url)
    if "?" in url:
        raise ValueError("not a base address")
    return f"{parsed.scheme}://{parsed.authority}{parsed.target.rstrip('/')}"


def target(own: Site, address: str | None, model: str | None, price: Price) -> ModelTarget:
    """Which model on which server a run asks. Raises MethodError with a phrase if that isn't possible.

    `address` is None for the site's server. `price` counts for other servers only: the owner's models have their own.
    """
    try:
        site_url = base_address(own.url) if own.url else ""
    except ValueError:
        raise _setting_error(BAD_ADDRESS.with_params(address="DIPTYCH_LLM_URL")) from None
    if address is None and not site_url:
        raise _setting_error(NO_ADDRESS)
    try:
        url = base_address(address) if address is not None else site_url
    except ValueError:
        raise _setting_error(BAD_ADDRESS.with_params(address=str(address)[:100])) from None
    if model is not None and not _MODEL.fullmatch(model):
        raise _setting_error(BAD_MODEL)
    if url == site_url:
        return ModelTarget(url, *_own_model(own, model), True, True, own.seconds, own.key)
    if not own.private and is_private_literal(parse_url(url).host):
        raise _setting_error(PRIVATE_ADDRESS)
    if not model:
        raise _setting_error(NO_MODEL)
    return ModelTarget(url, model, price, False, own.private, own.seconds)


def _own_model(own: Site, model: str | None) -> tuple[str, Price]:
    """A model of the site's server and its price. With a key, those that the owner names are the only ones."""
    if model is None:
        if not own.models:
            raise _setting_error(NO_MODELS if own.key else NO_MODEL)
        model = next(iter(own.models))
    if model in own.models:
        return model, own.models[model]
    if own.key and not own.models:
        raise _setting_error(NO_MODELS)
    if own.models:
        raise _setting_error(NOT_A_MODEL.with_params(model=model, models=", ".join(own.models)))
    return model, Price()


def _setting_error(phrase: Phrase) -> MethodError:
    return MethodError(phrase)
