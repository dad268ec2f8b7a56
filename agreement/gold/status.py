"""The status of a draft's pairs: what is agreed, disputed or decided. Reads only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Q, TextChoices
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from agreement.adjudication.answers import DisputedQuestion, questions_of
from agreement.adjudication.base import RULES, Case, Decision, GoldSpan, Rule
from agreement.adjudication.disputed_regions import Region, is_decided, regions_of, tokens_of
from agreement.blind import SALT, anonymous_sort_key
from agreement.data.adjudication_inputs import annotator_of, case_of, submitted_annotations
from agreement.models import Exclusion, GoldJob, GoldVersion
from agreement.selectors import decided_manually, exclusions
from annotation.errors import Conflict
from annotation.models import Annotation, Pair, Project, Source, Status
from annotation.permissions import Access
from annotation.selectors.pairs import pair_list
from annotation.text.spans import Span


class PairState(TextChoices):
    """How far a pair of a draft is; EXCLUDED: by a person."""

    EXCLUDED = "excluded"
    DECIDED = "decided"
    IN_PROGRESS = "in-progress"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class PairStatus:
    """One pair in a draft. `decision` is what the rule alone would decide. `submitted` are the submitted annotations in
    display order, which is fixed for the pair and does not reveal who is who. `annotation` is the pair's row of gold:
    the decision in force, from any version, or the work in progress in the draft.
    """

    draft: GoldVersion
    pair: Pair
    submitted: tuple[Annotation, ...]
    case: Case
    decision: Decision
    regions: tuple[Region, ...]
    questions: tuple[DisputedQuestion, ...]
    annotation: Annotation | None
    exclusion: Exclusion | None

    @property
    def state(self) -> PairState:
        if self.exclusion is not None:
            return PairState.EXCLUDED
        if self.annotation is None:
            return PairState.OPEN
        return PairState.IN_PROGRESS if self.annotation.decided is None else PairState.DECIDED

    @property
    def closed(self) -> bool:
        return self.state in (PairState.EXCLUDED, PairState.DECIDED)

    @property
    def saved(self) -> Annotation | None:
        """The pair's row in this draft; None if nobody has worked on it."""
        row = self.annotation
        return row if row is not None and row.gold_version == self.draft.number else None

    @property
    def spans(self) -> list[Span]:
        """The current spans: as decided or saved, otherwise the provisional ones."""
        if self.annotation is not None:
            return self.annotation.parsed_spans
        return [
            replace(gold.span, id=f"g{n}", origin="accepted", predicted="")
            for n, gold in enumerate(self.provisional, 1)
        ]

    @property
    def answers(self) -> dict[str, str]:
        """The current answers: as decided or saved, otherwise the provisional ones."""
        if self.annotation is not None:
            return dict(self.annotation.answers)
        return {each.question.key: each.provisional for each in self.questions if each.provisional}

    @property
    def provisional(self) -> list[GoldSpan]:
        return [gold for region in self.regions for gold in region.provisional]

    @property
    def total(self) -> int:
        """How many regions and questions the pair has."""
        return len(self.regions) + self._displayed(each.question.key for each in self.questions)

    @property
    def disputed(self) -> int:
        """How many regions and questions are disputed."""
        regions = sum(region.state == "disputed" for region in self.regions)
        return regions + self._displayed(each.question.key for each in self.questions if each.state == "disputed")

    def _displayed(self, keys: Iterable[str]) -> int:
        """How many questions have one of these keys: one with several answers counts once, as people see it."""
        key_set = set(keys)
        return sum(any(each.key in key_set for each in group) for _text, group in self.case.scheme.displayed_questions)

    def marked_regions(self, spans: Sequence[Span]) -> set[str]:
        """The keys of the regions that `spans` lie in."""
        gold = [tokens_of(self.case, span) for span in spans]
        return {region.key for region in self.regions if any(tokens & region.tokens for tokens in gold)}

    def undecided(self, spans: Sequence[Span], unmarked: Sequence[str]) -> list[Region]:
        """The regions that `spans` leave undecided; `unmarked` are the keys of those deliberately left unmarked."""
        gold = [tokens_of(self.case, span) for span in spans]
        return [region for region in self.regions if not is_decided(region, gold, unmarked)]

    @property
    def undecided_count(self) -> int:
        """How many regions and questions are still to be decided."""
        if self.closed:
            return 0
        unmarked = self.annotation.unmarked if self.annotation else []
        answers = self.answers
        unanswered = (each.question.key for each in self.questions if each.question.key not in answers)
        return len(self.undecided(self.spans, unmarked)) + self._displayed(unanswered)

    @property
    def needs_decision(self) -> bool:
        """Whether a person must decide: annotators disagree, the rule would exclude the pair, or it is in progress."""
        doubtful = self.disputed > 0 or bool(self.decision.excluded)
        return not self.closed and (self.state == PairState.IN_PROGRESS or doubtful)

    @property
    def fingerprint(self) -> str:
        """Changes with any annotator's work on the pair, so that nobody decides without seeing the latest work."""
        return fingerprint(self.submitted)


