"""Encoders for the tests: nothing is ever downloaded."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.assist.methods.tiny import folder
from tests.assist.methods.tiny_seq2seq import marian


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
