"""The figures of a comparison as tables, in the reader's language, and as lines of a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from annotation.figure_tables import NONE, Table
from annotation.phrases import Phrase
from assist.phrases.run_phrases import read_phrase

ComparisonFigures = Mapping[str, Any]
Model = Mapping[str, Any]


def number(value: float | None, digits: int = 2) -> str:
    """A number in the reader's format; a dash for none."""
    return NONE if value is None else number_format(f"{value:.{digits}f}", force_grouping=True)


def models_of(figures: ComparisonFigures, task: str) -> Sequence[Model]:
    """The encoders of a task; none if it wasn't chosen."""
    models: Sequence[Model] = (figures.get(task) or {}).get("models", ())
    return models


def problems_of(figures: ComparisonFigures) -> dict[str, Phrase]:
    """Why encoders are missing, by name."""
    return {name: read_phrase(stored) for name, stored in figures["problems"].items()}


def figures_json(figures: ComparisonFigures) -> dict[str, Any]:
    """The figures for programs and files, which read why encoders are missing in English."""
    return {**figures, "problems": {name: problem.text() for name, problem in problems_of(figures).items()}}


def overview(figures: ComparisonFigures) -> Table:
    """One row for each encoder, with the figures that a choice begins with."""
    rows = []
    by_task = {task: {each["model"]: each for each in models_of(figures, task)} for task in TASKS}
    for name in dict.fromkeys(name for each in by_task.values() for name in each):
        ranked, composed, gold = (by_task[task].get(name) for task in TASKS)
        cells: list[str] = []
        if figures.get("clsd"):
            right, correlation = (ranked["direct"]["p_at_1"], ranked["correlation"]) if ranked else (None, None)
            cells += [number(right), number(correlation)]
        if figures.get("compositionality"):
            cosine = composed["measures"]["cosine"] if composed else None
            cells += [
                _first_share(cosine and cosine["c1"]),
                _first_share(cosine and cosine["c3"]),
                number(cosine and cosine["c4"]),
            ]
        if figures.get("gold"):
            rho, f1 = (gold["spearman"], gold["new"]["f1"]) if gold else (None, None)
            cells += [_percent(rho), _percent(f1)]
        effort = (ranked or composed or {}).get("effort") or {}
        cells += [number(effort.get("sentences_per_second"), 0), number(effort.get("memory_mb"), 0)]
        rows.append((name, *cells))
    columns = [_("encoder")]
    if figures.get("clsd"):
        columns += ["P@1", _("changes: correlation")]
    if figures.get("compositionality"):
        columns += [_("C1, both"), _("C3, both"), "C4"]
    if figures.get("gold"):
        columns += [_("gold: Spearman's ρ × 100"), _("gold: F1 of new × 100")]
    columns += [_("sentences per second"), _("memory, MB")]
    note = _("C1, C3 and C4 are percentages, by cosine.") if figures.get("compositionality") else ""
    return Table(_("Side by side"), tuple(columns), tuple(rows), note)


TASKS = ("clsd", "compositionality", "gold")


def top_encoders(results: ComparisonFigures) -> str:
    """Which encoder is highest on the main figure of each task; '' for a single encoder. Of equals the first is."""
    figures: dict[str, dict[str, float | None]] = {
        "P@1": {each["model"]: each["direct"]["p_at_1"] for each in models_of(results, "clsd")},
        "C4": {each["model"]: each["measures"]["cosine"]["c4"] for each in models_of(results, "compositionality")},
        _("Spearman's ρ with the gold"): {
            each["model"]: None if each["spearman"] is None else 100 * each["spearman"]
            for each in models_of(results, "gold")
        },
    }
    sentences = []
    for figure, values in figures.items():
        defined = {name: value for name, value in values.items() if value is not None}
        if len(defined) > 1:
            name = max(defined, key=lambda each: defined[each])
            sentences.append(
                _("Highest %(figure)s: %(model)s (%(value)s).")
                % {"figure": figure, "model": name, "value": number(defined[name], 1)}
            )
    return " ".join(sentences)


def clsd_tables(figures: ComparisonFigures) -> list[Table]:
    """Precision at 1, and one-word changes by part of speech."""
    models = models_of(figures, "clsd")
    if not models:
        return []
    ranked = tuple(
        (
            each["model"],
            number(each["direct"]["p_at_1"]),
            number(each["pivot"] and each["pivot"]["p_at_1"]),
            str(each["direct"]["rows"]),
            number(each["gap"], 3),
            number(each["correlation"]),
        )
        for each in models
    )
    columns = (_("encoder"), _("P@1, direct"), _("P@1, pivot"), _("rows"), _("gap"), _("correlation of changes"))
    return [Table(_("The translation is nearest (%)"), columns, ranked), *_changes(models)]


def _changes(models: Sequence[Model]) -> list[Table]:
    rows = tuple(
        (
            f"{part_of_speech(group)}, {each['model']}",
            str(changes["rows"]),
            number(changes["cross"], 3),
            number(changes["mono"], 3),
            number(changes["correlation"]),
        )
        for group in groups(models)
        for each in models
        if (changes := each["changes"].get(group))
    )
    if not rows:
        return []
    columns = (_("part of speech"), _("changes"), _("cross-lingual"), _("monolingual"), _("correlation"))
    note = _("In units of the encoder's own gap; negative where the changed sentence is farther away.")
    return [Table(_("One-word changes, by part of speech"), columns, rows, note)]