def fingerprint(submitted: Sequence[Annotation]) -> str:
    parts = sorted(f"{annotation.pk}:{annotation.revision}" for annotation in submitted)
    return str(salted_hmac(SALT, " ".join(parts), algorithm="sha256").hexdigest()[:16])


def pair_statuses(draft: GoldVersion, pairs: Sequence[Pair]) -> list[PairStatus]:
    """The status of some pairs, in their order; pairs that nobody has submitted are omitted.

    Raises Conflict if the draft's rule is not installed or doesn't suit the scheme.
    """
    keys = [pair.pk for pair in pairs]
    submitted = submitted_annotations(draft.project, draft.phase, keys)
    excluded = {each.pair_id: each for each in Exclusion.objects.filter(pair__in=keys).select_related("made_by")}
    rows = _rows(draft, keys)
    rule = _rule_of(draft)
    settings = rule.settings.read(draft.parameters)
    statuses = []
    for pair in pairs:
        if pair.pk not in submitted:
            continue
        pair.project = draft.project
        order = tuple(
            sorted(submitted[pair.pk], key=lambda annotation: anonymous_sort_key(pair.pk, annotator_of(annotation)))
        )
        case = case_of(pair, order)
        decision = rule.apply(case, settings)
        disputable = tuple(regions_of(case, decision)), tuple(questions_of(case, decision))
        statuses.append(
            PairStatus(draft, pair, order, case, decision, *disputable, rows.get(pair.pk), excluded.get(pair.pk))
        )
    return statuses


def usable_rule(draft: GoldVersion) -> Rule | None:
    """The draft's rule; None if a plugin that had it was removed, or the scheme was changed so that it decides none."""
    rule = RULES.get(draft.rule)
    return rule if rule is not None and rule.suits(draft.project.labels) else None


def _rule_of(draft: GoldVersion) -> Rule:
    """The draft's rule. Raises Conflict if it can't be used."""
    rule = usable_rule(draft)
    if rule is not None:
        return rule
    if draft.rule in RULES:
        raise Conflict(
            _("The automatic rule “%(rule)s” of the open draft doesn't suit the scheme, which was changed.")
            % {"rule": draft.rule},
            code="rule",
            hint=_("Choose another rule for the draft on the Adjudication page."),
        )
    raise Conflict(
        _("The automatic rule “%(rule)s” of the open draft is not installed.") % {"rule": draft.rule},
        code="rule",
        hint=_("Choose another rule for the draft on the Adjudication page, or install the plugin again."),
    )


def _rows(draft: GoldVersion, pairs: Sequence[int]) -> Mapping[int, Annotation]:
    own = Q(gold_version=draft.number) | Q(decided__isnull=False)
    rows = Annotation.objects.filter(own, source=Source.GOLD, pair__in=pairs).select_related("decided_by")
    return {row.pair_id: row for row in sorted(rows, key=lambda row: row.decided is not None)}


