"""Recompute the agreement figures of a published dataset: python recompute.py [FOLDER]

This file comes with the dataset and needs only pyarrow and numpy. It reads the configuration 'annotations', computes
figures again and compares them with agreement.json, of which the dataset's card prints a part. It ends with status 1 if
one differs by more than a millionth, if it or its phase is missing there, if one there is unknown here, or if nothing
could be compared. It knows nothing of the program that made the dataset.

Not computed again: intervals (`…_ci`, a bootstrap with a seed), `unitizing`, `sentence_alpha` (the dataset has no
sentences), `against_majority`, the breakdowns `splits` and `phases`, and in a dataset without labels the figures of
marks. Their names and numbers are printed.
"""

import itertools
import json
import math
import re
import sys
from collections import Counter, defaultdict
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
PHASES = ("main", "trial", "qualification")
COUNTS_AS = {"connotation": "inferable"}
NOT_RECOMPUTED = ("unitizing", "sentence_alpha", "against_majority", "splits", "phases")
MARK_FIGURES = (
    *("documents", "annotators", "sides", "exact", "fuzzy", "alpha", "side_alpha", "label_alpha", "fleiss", "macro_f1"),
    *("label_f1", "cohen", "confusion", "token_spearman", "token_kendall", "left_out", "single", "with_empty"),
    *("language_pairs", "span_kinds", "joint_reliability"),
)
INTERVALS = "intervals (…_ci)"
INTERVAL = re.compile(r"_ci(\[\d\])?$")


def main() -> int:
    try:
        return compare()
    except RecursionError:
        print("The dataset's files are missing or damaged: a file is nested too deeply.")
    except Exception as error:  # Whatever is in damaged files, a sentence about it is all there is to say.
        what = str(error) if isinstance(error, InconsistentDataset) else f"{type(error).__name__}: {error}"
        print(f"The dataset's files are missing or damaged: {what}")
    return 1


def compare() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
    scheme = checked_scheme(load_json(folder / "diptych.json"))
    stated = checked_phases(load_json(folder / "agreement.json"))
    compared, differing, inconsistencies = 0, [], []
    left_out: Counter[str] = Counter()
    missing = [phase for phase in PHASES if phase not in stated and has_figures(read(folder, phase), scheme)]
    differing += [f"{phase}: missing in agreement.json" for phase in missing]
    for phase, figures in stated.items():
        try:
            pairs = read(folder, phase)
            unmarked = not scheme["labels"] and not any(
                annotation["spans"] for pair in pairs for annotation in pair["annotations"]
            )
            computed = dict(flatten(recompute(pairs, scheme, figures)))
        except InconsistentDataset as error:
            inconsistencies.append(f"{phase}: {error}")
            continue
        printed = dict(flatten(figures))
        for name, value in printed.items():
            if name in computed:
                compared += 1
                if not same(value, computed[name]):
                    differing.append(
                        f"{phase}: {name}: {value} in the dataset, {computed[name]} computed from its annotations"
                    )
            elif isinstance(value, (int, float)) and is_not_recomputed(name, computed, unmarked):
                left_out[group_of(name)] += 1
            elif isinstance(value, (int, float)):
                differing.append(f"{phase}: {name}: {value} in the dataset, a figure that is not known here")
        differing += [
            f"{phase}: {name}: missing in the dataset, {value} computed from its annotations"
            for name, value in computed.items()
            if name not in printed
        ]
    if stated and not compared and not inconsistencies:
        print("Nothing could be compared: no figure of agreement.json belongs to a label or question of diptych.json.")
        return 1
    differing = inconsistencies + differing
    for line in differing:
        print(line)
    if not missing and not stated:
        print("There are no figures to compute: no pair has marks or answers of two people in the same phase.")
    print(f"{compared} figures compared, {len(differing)} differ.")
    if left_out:
        listed = ", ".join(f"{name} ({count})" for name, count in sorted(left_out.items()))
        print(f"{sum(left_out.values())} figures of agreement.json are not computed here: {listed}.")
    return 1 if differing else 0


class InconsistentDataset(Exception):
    """The dataset's files do not fit each other: which, in a sentence."""


