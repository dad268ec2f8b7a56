"""A trained encoder in a folder: what is written is read back, and what is damaged or foreign is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from assist.methods.base import MethodError, create
from assist.methods.joint.card import card
from assist.methods.joint.saved import ABOUT, About, TrainedEncoder, folder_problem, read, save

WEIGHTS = ({"head": np.arange(3, dtype=np.float32)}, {"head": np.ones(3, dtype=np.float32)})


def made(**more: object) -> TrainedEncoder:
    known = {
        "encoder": "owner/base",
        "revision": "abc",
        "lora": None,
        "embeddings": False,
        "target": "new",
        "documents": 30,
        "folds": 2,
        "fold_of": {"0f": 0, "1f": 1},
    }
    return TrainedEncoder(About.model_validate(known | more), WEIGHTS)


def test_what_is_saved_is_read_back(tmp_path: Path) -> None:
    save(tmp_path / "out", made(), "# Card")
    found = read(str(tmp_path / "out"))
    assert found.about == made().about
    for one, other in zip(found.weights, WEIGHTS, strict=True):
        assert one.keys() == other.keys() and (one["head"] == other["head"]).all()
    with pytest.raises(FileExistsError):
        save(tmp_path / "out", made(), "# Card")


@pytest.mark.parametrize(
    "change",
    (
        {"folds": 3},
        {"folds": 0},
        {"fold_of": {"0f": 2}},
        {"fold_of": {"0f": -1}},
        {"target": "other"},
        {"format": 2},
        {"more": 1},
        {"lora": "4"},
        {"encoder": "/srv/elsewhere"},
        {"encoder": "../elsewhere"},
        {"encoder": "~/elsewhere"},
        {"encoder": "a/b/c"},
    ),
)
def test_a_folder_that_says_what_cannot_be_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    save(tmp_path / "out", made(), "# Card")
    about = tmp_path / "out" / ABOUT
    about.write_text(json.dumps(json.loads(about.read_text()) | change))
    with pytest.raises(MethodError, match=r"trained encoder 'out' can't be read: its file (trained\.json|fold-3)"):
        read(str(tmp_path / "out"))
    if change != {"folds": 3}:
        assert "its file trained.json is missing or damaged" in str(folder_problem(str(tmp_path / "out")))
        method = create("finetuned", {"trained": str(tmp_path / "out")})
        assert "trained.json" in str(method.unavailable([("en", "de")]))
        assert method.downloads([("en", "de")]) == []


def test_damaged_weights_and_links_outward_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path / "models" / "mine", made(), "# Card")
    monkeypatch.setenv("DIPTYCH_MODELS", str(tmp_path / "models"))
    assert read("mine").about.documents == 30
    (tmp_path / "models" / "mine" / "fold-2.safetensors").write_bytes(b"\x80\x04.")
    with pytest.raises(MethodError, match=r"its file fold-2\.safetensors is missing or damaged"):
        read("mine")
    save_file({"head": np.array([1, np.nan, 0], np.float32)}, tmp_path / "models" / "mine" / "fold-2.safetensors")
    with pytest.raises(MethodError, match=r"its file fold-2\.safetensors is missing or damaged"):
        read("mine")
    outside = tmp_path / "outside"
    outside.write_bytes(b"secret")
    (tmp_path / "models" / "mine" / "fold-2.safetensors").unlink()
    (tmp_path / "models" / "mine" / "fold-2.safetensors").symlink_to(outside)
    with pytest.raises(MethodError, match="a link in it points outside"):
        read("mine")
    for name in ("other", "..", "mine/..", str(tmp_path)):
        assert folder_problem(name) is not None


def test_the_card_says_what_was_trained_and_how_good_it_is() -> None:
    settings = {"rate": None, "batch": 8, "odd": "a|b\nc"}
    point = {"threshold": 0.4, "share": 0.1, "precision": 0.5, "recall": 0.25, "f1": 1 / 3}
    report = {"folds": [{"rate": 2e-4, "epochs": 3, "loss": 0.25}], "threshold": 0.4, "curve": [point]}
    said = card(made().about, project="Town\npages", languages=["de", "en"], settings=settings, report=report)
    assert said.startswith("---\nlibrary_name: diptych\nbase_model: owner/base\nlanguage:\n- de\n- en\n")
    assert "# Town pages: a trained encoder" in said and "| odd | a\\|b c |" in said and "| rate |" not in said
    assert "| 1 | 0.0002 | 3 | 0.25 |" in said
    assert "a precision of 50.0 % and a recall of 25.0 % (F1 33.3)" in said
    alone = card(made(encoder="folder").about, project="p", languages=["en"], settings={}, report={})
    assert "base_model" not in alone and "There were too few labels to say." in alone