def submitted_pairs(draft: GoldVersion) -> list[Pair]:
    """The pairs of a draft's phase that anyone submitted, in order, without their texts."""
    worked_on = submitted_pair_ids(draft.project, draft.phase)
    pairs = Pair.objects.filter(project=draft.project, pk__in=worked_on).order_by("position", "pk")
    return list(pairs.only("external_id", "position", "project_id"))


def submitted_pair_ids(project: Project, phase: str) -> set[int]:
    rows = Annotation.objects.filter(pair__project=project, source=Source.HUMAN, assignment__phase=phase)
    rows = rows.filter(assignment__round=0).exclude(verdict="").exclude(assignment__status=Status.REASSIGNED)
    return set(rows.values_list("pair", flat=True))


@dataclass(frozen=True, slots=True)
class DraftProgress:
    """A draft's pairs by state."""

    pairs: int
    decided: int
    excluded: int
    in_progress: int

    @property
    def remaining(self) -> int:
        """Pairs neither decided nor excluded; the rule may be sure of some of them."""
        return self.pairs - self.decided - self.excluded

    @property
    def left_to_rule(self) -> int:
        """Pairs on which nobody has worked: closing the draft lets the rule decide them."""
        return self.remaining - self.in_progress


def draft_progress(draft: GoldVersion) -> DraftProgress:
    """How far a draft is, counted without reading any spans."""
    keys, decided, excluded, in_progress = _by_state(draft)
    return DraftProgress(len(keys), len(decided), len(excluded), len(in_progress))


def pairs_in_progress(draft: GoldVersion) -> list[Pair]:
    """The pairs on which someone has saved work that isn't decided, in the project's order, without their texts."""
    *_others, keys = _by_state(draft)
    pairs = Pair.objects.filter(pk__in=keys).order_by("position", "pk")
    return list(pairs.only("external_id", "position", "project_id"))


def _by_state(draft: GoldVersion) -> tuple[set[int], set[int], set[int], set[int]]:
    """The keys of a draft's pairs: of all, of those decided, excluded, and in progress."""
    keys = submitted_pair_ids(draft.project, draft.phase)
    excluded = keys & exclusions(draft.project).keys()
    decided = keys & set(decided_manually(draft.project).values_list("pair", flat=True)) - excluded
    drafts = Annotation.objects.filter(source=Source.GOLD, gold_version=draft.number, pair__project=draft.project)
    in_progress = (set(drafts.values_list("pair", flat=True)) & keys) - decided - excluded
    return keys, decided, excluded, in_progress


def pair_status(draft: GoldVersion, pair: Pair) -> PairStatus | None:
    """The status of one pair; None if nobody has submitted it in the draft's phase."""
    statuses = pair_statuses(draft, [pair])
    return statuses[0] if statuses else None


def next_pair_to_decide(draft: GoldVersion, after: Pair | None = None) -> Pair | None:
    """The next pair that needs a decision, after `after` and then from the start; None if there is none."""
    closed = {*decided_manually(draft.project).values_list("pair", flat=True), *exclusions(draft.project)}
    pairs = [pair for pair in submitted_pairs(draft) if pair.pk not in closed]
    start_index = next((index for index, pair in enumerate(pairs) if after and pair.position > after.position), 0)
    queue = [pair for pair in pairs[start_index:] + pairs[:start_index] if after is None or pair.pk != after.pk]
    for start in range(0, len(queue), 20):
        batch = {
            pair.pk: pair for pair in pair_list(draft.project).filter(pk__in=[p.pk for p in queue[start : start + 20]])
        }
        for status in pair_statuses(draft, [batch[pair.pk] for pair in queue[start : start + 20]]):
            if status.needs_decision:
                return status.pair
    return None


def may_manage_job(access: Access, job: GoldJob) -> bool:
    """Whether someone may cancel or retry a job: leads may, and adjudicators if it opens a draft."""
    return access.lead or job.action == GoldJob.OPEN