def is_not_recomputed(name: str, computed: Row, unmarked: bool) -> bool:
    """Whether a figure is one of those that are not computed here; an interval is one of a figure that is.

    `unmarked`: there are no labels and no marks, so that figures of marks say nothing.
    """
    left = (*NOT_RECOMPUTED, *MARK_FIGURES) if unmarked else NOT_RECOMPUTED
    if INTERVAL.search(name):
        name = INTERVAL.sub("", name)
        return name in computed or group_of(name) in left
    return group_of(name) in left


def group_of(name: str) -> str:
    """Under which name figures that are not computed are counted."""
    if INTERVAL.search(name):
        return INTERVALS
    return re.split(r"[.\[]", name.removeprefix("with_empty."))[0]


def load_json(path: Path) -> Any:
    """What a JSON file has. Raises InconsistentDataset."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise InconsistentDataset(f"{path.name} is nested too deeply") from None
    except ValueError as error:
        raise InconsistentDataset(f"{path.name} is not JSON: {error}") from None


def require_type(value: Any, kind: type, where: str) -> Any:
    """The value, if it is what it must be. Raises InconsistentDataset."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false"}
    if not isinstance(value, kind):
        raise InconsistentDataset(f"{where} is not {names[kind]}")
    return value


def checked_phases(file: Any) -> dict[str, Row]:
    """The figures of each phase. Raises InconsistentDataset."""
    content = require_type(file, dict, "agreement.json")
    phases: dict[str, Row] = require_type(content.get("phases"), dict, "'phases' of agreement.json")
    for other in sorted(content.keys() - {"phases"}):
        raise InconsistentDataset(f"'{other}' of agreement.json belongs to no phase")
    for phase, figures in phases.items():
        where = f"'phases.{phase}' of agreement.json"
        require_type(figures, dict, where)
        require_type(figures.get("annotators", {}), dict, f"'annotators' in {where}")
        with_empty = require_type(figures.get("with_empty") or {}, dict, f"'with_empty' in {where}")
        require_type(with_empty.get("annotators", {}), dict, f"'with_empty.annotators' in {where}")
    return phases


def checked_scheme(file: Any) -> Row:
    """The scheme, with lists of labels and questions. Raises InconsistentDataset."""
    scheme: Row = require_type(require_type(file, dict, "diptych.json").get("scheme"), dict, "'scheme' of diptych.json")
    for name, kind in (("default", str), ("sides", list), ("links", bool), ("overlap", bool)):
        require_type(scheme.get(name), kind, f"'scheme.{name}' of diptych.json")
    for name in ("labels", "questions"):
        where = f"'scheme.{name}' of diptych.json"
        for index, each in enumerate(require_type(scheme.setdefault(name, []), list, where)):
            require_type(each, dict, f"{where}, at {index},")
            require_type(each.get("key"), str, f"'key' of {where}, at {index},")
            checked_value(each, f"{where}, at {index},")
    for index, question in enumerate(scheme["questions"]):
        where = f"'scheme.questions[{index}].choices' of diptych.json"
        for choice in require_type(question.get("choices"), list, where):
            require_type(require_type(choice, dict, f"one of {where}").get("key"), str, f"a 'key' of {where}")
            checked_value(choice, f"one of {where}")
    return scheme


def checked_value(figure: Row, where: str) -> None:
    value = figure.get("value")
    if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
        raise InconsistentDataset(f"'value' of {where} is not a number")


