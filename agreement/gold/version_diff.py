"""Spans of two gold versions, or of an annotator's work and the gold, side by side, for pages. Reads only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from agreement.adjudication.answers import PROVENANCE
from agreement.adjudication.origins import ANEW, CHANGED, JOINED, MANUAL, TAKEN
from agreement.adjudication.span_diff import SpanDifference, span_differences
from agreement.blind import Redactor
from agreement.gold.reasons import rule_title
from annotation.models import Annotation, Pair, Project, Source
from annotation.permissions import Access
from annotation.scheme_words import scheme_in_words
from annotation.selectors.annotations import annotations_of_pair
from annotation.selectors.pairs import pair_list
from annotation.selectors.projects import options_of
from annotation.text.quotes import quote
from annotation.text.schemes import Label, Question, Scheme
from annotation.text.spans import Span

KINDS = {
    "added": gettext_lazy("new"),
    "removed": gettext_lazy("removed"),
    "label": gettext_lazy("another label"),
    "words": gettext_lazy("other words"),
    "both": gettext_lazy("other words and another label"),
    "answer": gettext_lazy("another answer"),
}
ORIGIN_TEXTS = {
    TAKEN: gettext_lazy("accepted"),
    JOINED: gettext_lazy("merged"),
    CHANGED: gettext_lazy("changed"),
    ANEW: gettext_lazy("newly marked"),
}


@dataclass(frozen=True, slots=True)
class Credits:
    """Who made each annotation (`names`, empty if hidden), and whether to show who decided manually."""

    names: Mapping[int, str]
    deciders: bool


@dataclass(frozen=True, slots=True)
class Quote:
    """A span or an answer as shown on a page; `origin` says where it comes from, `question` what an answer is to."""

    label: Label | None
    key: str
    a: str
    b: str
    origin: str = ""
    question: str = ""


@dataclass(frozen=True, slots=True)
class QuotedChange:
    """A change, quoted."""

    kind: str
    before: Quote | None
    after: Quote | None


@dataclass(frozen=True, slots=True)
class PairRow:
    """A pair that differs: in its spans, or because only one of the two has it ('added', 'removed')."""

    pair: Pair
    kind: str
    rows: tuple[QuotedChange, ...]


GoldByPair = Mapping[int, Annotation]
"""The gold of a version, by pair; the pairs themselves need not be read."""


def version_diff(project: Project, before: GoldByPair, after: GoldByPair, credits: Credits | None) -> list[PairRow]:
    """The pairs that differ between two versions of the gold, in their order, with what changed in each."""
    pair_rows = []
    both = before.keys() & after.keys()
    scheme = project.labels
    changed = [pk for pk in both if not same_content(scheme, before[pk], after[pk])]
    # Only of these are the texts needed.
    for pk, pair in pair_list(project).in_bulk(changed).items():
        pair.project = project
        if rows := rows_of(pair, before[pk], after[pk], credits):
            pair_rows.append(PairRow(pair, "changed", rows))
    alone = project.pairs.in_bulk([*(before.keys() ^ after.keys())])
    pair_rows += [PairRow(pair, "removed" if pk in before else "added", ()) for pk, pair in alone.items()]
    return sorted(pair_rows, key=lambda each: (each.pair.position, each.pair.pk))


def rows_of(pair: Pair, before: Annotation, after: Annotation, credits: Credits | None) -> tuple[QuotedChange, ...]:
    """What differs between two annotations of a pair."""
    answers = _other_answers(scheme_in_words(pair.project.labels), before, after, credits)
    if _markings(before) == _markings(after):
        return answers
    labels = {label.key: label for label in scheme_in_words(pair.project.labels).labels}
    return answers + tuple(
        QuotedChange(
            str(KINDS[change.kind]),
            quote_span(change.before, pair, labels, before.provenance, credits),
            quote_span(change.after, pair, labels, after.provenance, credits),
        )
        for change in _changes(pair, before, after)
    )


def _other_answers(
    scheme: Scheme, before: Annotation, after: Annotation, credits: Credits | None
) -> tuple[QuotedChange, ...]:
    return tuple(
        QuotedChange(
            str(KINDS["answer"]), *(quote_answer(question, annotation, credits) for annotation in (before, after))
        )
        for question in scheme.questions
        if before.answers.get(question.key) != after.answers.get(question.key)
    )


def quote_answer(question: Question, annotation: Annotation, credits: Credits | None) -> Quote | None:
    """An annotation's answer to a question; None if there is none, and no rule that left it to a person."""
    key, source = annotation.answers.get(question.key), annotation.provenance.get(f"{PROVENANCE}{question.key}")
    if key is None and not source:
        return None
    shown = _("no answer") if key is None else question.name_of(key) or key
    return Quote(None, shown, "", "", origin_text(source, credits), question.title)


