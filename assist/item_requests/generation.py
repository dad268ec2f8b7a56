"""Generating items: a language model is asked, within limits, and what it writes is imported to be rated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean, pstdev
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from annotation.errors import DomainError, Invalid
from annotation.formats.record import PairRecord
from annotation.models import Pair, Project, User
from annotation.progress import OnProgress
from annotation.services.archive_check import check_not_archived
from annotation.services.import_checks import project_problems
from annotation.services.import_report import ImportReport
from annotation.services.import_target import pairs_by_id
from annotation.services.imports import import_pairs
from annotation.services.projects import project_create
from annotation.settings_model import SettingError
from annotation.text.schemes import PRESETS
from assist.encoder_choice.clsd import cosine
from assist.encoder_choice.embedding import embed
from assist.encoder_choice.tables import TableError, read_text
from assist.item_generation.items import SCHEMES, distractor_items, items_source, sample_items, triple_items
from assist.item_generation.prompts import distractors_request, fusion_request, read_distractors, read_fusion
from assist.item_generation.settings import GenerationSettings
from assist.item_generation.sources import Parallel, Triple, parallel_rows, triples
from assist.llm.ledger import Ledger, LedgerAccount
from assist.llm.site_settings import llm_site
from assist.methods.base import MethodError
from assist.methods.language_models.asking import SendingOptions, ask
from assist.methods.language_models.cost import max_cost, prompt_tokens
from assist.methods.language_models.prompt import Request
from assist.methods.language_models.site import ModelTarget, Price, target
from assist.models import LlmAccount, LlmAnswer

TASKS = tuple(SCHEMES)
_PLACEHOLDER = "…"
"""In place of what the model writes, where it isn't known yet."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """What items are made of: the text of a file, and its name."""

    name: str
    text: str

    @classmethod
    def read(cls, path: Path) -> Sentences:
        """Those of a file. Raises Invalid if it cannot be read."""
        try:
            return cls(path.name, read_text(path))
        except TableError as error:
            raise Invalid(error.phrase.text(_), code="file") from error


@dataclass(frozen=True, slots=True)
class RequestEstimate:
    """What would be asked: how many rows were read, of which `repeated` are the same as an earlier one and excluded; by
    how many requests, roughly how many tokens these have, and what they cost at most.
    """

    rows: int
    repeated: int
    requests: int
    tokens: int
    max_cost: float


@dataclass(slots=True)
class MadeItems:
    """What was made.

    `rows` were read, of which `repeated` are the same as an earlier one and excluded, and `unusable` got no usable
    answer, or too few sentences. `alike`: triples whose neighbouring sentences are too similar for differences. `items`
    are kept, `report` is that of their import.
    """

    task: str
    rows: int
    repeated: int = 0
    unusable: int = 0
    alike: int = 0
    items: list[PairRecord] = field(default_factory=list)
    report: ImportReport | None = None

    @property
    def jaccards(self) -> tuple[float, float] | None:
        """Mean and standard deviation of the word-level Jaccard similarity of translations and distractors."""
        values = [record.metadata["item"]["jaccard"] for record in self.items if self.task == "clsd"]
        return (mean(values), pstdev(values)) if values else None

    @property
    def operators(self) -> dict[str, int]:
        """The items of each operator."""
        counts: dict[str, int] = {}
        for record in self.items:
            if name := record.metadata["item"].get("operator"):
                counts[name] = counts.get(name, 0) + 1
        return counts


def requests_of(*, task: str, sentences: Sentences, settings: Mapping[str, object]) -> list[Request]:
    """Everything that generating items would ask, in order; nothing is asked. Raises Invalid."""
    return _CheckedRequest(task, sentences, settings).requests()


