"""Sentence embeddings by real encoders."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from assist.encoder_choice.embedding import embed
from assist.methods.base import MethodError
from assist.methods.encoder.pretrained import PACKAGED


@pytest.mark.parametrize("kind", ["bert", "xlmr", "modern"])
def test_a_plain_encoder_gives_the_mean_of_its_subwords(tiny: Callable[[str], str], kind: str) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    texts = ["the dog", "a new house , a cat !", "the"]
    found = embed(tiny(kind), texts, "cpu")
    tokenizer, model = AutoTokenizer.from_pretrained(tiny(kind)), AutoModel.from_pretrained(tiny(kind)).eval()
    for text in texts:
        with torch.inference_mode():
            expected = model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].mean(dim=0).numpy()
        assert found.vectors[text] == pytest.approx(expected, abs=1e-5)
    assert found.parameters == sum(each.numel() for each in model.parameters()) and found.truncated == 0


def test_the_packaged_encoder_is_pooled_as_its_own_configuration_says() -> None:
    texts = ["The bridge is closed.", "Nobody can cross the bridge.", "Soup is served at noon."]
    found = embed(PACKAGED, [*texts, "word " * 600], "cpu")
    first, second, third = (found.vectors[text] for text in texts)
    assert np.linalg.norm(first) == pytest.approx(1)
    assert first @ second > 0.5 > 0.2 > first @ third
    assert found.truncated == 1


def test_a_model_of_its_own_code_is_refused_and_not_run(tmp_path: Path, tiny: Callable[[str], str]) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    for file in Path(tiny("bert")).iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    module = [{"idx": 0, "name": "0", "path": "", "type": "own_code.Encoder"}]
    (folder / "modules.json").write_text(json.dumps(module), encoding="utf-8")
    ran = tmp_path / "ran"
    code = f"open({str(ran)!r}, 'w').close()\nclass Encoder: pass\n"
    (folder / "own_code.py").write_text(code, encoding="utf-8")
    said = r"encoder 'own' cannot be loaded: .*choose one that needs no code of its own"
    with pytest.raises(MethodError, match=said):
        embed(str(folder), ["a"], "cpu")
    assert not ran.exists()


def test_a_model_that_is_not_there_is_named() -> None:
    with pytest.raises(MethodError, match="encoder 'nowhere' is not on this machine"):
        embed("/models/nowhere", ["a"])
