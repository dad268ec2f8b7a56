"""Recompute the agreement figures of a published dataset: python recompute.py [FOLDER]

This file comes with the dataset and needs only pyarrow and numpy. It reads the configuration 'annotations', computes
every figure again and compares it with agreement.json, which the dataset's card prints. It ends with status 1 if one
differs by more than a millionth. It knows nothing of the program that made the dataset.

Not computed again: intervals (a bootstrap with a seed), unitizing alpha, agreement by sentence, each person against
the majority, and breakdowns.
"""

import itertools
import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
from numpy.typing import NDArray

Row = dict[str, Any]
Floats = NDArray[Any]
TOLERANCE = 1e-6
SIDES = ("a", "b")
COUNTS_AS = {"connotation": "inferable"}


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
    scheme = json.loads((folder / "diptych.json").read_text(encoding="utf-8"))["scheme"]
    stated = json.loads((folder / "agreement.json").read_text(encoding="utf-8"))["phases"]
    compared, differing = 0, []
    for phase, figures in stated.items():
        computed = dict(flat(recompute(read(folder, phase), scheme, list(figures["annotators"]))))
        for name, value in flat(figures):
            if name not in computed:
                continue
            compared += 1
            if not same(value, computed[name]):
                differing.append(
                    f"{phase}: {name}: {value} in the dataset, {computed[name]} computed from its annotations"
                )
    for line in differing:
        print(line)
    print(f"{compared} figures compared, {len(differing)} differ.")
    return 1 if differing or not compared else 0


def flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """('alpha.nominal', 0.5) for every number in nested objects."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flat(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from flat(inner, f"{name}[{index}]")
    else:
        yield name, value


def same(one: Any, other: Any) -> bool:
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return bool(one == other)


# Reading


def read(folder: Path, phase: str) -> list[Row]:
    """The pairs, each with the work submitted in a phase (without re-tests), in the order of the dataset."""
    verdicts, labels = names(folder)
    pairs = []
    for path in sorted((folder / "annotations").glob("*.parquet")):
        for row in pyarrow.parquet.read_table(path).to_pylist():
            tokens = {side: [(t["start"], t["end"]) for t in row[f"tokens_{side}"]] for side in SIDES}
            works = []
            for given in row["annotations"]:
                if given["phase"] != phase or given["round"] or verdicts[given["verdict"]] != "submitted":
                    continue
                spans = []
                for span in given["spans"]:
                    touched: dict[str, set[int]] = {side: set() for side in SIDES}
                    for part in span["fragments"]:
                        side = SIDES[part["side"]]
                        touched[side] |= {
                            index
                            for index, (start, end) in enumerate(tokens[side])
                            if start < part["end"] and part["start"] < end
                        }
                    spans.append((labels[span["label"]], touched["a"], touched["b"]))
                answers = {answer["question"]: answer["answer"] for answer in given["answers"]}
                works.append({"annotator": given["annotator"], "spans": spans, "answers": answers})
            pairs.append({"position": row["position"], "tokens": tokens, "works": works})
    return sorted(pairs, key=lambda pair: pair["position"])


def names(folder: Path) -> tuple[list[str], list[str]]:
    """The class names of verdicts and of labels, from the features that the Parquet files carry."""
    path = next(iter(sorted((folder / "annotations").glob("*.parquet"))))
    features = json.loads(pyarrow.parquet.read_schema(path).metadata[b"huggingface"])["info"]["features"]
    annotation = item(features["annotations"])
    return annotation["verdict"]["names"], item(annotation["spans"])["label"]["names"]


def item(feature: Any) -> Any:
    """What a list consists of, however the version of `datasets` wrote it."""
    if isinstance(feature, list):
        return feature[0]
    return feature["feature"]


# Computing


def recompute(pairs: list[Row], scheme: Row, people: list[str]) -> Row:
    """Every figure, under the names of agreement.json.

    `people` is their order there: the rank correlation of matched spans depends on who comes first.
    """
    spans, questions = scheme.get("labels", []), [each for each in scheme.get("questions", []) if each["choices"]]
    figures: Row = {}
    if spans:
        figures |= marks(pairs, scheme, people)
    if questions:
        figures["ratings"] = {question["key"]: rated(pairs, question) for question in questions}
    return figures


def marks(pairs: list[Row], scheme: Row, people: list[str]) -> Row:
    labels = {label["key"]: at for at, label in enumerate(scheme["labels"], 1)}
    graded = all(label.get("value") is not None for label in scheme["labels"])
    value = {
        label["key"]: labels[label["key"]] if label.get("value") is None else label["value"]
        for label in scheme["labels"]
    }
    folded = {key: to for key, to in COUNTS_AS.items() if key in labels and to in labels}
    order = [scheme["default"], *sorted((key for key in labels if key not in folded), key=value.__getitem__)]
    code = {label: at for at, label in enumerate(order)} | {key: order.index(to) for key, to in folded.items()}
    values = np.array([0.0, *(value[key] for key in order[1:])])
    every_token_has_a_label = not scheme["links"] and not scheme["overlap"]

    several = [pair for pair in pairs if len(pair["works"]) > 1]
    used = [pair for pair in several if every_token_has_a_label or all(work["spans"] for work in pair["works"])]
    for pair in used:
        pair["works"].sort(key=lambda work: people.index(work["annotator"]))
    painted = [
        {
            work["annotator"]: {side: paint(work, side, len(pair["tokens"][side]), code) for side in SIDES}
            for work in pair["works"]
        }
        for pair in used
    ]

    def units(*sides: str) -> list[Row]:
        return [{who: np.concatenate([by[side] for side in sides]) for who, by in each.items()} for each in painted]

    tokens = units(*scheme["sides"])
    found = coincidences(tokens, len(order))
    return {
        "documents": len(used),
        "left_out": len(several) - len(used),
        "annotators": {who: counted(used, who) for who in people},
        "sides": {side: overlap(painted, side) if side in scheme["sides"] else None for side in SIDES},
        **matches(used, code, graded),
        "alpha": alpha_of(found, values, graded),
        "side_alpha": {
            side: alpha_of(coincidences(units(side), len(order)), values, graded) if side in scheme["sides"] else None
            for side in SIDES
        },
        "label_alpha": {label: alpha_of_one(found, at) for at, label in enumerate(order)},
        **between_two(tokens, order, people, graded),
    }


def paint(work: Row, side: str, tokens: int, code: Row) -> Floats:
    """The label of each token; of several, the highest."""
    result = np.zeros(tokens, dtype=int)
    for label, a, b in work["spans"]:
        for token in a if side == "a" else b:
            result[token] = max(result[token], code[label])
    return result


def counted(used: list[Row], name: str) -> Row:
    spans = [span for pair in used for work in pair["works"] if work["annotator"] == name for span in work["spans"]]
    return {"spans": len(spans), "tokens": sum(len(a) + len(b) for _, a, b in spans)}


def overlap(painted: list[Row], side: str) -> Row:
    """Mean over documents of the mean over pairs of people of IoU and F1 of marked tokens."""
    found: dict[str, list[float]] = {"iou": [], "f1": []}
    for document in painted:
        here: dict[str, list[float]] = {"iou": [], "f1": []}
        for one, other in itertools.combinations([by[side] > 0 for by in document.values()], 2):
            both, either = (one & other).sum(), (one | other).sum()
            if either:
                here["iou"].append(both / either)
                here["f1"].append(2 * both / (one.sum() + other.sum()))
        for name, given in here.items():
            if given:
                found[name].append(sum(given) / len(given))
    return {name: sum(given) / len(given) if given else None for name, given in found.items()}


def matches(used: list[Row], code: Row, graded: bool) -> Row:
    """Pairs of spans that share a token and whose sides' mean IoU reaches a threshold, with Spearman's rho."""
    met = []
    for pair in used:
        for one, other in itertools.combinations(pair["works"], 2):
            for (first, a1, b1), (second, a2, b2) in itertools.product(one["spans"], other["spans"]):
                if a1 & a2 or b1 & b2:
                    ious = [len(x & y) / len(x | y) if x | y else 1.0 for x, y in ((a1, a2), (b1, b2))]
                    met.append((sum(ious) / 2, code[first], code[second]))
    found = {}
    for percent in (50, 75, 90, 100):
        chosen = [(x, y) for similarity, x, y in met if similarity >= percent / 100 - 1e-12]
        found[percent] = {"count": len(chosen), "spearman": spearman(chosen) if graded else None}
    return {"exact": found[100], "fuzzy": {str(percent): found[percent] for percent in (50, 75, 90)}}


def spearman(pairs: list[tuple[int, int]]) -> float | None:
    if len(pairs) < 2:
        return None
    one, other = (ranks(np.array(column)) for column in zip(*pairs, strict=True))
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    return float(np.corrcoef(one, other)[0, 1])


def ranks(values: Floats) -> Floats:
    """Ranks, ties at their mean."""
    _, index, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[index]


def coincidences(units: list[Row], labels: int) -> Floats:
    """Krippendorff's matrix of coincidences over units of any number of answers."""
    result = np.zeros((labels, labels))
    for document in units:
        answers = np.array(list(document.values()))
        if len(answers) < 2:
            continue
        for unit in answers.T:
            counts = np.bincount(unit, minlength=labels).astype(float)
            result += (np.outer(counts, counts) - np.diag(counts)) / (len(unit) - 1)
    return result


