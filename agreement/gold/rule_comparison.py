"""What creating gold would change: compared with the newest gold, and with other rules' decisions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _

from agreement.adjudication.base import RuleError
from agreement.adjudication.reasons import Reason
from agreement.adjudication.registry import rules_for
from agreement.blind import Redactor
from agreement.data.adjudication_inputs import case_of, submitted_annotations
from agreement.data.annotation_arrays import codes_of, label_codes
from agreement.data.side_by_side import Person
from agreement.gold.reasons import reason_text
from agreement.gold.services.versions import Cases, GoldResult, PairDecision, decide
from agreement.metrics.arrays import Ints
from agreement.selectors import gold_annotations, gold_newest
from annotation.display_names import natural_sort_key
from annotation.models import Annotation, Pair, Project, Source, Verdict
from annotation.text.schemes import Scheme
from annotation.text.spans import Span, parse_spans, spans_document

MAX_DIFFERING_PAIRS = 8
"""How many pairs are named if two rules differ."""


@dataclass(frozen=True, slots=True)
class VersionChanges:
    """Compared with gold version `number`: pairs added, removed or changed, and tokens with a different label."""

    number: int
    added: int
    removed: int
    changed: int
    tokens: int


@dataclass(frozen=True, slots=True)
class RuleRow:
    """Another rule on the same pairs: tokens that it labels differently (None, with a reason, if it can't decide them).

    `pairs` are those where it differs most: key, name, tokens; `differing` is their total number. The reason is that
    the rule fits a model first (`fits`), that it excludes all pairs for `reasons`, or `problem`.
    """

    title: str
    tokens: int | None
    share: float | None
    unsure: int
    problem: str = ""
    reasons: tuple[Reason, ...] = ()
    fits: bool = False
    differing: int = 0
    pairs: tuple[tuple[int, str, int], ...] = ()

    def why(self, redact: Redactor) -> str:
        """Why the rule can't decide the pairs, in the reader's language."""
        if self.fits:
            return _("needs to fit a model: select it to see the result")
        return self.problem or "; ".join(sorted({reason_text(reason, redact) for reason in self.reasons}))


def pair_label_codes(pair: Pair, spans: Sequence[Span], answers: Mapping[str, str], scheme: Scheme) -> Ints:
    """The label code of every token of the sides that may be marked, one side after the other; for a scheme that only
    has questions, the index of every answer.
    """
    if not scheme.labels:
        choices = [[choice.key for choice in question.choices] for question in scheme.rated]
        keys = [answers.get(question.key, "") for question in scheme.rated]
        return np.array([of.index(key) if key in of else -1 for of, key in zip(choices, keys, strict=True)], np.int64)
    codes = label_codes(scheme, merge=False)[1]
    tokens = {"a": pair.a.tokens, "b": pair.b.tokens}
    return np.concatenate([codes_of(spans, side, tokens[side], codes) for side in scheme.sides])


def _labels_of(decided: Sequence[PairDecision], scheme: Scheme) -> dict[int, Ints]:
    """The labels of every pair that is not excluded."""
    return {
        item.pair.pk: pair_label_codes(
            item.pair,
            [gold.span for gold in item.decision.spans],
            item.decision.given_answers,
            scheme,
        )
        for item in decided
        if not item.decision.excluded
    }


def changes(project: Project, outcome: GoldResult) -> VersionChanges | None:
    """What `outcome` would change in the newest gold; None if there is no gold."""
    number = gold_newest(project)
    if number is None:
        return None
    # The texts of the pairs are already loaded, so they are not read again with the gold.
    rows = gold_annotations(project, number).select_related(None).values_list("pair_id", "spans", "answers")
    before = {pk: (spans, answers) for pk, spans, answers in rows}
    after = {item.pair.pk: item for item in outcome.included}
    scheme = project.labels
    differing = [
        int((labels != pair_label_codes(after[pk].pair, parse_spans(before[pk][0]), before[pk][1], scheme)).sum())
        for pk, labels in _labels_of([item for pk, item in after.items() if pk in before], scheme).items()
    ]
    return VersionChanges(
        number=number,
        added=len(after.keys() - before.keys()),
        removed=len(before.keys() - after.keys()),
        changed=sum(count > 0 for count in differing),
        tokens=sum(differing),
    )


def compare_rules(project: Project, outcome: GoldResult, cases: Cases) -> list[RuleRow]:
    """Every rule with its default parameters against `outcome`, on the pairs that both keep."""
    scheme = project.labels
    own = _labels_of(outcome.decided, scheme)
    names = {item.pair.pk: item.pair.external_id for item in outcome.decided}
    rows = []
    for rule in rules_for(scheme):
        if rule.fit is not None:
            rows.append(RuleRow(rule.title, None, None, 0, fits=True))
            continue
        try:
            decided = decide(project, rule, rule.settings(), cases)[0]
        except RuleError as error:
            rows.append(RuleRow(rule.title, None, None, 0, str(error)))
            continue
        rows.append(_rule_row(rule.title, own, decided, _labels_of(decided, scheme), names))
    return rows


def _rule_row(
    title: str,
    own: Mapping[int, Ints],
    decided: Sequence[PairDecision],
    theirs: Mapping[int, Ints],
    names: Mapping[int, str],
) -> RuleRow:
    shared = own.keys() & theirs.keys()
    size = sum(len(own[pk]) for pk in shared)
    unsure = sum(item.unsure for item in decided if not item.decision.excluded)
    if not size:
        reasons = dict.fromkeys(item.decision.excluded for item in decided if item.decision.excluded)
        return RuleRow(title, None, None, unsure, reasons=tuple(reasons))
    counts = {pk: int((own[pk] != theirs[pk]).sum()) for pk in shared}
    differing = sum(counts.values())
    most = sorted((pk for pk in shared if counts[pk]), key=lambda pk: (-counts[pk], names[pk]))
    pairs = tuple((pk, names[pk], counts[pk]) for pk in most[:MAX_DIFFERING_PAIRS])
    return RuleRow(title, differing, differing / size, unsure, differing=len(most), pairs=pairs)


def decisions_by_rule(
    project: Project, pair: Pair, phase: str, redact: Redactor
) -> tuple[list[Person], list[tuple[str, str]]]:
    """What each rule with its default parameters would decide for a pair, as if the rules were people.

    Also returns the rules that can't decide this pair, with the reason. Models of annotators are omitted: they need all
    pairs.
    """
    case = case_of(pair, submitted_annotations(project, phase, [pair.pk]).get(pair.pk, ()))
    people: list[Person] = []
    problems = []
    for rule in rules_for(project.labels):
        if rule.fit is not None:
            continue
        try:
            decision = rule.apply(case, rule.settings())
        except RuleError as error:
            problems.append((rule.title, str(error)))
            continue
        if decision.excluded:
            problems.append((rule.title, reason_text(decision.excluded, redact)))
            continue
        spans = [gold.span for gold in decision.spans]
        annotation = Annotation(source=Source.GOLD, pair=pair, spans=spans_document(spans), span_count=len(spans))
        annotation.answers = decision.given_answers
        people.append(Person(len(people), str(_(rule.title)), annotation))
    return people, problems


@dataclass(frozen=True, slots=True)
class Distribution:
    """How one annotator used the labels, in spans."""

    name: str
    spans: int
    labels: tuple[tuple[str, int, float], ...]


def label_distributions(project: Project) -> list[Distribution]:
    """Every annotator's labels over all phases: (label, spans, share). No spans are read."""
    rows = Annotation.objects.filter(
        pair__project=project, source=Source.HUMAN, verdict=Verdict.SUBMITTED, assignment__round=0
    ).values_list("assignment__annotator__alias", "label_counts")
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for name, own in rows:
        counts[name].update(own)
    keys = sorted(project.labels.keys, key=project.labels.value)
    result = []
    for name in sorted(counts, key=natural_sort_key):
        total = counts[name].total()
        labels = tuple((key, counts[name][key], counts[name][key] / total if total else 0.0) for key in keys)
        result.append(Distribution(name, total, labels))
    return result