def groups(models: Sequence[Model]) -> list[str]:
    """The parts of speech that some encoder has changes of, all together first."""
    names = {group for each in models for group in each["changes"]}
    return sorted(names, key=lambda group: (group != "ANY", group))


def part_of_speech(group: str) -> str:
    """What the reader sees for a group of changes."""
    return _("all words") if group == "ANY" else group


def compositionality_tables(figures: ComparisonFigures) -> list[Table]:
    """The criteria by measure, where projections lie, and the values of the histograms."""
    models = models_of(figures, "compositionality")
    if not models:
        return []
    criteria = tuple(
        (f"{measure}, {each['model']}", *_shares(of["c1"]), *_shares(of["c3"]), number(of["c4"]))
        for measure in models[0]["measures"]
        for each in models
        for of in [each["measures"][measure]]
    )
    parts = (_("both"), _("first only"), _("second only"), _("neither"))
    columns = (_("measure"), *(f"C1: {part}" for part in parts), *(f"C3: {part}" for part in parts), "C4")
    lying = tuple(
        (
            each["model"],
            number(each["c2_inside"]),
            number(each["c5_near_a"]),
            number(each["c6_inside"]),
            number(each["norm_ratio"], 3),
        )
        for each in models
    )
    projections = (
        _("encoder"),
        _("C2: between A and B"),
        _("C5: near A"),
        _("C6: between A and B"),
        _("norm ratio A : B"),
    )
    counts = figures["compositionality"]["samples"]
    note = _("Samples: overlap %(overlap)s, difference %(difference)s, union %(union)s.") % counts
    return [
        Table(_("Criteria, by measure of similarity (percentage of the samples)"), columns, criteria, note),
        Table(_("Projections onto the plane of A and B (percentage of the samples)"), projections, lying),
    ]


HISTOGRAMS = ("c2", "c5", "c6", "norm_ratio")


def histogram_table(models: Sequence[Model], name: str, title: str) -> Table:
    """The counts behind a histogram: a row for each bar, a column for each encoder."""
    edges = models[0]["histograms"][name]["edges"]
    rows = tuple(
        (f"{number(low)} – {number(high)}", *(str(each["histograms"][name]["counts"][index]) for each in models))
        for index, (low, high) in enumerate(pairwise(edges))
    )
    return Table(title, (_("range"), *(each["model"] for each in models)), rows)


def gold_tables(figures: ComparisonFigures) -> list[Table]:
    """DiffAlign with each encoder against the gold."""
    rows = tuple(
        (
            each["model"],
            _with_interval(each["spearman"], each["spearman_ci"]),
            _percent(each["kendall"]),
            _with_interval(each["new"]["f1"], each["new"]["f1_ci"]),
            _percent(each["new"]["precision"]),
            _percent(each["new"]["recall"]),
            number(each["new"]["threshold"], 3),
            number(each["seconds_per_pair"]),
        )
        for each in models_of(figures, "gold")
    )
    if not rows:
        return []
    columns = (
        *(_("encoder"), _("Spearman's ρ"), _("Kendall's τ"), _("F1 of new")),
        *(pgettext("measure", "precision"), _("recall"), _("threshold"), _("seconds per pair")),
    )
    return [Table(_("DiffAlign with each encoder, against the gold (× 100)"), columns, rows)]


def resource_table(figures: ComparisonFigures) -> Table | None:
    """Size, speed and memory."""
    task = next((task for task in ("clsd", "compositionality") if models_of(figures, task)), None)
    if task is None:
        return None
    rows = tuple(
        (
            each["model"],
            number(effort["parameters"] / 1e6, 1),
            number(effort["sentences_per_second"], 0),
            number(effort["memory_mb"], 0),
            f"{effort['truncated']} / {effort['sentences']}",
        )
        for each in models_of(figures, task)
        for effort in [each["effort"]]
    )
    columns = (
        *(_("encoder"), _("parameters, millions"), _("sentences per second")),
        *(_("memory, MB"), _("sentences over its input limit")),
    )
    note = _("Memory: on a GPU, the peak allocation; on a CPU, the increase in the worker's memory.")
    return Table(_("Speed and memory"), columns, rows, note)


def csv_lines(figures: ComparisonFigures) -> Iterator[tuple[str, str, str, float | int | str]]:
    """Every figure in a line: the encoder, the task, the figure's path in the JSON, its value."""
    yield "model", "task", "figure", "value"
    for task in TASKS:
        for each in models_of(figures, task):
            for figure, value in _flatten({key: value for key, value in each.items() if key != "model"}):
                yield each["model"], task, figure, value


def _flatten(value: Any, path: str = "") -> Iterator[tuple[str, float | int | str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flatten(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _flatten(inner, f"{path}.{index}")
    else:
        yield path, "" if value is None else value


def _shares(shares: Sequence[float] | None) -> tuple[str, ...]:
    return tuple(number(share) for share in shares) if shares else (NONE,) * 4


def _first_share(shares: Sequence[float] | None) -> str:
    return number(shares[0]) if shares else NONE


def _percent(value: float | None) -> str:
    return number(None if value is None else 100 * value, 1)


def _with_interval(value: float | None, interval: Sequence[float] | None) -> str:
    """As a number × 100 with its 95 % interval in brackets."""
    if value is None or not interval or None in interval:
        return _percent(value)
    return f"{_percent(value)} [{_percent(interval[0])}, {_percent(interval[1])}]"
