"""Model folders that try to run code or to read other files: refused with a sentence, and nothing of them is run."""

from __future__ import annotations

import json
import os
import pickle
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import huggingface_hub
import pytest

from assist.methods.base import MethodError
from assist.methods.encoder import pretrained
from assist.methods.encoder.pretrained import on_this_machine, unavailable
from tests.assist.methods.tiny import folder

REFUSED = "none of its weights are safetensors"


class Touch:
    """What a pickle that runs code holds."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.path),)


@pytest.fixture
def provided(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An encoder of one's own in the folder of models."""
    root = tmp_path / "provided"
    shutil.copytree(folder("bert", tmp_path), root / "ours")
    monkeypatch.setenv("DIPTYCH_MODELS", str(root))
    return root / "ours"


def refusal(name: str = "ours") -> str:
    with pytest.raises(MethodError) as refused:
        pretrained.load_encoder(name, None)
    return str(refused.value)


def test_weights_in_a_pickle_are_never_read(provided: Path, tmp_path: Path) -> None:
    (provided / "model.safetensors").unlink()
    ran = tmp_path / "ran"
    (provided / "pytorch_model.bin").write_bytes(pickle.dumps(Touch(ran)))
    assert REFUSED in refusal() and REFUSED in str(unavailable("ours", None))
    assert REFUSED in refusal(str(provided))
    assert not ran.exists()


