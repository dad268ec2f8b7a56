"""Encoders for the tests: nothing is ever downloaded."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assist.methods.language_models import site
from assist.methods.language_models.site import Site
from assist.methods.llm import Llm
from tests.assist.methods.no_ledger import ask_without_ledger
from tests.assist.methods.tiny import folder
from tests.assist.methods.tiny_nli import save
from tests.assist.methods.tiny_seq2seq import marian
from tests.llm_server import LlmServer, llm_server
from tests.once import made_once


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The folder of a tiny random encoder: 'bert', 'xlmr' or 'modern'."""
    root: Path = tmp_path_factory.mktemp("encoders")
    return lambda kind: folder(kind, root)


@pytest.fixture(scope="session")
def tiny_marian(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """The folder of a tiny random Marian, by name; see `tiny_seq2seq.marian`."""
    root: Path = tmp_path_factory.mktemp("marian")
    return lambda name="opus-mt-en-de", **options: marian(root, name, **options)


@pytest.fixture(scope="session")
def tiny_nli(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], str]:
    """The folder of a tiny NLI model."""
    return lambda: str(made_once(tmp_path_factory, "nli", save))


@pytest.fixture
def language_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[LlmServer]:
    """A server of language models on this machine, which is the site's."""
    with llm_server() as made:
        owned = Site(url=made.url, models={}, limit=10.0, private=True, seconds=5.0)
        monkeypatch.setattr(site, "_site", lambda: owned)
        monkeypatch.setattr(Llm, "ask", staticmethod(ask_without_ledger))
        yield made
