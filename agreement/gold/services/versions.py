"""Creating gold: a rule applied to a phase's annotations, overridden by manual decisions, gives a new version."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from agreement.adjudication.answers import PROVENANCE
from agreement.adjudication.base import Case, Decision, GoldAnswer, GoldSpan, Rule, RuleError, RuleSettings
from agreement.adjudication.origins import MANUAL
from agreement.adjudication.reasons import Code, Reason, make_reason
from agreement.adjudication.registry import rule as rule_named
from agreement.adjudication.token_rules import by_token
from agreement.data.adjudication_inputs import cases_of
from agreement.data.annotation_arrays import codes_of, label_codes
from agreement.models import GoldVersion
from agreement.report.compute.statistics import passage_counts
from agreement.selectors import exclusions, gold_next_number, manual_decisions, withdrawals
from annotation.display_names import phase_name
from annotation.errors import Invalid
from annotation.models import Annotation, Pair, Project, Source, Status, User
from annotation.models.webhooks import EventType
from annotation.progress import OnCount
from annotation.services.archive_check import check_not_archived
from annotation.services.gold import Gold, gold_write_many
from annotation.services.webhook_events import events_write
from annotation.settings_model import SettingError

Cases = Mapping[int, tuple[Pair, Case]]
OnWritten = Callable[[GoldVersion], None]


@dataclass(frozen=True, slots=True)
class PairDecision:
    """A pair and its decision; `by` names the person who decided manually, '' if the rule did."""

    pair: Pair
    decision: Decision
    by: str = ""
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def unsure(self) -> bool:
        return self.decision.unsure


@dataclass(frozen=True, slots=True)
class GoldResult:
    """The result of creating gold; `version` is None for a dry run.

    `tokens` and `spans` count by label, `answers` by question and answer.

    `reliability` is each annotator's, in [0, 1], if the rule estimates it.
    """

    decided: tuple[PairDecision, ...]
    tokens: dict[str, int]
    spans: dict[str, int]
    answers: dict[str, dict[str, int]] = field(default_factory=dict)
    version: GoldVersion | None = None
    reliability: Mapping[str, float] = field(default_factory=dict)

    @property
    def included(self) -> list[PairDecision]:
        return [item for item in self.decided if not item.decision.excluded]

    @property
    def excluded(self) -> dict[str, Reason]:
        """Why each excluded pair is excluded, by external id."""
        return {item.pair.external_id: item.decision.excluded for item in self.decided if item.decision.excluded}

    def to_json(self) -> dict[str, Any]:
        """The object that `adjudicate --format json` prints."""
        return {
            "pairs": len(self.included),
            "excluded": len(self.excluded),
            "tokens": self.tokens,
            "spans": self.spans,
            "unsure": sum(item.unsure for item in self.included),
            "by_hand": sum(bool(item.by) for item in self.included),
            "reasons": {name: str(reason) for name, reason in self.excluded.items()},
            "version": self.version.number if self.version else None,
            **({"answers": self.answers} if self.answers else {}),
            **({"reliability": dict(self.reliability)} if self.reliability else {}),
        }


@dataclass(frozen=True, slots=True)
class GoldPlan:
    """What a rule decides on the work of a phase, before it is written. `inputs` is the digest of that work."""

    project: Project
    rule: Rule
    settings: RuleSettings
    phase: str
    inputs: str
    outcome: GoldResult

    @property
    def outdated(self) -> bool:
        """Whether the work has changed since."""
        return self.inputs != inputs_digest(self.project, self.rule, self.settings, self.phase)


def gold_create(
    *,
    project: Project,
    rule: str,
    phase: str,
    settings: Mapping[str, object] | None = None,
    by: User | None = None,
    dry_run: bool = False,
    cases: Cases | None = None,
    on_progress: OnCount | None = None,
    written: OnWritten | None = None,
) -> GoldResult:
    """Decide every annotated pair of a phase by a rule and write the result as the next version of the gold.

    Manual decisions are kept; a pair that a lead excluded stays excluded with that reason. A dry run decides and writes
    nothing. If nothing has changed since the newest version, as after a double click, that version is returned and
    nothing is written. `cases`: the result of `cases_of`, if it was just read. Raises Invalid for an unknown rule or
    setting, a scheme that the rule doesn't support, or if nobody has submitted anything.

    `on_progress` is called with the number of pairs decided and of all. `written` is called with the version in the
    transaction that writes it: if it raises, nothing is written.
    """
    plan = gold_plan(project=project, rule=rule, phase=phase, settings=settings, cases=cases, on_progress=on_progress)
    return plan.outcome if dry_run else gold_write(plan=plan, by=by, written=written)


def gold_plan(
    *,
    project: Project,
    rule: str,
    phase: str,
    settings: Mapping[str, object] | None = None,
    cases: Cases | None = None,
    on_progress: OnCount | None = None,
) -> GoldPlan:
    """Decide every annotated pair of a phase by a rule, and write nothing. See `gold_create`."""
    chosen, complete = rule_with_settings(rule, settings or {})
    try:
        # Read before the work: changes made meanwhile will make the next version differ.
        inputs = inputs_digest(project, chosen, complete, phase)
        cases = cases_of(project, phase) if cases is None else cases
        decided, reliability = decide(project, chosen, complete, cases, on_progress)
    except RuleError as error:
        raise Invalid(str(error), code="rule") from error
    if not decided:
        raise Invalid(
            _("Nothing has been submitted in the %(phase)s phase of this project.") % {"phase": phase_name(phase)},
            code="nothing",
            where=project.slug,
            hint=_("Choose another phase, or wait for the first annotations."),
        )
    counts = _label_counts(project, decided), _answer_counts(project, decided)
    outcome = GoldResult(tuple(decided), *counts[0], counts[1], reliability=reliability)
    return GoldPlan(project, chosen, complete, phase, inputs, outcome)


def rule_with_settings(name: str, settings: Mapping[str, object]) -> tuple[Rule, RuleSettings]:
    """A rule and its complete settings. Raises Invalid for an unknown rule or setting."""
    try:
        chosen = rule_named(name)
        return chosen, chosen.settings.read(settings)
    except SettingError as error:
        raise Invalid(error.phrase.text(_), code="rule", where=name) from error
    except RuleError as error:
        raise Invalid(str(error), code="rule") from error


def decide(
    project: Project, rule: Rule, settings: RuleSettings, cases: Cases, on_progress: OnCount | None = None
) -> tuple[list[PairDecision], dict[str, float]]:
    """The decision on every case, by rule or person, and each annotator's reliability if the rule estimates it."""
    out, manual = exclusions(project), manual_decisions(project)
    if on_progress is not None:
        on_progress(0, len(cases))
    rule, reliability = rule.fitted([case for _, case in cases.values()], settings)
    decided: list[PairDecision] = []
    for pk, (pair, case) in cases.items():
        if on_progress is not None:
            on_progress(len(decided), len(cases))
        if pk in out:
            decided.append(PairDecision(pair, Decision(excluded=make_reason(Code.OTHER, text=out[pk]))))
        elif pk in manual:
            decided.append(_decided_manually(pair, manual[pk]))
        else:
            decided.append(PairDecision(pair, rule.apply(case, settings)))
    return decided, reliability


