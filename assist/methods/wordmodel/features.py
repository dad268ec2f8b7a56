"""What the learned method knows about a token: one row of numbers per token, the same columns for both sides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assist.methods.base import PairInput
from assist.methods.wordmodel import explained, smoothing
from assist.methods.wordmodel.document import Counterparts, PairArrays, counterparts, counterparts_of_both, expected
from assist.methods.wordmodel.pieces import Pieces
from assist.methods.wordmodel.repetition import Repetition
from assist.methods.wordmodel.training import LanguagePairModel

if TYPE_CHECKING:
    from scipy import sparse

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]
Columns = dict[str, Floats]


@dataclass(frozen=True)
class SideEvidence:
    """A document seen from one side: ``raw`` holds a difference per token from each kind of evidence."""

    number: int
    doc: PairArrays
    words: list[str]
    raw: dict[str, Floats]
    best: Counterparts
    at: Floats
    aligned: NDArray[np.bool_]

    @property
    def weights(self) -> Floats:
        return self.doc.weights_a

    def sentence_mean(self, values: Floats) -> Floats:
        """The weighted mean of each sentence, at each of its tokens."""
        text = self.doc.a
        return smoothing.unit_means(values, self.weights, text.unit, len(text.units))[text.unit]


def features(
    pair: PairInput, doc: PairArrays, trained: LanguagePairModel, pieces: Pieces, repetition: Repetition
) -> tuple[list[str], NDArray[np.float32]]:
    """Names of the columns, and a row for every token of A and then of B; the first column is 0 for A and 1 for B."""
    # t(b | a) and t(a | b) over the document's own word types (A, B).
    forward, backward = doc.restricted(trained.model.forward), doc.restricted(trained.model.backward)
    shares = explained.evidence(doc, forward, backward, (trained.a, trained.b), trained.recipe)
    missing = pieces.evidence(doc)
    turned = _with_sides_exchanged(doc)
    a = _side_evidence(0, doc, pair.a.words(), forward, backward)
    b = _side_evidence(1, turned, pair.b.words(), backward.T.tocsr(), forward.T.tocsr())
    for side, more in zip((a, b), _bridged(doc), strict=True):
        side.raw.update(more)
    parts = []
    for own, other in ((a, b), (b, a)):
        columns = {
            "side": np.full(len(own.words), float(own.number)),
            **own.raw,
            **_averages(own),
            **_neighbours(own),
            **_order(own),
            **_spread(
                own, shares[own.number], {"from nothing": (2, 5), "gives too little": (2, 5), "best share": (2,)}
            ),
            **_spread(own, missing[own.number], dict.fromkeys(("pieces", "best piece", "worst piece"), (2, 4))),
            **_counterpart(own, other),
            **_bead(own, other),
            **_position(own),
            **_word(own, other),
            **_document(own, other),
            **repetition.columns(own.number, own.doc.a),
        }
        parts.append(columns)
    names = list(parts[0])
    rows = [np.stack([part[name] for name in names], axis=1) for part in parts]
    return names, np.concatenate(rows).astype(np.float32)


def _with_sides_exchanged(doc: PairArrays) -> PairArrays:
    """The document with its sides exchanged."""
    beads = [(low_b, high_b, low_a, high_a) for low_a, high_a, low_b, high_b in doc.beads]
    return replace(
        doc, a=doc.b, b=doc.a, weights_a=doc.weights_b, weights_b=doc.weights_a,
        looks=doc.looks.T.tocsr(), listed=doc.listed.T.tocsr(), words=doc.words.T.tocsr(), beads=beads,
    )  # fmt: skip


def _bridged(doc: PairArrays) -> tuple[Columns, Columns]:
    """For A and B, if a project has translations: the best path's difference, and the mean of the translations'."""
    if doc.bridges is None:
        return {}, {}
    best = counterparts_of_both(doc, 0.0)
    ways = [bridge.both(0.0) for bridge in doc.bridges] or [best]
    a, b = (
        {
            "bridged": 1 - best[side].similarity,
            "by translations": 1 - np.mean([way[side].similarity for way in ways], axis=0),
        }
        for side in (0, 1)
    )
    return a, b


def _side_evidence(
    number: int, doc: PairArrays, words: list[str], out: sparse.csr_matrix, back: sparse.csr_matrix
) -> SideEvidence:
    where = expected(doc)[0]

    def nearest(similar: sparse.csr_matrix, decay: float) -> Counterparts:
        return counterparts(doc.a, doc.b, similar, where.at, decay)

    best = nearest(doc.similar, 1.5)
    near = 1 - best.similarity
    raw = {
        "near": near,
        "anywhere": 1 - nearest(doc.similar, 0.0).similarity,
        "out": 1 - nearest(out, 1.0).similarity,
        "back": 1 - nearest(back, 1.0).similarity,
        "looks": 1 - nearest(doc.looks, 0.5).similarity,
        "listed": 1 - nearest(doc.listed, 0.5).similarity,
        "lost": np.where(where.aligned, near, 1.0),
    }
    return SideEvidence(number, doc, words, raw, best, where.at, where.aligned)


def _averages(own: SideEvidence) -> Columns:
    columns: Columns = {}
    for name, values in own.raw.items():
        columns[f"{name} in sentence"] = own.sentence_mean(values)
        for sigma in (1, 2, 4, 8):
            columns[f"{name} around {sigma}"] = smoothing.gaussian(values, own.weights, sigma)
    for sigma in (20, 60):
        columns[f"lost around {sigma}"] = smoothing.gaussian(own.raw["lost"], own.weights, sigma)
    text = own.doc.a
    sentence = smoothing.unit_means(own.raw["lost"], own.weights, text.unit, len(text.units))
    columns["sentence before"] = np.concatenate([[0.5], sentence[:-1]])[text.unit] if len(text) else sentence
    columns["sentence after"] = np.concatenate([sentence[1:], [0.5]])[text.unit] if len(text) else sentence
    return columns


def _neighbours(own: SideEvidence) -> Columns:
    near = own.raw["near"]
    columns = {f"near {step:+d}": _shifted(near, step, 0.5) for step in (-3, -2, -1, 1, 2, 3)}
    columns["run"] = _run(near > 0.6)
    columns["long run"] = _run(near > 0.85)
    return columns


def _order(own: SideEvidence) -> Columns:
    """Whether the words around a token have their counterparts around its own; a chance match is isolated."""
    at, similar, weights = own.best.counterpart, own.best.similarity, own.weights
    n = len(at)
    together, surely, total = np.zeros(n), np.zeros(n), np.zeros(n)
    for step in (-4, -3, -2, -1, 1, 2, 3, 4):
        other, weight = _shifted(at.astype(float), step, -1.0), _shifted(weights, step, 0.0)
        near = ((at >= 0) & (other >= 0) & (np.abs(other - at) <= 6)) * _shifted(similar, step, 0.0) * weight
        together += near
        surely += near * similar
        total += weight
    total = np.maximum(total, 0.1)
    values = {
        "together": together / total,
        "surely together": surely / total,
        "astray": np.where(at >= 0, np.minimum(np.abs(at - own.at), 50), 50.0),
        "claims": np.where(
            at >= 0, np.bincount(at[at >= 0], minlength=1 + int(at.max(initial=0)))[np.maximum(at, 0)], 0.0
        ),
    }
    return _spread(own, values, dict.fromkeys(("together", "surely together", "astray"), (3,)))


def _spread(own: SideEvidence, values: Columns, sigmas: dict[str, tuple[int, ...]]) -> Columns:
    """The values, and for the named ones their means around the token and in its sentence."""
    columns = dict(values)
    for name, widths in sigmas.items():
        columns[f"{name} in sentence"] = own.sentence_mean(values[name])
        for sigma in widths:
            columns[f"{name} around {sigma}"] = smoothing.gaussian(values[name], own.weights, sigma)
    return columns


def _counterpart(own: SideEvidence, other: SideEvidence) -> Columns:
    n, m = len(own.doc.a), len(other.doc.a)
    at = own.best.counterpart
    has = at >= 0
    safe = np.maximum(at, 0)
    near = other.raw["near"]
    jump = np.clip(np.diff(at, prepend=at[:1]), -50, 50).astype(float)

    def theirs(values: Floats) -> Floats:
        return np.where(has, values[safe], 1.0) if m else np.ones(n)

    return {
        "offset": np.where(has, at - own.at, 99.0),
        "mutual": (has & (other.best.counterpart[safe] == np.arange(n))).astype(float) if m else np.zeros(n),
        "counterpart's difference": theirs(near),
        "around counterpart": theirs(smoothing.gaussian(near, other.weights, 2)) if m else np.ones(n),
        "counterpart's sentence": theirs(other.sentence_mean(near)),
        "jump": jump,
        "next jump": _shifted(jump, 1, 0.0),
    }


def _bead(own: SideEvidence, other: SideEvidence) -> Columns:
    n = len(own.doc.a)
    own_mean, other_mean, ratio, shape = np.zeros(n), np.ones(n), np.full(n, 3.0), np.zeros(n)
    for low, high, low_there, high_there in own.doc.beads:
        if low == high:
            continue
        start, end = own.doc.a.units[low][0], own.doc.a.units[high - 1][1]
        own_mean[start:end] = smoothing.mean(own.raw["near"][start:end], own.weights[start:end])
        shape[start:end] = 4 * (high - low) + (high_there - low_there)
        if high_there > low_there:
            begin, stop = other.doc.a.units[low_there][0], other.doc.a.units[high_there - 1][1]
            other_mean[start:end] = smoothing.mean(other.raw["near"][begin:stop], other.weights[begin:stop])
            ratio[start:end] = np.log((end - start) / (stop - begin))
    return {
        "bead": own_mean, "bead there": other_mean, "bead difference": own_mean - other_mean,
        "bead ratio": ratio, "bead shape": shape, "aligned": own.aligned.astype(float),
    }  # fmt: skip


def _position(own: SideEvidence) -> Columns:
    text = own.doc.a
    n = len(text)
    starts = np.array([start for start, _ in text.units], dtype=float)[text.unit] if n else np.zeros(0)
    sizes = np.array([end - start for start, end in text.units], dtype=float)[text.unit] if n else np.zeros(0)
    order = np.arange(n, dtype=float)
    return {
        "sentence length": sizes,
        "words before": order - starts,
        "words after": starts + sizes - order,
        "place in sentence": (order - starts + 0.5) / np.maximum(sizes, 1),
        "place": order / max(1, n),
        "token": order,
        "from end": n - order,
    }


def _word(own: SideEvidence, other: SideEvidence) -> Columns:
    text = own.doc.a
    common = set(text.forms) & set(other.doc.a.forms)
    shared = _floats(form in common for form in text.forms)[text.types]
    return {
        "weight": own.weights,
        "weight before": _shifted(own.weights, -1, 0.0),
        "weight after": _shifted(own.weights, 1, 0.0),
        "length": _floats(len(form) for form in text.forms)[text.types],
        "times": np.bincount(text.types, minlength=len(text.forms)).astype(float)[text.types],
        "capital": _floats(word[0].isupper() for word in own.words),
        "capitals": _floats(len(word) > 1 and word.isupper() for word in own.words),
        "digit": _floats(any(letter.isdigit() for letter in word) for word in own.words),
        "mark": 1.0 - text.words,
        "shared": shared,
        "shared in sentence": own.sentence_mean(shared),
    }


def _floats(values: Iterable[float]) -> Floats:
    return np.array([float(value) for value in values], dtype=np.float64)


def _document(own: SideEvidence, other: SideEvidence) -> Columns:
    n, m = len(own.doc.a), len(other.doc.a)
    values = {
        "size": np.log1p(n),
        "size ratio": np.log((1 + n) / (1 + m)),
        "unaligned": 1 - float(own.aligned.mean()) if n else 0.0,
        "there": smoothing.mean(other.raw["near"], other.weights),
        **{f"all {name}": smoothing.mean(own.raw[name], own.weights) for name in ("near", "lost", "looks")},
    }
    return {name: np.full(n, value, dtype=float) for name, value in values.items()}


def _shifted(values: Floats, step: int, otherwise: float) -> Floats:
    """The value ``step`` tokens later."""
    out = np.full(len(values), otherwise)
    if step > 0:
        out[:-step] = values[step:]
    else:
        out[-step:] = values[:step]
    return out


def _run(strong: NDArray[np.bool_]) -> Floats:
    """The length of the run of True that each token is in, 0 outside."""
    edges: Sequence[int] = [0, *(np.flatnonzero(np.diff(strong)) + 1).tolist(), len(strong)]
    lengths = np.diff(edges)
    return np.asarray(np.repeat(lengths, lengths) * strong, dtype=float)
