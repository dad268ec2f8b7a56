"""The card of a published dataset: its content, the agreement, and how each number was computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from agreement.publication.card_markup import block, example, fenced, figures, inline, table
from agreement.publication.card_process import NOT_STATED, gold_process, guidelines, prelabels, process
from agreement.publication.facts import CardFacts
from agreement.publication.splits import Splits
from agreement.report.project_report import Report, published_report
from agreement.report.scope import Scope
from annotation.display_names import phase_name
from annotation.formats.hub.columns import token_labels, token_names
from annotation.formats.hub.layout import split_name
from annotation.formats.record import PairRecord
from annotation.formats.safe_paths import fold_case
from annotation.models import Phase, Project, Source
from annotation.progress import OnAdvance, ignore_progress
from annotation.selectors.annotations import IMPORTED, shared_pairs
from annotation.selectors.imports import import_warnings
from annotation.selectors.projects import guideline_current
from annotation.text.schemes import SIDES, Scheme


@dataclass(frozen=True, slots=True)
class Terms:
    """What a lead chooses for one publication: its licence (a hub's identifier) and its description (Markdown)."""

    licence: str = "unknown"
    description: str = ""


@dataclass(slots=True)
class DatasetCounts:
    """Counts of what is written: rows by split, tokens by side, and gold by split and label.

    Splits have the names by which the dataset is loaded; `names` are these by their spellings that file systems may
    not distinguish.
    """

    scheme: Scheme
    names: dict[str, str] = field(default_factory=dict)
    pairs: Counter[str] = field(default_factory=Counter)
    with_gold: Counter[str] = field(default_factory=Counter)
    annotations: Counter[str] = field(default_factory=Counter)
    texts: Counter[tuple[str, str]] = field(default_factory=Counter)
    sizes: Counter[tuple[str, str]] = field(default_factory=Counter)
    tokens: Counter[tuple[str, str]] = field(default_factory=Counter)
    spans: Counter[tuple[str, str]] = field(default_factory=Counter)

    def count(self, record: PairRecord) -> PairRecord:
        name = split_name(record.split)
        split = self.names.setdefault(fold_case(name), name)
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

    @property
    def languages(self) -> set[str]:
        return {language for _side, language in self.texts}


@dataclass(frozen=True, slots=True)
class Content:
    """All that a card is made from. `reports` are under annotators' public names, `people`, which are by id; `public`
    has these names by alias. `rows` is a row of each configuration; `withdrawn` counts the people who are excluded.
    """

    project: Project
    totals: DatasetCounts
    gold: int | None
    reports: Sequence[Report]
    terms: Terms
    facts: CardFacts
    revision: int
    splits: Splits
    people: Mapping[int, str]
    public: Mapping[str, str]
    withdrawn: int
    rows: Mapping[str, Mapping[str, Any]]


def card_metadata(scheme: Scheme, totals: DatasetCounts, facts: CardFacts) -> dict[str, Any]:
    """The card's metadata that the files don't have, in the hub's terms."""
    annotated = bool(totals.annotations.total())
    creators_of_annotations = "found" if totals.with_gold.total() else "no-annotation"
    creators = facts.creators if annotated else creators_of_annotations
    return {
        **({"annotations_creators": [creators]} if creators else {}),
        "source_datasets": facts.datasets or ["original"],
        "multilinguality": ["multilingual" if len(totals.languages) > 1 else "monolingual"],
        "task_categories": ["token-classification" if scheme.labels else "text-classification"],
    }


def card_text(content: Content, front: str) -> str:
    """The whole card: `front` (its metadata), then the text."""
    project, totals, facts = content.project, content.totals, content.facts
    parts = [
        f"# {inline(project.name)}",
        block(content.terms.description) or _default_description(project),
        *(f"**{name}:** <{url}>" for name, url in (("Homepage", facts.homepage), ("Paper", facts.paper)) if url),
        "## Contents",
        _splits(totals),
        *_how_splits_were_drawn(content.splits),
        _texts(totals),
        _COLUMNS,
        *_examples(content.rows),
        "## Source of the texts",
        block(facts.sources) or NOT_STATED,
        f"**Datasets they are from:** {inline(', '.join(facts.datasets)) or 'none'}",
        f"**Licence of the texts:** {inline(facts.texts_licence) or NOT_STATED}",
        *process(project, people=content.people, facts=facts, withdrawn=content.withdrawn),
        *prelabels(project, content.reports, content.people),
        "## Labels",
        _scheme(totals.scheme),
        *_distribution(totals),
        *_warnings(project),
        *_agreement(content.reports),
        *gold_process(project, content.gold, pairs_with_gold=totals.with_gold.total(), public=content.public),
        "## Known limitations",
        block(facts.limits) or NOT_STATED,
        *guidelines(project),
        "## Licence",
        _licence(content.terms),
        "## Citation",
        fenced(facts.citation, "bibtex" if facts.citation.lstrip().startswith("@") else "") if facts.citation else "",
        "" if facts.citation else NOT_STATED,
        "## Contact",
        inline(facts.contact) or NOT_STATED,
        "## Where the figures come from",
        _revisions(content),
    ]
    return front + "\n" + "\n\n".join(filter(None, parts)) + "\n"


def _revisions(content: Content) -> str:
    current = guideline_current(content.project)
    gold = {None: "none", IMPORTED: "imported"}.get(content.gold, f"version {content.gold}")
    now = f"{timezone.now():%Y-%m-%d %H:%M} UTC"
    rows = [
        ("counts, agreement, hours, pre-labels", f"computed on {now}, all from one state of the database"),
        ("annotations", "as they were at that time; each one's revision is in the dataset"),
        ("gold", gold),
        ("guidelines", f"version {current.version}" if current else "none"),
        ("what people stated on this card", f"revision {content.revision}" if content.revision else "none"),
    ]
    return table("Date and revision of every figure", ("figures", "from"), rows)


def _examples(rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    parts: list[str] = []
    for name, row in rows.items():
        parts += [f"A row of `{name}`, with long texts and lists cut:", example(row)]
    return parts


def _default_description(project: Project) -> str:
    labels = project.labels
    if not labels.labels:
        return "Pairs of texts, each rated by people."
    side = "side B, relative to side A" if labels.sides == ("b",) else "both sides"
    return f"Pairs of texts in which people marked, word by word, where they differ in meaning; marked on {side}."


def _splits(totals: DatasetCounts) -> str:
    counts = (totals.pairs, totals.with_gold, totals.annotations)
    rows = [(split, *(f"{count[split]:,}" for count in counts)) for split in sorted(totals.pairs)]
    if len(rows) > 1:
        rows.append(("in all", *(f"{count.total():,}" for count in counts)))
    return table("Pairs by split", ("split", "pairs", "with gold", "annotations"), rows)


def _how_splits_were_drawn(splits: Splits) -> list[str]:
    if not splits.shares:
        return []
    return [
        f"The splits ({splits}) were drawn with the seed {splits.seed} when the dataset was exported. Pairs are in the "
        "same split if they share a text, are of one document, or have texts that share 70% of the different runs of "
        "three words of the longer (80% of fewer than 50 runs). So are those that share 50% of the runs of the "
        "shorter (80% of fewer than 50), not counting runs found on more than 20 pages; a text left with fewer than "
        "20 then must share as many as if it had 20, or all its runs if fewer. Other texts, such as paraphrases, may "
        "be in different splits."
    ]


def _texts(totals: DatasetCounts) -> str:
    rows = [
        (f"{side.upper()}, {language}", f"{totals.texts[side, language]:,}", f"{totals.sizes[side, language]:,}")
        for side, language in sorted(totals.texts)
    ]
    return table("Texts", ("side, language", "texts", "tokens"), rows)


def _warnings(project: Project) -> list[str]:
    """Deviations of the import from its source, which users of the data must know about."""
    rows = [(name, f"{count:,}") for name, count in import_warnings(project).items()]
    return ["## Import warnings", table("Import warnings", ("warning", "count"), rows)] if rows else []


_COLUMNS = """Configuration `gold` has the pairs that have gold; `annotations` has every pair, with the work of every
annotator. Both have `id`, `text_a`, `text_b`, their languages and `tokens_a`, `tokens_b` (half-open ranges of Unicode
code points), `sha256_a`, `sha256_b` (of the texts in UTF-8), `tokenizer_a`, `tokenizer_b` (what made the tokens),
`translations_a`, `translations_b` (each side in the other's language, if there was a translation; annotators did not
see them), `metadata` (JSON), `mirror` (the pair with the sides swapped) and `pair_split` (the split as the project
spells it, empty for none). Labels, sides and verdicts are classes: numbers, whose names the features have. A span has a
label and fragments (side, start, end); a span with fragments on both sides marks a difference between corresponding
words, one with fragments on one side an addition or omission. In `gold`, a span also has the rule that made it and the
annotators whose work it is based on (empty if the gold came with its source), and `labels_a` and `labels_b` give the
label of every token; if spans overlap, the highest. Annotators' names are replaced by numbers. Each annotation names
the version of the guidelines it was made under (`guideline`), its revision, and whether `highlights` of a model were
shown."""


_RECOMPUTE = """The figures below, and those that are not printed here, are in [agreement.json](agreement.json).
`python recompute.py`, which needs only pyarrow and numpy, computes them again from the configuration `annotations` and
says where they differ. It leaves out, and names, what it does not compute: intervals, unitizing alpha, agreement by
sentence, each person against the majority, and the breakdowns by split and phase."""


def _scheme(scheme: Scheme) -> str:
    rows = [(scheme.default, "unmarked", "Unmarked words.")]
    rows += [(label.key, label.name, label.description) for label in scheme.labels]
    rows += [(question.key, "question", question.title) for question in scheme.questions]
    return table(f"Scheme '{scheme.name}'", ("key", "name", "meaning"), rows)


def _distribution(totals: DatasetCounts) -> list[str]:
    if not totals.tokens.total():
        return []
    splits = sorted(totals.with_gold)
    groups = [(split, [split]) for split in splits] + ([("in all", splits)] if len(splits) > 1 else [])
    rows = []
    for name, members in groups:
        sizes = {label: sum(totals.tokens[split, label] for split in members) for label in token_names(totals.scheme)}
        total = sum(sizes.values()) or 1
        for label, count in sizes.items():
            if count or label in totals.scheme.keys:
                marked = f"{sum(totals.spans[split, label] for split in members):,}"
                spans = marked if label != totals.scheme.default else ""
                rows.append((f"{name}, {label}", f"{count:,}", f"{100 * count / total:.1f}", spans))
    note = "Tokens of the sides that the scheme marks; if spans overlap, the highest label counts."
    return [table("Labels of the gold", ("split, label", "tokens", "%", "spans"), rows, note)]


def published_reports(
    project: Project,
    names: Mapping[str, str],
    splits: Mapping[str, str] | None = None,
    on_progress: OnAdvance = ignore_progress,
) -> list[Report]:
    """The agreement in every phase in which at least two people annotated the same pairs.

    `names`: annotators' public names by alias. `splits`: those drawn, by pair. `on_progress` is called now and then.
    """
    reports = [
        published_report(project, scope=Scope(phase, names=names, splits=splits or {}), on_progress=on_progress)
        for phase in (Phase.MAIN, Phase.TRIAL, Phase.QUALIFICATION)
        if shared_pairs(project, source=Source.HUMAN, phase=phase)
    ]
    return [report for report in reports if has_figures(report) or report.excluded]


def has_figures(report: Report) -> bool:
    """Whether anything is compared; not if someone marked nothing in each document."""
    return bool(report.figures.documents or any(each.items for each in report.ratings))


def _agreement(reports: Sequence[Report]) -> list[str]:
    if not reports:
        return []
    parts = [_RECOMPUTE] if any(map(has_figures, reports)) else []
    for report in reports:
        parts += [f"## Agreement, {phase_name(report.phase)} phase", report.headline]
        if has_figures(report):
            parts += [*map(figures, report.key_tables), "### How these numbers were computed", report.methods]
    return parts


def _licence(terms: Terms) -> str:
    if terms.licence == "unknown":
        return "The people who made this dataset have not specified a licence; ask them before you use it."
    return f"`{terms.licence}`"


def published_figures(report: Report) -> dict[str, Any]:
    """A report's figures as JSON, without breakdowns and without anybody's progress over time."""
    figures = report.to_json()
    unpublished = (
        "project",
        "phase",
        "annotator_pairs",
        "drift",
        "growth",
        "retests",
        "highlights",
        "position",
        "statistics",
    )
    return {name: value for name, value in figures.items() if name not in unpublished}