def items_estimate(*, task: str, sentences: Sentences, settings: Mapping[str, object], slug: str) -> RequestEstimate:
    """How much generating items for the project `slug` would ask; nothing is asked. Raises Invalid."""
    checked = _CheckedRequest(task, sentences, settings)
    checked.check(slug)
    requests = checked.requests()
    return RequestEstimate(
        checked.read,
        checked.read - len(checked.rows),
        len(requests),
        sum(map(prompt_tokens, requests)),
        sum(max_cost(request, checked.to.price) for request in requests),
    )


def items_make(
    *,
    task: str,
    sentences: Sentences,
    slug: str,
    settings: Mapping[str, object],
    by: User | None = None,
    on_progress: OnProgress | None = None,
) -> MadeItems:
    """Have a language model make items of sentences, and import them into the project `slug`, created if needed.

    What was answered for the project is not asked again. Raises Invalid: for the file, a setting, a limit that is
    reached, a server that refuses. Then nothing is imported, and what was answered is kept, in the project; a project
    that was created for nothing is removed.
    """
    checked = _CheckedRequest(task, sentences, settings)
    checked.check(slug)
    existing = Project.objects.filter(slug=slug).first()
    project = existing or project_create(name=slug, slug=slug, scheme=PRESETS[SCHEMES[task]].to_json(), lead=by)
    check_not_archived(project.pk)
    try:
        items = checked.ask_all(project, on_progress)
        if items.items:
            items.report = import_pairs(slug=slug, parsed=items_source(task, items.items), by=by)
    except DomainError:
        if existing is None:
            _remove_unused(project)
        raise
    return items


def _account(project: Project) -> str:
    """The name of the account of all items of a project."""
    return f"items {project.pk}"


@transaction.atomic
def _remove_unused(project: Project) -> None:
    """Remove a project without pairs, unless it has answers or something was spent for it."""
    Project.objects.select_for_update().filter(pk=project.pk).first()
    account = LlmAccount.objects.filter(name=_account(project))
    spent = account.filter(Q(spent__gt=0) | Q(reserved__gt=0))
    if not (project.pairs.exists() or LlmAnswer.objects.filter(project=project).exists() or spent.exists()):
        account.delete()
        project.delete()


