"""The card of a published dataset: its content, the agreement, and how each number was computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agreement.adjudication.reasons import Reason
from agreement.models import GoldVersion
from agreement.publication.splits import Splits
from agreement.report.project_report import Report, View, agreement_report
from agreement.report.render.tables import Table, as_markdown
from agreement.selectors import IMPORTED, gold_version_get
from annotation.formats.hub_columns import token_labels, token_names
from annotation.formats.record import PairRecord
from annotation.models import Phase, Project, Source
from annotation.selectors.annotations import shared_pairs
from annotation.selectors.imports import import_warnings
from annotation.selectors.projects import guideline_current
from annotation.text.schemes import SIDES, Scheme


@dataclass(frozen=True, slots=True)
class Terms:
    """The facts about a dataset that only a lead knows: its licence (a hub's identifier) and its description."""

    licence: str = "unknown"
    description: str = ""


@dataclass(slots=True)
class Tally:
    """Counts of what is written: rows by split, tokens by side, and gold by split and label."""

    scheme: Scheme
    pairs: Counter[str] = field(default_factory=Counter)
    with_gold: Counter[str] = field(default_factory=Counter)
    annotations: Counter[str] = field(default_factory=Counter)
    texts: Counter[tuple[str, str]] = field(default_factory=Counter)
    sizes: Counter[tuple[str, str]] = field(default_factory=Counter)
    tokens: Counter[tuple[str, str]] = field(default_factory=Counter)
    spans: Counter[tuple[str, str]] = field(default_factory=Counter)

    def see(self, record: PairRecord) -> PairRecord:
        split = record.split
        self.pairs[split] += 1
        self.annotations[split] += sum(1 for item in record.annotations if item.verdict)
        for side in SIDES:
            text = record.a if side == "a" else record.b
            self.texts[side, text.language] += 1
            self.sizes[side, text.language] += len(text.tokens or ())
        if record.gold is not None:
            self.with_gold[split] += 1
            labels = token_labels(record, self.scheme)
            names = token_names(self.scheme)
            for side in self.scheme.sides:
                self.tokens.update((split, names[label]) for label in labels[f"labels_{side}"])
            self.spans.update((split, span.label) for span in record.gold)
        return record


def card_text(
    project: Project,
    *,
    tally: Tally,
    gold: int | None,
    reports: Sequence[Report],
    terms: Terms,
    splits: Splits,
    front: str,
) -> str:
    """The whole card: `front` (its metadata), then the text. `reports` are under annotators' public names."""
    parts = [
        f"# {project.name}",
        terms.description.strip() or _what(project),
        "## Contents",
        as_markdown(_splits(tally)),
        *_drawn(splits),
        as_markdown(_texts(tally)),
        _COLUMNS,
        "## Labels",
        as_markdown(_scheme(tally.scheme)),
        *_distribution(tally),
        *_warnings(project),
        *_agreement(reports),
        *_gold(project, gold),
        *_guidelines(project),
        "## Licence",
        _licence(terms),
    ]
    return front + "\n" + "\n\n".join(parts) + "\n"


def _what(project: Project) -> str:
    labels = project.labels
    if not labels.labels:
        return "Pairs of texts, each rated by people."
    side = "side B, relative to side A" if labels.sides == ("b",) else "both sides"
    return f"Pairs of texts in which people marked, word by word, where they differ in meaning; marked on {side}."


def _splits(tally: Tally) -> Table:
    rows = tuple(
        (
            split or "(none: train)",
            *(f"{count[split]:,}" for count in (tally.pairs, tally.with_gold, tally.annotations)),
        )
        for split in sorted(tally.pairs)
    )
    return Table("Pairs by split", ("split", "pairs", "with gold", "annotations"), rows)


def _drawn(splits: Splits) -> list[str]:
    if not splits.shares:
        return []
    return [
        f"The splits ({splits}) were drawn with the seed {splits.seed} when the dataset was exported. Pairs that share "
        "a text, or most of one, are in the same split: no page is in two of them, in any version or language."
    ]


def _texts(tally: Tally) -> Table:
    rows = tuple(
        (f"{side.upper()}, {language}", f"{tally.texts[side, language]:,}", f"{tally.sizes[side, language]:,}")
        for side, language in sorted(tally.texts)
    )
    return Table("Texts", ("side, language", "texts", "tokens"), rows)


def _warnings(project: Project) -> list[str]:
    """Deviations of the import from its source, which users of the data must know about."""
    rows = tuple((name, f"{count:,}") for name, count in import_warnings(project).items())
    return [as_markdown(Table("Import warnings", ("warning", "count"), rows))] if rows else []


_COLUMNS = """Configuration `gold` has the pairs that have gold; `annotations` has every pair, with the work of every
annotator. Both have `id`, `text_a`, `text_b`, their languages and `tokens_a`, `tokens_b` (half-open ranges of Unicode
code points), `sha256_a`, `sha256_b` (of the texts in UTF-8), `tokenizer_a`, `tokenizer_b` (what made the tokens),
`translations_a`, `translations_b` (each side in the other's language, if there was a translation;
annotators did not see them), `metadata` (JSON) and `mirror` (the pair with the sides swapped). A span has a label and
fragments (side, start, end); a span with fragments on both sides marks a difference between corresponding words, one
with fragments on one side an addition or omission. In `gold`, a span also has the rule that made it and the annotators
whose work it is based on (empty if the gold came with its source), and `labels_a` and `labels_b` give the label of
every token; if spans overlap, the highest. Annotators' names are numbers. Each annotation names the version of the
guidelines it was made under (`guideline`), its revision, and whether `highlights` of a model were shown."""


_RECOMPUTE = """The figures below are also in `agreement.json`. `python recompute.py`, which needs only pyarrow and
numpy, computes them again from the configuration `annotations` and says where they differ."""


def _scheme(scheme: Scheme) -> Table:
    rows = [(scheme.default, "unmarked", "Unmarked words.")]
    rows += [(label.key, label.name, label.description) for label in scheme.labels]
    rows += [(question.key, "question", question.text) for question in scheme.questions]
    return Table(f"Scheme '{scheme.name}'", ("key", "name", "meaning"), tuple(rows))


def _distribution(tally: Tally) -> list[str]:
    total = sum(tally.tokens.values())
    if not total:
        return []
    rows = tuple(
        (
            f"{split or 'all'}, {label}",
            f"{count:,}",
            f"{100 * count / _sum(tally.tokens, split):.1f}",
            f"{tally.spans[split, label]:,}" if label != tally.scheme.default else "",
        )
        for split in sorted(tally.with_gold)
        for label in token_names(tally.scheme)
        if (count := tally.tokens[split, label]) or label in tally.scheme.keys
    )
    note = "Tokens of the sides that the scheme marks; if spans overlap, the highest label counts."
    return [as_markdown(Table("Labels of the gold", ("split, label", "tokens", "per cent", "spans"), rows, note))]


def _sum(counts: Counter[tuple[str, str]], split: str) -> int:
    return sum(count for (each, _), count in counts.items() if each == split) or 1


def published_reports(project: Project, names: Mapping[str, str]) -> list[Report]:
    """The agreement in every phase in which at least two people annotated the same pairs.

    `names`: annotators' public names by alias.
    """
    reports = [
        agreement_report(project, view=View(phase, names=names))
        for phase in (Phase.MAIN, Phase.TRIAL, Phase.QUALIFICATION)
        if shared_pairs(project, source=Source.HUMAN, phase=phase)
    ]
    return [report for report in reports if report.figures.documents or any(each.items for each in report.ratings)]


def _agreement(reports: Sequence[Report]) -> list[str]:
    if not reports:
        return []
    parts = [_RECOMPUTE]
    for report in reports:
        parts += [f"## Agreement, {report.phase} phase", report.headline, *map(as_markdown, report.tables)]
        parts += ["### How these numbers were computed", report.methods]
    return parts


def _gold(project: Project, gold: int | None) -> list[str]:
    if gold is None:
        return ["## Gold", "There is no gold yet."]
    if gold == IMPORTED:
        return ["## Gold", "The gold was imported with the pairs."]
    version: GoldVersion = gold_version_get(project, gold)
    settings = ", ".join(f"{key} = {value}" for key, value in version.parameters.items()) or "none"
    by_hand = version.counts.get("by_hand", 0)
    parts = [
        "## Gold",
        f"Version {version.number}, created on {version.made:%Y-%m-%d} from the {version.phase} phase by the rule "
        f"`{version.rule}` (parameters: {settings}); {by_hand} pairs were decided manually.",
    ]
    if version.excluded:
        rows = tuple((pair, str(Reason.from_json(reason))) for pair, reason in version.excluded.items())
        parts.append(as_markdown(Table("Pairs excluded from the gold", ("pair", "reason"), rows)))
    return parts


def _guidelines(project: Project) -> list[str]:
    current = guideline_current(project)
    if current is None:
        return []
    # One level down, so that the guidelines' headings are below the card's.
    text = "\n".join(f"##{line}" if line.startswith("#") else line for line in current.text.splitlines())
    return [f"## Guidelines (version {current.version})", text]


def _licence(terms: Terms) -> str:
    if terms.licence == "unknown":
        return "The people who made this dataset have not specified a licence; ask them before you use it."
    return f"`{terms.licence}`"


def published_figures(report: Report) -> dict[str, Any]:
    """A report's figures as JSON, without breakdowns and without anybody's progress over time."""
    found = report.to_json()
    kept = ("project", "phase", "annotator_pairs", "drift", "growth", "retests", "highlights", "position", "statistics")
    return {name: value for name, value in found.items() if name not in kept}