def alpha_of(found: Floats, values: Floats, ordered: bool) -> Row:
    """Krippendorff's alpha of a matrix of coincidences; the ordinal and interval ones if the labels have an order."""
    margin = found.sum(axis=1)
    middle = np.cumsum(margin) - margin / 2
    squared = {"nominal": 1 - np.eye(len(values))}
    if ordered:
        squared["ordinal"] = (middle[:, None] - middle) ** 2
        squared["interval"] = (values[:, None] - values) ** 2
    return {name: one_alpha(found, distance) for name, distance in squared.items()}


def one_alpha(found: Floats, distance: Floats) -> float | None:
    margin = found.sum(axis=1)
    expected = (np.outer(margin, margin) * distance).sum()
    return 1 - (found * distance).sum() * (margin.sum() - 1) / expected if expected else None


def alpha_of_one(found: Floats, label: int) -> float | None:
    """Alpha of a label against all others as one."""
    own = found[label, label]
    mixed = found[label].sum() - own
    return one_alpha(np.array([[found.sum() - own - 2 * mixed, mixed], [mixed, own]]), 1 - np.eye(2))


def between_two(units: list[Row], order: list[str], people: list[str], graded: bool) -> Row:
    """What is computed for each pair of people over the tokens both labelled; mean and population deviation."""
    tables: dict[tuple[str, str], Floats] = defaultdict(lambda: np.zeros((len(order), len(order))))
    for document in units:
        for one, other in itertools.combinations(sorted(document, key=people.index), 2):
            np.add.at(tables[one, other], (document[one], document[other]), 1)
    scores = [f1_of(table) for table in tables.values()]
    found = {
        "macro_f1": spread([float(np.mean(list(each.values()))) for each in scores if each]),
        "label_f1": {label: spread([each[at] for each in scores if at in each]) for at, label in enumerate(order)},
        "cohen": spread([cohen(table) for table in tables.values()]),
        "confusion": {"labels": order, "tokens": sum(tables.values(), np.zeros((len(order),) * 2)).tolist()},
    }
    if graded:
        listed = [
            [(x, y) for x, y in np.ndindex(table.shape) for _ in range(int(table[x, y]))] for table in tables.values()
        ]
        found["token_spearman"] = spread([spearman(pairs) for pairs in listed])
    return found


def f1_of(table: Floats) -> dict[int, float]:
    """F1 of each label that either gave."""
    size = table.sum(axis=0) + table.sum(axis=1)
    return {at: 2 * table[at, at] / size[at] for at in range(len(table)) if size[at]}


def cohen(table: Floats) -> float | None:
    total = table.sum()
    chance = (table.sum(axis=0) * table.sum(axis=1)).sum() / total**2 if total else 1.0
    return (np.trace(table) / total - chance) / (1 - chance) if chance != 1 else None


def spread(values: list[float | None]) -> Row:
    given = [value for value in values if value is not None]
    return {"mean": float(np.mean(given)), "sd": float(np.std(given))} if given else {"mean": None, "sd": None}


def rated(pairs: list[Row], question: Row) -> Row:
    """Agreement on the answers to one question."""
    key, choices = question["key"], question["choices"]
    numbered = all(choice.get("value") is not None for choice in choices)
    if numbered:
        choices = sorted(choices, key=lambda choice: choice["value"])
    code = {choice["key"]: at for at, choice in enumerate(choices)}
    values = np.array([choice["value"] if numbered else at for at, choice in enumerate(choices)], dtype=float)
    units = [
        {work["annotator"]: np.array([code[work["answers"][key]]]) for work in pair["works"] if key in work["answers"]}
        for pair in pairs
    ]
    found = coincidences(units, len(choices))
    return {
        "items": sum(len(unit) > 1 for unit in units),
        "alpha": alpha_of(found, values, numbered),
        "same": np.trace(found) / found.sum() if found.sum() else None,
    }


if __name__ == "__main__":
    sys.exit(main())
