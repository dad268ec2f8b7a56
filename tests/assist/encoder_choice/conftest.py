"""Encoders for the tests: nothing is ever downloaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from assist.methods.encoder.pretrained import PACKAGED, model_location
from tests.assist.methods.tiny import folder


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The folder of a tiny random encoder: 'bert', 'xlmr' or 'modern'."""
    root: Path = tmp_path_factory.mktemp("encoders")
    return lambda kind: folder(kind, root)


@pytest.fixture(scope="session")
def random_encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of an encoder of all-MiniLM-L6-v2's shape and tokenizer with random weights."""
    import torch
    from transformers import AutoConfig, AutoModel, AutoTokenizer

    path = tmp_path_factory.mktemp("random") / "random-L6"
    torch.manual_seed(11)
    AutoModel.from_config(AutoConfig.from_pretrained(model_location(PACKAGED))).save_pretrained(path)
    AutoTokenizer.from_pretrained(model_location(PACKAGED)).save_pretrained(path)
    return str(path)
