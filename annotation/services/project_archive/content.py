"""Whether the rows of an archive, staged and still invisible, are a project: what every import checks, and the rest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import fields, replace
from itertools import islice
from typing import Any

from django.db.models.functions import Length

from annotation.errors import Invalid
from annotation.formats.checks import check_records, statement_problems
from annotation.formats.record import FormatError, PairRecord, Rejection
from annotation.formats.source import refusal
from annotation.hooks import ON_IMPORT_OF_ARCHIVE
from annotation.models import Annotation, Assignment, Highlight, Pair, Project, Revision, Source
from annotation.models.imports import Import
from annotation.models.messages import Message, Thread
from annotation.models.qualification import QualificationStep, StepKind
from annotation.phrases import Phrase
from annotation.selectors.export_records import PUBLIC_NAME, pair_records, project_aliases
from annotation.services.highlights import HighlightInput, highlight_check
from annotation.services.import_checks import annotation_problems, record_problems
from annotation.services.import_report import ImportRefused, ImportReport
from annotation.services.name_checks import name_check
from annotation.services.project_archive.tables import PAIRS
from annotation.text.limits import MAX_COMMENT_LENGTH, MAX_MESSAGE_LENGTH, MAX_QUOTE_LENGTH, MAX_QUOTES
from annotation.text.schemes import Scheme
from annotation.text.span_counts import counts
from annotation.text.spans import SpansError, check, parse_spans
from annotation.vocabulary import Phase

BATCH = 50
_COUNTS = [field.name for field in fields(ImportReport) if field.type == "int"]


def check_content(project: Project, scheme: Scheme, on_pair: Callable[[int], None]) -> None:
    """Raises ImportRefused, or FormatError, for what an import of the same pairs and annotations would refuse.

    `on_pair` is called with the number of pairs checked so far; it may raise ClaimLost.
    """
    _check_people(project)
    _check_messages(project)
    _check_qualification(project)
    _check_imports(project)
    for rows_check in ON_IMPORT_OF_ARCHIVE:
        rows_check(project)
    keys = list(Pair.objects.filter(project=project).order_by("position", "pk").values_list("pk", flat=True))
    records = pair_records(project, gold=None, names=project_aliases(project), submitted_only=False)
    for start in range(0, len(keys), BATCH):
        batch = keys[start : start + BATCH]
        try:
            _check_batch(list(islice(records, len(batch))), batch, scheme)
        except FormatError:
            raise
        except (SpansError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise refusal("annotation.annotation", Phrase("a stored value does not have the expected form")) from error
        on_pair(start + len(batch))


def _check_batch(records: list[PairRecord], keys: list[int], scheme: Scheme) -> None:
    try:
        check_records(records)
    except FormatError as error:
        raise FormatError(list(map(_named_once, error.rejections))) from error
    problems = [*record_problems(records), *statement_problems(records, scheme)]
    pairs = list(Pair.objects.filter(pk__in=keys).select_related("a", "b", "statement"))
    problems += annotation_problems(records, {pair.external_id: pair for pair in pairs}, scheme)
    if problems:
        raise ImportRefused(list(map(_named_once, problems)))
    _check_spans(pairs, scheme)
    _check_highlights(pairs)
    _recount(pairs)


def _named_once(rejection: Rejection) -> Rejection:
    """The rejection of a pair, which its reason may name too."""
    return replace(rejection, where=PAIRS) if rejection.reason.startswith(rejection.where) else rejection


def _recount(pairs: list[Pair]) -> None:
    """Make the counts that pages read those of the spans, whatever the archive says."""
    grids = {pair.pk: (pair.a.grid, pair.b.grid) for pair in pairs}
    wrong = []
    for row in Annotation.objects.filter(pair__in=grids).order_by():
        new = counts(row.parsed_spans, *grids[row.pair_id])
        if (row.span_count, row.token_count, row.label_counts) != (new.spans, new.tokens, new.labels):
            row.span_count, row.token_count, row.label_counts = new.spans, new.tokens, new.labels
            wrong.append(row)
    Annotation.objects.bulk_update(wrong, ["span_count", "token_count", "label_counts"])


def _check_spans(pairs: list[Pair], scheme: Scheme) -> None:
    """The gold of every version, and every revision."""
    by_key = {pair.pk: pair for pair in pairs}
    stored: dict[int, list[tuple[str, Any]]] = defaultdict(list)
    for pair, spans in Annotation.objects.filter(pair__in=by_key, source=Source.GOLD).values_list("pair", "spans"):
        stored[pair].append(("gold", spans))
    revisions = Revision.objects.filter(annotation__pair__in=by_key).order_by()
    for pair, number, spans in revisions.values_list("annotation__pair", "number", "spans"):
        stored[pair].append((f"revision {number}", spans))
    for key, versions in stored.items():
        pair_row = by_key[key]
        for name, spans in versions:
            try:
                problems = check(parse_spans(spans), scheme, pair_row.a.grid, pair_row.b.grid, imported=True)
            except SpansError as error:
                problems = [error.phrase]
            if problems:
                where = f"pair '{pair_row.external_id}', {name}"
                raise refusal(where, problems[0])


def _check_highlights(pairs: list[Pair]) -> None:
    by_key = {pair.pk: pair for pair in pairs}
    for row in Highlight.objects.filter(pair__in=by_key).order_by().iterator(chunk_size=10):
        try:
            highlight_check(
                HighlightInput(
                    by_key[row.pair_id], row.scores_a, row.scores_b, row.edges, row.proposals, row.labels, row.seconds
                )
            )
        except (TypeError, ValueError, KeyError, AttributeError, Invalid) as error:
            where = f"pair '{by_key[row.pair_id].external_id}', highlights"
            raise refusal(where, Phrase("a stored value does not have the expected form")) from error


def _check_people(project: Project) -> None:
    """A public name is a number, as all are: another could be anybody's name."""
    for name in project.annotators.exclude(published_as="").values_list("published_as", flat=True):
        if not PUBLIC_NAME.fullmatch(name):
            raise refusal("annotation.annotator", Phrase("a stored value does not have the expected form"))