def _decided_manually(pair: Pair, decision: Annotation) -> PairDecision:
    spans = tuple(GoldSpan(span, ()) for span in decision.parsed_spans)
    name = decision.decided_by.get_username() if decision.decided_by else MANUAL
    answers = {key: GoldAnswer(answer) for key, answer in decision.answers.items()}
    return PairDecision(pair, Decision(spans, answers=answers), by=name, provenance=decision.provenance)


def _label_counts(project: Project, decided: Iterable[PairDecision]) -> tuple[dict[str, int], dict[str, int]]:
    """Tokens and spans of the gold by label, over the sides that may be marked.

    If every token has a label, a span is a longest passage of tokens with one label, including unmarked ones.
    """
    scheme = project.labels
    labels, codes = label_codes(scheme, merge=False)
    unmerged = set(label_codes(scheme)[0])
    tokens: Counter[int] = Counter()
    spans: Counter[int] = Counter()
    for item in decided:
        if item.decision.excluded:
            continue
        gold_spans = [gold.span for gold in item.decision.spans]
        for side in scheme.sides:
            of_tokens = codes_of(gold_spans, side, item.pair.a.tokens if side == "a" else item.pair.b.tokens, codes)
            tokens.update(of_tokens.tolist())
            spans.update(passage_counts(of_tokens) if by_token(scheme) else {})
        if not by_token(scheme):
            spans.update(codes[span.label] for span in gold_spans)
    counted_labels = [(code, label) for code, label in enumerate(labels) if label in unmerged or tokens[code]]
    counted = {label: spans[code] for code, label in counted_labels if code or by_token(scheme)}
    return {label: tokens[code] for code, label in counted_labels}, counted


