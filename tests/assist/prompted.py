"""Projects for language models: pairs with different texts, and a server that is the site's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pytest_django.fixtures import Settings

from annotation.models import Project
from annotation.text.paragraphs import paragraphs
from annotation.text.sentences import sentences
from annotation.text.tokens import tokenize
from tests.factories import PairFactory, TextFactory
from tests.llm_server import LlmServer, SendingOptions, llm_server

KEY = "sk-a-secret-key-of-the-site"


def text(content: str, language: str = "en") -> object:
    return TextFactory(
        language=language,
        content=content,
        tokens=tokenize(content, language),
        sentences=sentences(content, language),
        paragraphs=paragraphs(content),
    )


def pairs_make(project: Project, count: int) -> None:
    """Pairs whose sides differ in one word."""
    for index in range(count):
        PairFactory(
            project=project,
            position=index,
            external_id=f"pair-{index}",
            a=text(f"The red house number {index} is old."),
            b=text(f"The red house number {index} is new."),
        )


@contextmanager
def served(settings: Settings, *manners: SendingOptions) -> Iterator[LlmServer]:
    """A server that is the site's, with a key and one model, whose answers cost 0.002 each."""
    with llm_server(*manners) as made:
        settings.LLM_URL, settings.LLM_KEY, settings.LLM_SECONDS = made.url, KEY, 5.0
        settings.LLM_MODELS, settings.LLM_RATE, settings.LLM_LIMIT = {"small": (1.0, 10.0)}, 60_000, 10.0
        yield made