def flatten(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """('alpha.nominal', 0.5) for every number in nested objects."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flatten(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from flatten(inner, f"{name}[{index}]")
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
            annotations = []
            for annotation in row["annotations"]:
                if (
                    annotation["phase"] != phase
                    or annotation["round"]
                    or verdicts[annotation["verdict"]] != "submitted"
                ):
                    continue
                spans = []
                for span in annotation["spans"]:
                    touched: dict[str, set[int]] = {side: set() for side in SIDES}
                    for part in span["fragments"]:
                        side = SIDES[part["side"]]
                        touched[side] |= {
                            index
                            for index, (start, end) in enumerate(tokens[side])
                            if start < part["end"] and part["start"] < end
                        }
                    if span["label"] not in range(len(labels)):
                        raise InconsistentDataset(
                            f"a span has the class {span['label']}, and there are {len(labels)} labels"
                        )
                    spans.append((labels[span["label"]], touched["a"], touched["b"]))
                answers = {answer["question"]: answer["answer"] for answer in annotation["answers"]}
                person, seconds = annotation["annotator"], annotation["active_seconds"]
                annotations.append({"annotator": person, "spans": spans, "answers": answers, "seconds": seconds})
            languages = "-".join(row[f"language_{side}"].upper() for side in SIDES)
            pairs.append(
                {"position": row["position"], "languages": languages, "tokens": tokens, "annotations": annotations}
            )
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


def recompute(pairs: list[Row], scheme: Row, stated: Row) -> Row:
    """Every figure that is computed here, under the names of agreement.json; `stated` are those of one phase there.

    Of these only the people's order is used: the rank correlation of matched spans depends on who comes first. Raises
    InconsistentDataset.
    """
    questions = [each for each in scheme.get("questions", []) if each["choices"]]
    figures: Row = {}
    if scheme.get("labels", []):
        figures |= phase_figures(pairs, scheme, stated)
    if questions:
        figures["ratings"] = {question["key"]: answer_figures(pairs, question) for question in questions}
    return figures


def has_figures(pairs: list[Row], scheme: Row) -> bool:
    """Whether there is a pair whose work by several people is compared."""
    annotations = [pair["annotations"] for pair in pairs if len(pair["annotations"]) > 1]
    everything = not scheme["links"] and not scheme["overlap"]
    marked = scheme.get("labels", []) and any(
        everything or all(annotation["spans"] for annotation in each) for each in annotations
    )
    rated = [question["key"] for question in scheme.get("questions", []) if question["choices"]]
    return bool(marked) or any(
        sum(key in annotation["answers"] for annotation in each) > 1 for each in annotations for key in rated
    )


class Labels:
    """The labels of the scheme in order, the default first, and the number of each."""

    def __init__(self, scheme: Row) -> None:
        labels = {label["key"]: index for index, label in enumerate(scheme["labels"], 1)}
        value = {
            label["key"]: labels[label["key"]] if label.get("value") is None else label["value"]
            for label in scheme["labels"]
        }
        merged = {key: to for key, to in COUNTS_AS.items() if key in labels and to in labels}
        self.graded = all(label.get("value") is not None for label in scheme["labels"])
        self.order = [scheme["default"], *sorted((key for key in labels if key not in merged), key=value.__getitem__)]
        self.code = {label: index for index, label in enumerate(self.order)}
        self.code |= {key: self.code[to] for key, to in merged.items()}
        self.values = np.array([0.0, *(value[key] for key in self.order[1:])])
        self.sides = [side for side in SIDES if side in scheme["sides"]]


def phase_figures(pairs: list[Row], scheme: Row, stated: Row) -> Row:
    """The figures of marks. Raises InconsistentDataset."""
    labels = Labels(scheme)
    every_token_has_a_label = not scheme["links"] and not scheme["overlap"]
    several = [pair for pair in pairs if len(pair["annotations"]) > 1]
    used = [
        pair
        for pair in several
        if every_token_has_a_label or all(annotation["spans"] for annotation in pair["annotations"])
    ]
    left_out = len(several) - len(used)
    figures = {
        **marks(used, labels, list(stated.get("annotators", {}))),
        "left_out": left_out,
        "single": sum(len(pair["annotations"]) == 1 for pair in pairs),
        "with_empty": marks(several, labels, list((stated.get("with_empty") or {}).get("annotators", {})))
        if left_out
        else None,
    }
    people = list(stated.get("annotators", {}))
    languages = sorted({pair["languages"] for pair in used})
    kinds = ("linked", "one-sided") if len(labels.sides) > 1 else ()
    alpha = figures["alpha"]["ordinal" if labels.graded else "nominal"]
    return {
        **figures,
        "language_pairs": [
            row_of(name, [pair for pair in used if pair["languages"] == name], labels, people)
            for name in languages
            if len(languages) > 1
        ],
        "span_kinds": {kind: row_of(kind, with_spans_of_kind(used, kind), labels, people) for kind in kinds},
        "joint_reliability": [
            {"annotators": count, "value": count * max(alpha, 0) / (1 + (count - 1) * max(alpha, 0))}
            for count in range(1, 6)
            if alpha is not None
        ],
    }


def marks(used: list[Row], labels: Labels, people: list[str]) -> Row:
    """Agreement on marks, over pairs that several people annotated. Raises InconsistentDataset."""
    painted = labels_by_person(used, labels, people)
    tokens = units(painted, labels.sides)
    matrix = coincidences(tokens, len(labels.order))
    return {
        "documents": len(used),
        "annotators": {who: annotator_counts(used, painted, who, labels) for who in people},
        "sides": sides_of(painted, labels),
        "exact": matches(used, labels, 100),
        "fuzzy": {str(percent): matches(used, labels, percent) for percent in (50, 75, 90)},
        "alpha": alpha_of(matrix, labels.values, labels.graded),
        "side_alpha": {
            side: alpha_of(coincidences(units(painted, [side]), len(labels.order)), labels.values, labels.graded)
            if side in labels.sides
            else None
            for side in SIDES
        },
        "label_alpha": {label: label_alpha(matrix, index) for index, label in enumerate(labels.order)},
        "fleiss": fleiss(tokens, len(labels.order)),
        **pairwise_figures(tokens, labels.order, people, labels.graded),
    }


def row_of(name: str, used: list[Row], labels: Labels, people: list[str]) -> Row:
    """A row of a breakdown."""
    painted = labels_by_person(used, labels, people)
    tokens = units(painted, labels.sides)
    between = pairwise_figures(tokens, labels.order, people, labels.graded)
    return {
        "name": name,
        "documents": len(used),
        "sides": sides_of(painted, labels),
        "alpha": alpha_of(coincidences(tokens, len(labels.order)), labels.values, labels.graded),
        "macro_f1": between["macro_f1"]["mean"],
        "cohen": between["cohen"]["mean"],
        "matched": matches(used, labels, 50),
    }


def with_spans_of_kind(used: list[Row], kind: str) -> list[Row]:
    """The pairs with only those spans that have words on both sides ('linked'), or only the others."""

    def of_kind(annotation: Row) -> Row:
        return {
            **annotation,
            "spans": [span for span in annotation["spans"] if bool(span[1] and span[2]) == (kind == "linked")],
        }

    return [{**pair, "annotations": [of_kind(annotation) for annotation in pair["annotations"]]} for pair in used]


def labels_by_person(used: list[Row], labels: Labels, people: list[str]) -> list[Row]:
    """For each pair the labels of its tokens, by person and side; annotations get the order of `people`. Raises
    InconsistentDataset.
    """
    for pair in used:
        for annotation in pair["annotations"]:
            if annotation["annotator"] not in people:
                raise InconsistentDataset(
                    f"the annotator '{annotation['annotator']}' of the annotations is not in agreement.json"
                )
            for label, *_ in annotation["spans"]:
                if label not in labels.code:
                    raise InconsistentDataset(
                        f"the label '{label}' of the annotations is not in the scheme of diptych.json"
                    )
        pair["annotations"].sort(key=lambda annotation: people.index(annotation["annotator"]))
    return [
        {
            annotation["annotator"]: {
                side: highest_labels(annotation, side, len(pair["tokens"][side]), labels.code) for side in SIDES
            }
            for annotation in pair["annotations"]
        }
        for pair in used
    ]


def units(painted: list[Row], sides: list[str]) -> list[Row]:
    """For each pair the labels of the tokens of some sides, by person."""
    return [{who: np.concatenate([by[side] for side in sides]) for who, by in each.items()} for each in painted]


def sides_of(painted: list[Row], labels: Labels) -> Row:
    return {side: overlap(painted, side) if side in labels.sides else None for side in SIDES}


def highest_labels(annotation: Row, side: str, tokens: int, code: Row) -> Floats:
    """The label of each token; of several, the highest."""
    result = np.zeros(tokens, dtype=int)
    for label, a, b in annotation["spans"]:
        for token in a if side == "a" else b:
            result[token] = max(result[token], code[label])
    return result


def annotator_counts(used: list[Row], painted: list[Row], name: str, labels: Labels) -> Row:
    """What one person did. `tokens` is summed over spans, `distinct` counts each once."""
    annotations = [annotation for pair in used for annotation in pair["annotations"] if annotation["annotator"] == name]
    spans = [span for annotation in annotations for span in annotation["spans"]]
    counts = Counter(labels.code[label] for label, _, _ in spans)
    return {
        "documents": len(annotations),
        "spans": len(spans),
        "tokens": sum(len(a) + len(b) for _, a, b in spans),
        "distinct": sum(int((each[name][side] > 0).sum()) for each in painted if name in each for side in labels.sides),
        "broken": sum(not a and not b for _, a, b in spans),
        "labels": {label: counts[index] for index, label in enumerate(labels.order) if index},
        "seconds": sum(annotation["seconds"] for annotation in annotations),
    }


def overlap(painted: list[Row], side: str) -> Row:
    """Mean over documents of the mean over pairs of people of IoU and F1 of marked tokens."""
    scores: dict[str, list[float]] = {"iou": [], "f1": []}
    for document in painted:
        here: dict[str, list[float]] = {"iou": [], "f1": []}
        for one, other in itertools.combinations([by[side] > 0 for by in document.values()], 2):
            both, either = (one & other).sum(), (one | other).sum()
            if either:
                here["iou"].append(both / either)
                here["f1"].append(2 * both / (one.sum() + other.sum()))
        for name, values in here.items():
            if values:
                scores[name].append(sum(values) / len(values))
    return {name: sum(values) / len(values) if values else None for name, values in scores.items()}


def matches(used: list[Row], labels: Labels, percent: int) -> Row:
    """Pairs of spans that share a token and whose sides' mean IoU reaches a threshold, with Spearman's rho."""
    matched = []
    for pair in used:
        for one, other in itertools.combinations(pair["annotations"], 2):
            for (first, a1, b1), (second, a2, b2) in itertools.product(one["spans"], other["spans"]):
                if a1 & a2 or b1 & b2:
                    ious = [len(x & y) / len(x | y) if x | y else 1.0 for x, y in ((a1, a2), (b1, b2))]
                    if sum(ious) / 2 >= percent / 100 - 1e-12:
                        matched.append((labels.code[first], labels.code[second]))
    return {"count": len(matched), "spearman": spearman(matched) if labels.graded else None}


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


def kendall(table: Floats) -> float | None:
    """Kendall's tau-b of the observations counted in a table."""
    if np.count_nonzero(table.sum(axis=0)) < 2 or np.count_nonzero(table.sum(axis=1)) < 2:
        return None
    balance = sum(
        table[x, y] * (table[x + 1 :, y + 1 :].sum() - table[x + 1 :, :y].sum()) for x, y in np.ndindex(table.shape)
    )
    all_pairs, tied = number_of_pairs(table.sum()), [number_of_pairs(table.sum(axis=axis)).sum() for axis in (0, 1)]
    return float(balance / math.sqrt(all_pairs - tied[0]) / math.sqrt(all_pairs - tied[1]))


def number_of_pairs(counts: Any) -> Any:
    """The number of pairs that can be made of each count."""
    return counts * (counts - 1) / 2


def given_labels(units: list[Row], labels: int) -> Iterator[Floats]:
    """How often each unit got each label: (units, labels) for each pair that several people annotated."""
    for document in units:
        if len(document) > 1:
            answers = np.array(list(document.values()))
            yield np.stack([(answers == label).sum(axis=0) for label in range(labels)], axis=1).astype(float)


def coincidences(units: list[Row], labels: int) -> Floats:
    """Krippendorff's matrix of coincidences over units of any number of answers."""
    result = np.zeros((labels, labels))
    for counts in given_labels(units, labels):
        shares = counts / (counts.sum(axis=1, keepdims=True) - 1)
        result += counts.T @ shares - np.diag(shares.sum(axis=0))
    return result


def fleiss(units: list[Row], labels: int) -> float | None:
    """Fleiss' kappa of units with two answers or more, each of the same weight."""
    counts = np.concatenate([np.zeros((0, labels)), *given_labels(units, labels)])
    if not len(counts):
        return None
    answers = counts.sum(axis=1)
    agreed = ((counts * (counts - 1)).sum(axis=1) / (answers * (answers - 1))).mean()
    chance = ((counts.sum(axis=0) / counts.sum()) ** 2).sum()
    return float((agreed - chance) / (1 - chance)) if chance != 1 else None


def alpha_of(matrix: Floats, values: Floats, ordered: bool) -> Row:
    """Krippendorff's alpha of a matrix of coincidences; the ordinal and interval ones if the labels have an order."""
    margin = matrix.sum(axis=1)
    middle = np.cumsum(margin) - margin / 2
    squared = {
        "nominal": 1 - np.eye(len(values)),
        "ordinal": (middle[:, None] - middle) ** 2,
        "interval": (values[:, None] - values) ** 2,
    }
    return {
        name: alpha_by_distance(matrix, distance) if ordered or name == "nominal" else None
        for name, distance in squared.items()
    }


def alpha_by_distance(matrix: Floats, distance: Floats) -> float | None:
    margin = matrix.sum(axis=1)
    require_type = (np.outer(margin, margin) * distance).sum()
    return 1 - (matrix * distance).sum() * (margin.sum() - 1) / require_type if require_type else None


def label_alpha(matrix: Floats, label: int) -> float | None:
    """Alpha of a label against all others as one."""
    own = matrix[label, label]
    mixed = matrix[label].sum() - own
    return alpha_by_distance(np.array([[matrix.sum() - own - 2 * mixed, mixed], [mixed, own]]), 1 - np.eye(2))


def pairwise_figures(units: list[Row], order: list[str], people: list[str], graded: bool) -> Row:
    """What is computed for each pair of people over the tokens both labelled; mean and population deviation."""
    tables: dict[tuple[str, str], Floats] = defaultdict(lambda: np.zeros((len(order), len(order))))
    for document in units:
        for one, other in itertools.combinations(sorted(document, key=people.index), 2):
            np.add.at(tables[one, other], (document[one], document[other]), 1)
    scores = [f1_of(table) for table in tables.values()]
    return {
        "macro_f1": spread([float(np.mean(list(each.values()))) for each in scores if each]),
        "label_f1": {
            label: spread([each[index] for each in scores if index in each]) for index, label in enumerate(order)
        },
        "cohen": spread([cohen(table) for table in tables.values()]),
        "confusion": {"labels": order, "tokens": sum(tables.values(), np.zeros((len(order),) * 2)).tolist()},
        "token_spearman": spread([spearman(observations(table)) for table in tables.values()]) if graded else None,
        "token_kendall": spread([kendall(table) for table in tables.values()]) if graded else None,
    }


def observations(table: Floats) -> list[tuple[int, int]]:
    """The observations counted in a table, one by one."""
    return [(x, y) for x, y in np.ndindex(table.shape) for _ in range(int(table[x, y]))]


def f1_of(table: Floats) -> dict[int, float]:
    """F1 of each label that either gave."""
    size = table.sum(axis=0) + table.sum(axis=1)
    return {index: 2 * table[index, index] / size[index] for index in range(len(table)) if size[index]}


def cohen(table: Floats) -> float | None:
    total = table.sum()
    chance = (table.sum(axis=0) * table.sum(axis=1)).sum() / total**2 if total else 1.0
    return (np.trace(table) / total - chance) / (1 - chance) if chance != 1 else None


def spread(values: list[float | None]) -> Row:
    numbers = [value for value in values if value is not None]
    return {"mean": float(np.mean(numbers)), "sd": float(np.std(numbers))} if numbers else {"mean": None, "sd": None}


def answer_figures(pairs: list[Row], question: Row) -> Row:
    """Agreement on the answers to one question."""
    key, choices = question["key"], question["choices"]
    numbered = all(choice.get("value") is not None for choice in choices)
    if numbered:
        choices = sorted(choices, key=lambda choice: choice["value"])
    code = {choice["key"]: index for index, choice in enumerate(choices)}
    values = np.array([choice["value"] if numbered else index for index, choice in enumerate(choices)], dtype=float)
    units = [
        {
            annotation["annotator"]: np.array([code[annotation["answers"][key]]])
            for annotation in pair["annotations"]
            if annotation["answers"].get(key) in code
        }
        for pair in pairs
    ]
    matrix = coincidences(units, len(choices))
    answers = [(who, int(answer[0])) for unit in units for who, answer in unit.items()]

    def answers_of(person: str | None) -> Row:
        counts = Counter(answer for who, answer in answers if person in (None, who))
        return {choice["key"]: counts[index] for index, choice in enumerate(choices)}

    return {
        "items": sum(len(unit) > 1 for unit in units),
        "alpha": alpha_of(matrix, values, numbered),
        "fleiss": fleiss(units, len(choices)),
        "answers": answers_of(None),
        "people": {who: answers_of(who) for who in {who for who, _ in answers}},
        "same": np.trace(matrix) / matrix.sum() if matrix.sum() else None,
    }


if __name__ == "__main__":
    sys.exit(main())
