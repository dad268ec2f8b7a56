"""The words of a bead are shared out: what others have a better claim to explains nothing twice."""

import numpy as np

from assist.methods.default import training_config
from assist.methods.wordmodel import explained, training
from tests.assist.methods.texts import pair, parallel

CONFIG = training_config("graded", 0.4, listed=True)


def evidence(a: str, b: str) -> tuple[explained.Columns, explained.Columns]:
    known = training.train(parallel(24), CONFIG)
    doc = known.read(pair(a, b))
    forward, backward = doc.restricted(known.model.forward), doc.restricted(known.model.backward)
    return explained.evidence(doc, forward, backward, (known.a, known.b), CONFIG)


def test_what_is_said_once_explains_one_of_two() -> None:
    a, b = evidence("The dog of Anna is old.", "Der Hund von Anna ist alt.")
    assert a["from nothing"][:-1].max() < 0.5 and b["from nothing"][:-1].max() < 0.5
    a, _ = evidence("The dog dog of Anna is old.", "Der Hund von Anna ist alt.")
    single, _ = evidence("The dog of Anna is old.", "Der Hund von Anna ist alt.")
    assert a["gives"][1] + a["gives"][2] < single["gives"][1] + 0.5
    assert a["gives too little"][1:3].max() > 0.3


def test_a_sentence_alone_comes_from_nothing() -> None:
    a, b = evidence("The Rhine is cold.", "")
    assert a["from nothing"].tolist() == [1.0, 1.0, 1.0, 1.0, 0.5]
    assert a["gives too little"].tolist() == [1.0, 1.0, 1.0, 1.0, 0.0]
    assert all(len(column) == 0 for column in b.values())


def test_shares_are_shares() -> None:
    for side in evidence("The house in Bern is small. The Rhine is cold.", "Das Haus ist klein. Der Rhein ist kalt."):
        for name in ("from nothing", "best share", "gives too little"):
            assert ((side[name] >= 0) & (side[name] <= 1)).all()
        assert ((side["gives"] >= 0) & (side["gives"] <= 2)).all()
        assert all(np.isfinite(column).all() for column in side.values())
