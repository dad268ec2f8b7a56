"""How a dataset was made, for its card: the annotators' work by phase and language, pre-labels, gold, guidelines."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agreement.adjudication.reasons import Reason
from agreement.models import GoldVersion
from agreement.publication.card_markup import block, figures, inline, table
from agreement.publication.facts import CREATORS, CardFacts
from agreement.report.project_report import Report
from agreement.report.render.secondary_tables import highlights_table
from agreement.selectors import gold_version_get
from annotation.display_names import phase_name
from annotation.models import Assignment, Phase, Project, Source, Verdict
from annotation.person_names import NAMING
from annotation.selectors.annotations import IMPORTED
from annotation.selectors.export_records import project_aliases
from annotation.selectors.highlights import highlight_runs, highlights_seen
from annotation.selectors.projects import guideline_current

NOT_STATED = "*Not stated.*"
WITHDRAWN = "someone who has withdrawn their consent"
UNKNOWN = "someone who is not in this dataset"


@dataclass(slots=True)
class AnnotationTotals:
    """Submitted work: pairs, people, annotations and active seconds."""

    pairs: set[int] = field(default_factory=set)
    people: set[int] = field(default_factory=set)
    annotations: int = 0
    seconds: int = 0

    def add(self, pair: int, person: int, seconds: int) -> None:
        self.pairs.add(pair)
        self.people.add(person)
        self.annotations += 1
        self.seconds += seconds

    @property
    def cells(self) -> tuple[str, ...]:
        hours = f"{self.seconds / 3600:,.1f}" if self.seconds else "not recorded"
        return f"{len(self.pairs):,}", f"{len(self.people):,}", f"{self.annotations:,}", hours


def process(project: Project, *, people: Mapping[int, str], facts: CardFacts, withdrawn: int) -> list[str]:
    """How the texts were annotated. `people`: public names, by id, of those whose work is in the dataset."""
    phases: dict[str, AnnotationTotals] = defaultdict(AnnotationTotals)
    languages: dict[str, AnnotationTotals] = defaultdict(AnnotationTotals)
    total = AnnotationTotals()
    assignments = Assignment.objects.filter(pair__project=project, annotator__in=list(people))
    rows = assignments.exclude(annotation__verdict=Verdict.NONE).filter(annotation__source=Source.HUMAN)
    columns = ("pair_id", "annotator_id", "phase", "pair__a__language", "pair__b__language")
    for pair, person, phase, a, b, seconds in rows.values_list(*columns, "annotation__active_seconds").iterator():
        for totals in (phases[phase], languages[f"{a}-{b}"], total):
            totals.add(pair, person, seconds)
    if not total.annotations:
        return ["## How it was annotated", "No annotations of people are in this dataset."]
    heads = ("pairs", "people", "annotations", "hours")
    ordered = [phase for phase in Phase.values if phase in phases]
    parts = [
        "## How it was annotated",
        table("By phase", ("phase", *heads), [(phase_name(phase), *phases[phase].cells) for phase in ordered]),
        table("By language", ("languages", *heads), [(name, *languages[name].cells) for name in sorted(languages)]),
        f"{len(total.people):,} people made {total.annotations:,} annotations. Hours are active, not idle, time.",
    ]
    if withdrawn:
        many = "1 person has" if withdrawn == 1 else f"{withdrawn:,} people have"
        parts.append(f"{many} withdrawn their consent: their annotations, and gold based on them, are not included.")
    creators = str(CREATORS.get(facts.creators, "")) or NOT_STATED
    return [
        *parts,
        f"**Annotators:** {creators}",
        "**Recruitment:**",
        block(facts.recruitment) or NOT_STATED,
        f"**Pay:** {inline(facts.pay) or NOT_STATED}",
    ]


def prelabels(project: Project, reports: Sequence[Report], people: Collection[int]) -> list[str]:
    """Which methods pre-labelled the pairs, and what seeing that did to people's work. `people` are those published."""
    runs = highlight_runs(project)
    if not runs:
        return ["## Pre-labels", "No model pre-labelled the pairs."]
    assignments = Assignment.objects.filter(pair__project=project, annotator__in=people).exclude(annotation__verdict="")
    published = assignments.filter(annotation__isnull=False).annotate(seen=highlights_seen(project))
    shown: Counter[bool] = Counter(published.values_list("seen", flat=True).iterator())
    rows = [(run.method, run.run, f"{run.pairs:,}", f"{run.made:%Y-%m-%d}") for run in runs]
    parts = [
        "## Pre-labels",
        table("Methods", ("method", "run", "pairs", "created"), rows),
        f"For {shown[True]:,} of {shown.total():,} annotations the annotator could see pre-labels: the pair had been "
        "pre-labelled before the work was last changed, and the assignment showed it. Each annotation says whether it "
        "is one of them (`highlights`).",
    ]
    for report in reports:
        effect = highlights_table(report.highlights)
        if effect.rows:
            parts += [f"### Effect, {phase_name(report.phase)} phase", figures(effect)]
    return parts if any(report.highlights for report in reports) else [*parts, "Their effect was not measured."]