def test_a_pickle_beside_safe_weights_is_left_alone(provided: Path, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    for name in ("pytorch_model.bin", "training_args.bin", "optimizer.pt"):
        (provided / name).write_bytes(pickle.dumps(Touch(ran)))
    assert pretrained.load_encoder("ours", None)[1] is not None
    assert not ran.exists()


@pytest.mark.parametrize("file", ["config.json", "tokenizer_config.json"])
def test_code_that_comes_with_a_model_is_never_run(provided: Path, file: str) -> None:
    config = json.loads((provided / file).read_text())
    names = ("Config", "Model", "Tokenizer")
    config |= {"model_type": "hostile", "auto_map": {f"Auto{name}": f"code.{name}" for name in names}}
    if file == "tokenizer_config.json":
        config |= {"tokenizer_class": "Tokenizer", "auto_map": {"AutoTokenizer": ["code.Tokenizer", None]}}
    (provided / file).write_text(json.dumps(config))
    (provided / "code.py").write_text(f"import os\nos.mkdir({str(provided / 'ran')!r})\n")
    try:
        pretrained.load_encoder("ours", None)
    except MethodError as refused:
        assert "cannot be loaded" in str(refused)  # a tokenizer may also be loaded without its code
    assert not (provided / "ran").exists()


def test_a_weights_file_that_is_named_elsewhere_stays_where_it_is(provided: Path, tmp_path: Path) -> None:
    """The library lets a configuration name its file of weights."""
    (tmp_path / "elsewhere.safetensors").write_bytes((provided / "model.safetensors").read_bytes())
    config = json.loads((provided / "config.json").read_text())
    (provided / "config.json").write_text(json.dumps({**config, "transformers_weights": "../../elsewhere.safetensors"}))
    assert "cannot be loaded" in refusal()


@pytest.mark.parametrize(
    "named",
    ["../../elsewhere.safetensors", "/etc/passwd", "pytorch_model.bin", "absent.safetensors", "a/b.safetensors", 7],
)
def test_an_index_of_weights_names_only_safetensors_beside_it(provided: Path, tmp_path: Path, named: object) -> None:
    ran = tmp_path / "ran"
    shutil.move(provided / "model.safetensors", tmp_path / "elsewhere.safetensors")
    (provided / "pytorch_model.bin").write_bytes(pickle.dumps(Touch(ran)))
    index = provided / "model.safetensors.index.json"
    index.write_text(json.dumps({"metadata": {}, "weight_map": {"embeddings.word_embeddings.weight": named}}))
    assert "names other files than safetensors" in refusal()
    for damaged in ("", "[]", "{", '{"weight_map": {}}', "[" * 10_000):
        index.write_text(damaged)
        assert "names other files than safetensors" in refusal()
    assert not ran.exists()


def test_weights_in_several_files_are_read(provided: Path) -> None:
    from safetensors import safe_open

    (provided / "model.safetensors").rename(provided / "model-00001-of-00001.safetensors")
    with safe_open(provided / "model-00001-of-00001.safetensors", "pt") as weights:
        names = dict.fromkeys(weights.keys(), "model-00001-of-00001.safetensors")
    (provided / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": names}))
    assert pretrained.load_encoder("ours", None)[1] is not None


def test_an_adapter_that_names_another_model_is_not_loaded(
    provided: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library would load the model that the file names, from anywhere."""
    other = tmp_path / "elsewhere"
    shutil.copytree(provided, other)
    (provided / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": str(other)}))
    assert "adapter_config.json makes it an adapter" in refusal()
    assert "adapter_config.json makes it an adapter" in refusal(str(provided))
    cached = dict.fromkeys(("config.json", "model.safetensors"), "/cache/file")
    monkeypatch.setattr(huggingface_hub, "try_to_load_from_cache", lambda name, file, revision: cached.get(file))
    assert unavailable("somebody/encoder", None) is None
    cached["adapter_config.json"] = "/cache/file"
    assert "adapter_config.json makes it an adapter" in str(unavailable("somebody/encoder", None))


def test_a_tokenizer_without_words_is_refused(provided: Path) -> None:
    for file in provided.iterdir():
        if file.name not in ("config.json", "model.safetensors"):
            file.unlink()
    assert "its tokenizer has no words" in refusal()


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("model.safetensors", b"\x10"),
        ("model.safetensors", b"garbage" * 100),
        ("tokenizer.json", b"{"),
        ("config.json", b"[]"),
        ("config.json", b'{"model_type": "bert", "num_attention_heads": 0}'),
        ("config.json", b'{"model_type": "bert", "hidden_act": "none"}'),
    ],
)
def test_a_damaged_file_is_a_sentence(provided: Path, file: str, content: bytes) -> None:
    (provided / file).write_bytes(content)
    assert "cannot be loaded" in refusal()


@pytest.mark.parametrize("what", ["a file", "a folder", "the model"])
def test_links_that_lead_out_of_the_folder_of_models_are_not_followed(
    provided: Path, tmp_path: Path, what: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "vocab.txt").write_text("secret\n")
    if what == "a file":
        (provided / "extra.txt").symlink_to(outside / "vocab.txt")
    elif what == "a folder":
        (provided / "1_Pooling").symlink_to(outside, target_is_directory=True)
    else:
        shutil.move(provided, outside / "ours")
        provided.symlink_to(outside / "ours", target_is_directory=True)
    assert "a link in it points outside the folder of models" in refusal()


def test_links_within_the_folder_of_models_are_fine(provided: Path) -> None:
    (provided.parent / "alias").symlink_to(provided, target_is_directory=True)
    assert pretrained.load_encoder("alias", None)[1] is not None


def test_a_model_of_a_hub_without_safe_weights_is_refused_before_it_is_downloaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = ["config.json", "pytorch_model.bin"]

    def info(*_: Any, **__: Any) -> Any:
        return SimpleNamespace(siblings=[SimpleNamespace(rfilename=name) for name in files])

    monkeypatch.setattr(pretrained, "offline", lambda: False)
    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", info)
    assert REFUSED in str(unavailable("nobody/encoder", None))
    assert REFUSED in refusal("nobody/encoder")
    files.append("model.safetensors")
    assert unavailable("nobody/encoder", None) is None and not on_this_machine("nobody/encoder", None)
    files.append("adapter_config.json")
    assert "adapter_config.json makes it an adapter" in str(unavailable("nobody/encoder", None))


INDEX = "model.safetensors.index.json"


@pytest.mark.parametrize(
    ("named", "told"),
    [
        (["model-1.safetensors", "model-2.safetensors"], ""),
        (["model-1.safetensors", "../../secret.safetensors"], "names other files"),
        (["pytorch_model.bin"], "names other files"),
        (["model-1.safetensors", "model-3.safetensors"], "names other files"),
        ([], "names other files"),
    ],
)
def test_an_index_on_a_hub_is_read_before_what_it_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, named: list[str], told: str
) -> None:
    """Only the index is downloaded for that, and nothing that it names."""
    asked = []

    def info(*_: Any, **__: Any) -> Any:
        files = ("config.json", INDEX, "model-1.safetensors", "model-2.safetensors")
        return SimpleNamespace(siblings=[SimpleNamespace(rfilename=name) for name in files])

    def download(_name: str, file: str, **_more: Any) -> str:
        asked.append(file)
        path = tmp_path / file
        path.write_text(
            json.dumps({"weight_map": {str(index): each for index, each in enumerate(named)}}), encoding="utf-8"
        )
        return str(path)

    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.delenv("TRANSFORMERS_OFFLINE", raising=False)
    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", info)
    monkeypatch.setattr(huggingface_hub, "hf_hub_download", download)
    found = unavailable("somebody/sharded", None)
    assert asked == [INDEX] and (told in str(found) if told else found is None)


def test_an_index_that_was_downloaded_earlier_is_checked_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    index = tmp_path / INDEX
    index.write_text(json.dumps({"weight_map": {"a": "/etc/x.safetensors"}}), encoding="utf-8")
    config = tmp_path / "config.json"
    config.write_text("{}", encoding="utf-8")
    there = {INDEX: str(index), "config.json": str(config)}
    monkeypatch.setattr(huggingface_hub, "try_to_load_from_cache", lambda _name, file, **_more: there.get(file))
    assert "names other files" in str(unavailable("somebody/sharded", None))
    index.write_text(json.dumps({"weight_map": {"a": "model-1.safetensors"}}), encoding="utf-8")
    assert unavailable("somebody/sharded", None) is None