def _check_messages(project: Project) -> None:
    """What messages quote has the form that pages expect, and none is longer than those that people write."""
    rows = Thread.objects.filter(assignment__annotator__project=project).order_by("pk")
    for pair, quote in rows.values_list("assignment__pair__external_id", "quote").iterator():
        if not (isinstance(quote, list) and len(quote) <= MAX_QUOTES and all(map(_is_quoted, quote))):
            where = f"annotation.thread, pair '{pair}'"
            raise refusal(where, Phrase("a stored value does not have the expected form"))
    written = Message.objects.filter(thread__in=rows.order_by()).annotate(length=Length("text"))
    if written.filter(length__gt=MAX_MESSAGE_LENGTH).exists():
        raise refusal("annotation.message", Phrase("a stored value does not have the expected form"))


def _check_imports(project: Project) -> None:
    """What earlier imports reported has the form that pages expect."""
    for report, warnings in Import.objects.filter(project=project).values_list("report", "warnings"):
        try:
            parsed = ImportReport.from_json(report) if report is not None else ImportReport("")
            counts = [*warnings.values(), *parsed.source_warnings.values(), *map(parsed.__getattribute__, _COUNTS)]
            if not all(type(count) is int and count >= 0 for count in counts):
                raise ValueError
            parsed.lines()
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise refusal("annotation.import", Phrase("a stored value does not have the expected form")) from error


def _check_qualification(project: Project) -> None:
    """What leads said and decided has the form that pages expect."""
    rows = QualificationStep.objects.filter(annotator__project=project).order_by("pk")
    for alias, details in rows.values_list("annotator__alias", "details").iterator():
        numbers = details.values() if isinstance(details, dict) else [""]
        if not all(each is None or type(each) in (int, float) for each in numbers):
            raise refusal(
                f"annotation.qualificationstep, '{alias}'", Phrase("a stored value does not have the expected form")
            )
    others = Assignment.objects.filter(annotator__project=project, retry__isnull=False)
    if others.exclude(phase=Phase.QUALIFICATION, retry__step=StepKind.RETRY).exists():
        raise refusal("annotation.assignment", Phrase("a stored value does not have the expected form"))
    if rows.annotate(length=Length("words")).filter(length__gt=MAX_COMMENT_LENGTH).exists():
        raise refusal("annotation.qualificationstep", Phrase("a stored value does not have the expected form"))


def _is_quoted(each: object) -> bool:
    if not isinstance(each, dict) or each.keys() != {"side", "start", "end", "text"}:
        return False
    numbers = type(each["start"]) is int and type(each["end"]) is int and 0 <= each["start"] < each["end"]
    short = isinstance(each["text"], str) and len(each["text"]) <= MAX_QUOTE_LENGTH + 1
    return numbers and short and each["side"] in ("a", "b")


def check_name(name: object) -> str:
    """A project's name. Raises Invalid."""
    text = name.strip() if isinstance(name, str) else ""
    if not text or len(text) > 200:
        raise Invalid("A project's name must have 1 to 200 characters.", where="name")
    name_check(text, "name")
    return text