def _answer_counts(project: Project, decided: Iterable[PairDecision]) -> dict[str, dict[str, int]]:
    """How often each answer is the gold answer, by question."""
    counts = {question.key: {choice.key: 0 for choice in question.choices} for question in project.labels.rated}
    for item in decided:
        for key, answer in item.decision.given_answers.items():
            if key in counts:
                counts[key][answer] += 1
    return counts


def inputs_digest(project: Project, rule: Rule, settings: RuleSettings, phase: str) -> str:
    """A digest of everything that gold is made from: the rule, submissions, manual decisions, excluded pairs."""
    annotations = Annotation.objects.filter(pair__project=project, source=Source.HUMAN, assignment__phase=phase)
    # As `submitted_annotations`: no gold depends on these.
    annotations = annotations.exclude(assignment__status=Status.REASSIGNED)
    annotations = annotations.exclude(assignment__annotator__in=list(withdrawals(project)))
    parts = [
        [rule.name, settings.model_dump(), phase, project.scheme],
        [list(row) for row in annotations.order_by("pk").values_list("pk", "pair", "revision", "verdict")],
        sorted((pk, f"{decision.decided}") for pk, decision in manual_decisions(project).items()),
        sorted(exclusions(project).items()),
        # Rules have chosen between tied answers since this was added; before, they excluded the pair.
        *(["ties of answers"] if project.labels.rated else []),
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@transaction.atomic
def gold_write(*, plan: GoldPlan, by: User | None, force: bool = False, written: OnWritten | None = None) -> GoldResult:
    """Write what was decided as the next version of the gold; what the newest one has already, only if `force`."""
    project, outcome = plan.project, plan.outcome
    Project.objects.select_for_update().get(pk=project.pk)
    check_not_archived(project.pk)
    version = GoldVersion.objects.filter(project=project, open=False).order_by("-number").first()
    if version is None or version.inputs != plan.inputs or force:
        version = GoldVersion.objects.create(
            project=project,
            number=gold_next_number(project),
            rule=plan.rule.name,
            parameters=plan.settings.model_dump(),
            phase=plan.phase,
            made_by=by,
            counts={key: value for key, value in outcome.to_json().items() if key not in ("reasons", "version")},
            excluded={name: reason.to_json() for name, reason in outcome.excluded.items()},
            inputs=plan.inputs,
        )
        items = [
            Gold(
                item.pair,
                [gold.span for gold in item.decision.spans],
                provenance_of(item, plan.rule.name),
                answers=item.decision.given_answers,
            )
            for item in outcome.included
        ]
        gold_write_many(version=version.number, items=items)
        event = {"version": version.number, "rule": version.rule, "phase": version.phase, "pairs": len(items)}
        events_write(project=project, events={EventType.GOLD: event})
    if written is not None:
        written(version)
    return replace(outcome, version=version)


def provenance_of(item: PairDecision, rule: str) -> dict[str, Any]:
    """Where each gold span and answer comes from: {id: {"annotations", "rule", "unsure"?, "by"?}}.

    A question without a gold answer has an entry too: `unsure` says why the rule left it to a person.
    """
    if item.by:
        return dict(item.provenance)
    golds: dict[str, GoldSpan | GoldAnswer] = {gold.span.id: gold for gold in item.decision.spans}
    golds |= {f"{PROVENANCE}{key}": gold for key, gold in item.decision.answers.items()}
    return {
        key: {"annotations": list(gold.annotations), "rule": rule}
        | ({"unsure": gold.unsure.to_json()} if gold.unsure else {})
        for key, gold in golds.items()
    }
