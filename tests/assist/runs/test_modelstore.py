"""A model is fitted once for a digest on a machine, read from its file by the next process, fitted again if lost."""

from __future__ import annotations

import pickle
import threading
import time
from importlib import import_module

import pytest

from assist.runs import modelstore
from assist.runs.modelstore import fitted_model, path_of
from tests.assist.model_memory import forget_models


class Fit:
    def __init__(self, model: str) -> None:
        self.model, self.times = model, 0

    def __call__(self) -> str:
        self.times += 1
        time.sleep(0.05)
        return self.model


def test_fitted_once_and_kept_in_memory_and_on_disk() -> None:
    fit = Fit("model")
    assert [fitted_model("p.run", "d1", fit), fitted_model("p.run", "d1", fit)] == ["model", "model"]
    forget_models()
    assert fitted_model("p.run", "d1", fit) == "model"
    assert fit.times == 1
    path_of("p.run", "d1").unlink()
    forget_models()
    assert fitted_model("p.run", "d1", fit) == "model"
    assert fit.times == 2


def test_another_digest_replaces_the_file_of_the_same_run_alone() -> None:
    for run, digest in (("p.run", "d1"), ("p.run-2", "d1"), ("p.run", "d2")):
        fitted_model(run, digest, Fit(run))
    assert not path_of("p.run", "d1").exists()
    assert path_of("p.run", "d2").exists()
    assert path_of("p.run-2", "d1").exists()


def test_half_a_model_that_a_killed_process_left_is_removed_and_one_being_written_is_not() -> None:
    fitted_model("p.run", "d1", Fit("model"))
    left, written, other = (
        path_of(*of).with_suffix(".new") for of in (("p.run", "k"), ("p.run", "w"), ("p.run-2", "k"))
    )
    for half in (left, written, other):
        half.touch()
    with modelstore._one_at_a_time(written):
        fitted_model("p.run", "d2", Fit("model"))
    assert [half.exists() for half in (left, written, other)] == [False, True, True]


def test_a_file_that_cannot_be_read_is_made_again() -> None:
    fitted_model("p.run", "d1", Fit("model"))
    forget_models()
    path_of("p.run", "d1").write_bytes(b"half a mod")
    assert fitted_model("p.run", "d1", Fit("model again")) == "model again"


@pytest.mark.parametrize(("old", "now"), modelstore._RENAMED.items())
def test_a_file_of_an_earlier_version_is_read_though_a_class_has_another_name(old: tuple[str, str], now: str) -> None:
    path = path_of("p.run", "d1")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"c%s\n%s\n." % (old[0].encode(), old[1].encode()))
    with pytest.raises((AttributeError, ModuleNotFoundError)):
        pickle.loads(path.read_bytes())
    module, name = now.split(":")
    assert modelstore.stored_model("p.run", "d1") is getattr(import_module(module), name)


def test_two_at_once_fit_once() -> None:
    fit = Fit("model")
    threads = [threading.Thread(target=fitted_model, args=("p.run", "d1", fit)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert fit.times == 1


def test_few_models_stay_in_memory() -> None:
    fits = [Fit(str(index)) for index in range(modelstore.MODELS_IN_MEMORY + 1)]
    for index, fit in enumerate(fits):
        fitted_model(f"p.run{index}", f"d{index}", fit)
    assert len(modelstore._loaded) == modelstore.MODELS_IN_MEMORY
