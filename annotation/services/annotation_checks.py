"""What may be saved and submitted: every check that `services.annotations` makes before it writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from annotation.display_names import PHASE_NAMES
from annotation.errors import Conflict, Forbidden, Invalid
from annotation.models import Annotation, Annotator, Assignment, Pair, Project, Status, Verdict
from annotation.scheme_words import scheme_in_words
from annotation.selectors.advancement import held_back
from annotation.selectors.assignments import assignment_limits
from annotation.selectors.projects import current_scheme, options_of
from annotation.selectors.references import submission_final
from annotation.services.archive_check import archived_refusal
from annotation.strict_json import display_text, encoding_problem
from annotation.text.limits import MAX_COMMENT_LENGTH, MAX_SPANS
from annotation.text.schemes import Question, Scheme
from annotation.text.span_counts import SpanCounts, counts
from annotation.text.spans import Span, SpansError, check, parse_spans, spans_document


@dataclass(frozen=True, slots=True)
class AnnotationInput:
    """What a client sends to be saved: the spans document, answers by question, and metadata.

    `read` holds the indices of read paragraphs by side, `dismissed` the ids of dismissed suggestions, `unmarked` the
    keys of disputed regions left unmarked on purpose (gold only), `active_seconds` the time worked so far.
    """

    spans: Any
    answers: Mapping[str, Any] = field(default_factory=dict)
    comment: str = ""
    read: Mapping[str, Sequence[int]] = field(default_factory=dict)
    active_seconds: int = 0
    dismissed: Sequence[str] = ()
    unmarked: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class ValidAnnotation:
    """What was sent, if scheme and texts allow it: its spans, the spans document that stores them, answers, counts."""

    sent: AnnotationInput
    spans: list[Span]
    spans_document: dict[str, Any]
    answers: dict[str, str]
    counts: SpanCounts


def check_phase_open(assignment: Assignment) -> None:
    """Raises Forbidden if the lead has closed the phase."""
    if assignment.phase in options_of(assignment.pair.project).closed_phases:
        raise Forbidden(
            _("The %(phase)s phase is closed.") % {"phase": PHASE_NAMES[assignment.phase]},
            code="phase-closed",
            hint=_("Ask a lead to reopen it."),
        )


def check_not_held(assignment: Assignment, annotator: Annotator) -> None:
    """Raises Forbidden if the annotator has to be advanced before they begin this pair. Their project is loaded."""
    if held_back(assignment, annotator):
        raise Forbidden(
            _("This pair is on hold until a lead advances you after the qualification."),
            code="qualification",
            where=annotator.project.name,
            hint=_("Submit your qualification pairs first, then wait for the lead."),
        )


def check_still_assigned(assignment: Assignment) -> None:
    """Raises Conflict if the lead has reassigned the pair."""
    if assignment.status == Status.REASSIGNED:
        raise Conflict(
            _("The lead has assigned this pair to someone else."),
            code="reassigned",
            where=assignment.pair.external_id,
            hint=_("Continue with the next pair."),
        )


def check_can_reopen(assignment: Assignment) -> None:
    """Raises Forbidden if the annotator could copy the reference into a second submission."""
    if submission_final(assignment):
        raise Forbidden(
            _("This pair has a reference answer, so only your first submission counts."),
            code="final",
            where=assignment.pair.external_id,
            hint=_("Continue with the next pair."),
        )


def validate_annotation(sent: AnnotationInput, pair: Pair) -> ValidAnnotation:
    """What was sent, if scheme and texts allow it. Raises Invalid. Reads only immutable data, so it needs no lock."""
    scheme = pair.project.labels
    spans = validate_spans(sent.spans, scheme, pair)
    answers = validate_answers(sent.answers, scheme)
    validate_metadata(sent, pair)
    return ValidAnnotation(sent, spans, spans_document(spans), answers, counts(spans, pair.a.grid, pair.b.grid))


def recheck(checked: ValidAnnotation, project: Project, pair: Callable[[], Pair]) -> ValidAnnotation:
    """What was sent, checked again if a lead has changed the scheme since. Raises Invalid, or Conflict once archived.

    Call it while holding the lock that a change of the scheme waits for; the scheme is read by a statement of its own,
    because a statement that waits for a lock sees only the locked row as it is then.
    """
    scheme, archived = current_scheme(project)
    if archived:
        raise archived_refusal(project.name)
    if scheme == project.scheme:
        return checked
    project.scheme = scheme
    current = pair()
    current.project = project
    return validate_annotation(checked.sent, current)


def validate_spans(data: Any, scheme: Scheme, pair: Pair) -> list[Span]:
    """The spans of a spans document that scheme and texts allow. Raises Invalid naming the first invalid one."""
    try:
        spans = parse_spans(data)
    except SpansError as error:
        raise Invalid(error.phrase.text(_), code="spans", where="spans") from error
    if len(spans) > MAX_SPANS:
        raise Invalid(_("At most %(n)s spans can be stored.") % {"n": MAX_SPANS}, code="spans", where="spans")
    for index, span in enumerate(spans):
        for name in ("id", "label", "comment"):
            if encoding_problem(getattr(span, name)):
                where = f"spans[{index}].{name}"
                raise Invalid(
                    _("“%(name)s” contains characters that can't be stored.") % {"name": where},
                    code="spans",
                    where=where,
                )
        if len(span.comment) > MAX_COMMENT_LENGTH:
            raise Invalid(
                _("A comment can have at most %(n)s characters.") % {"n": MAX_COMMENT_LENGTH},
                code="spans",
                where=f"spans[{index}].comment",
            )
    problems = check(spans, scheme, pair.a.grid, pair.b.grid)
    if problems:
        where = str(problems[0]).split(":")[0].split(" ")[0]
        raise Invalid("; ".join(each.text(_) for each in problems[:5]), code="spans", where=where)
    return spans


def validate_answers(answers: Mapping[str, Any], scheme: Scheme) -> dict[str, str]:
    """The answers, if their questions accept them; empty free-text answers are dropped. Raises Invalid."""
    valid = {}
    questions = {question.key: question for question in scheme.questions}
    for key, choice in answers.items():
        question = questions.get(key)
        if question is None:
            raise Invalid(
                _("There is no question “%(key)s”.") % {"key": display_text(key)}, code="answers", where="answers"
            )
        if question.open and choice == "":
            continue
        if question.open and isinstance(choice, str) and len(choice) > MAX_COMMENT_LENGTH:
            raise Invalid(
                _("An answer can have at most %(n)s characters.") % {"n": MAX_COMMENT_LENGTH},
                code="answers",
                where=f"answers.{display_text(key)}",
            )
        if not question.accepts(choice):
            raise Invalid(
                _("“%(choice)s” is not one of its answers.") % {"choice": display_text(choice)},
                code="answers",
                where=f"answers.{display_text(key)}",
            )
        valid[key] = choice
    return valid


def validate_metadata(sent: AnnotationInput, pair: Pair) -> None:
    """Checks comment, time and ticks. Raises Invalid."""
    if sent.active_seconds < 0:
        raise Invalid(_("Active time must be 0 or more."), code="active_seconds", where="active_seconds")
    if len(sent.comment) > MAX_COMMENT_LENGTH:
        raise Invalid(
            _("A comment can have at most %(n)s characters.") % {"n": MAX_COMMENT_LENGTH},
            code="comment",
            where="comment",
        )
    for side, text in (("a", pair.a), ("b", pair.b)):
        if any(not 0 <= index < len(text.paragraphs) for index in sent.read.get(side, ())):
            raise Invalid(
                _("Side %(side)s has %(n)s paragraphs.") % {"side": side, "n": len(text.paragraphs)},
                code="read",
                where=f"read.{side}",
            )


def check_can_submit(assignment: Assignment, annotation: Annotation, verdict: str, reason: str) -> None:
    """Raises Invalid if something is missing, Forbidden if the project does not allow it."""
    options = options_of(assignment.pair.project)
    if verdict not in Verdict.values or verdict == Verdict.NONE:
        raise Invalid(
            _("“%(verdict)s” is not a verdict.") % {"verdict": display_text(verdict)},
            code="verdict",
            where="verdict",
            hint=", ".join(options.verdicts),
        )
    if verdict not in options.verdicts:
        raise Forbidden(_("This project does not allow this verdict."), hint=", ".join(options.verdicts))
    if verdict == Verdict.FLAGGED and not reason.strip():
        raise Invalid(_("Say what is wrong with the pair."), code="reason", where="reason")
    if len(reason) > MAX_COMMENT_LENGTH:
        raise Invalid(
            _("A reason can have at most %(n)s characters.") % {"n": MAX_COMMENT_LENGTH}, code="reason", where="reason"
        )
    limits = assignment_limits(assignment, options)
    if verdict == Verdict.SKIPPED and limits.skips_left == 0:
        raise Forbidden(
            _("You can't skip any more pairs: this project allows you to skip at most %(percent)s%% of yours.")
            % {"percent": limits.skip_percent},
            hint=_("Annotate it as well as you can, or flag it."),
        )
    if verdict == Verdict.SUBMITTED:
        _all_answered(annotation, scheme_in_words(assignment.pair.project.labels).rated)


def _all_answered(annotation: Annotation, questions: Sequence[Question]) -> None:
    for question in questions:
        if question.key not in annotation.answers:
            raise Invalid(
                _("“%(question)s” has no answer yet.") % {"question": question.title},
                code="answers",
                where=f"answers.{question.key}",
            )