class _CheckedRequest:
    """Sentences and the settings, checked."""

    def __init__(self, task: str, sentences: Sentences, settings: Mapping[str, object]) -> None:
        self.task = task
        try:
            self.settings = GenerationSettings.read(settings)
            chosen = self.settings
            self.to: ModelTarget = target(
                llm_site(), chosen.address, chosen.model, Price(chosen.prompt_price, chosen.answer_price)
            )
            rows: Sequence[Any] = (
                parallel_rows(sentences.text, sentences.name)
                if task == "clsd"
                else triples(sentences.text, sentences.name, self.settings.language)
            )
        except SettingError as error:
            raise Invalid(error.phrase.text(_), code="setting") from error
        except TableError as error:
            raise Invalid(error.phrase.text(_), code="file") from error
        except MethodError as error:
            raise _invalid(error) from error
        if not rows:
            raise Invalid(
                _("The file does not contain three consecutive sentences."), code="file", where=sentences.name
            )
        self.name, self.read = sentences.name, len(rows)
        # The same sentences would make the same items again.
        first: dict[Any, Any] = {}
        for row in rows:
            first.setdefault(replace(row, id=""), row)
        self.rows: Sequence[Any] = list(first.values())

    def check(self, slug: str) -> None:
        """Raises Invalid for what the import into the project would refuse, whatever the model answers."""
        expected = self._expected()
        if project := Project.objects.filter(slug=slug).first():
            pairs = pairs_by_id(project, [record.id for record in expected])
            expected = [_with_earlier_text(record, pairs.get(record.id)) for record in expected]
        if problems := project_problems(slug, expected, ()):
            raise Invalid(problems[0].phrase.text(_), code="file", where=self.name)

    def _expected(self) -> list[PairRecord]:
        """The items of all rows as far as they are known, with a text in place of what the model writes."""
        if self.task == "clsd":
            count = self.settings.distractors
            return [
                record
                for row in self.rows
                for record in distractor_items(row, [_PLACEHOLDER] * count, self.settings, self.to.model)
            ]
        return [
            record
            for row in self.rows
            for record in triple_items(row, _PLACEHOLDER, _PLACEHOLDER, {}, self.settings, self.to.model)
        ]

    def requests(self) -> list[Request]:
        """Everything to ask: one request for a translation, two for a triple."""
        if self.task == "clsd":
            return [distractors_request(row, self.settings) for row in self.rows]
        return [
            fusion_request(row.id, *both, self.settings)
            for row in self.rows
            for both in ((row.before, row.middle), (row.middle, row.after))
        ]

    def ask_all(self, project: Project, on_progress: OnProgress | None) -> MadeItems:
        settings = self.settings
        account = LedgerAccount(_account(project), project.pk)
        ledger = Ledger(account, self.to, llm_site(), settings.limit, settings.per_minute)
        try:
            # Filtered first: a model that can't be loaded should cost nothing.
            cosines = self._cosines() if self.task == "compositionality" else {}
            answers = ask(
                self.to, self.requests(), SendingOptions(settings.structured, settings.parallel), ledger, on_progress
            )
        except MethodError as error:
            raise _invalid(error) from error
        if self.task == "clsd":
            return self._distractors(answers)
        return self._triples(answers, cosines)

    def _distractors(self, answers: Sequence[str]) -> MadeItems:
        result = MadeItems(self.task, self.read, self.read - len(self.rows))
        items: list[PairRecord] = []
        row: Parallel
        for row, answer in zip(self.rows, answers, strict=True):
            distractors = read_distractors(answer, row.target, self.settings.distractors)
            if len(distractors) < self.settings.distractors:
                result.unusable += 1
                continue
            items += distractor_items(row, distractors, self.settings, self.to.model)
        result.items = sample_items(items, self.settings.sample, self.settings.seed)
        return result

    def _triples(self, answers: Sequence[str], cosines: Mapping[str, Mapping[str, list[float]]]) -> MadeItems:
        result = MadeItems(self.task, self.read, self.read - len(self.rows))
        items: list[PairRecord] = []
        remaining = iter(answers)
        row: Triple
        for row in self.rows:
            first = read_fusion(next(remaining), row.before, row.middle)
            second = read_fusion(next(remaining), row.middle, row.after)
            if first is None or second is None:
                result.unusable += 1
                continue
            own = {name: by_row[row.id] for name, by_row in cosines.items()}
            result.alike += any(value >= self.settings.most_similar for pair in own.values() for value in pair)
            items += triple_items(row, first, second, own, self.settings, self.to.model)
        result.items = sample_items(items, self.settings.sample, self.settings.seed)
        return result

    def _cosines(self) -> dict[str, dict[str, list[float]]]:
        """By encoder and triple: the cosines of the first two sentences, and of the last two."""
        cosines: dict[str, dict[str, list[float]]] = {}
        texts = list(dict.fromkeys(text for row in self.rows for text in (row.before, row.middle, row.after)))
        for name in self.settings.filters:
            vectors = embed(name, texts).vectors
            cosines[name] = {
                row.id: [
                    round(cosine(vectors[row.before], vectors[row.middle]), 4),
                    round(cosine(vectors[row.middle], vectors[row.after]), 4),
                ]
                for row in self.rows
            }
        return cosines


def _with_earlier_text(record: PairRecord, pair: Pair | None) -> PairRecord:
    """An item as if the model wrote what it wrote for the same text before."""
    if pair is None or pair.a.content != record.a.text:
        return record
    statement = record.statement
    if statement and pair.statement:
        statement = replace(statement, text=pair.statement.content)
    return replace(record, b=replace(record.b, text=pair.b.content), statement=statement)


def _invalid(error: MethodError) -> Invalid:
    return Invalid(error.phrase.text(_), code="model")
