"""A method for tests of the machinery: as slow as it is told, sure of nothing, and it fails on texts that ask for it.

Worker processes get it by `celery worker --include tests.assist.fake_registered`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from annotation.progress import OnProgress
from annotation.settings_model import Settings, setting
from assist.methods import base
from assist.methods.base import PairInput, Proposal, Result


class FakeSettings(Settings):
    seconds: float = setting(0.0, "Seconds", "seconds a pair takes", low=0)
    fit: float = setting(0.0, "Fitting", "seconds that fitting takes", low=0)
    refuse: bool = setting(False, "Refuse", "whether fitting fails")
    target: Literal["graded", "new"] = setting("graded", "Target", "what scores rank")


class Fake(base.Method[FakeSettings, dict[str, Any]]):
    """Its model says what it was fitted on; a token's score is the share of gold among the pairs fitted on."""

    name = "fake"
    version = "1"
    Settings = FakeSettings

    def fit(self, pairs: Sequence[PairInput], on_progress: OnProgress | None = None) -> dict[str, Any]:
        time.sleep(self.settings.fit)
        if self.settings.refuse:
            raise base.MethodError("there is nothing to learn from")
        return {"pairs": [pair.id for pair in pairs], "gold": [pair.gold_b for pair in pairs]}

    def predict(
        self, model: dict[str, Any], pairs: Sequence[PairInput], on_progress: OnProgress | None = None
    ) -> list[Result]:
        results = []
        for index, pair in enumerate(pairs):
            if on_progress:
                on_progress(index, len(pairs), "predicting")
            if "BROKEN" in pair.a.text:
                raise ValueError("this text cannot be read")
            time.sleep(self.settings.seconds)
            share = sum(gold is not None for gold in model["gold"]) / max(1, len(model["gold"]))
            short = "SHORT" in pair.a.text
            results.append(
                Result(
                    pair.id,
                    [share] * (len(pair.a.tokens) - short),
                    [share] * len(pair.b.tokens),
                    edges=[(0, 0)],
                    proposals=[Proposal(((0, 2),), ((0, 1), (2, 3)), 0.9)],
                    seconds=self.settings.seconds,
                )
            )
        return results

    def report(self, model: dict[str, Any]) -> dict[str, Any]:
        curve = [
            {"threshold": index / 4, "precision": 0.5, "recall": 0.5, "f1": 0.5 - abs(index - 1) / 10}
            for index in range(4)
        ]
        return {"fitted on": len(model["pairs"]), "threshold": 0.25, "curve": curve}


class FakeLearner(Fake):
    name = "fake-learner"
    learns = True


class FakeEncoder(Fake):
    name = "fake-encoder"
    gpu = True


FAKES = (Fake, FakeLearner, FakeEncoder)


@contextmanager
def fakes_registered() -> Iterator[None]:
    """The methods of this file can be found by name while this lasts."""
    for each in FAKES:
        base.register(each)
    try:
        yield
    finally:
        for each in FAKES:
            base._REGISTRY.pop(each.slug(), None)
