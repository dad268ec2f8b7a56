"""Fitted models on this machine: fitted once per digest, stored in a file, loaded once per process.

A digest names the method, its settings and everything it is fitted on. A worker that lacks the file fits the model
itself: fitting is deterministic, so machines need not share a disk.
"""

from __future__ import annotations

import fcntl
import logging
import pickle
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import Any

from django.conf import settings

logger = logging.getLogger(__name__)

MODELS_IN_MEMORY = 2
"""Models kept in memory: a worker rarely works on more runs than this at a time."""

_RENAMED = {
    ("annotation.glossaries.entries", "Entry"): "annotation.glossaries.entries:TermEntry",
    ("assist.methods.base", "Side"): "assist.methods.base:TextSide",
    ("assist.methods.encoder.null_threshold", "Nulls"): "assist.methods.encoder.null_threshold:NullThresholds",
    ("assist.methods.prompted", "LlmModel"): "assist.methods.llm:LlmModel",
    ("assist.methods.proposals", "Bars"): "assist.methods.shared.proposals:SuggestionThresholds",
    ("assist.methods.proposals", "SuggestionThresholds"): "assist.methods.shared.proposals:SuggestionThresholds",
    ("assist.methods.wordmodel.dictionary", "Dictionary"): "assist.methods.wordmodel.dictionary:StemDictionary",
    ("assist.methods.wordmodel.fitting", "Additive"): "assist.methods.wordmodel.fitting:AdditiveModel",
    ("assist.methods.wordmodel.naming", "Naming"): "assist.methods.wordmodel.label_decision:LabelDecisionRule",
    ("assist.methods.wordmodel.pieces", "Cutter"): "assist.methods.wordmodel.pieces:CompoundSplitter",
    ("assist.methods.wordmodel.repetition", "Habit"): "assist.methods.wordmodel.repetition:KeyStatistics",
    ("assist.methods.wordmodel.repetition", "Habits"): "assist.methods.wordmodel.repetition:MarkingStatistics",
    ("assist.methods.wordmodel.training", "Recipe"): "assist.methods.wordmodel.training:TrainingConfig",
}
"""Where the classes are now that files of earlier versions name by module and name."""

_loaded: OrderedDict[Path, Any] = OrderedDict()
_guard = threading.Lock()


def folder() -> Path:
    return Path(settings.DATA_DIR) / "models"


def path_of(run: str, digest: str) -> Path:
    """The file of a run's model; `run` is project.run."""
    return folder() / f"{run}@{digest}.pickle"


def models_remove(project: str) -> None:
    """Remove the files of a project's models, by its slug, from this machine."""
    # Slugs have no full stop, so that no other project's file begins like this.
    for path in folder().glob(f"{project}.*"):
        path.unlink(missing_ok=True)


def fitted_model(run: str, digest: str, fit: Callable[[], Any]) -> Any:
    """The model of `digest`: from memory, from its file, or from `fit`, which one process of a machine runs at a time.

    Models of the same run under other digests are deleted; a process that still has one in memory keeps using it.
    """
    path = path_of(run, digest)
    with _guard:
        if path in _loaded:
            _loaded.move_to_end(path)
            return _loaded[path]
    path.parent.mkdir(parents=True, exist_ok=True)
    with _one_at_a_time(path):
        model = _read(path)
        if model is None:
            model = fit()
            _write(path, model)
            for old in path.parent.glob(f"{run}@*.pickle"):
                if old != path:
                    old.unlink(missing_ok=True)
            for half in path.parent.glob(f"{run}@*.new"):
                _remove_unless_written(half)
    with _guard:
        _loaded[path] = model
        while len(_loaded) > MODELS_IN_MEMORY:
            _loaded.popitem(last=False)
    return model


def stored_model(run: str, digest: str) -> Any:
    """The model of `digest` from its file; None if this machine has none."""
    return _read(path_of(run, digest))


class _Unpickler(pickle.Unpickler):
    """Reads the files of earlier versions too."""

    def find_class(self, module: str, name: str) -> Any:
        renamed = _RENAMED.get((module, name))
        return super().find_class(*(renamed.split(":") if renamed else (module, name)))


@contextmanager
def _one_at_a_time(path: Path) -> Iterator[None]:
    """A lock between processes of this machine, released when its process ends for any reason."""
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _remove_unless_written(half: Path) -> None:
    """Remove a file that a killed process left incomplete; one that is being written is locked."""
    with half.with_suffix(".lock").open("w") as lock, suppress(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        half.unlink(missing_ok=True)


def _read(path: Path) -> Any:
    """The pickled model, or None if there is no readable one. Only the site writes to this folder."""
    try:
        return _Unpickler(BytesIO(path.read_bytes())).load()
    except FileNotFoundError:
        return None
    except Exception as error:
        logger.warning("%s cannot be read (%s); the model is fitted again", path.name, error)
        return None


def _write(path: Path, model: Any) -> None:
    """Write the file atomically, so that a killed worker leaves no incomplete model."""
    new = path.with_suffix(".new")
    new.write_bytes(pickle.dumps(model, protocol=pickle.HIGHEST_PROTOCOL))
    new.replace(path)