def gold_process(project: Project, gold: int | None, *, pairs_with_gold: int, public: Mapping[str, str]) -> list[str]:
    """The rule of the gold, its parameters, and the share that people decided. `public`: names by alias."""
    if gold is None:
        return ["## Gold", "There is no gold yet."]
    if gold == IMPORTED:
        return ["## Gold", "The gold was imported with the pairs."]
    version: GoldVersion = gold_version_get(project, gold)
    public_names = dict.fromkeys(project_aliases(project).values(), WITHDRAWN) | dict(public)
    parameters = [
        f"{key} = {inline(_setting_with_public_names(value, public_names) if key in NAMING else _setting(value))}"
        for key, value in version.parameters.items()
        if value not in ("", {}, None)
    ]
    by_hand, total = version.counts.get("by_hand", 0), version.counts.get("pairs", 0)
    share = f" ({100 * by_hand / total:.1f}%)" if total else ""
    # Gold that rests on the work of people who have withdrawn their consent is not published.
    withheld = f" The gold of {pairs_with_gold:,} of them is in this dataset." if pairs_with_gold != total else ""
    parts = [
        "## Gold",
        f"Version {version.number}, created on {version.made:%Y-%m-%d} from the {phase_name(version.phase)} phase by "
        f"the rule `{version.rule}` (parameters: {', '.join(parameters) or 'none'}); {by_hand:,} of its {total:,} pairs"
        f"{share} {'was' if by_hand == 1 else 'were'} decided manually.{withheld}",
    ]
    if version.excluded:
        rows = [(pair, str(_reason(reason, public_names))) for pair, reason in version.excluded.items()]
        parts.append(table("Pairs excluded from the gold", ("pair", "reason"), rows))
    return parts


def _setting_with_public_names(value: Any, public_names: Mapping[str, str]) -> str:
    """A setting that names annotators, or one for each pair, by their public names alone."""
    if isinstance(value, Mapping):
        return ", ".join(f"{pair}: {_setting_with_public_names(inner, public_names)}" for pair, inner in value.items())
    return public_names.get(value, UNKNOWN)


def _setting(value: Any) -> str:
    """Any other setting, as it is."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_setting(inner)}" for key, inner in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_setting, value))
    return str(value)


def _reason(stored: Mapping[str, Any], public_names: Mapping[str, str]) -> Reason:
    """Why a pair was excluded, with the public name of the annotator whom it names."""
    name = {"name": _setting_with_public_names(stored["name"], public_names)} if "name" in stored else {}
    return Reason.from_json({**stored, **name})


def guidelines(project: Project) -> list[str]:
    current = guideline_current(project)
    if current is None:
        return []
    return [f"## Guidelines (version {current.version}, {current.made:%Y-%m-%d})", block(current.text)]