def same_content(scheme: Scheme, before: Annotation, after: Annotation) -> bool:
    """Whether two annotations of a pair mark and answer the same, in whatever order: then `rows_of` gives none.

    Reads neither texts nor tokens, so that many pairs can be compared.
    """
    answered = all(before.answers.get(each.key) == after.answers.get(each.key) for each in scheme.questions)
    return answered and _sorted(before) == _sorted(after)


def _sorted(annotation: Annotation) -> list[tuple[str, list[tuple[str, int, int]]]]:
    return sorted(
        (label, sorted((each["side"], each["start"], each["end"]) for each in fragments))
        for label, fragments in _markings(annotation)
    )


def _markings(annotation: Annotation) -> list[tuple[str, Any]]:
    """What is marked, without ids and comments: for most pairs this is enough to see that nothing changed."""
    return [(span["label"], span["fragments"]) for span in annotation.spans["spans"]]


def _changes(pair: Pair, before: Annotation, after: Annotation) -> Sequence[SpanDifference]:
    return span_differences(before.parsed_spans, after.parsed_spans, pair.a.grid, pair.b.grid)


def quote_span(
    span: Span | None,
    pair: Pair,
    labels: Mapping[str, Label],
    provenance: Mapping[str, Any],
    credits: Credits | None,
) -> Quote | None:
    if span is None:
        return None
    words = (quote(span, "a", pair.a.content), quote(span, "b", pair.b.content))
    return Quote(labels.get(span.label), span.label, *words, origin_text(provenance.get(span.id), credits))


def origin_text(origin: Mapping[str, Any] | None, credits: Credits | None) -> str:
    """Where a gold span comes from, in a few words: the rule or person, and from how many people's work."""
    if not origin or credits is None:
        return ""
    sources = origin.get("annotations", ())
    people = ngettext("from %(n)s annotator", "from %(n)s annotators", len(sources)) % {"n": len(sources)}
    names = [credits.names[source] for source in sources if source in credits.names]
    if names:
        people = _("from %(names)s") % {"names": ", ".join(names)}
    rule = origin.get("rule", "")
    decider = origin.get("by", "") if credits.deciders else ""
    by = (_("by %(name)s") if rule == MANUAL else _("confirmed by %(name)s")) % {"name": decider}
    how = str(ORIGIN_TEXTS.get(origin.get("how", ""), _("manual"))) if rule == MANUAL else _rule_text(rule)
    return ", ".join(part for part in (how, people if sources else "", by if decider else "") if part)


def _rule_text(name: str) -> str:
    return _("rule “%(rule)s”") % {"rule": rule_title(name)}


def visible_credits(access: Access) -> Credits:
    """Who made what, as far as this person may know: annotators are not named if the lead hides names."""
    if options_of(access.project).adjudication_blind:
        return Credits({}, deciders=not access.blind)
    rows = Annotation.objects.filter(pair__project=access.project, source=Source.HUMAN)
    return Credits(dict(rows.values_list("pk", "assignment__annotator__alias")), deciders=True)


def gold_history(pair: Pair, credits: Credits, redact: Redactor) -> list[tuple[Annotation, str, list[Quote]]]:
    """A pair's gold in every version that has it, newest first, with its comment and the origin of each span."""
    scheme = scheme_in_words(pair.project.labels)
    labels = {label.key: label for label in scheme.labels}
    annotations = annotations_of_pair(pair, source=Source.GOLD).order_by("-gold_version")
    return [
        (
            row,
            redact(row.feedback),
            [
                *filter(None, (quote_span(span, pair, labels, row.provenance, credits) for span in row.parsed_spans)),
                *filter(None, (quote_answer(each, row, credits) for each in scheme.questions)),
            ],
        )
        for row in annotations
    ]
