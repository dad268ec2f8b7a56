"""Pairs as methods see them: rows become `PairInput`s here, and what a method says becomes highlights' fields.

The gold that a method may learn from is named in a snapshot (annotations and their revisions), so that it can be read
again, the same, by any worker at any later time.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.db.models import Q

from annotation.glossaries.entries import TermEntry
from annotation.models import Annotation, Pair, Project, Revision, Source, Text, Verdict
from annotation.selectors.annotations import IS_GOLD
from annotation.selectors.glossary import glossary_entries, glossary_revision
from annotation.services.highlights import HighlightInput
from annotation.text.paragraphs import paragraphs
from annotation.text.schemes import SIDES, Scheme, Side
from annotation.text.sentences import sentences
from annotation.text.spans import Span, covered_indices, parse_spans, token_ranges
from annotation.text.tokens import base_language, is_ascii_punctuation, tokenize
from assist.methods.base import MarkedSpan, MethodError, PairInput, Proposal, Range, Result, TextSide, WordLists
from assist.methods.lexicon import dictd, sources
from assist.phrases.run_phrases import NO_DICTIONARY

CHUNK = 500
Values = list[float]


def snapshot(project: Project) -> dict[str, Any]:
    """What a method is fitted on now: the project's pairs, and of each the annotations that count, by revision.

    `{"pairs": [pk, …], "annotations": [[pk, revision], …]}`. A pair's newest gold counts; if it has none, what its
    annotators have submitted.
    """
    rows = Annotation.objects.filter(pair__project=project)
    newest: dict[int, tuple[int, int, int]] = {}
    for pair, version, pk, revision in rows.filter(IS_GOLD).values_list("pair", "gold_version", "pk", "revision"):
        newest[pair] = max(newest.get(pair, (-1, 0, 0)), (version or 0, pk, revision))
    submitted = rows.filter(source=Source.HUMAN, verdict=Verdict.SUBMITTED).exclude(pair__in=newest)
    annotations = [[pk, revision] for _, pk, revision in newest.values()]
    annotations.extend([pk, revision] for pk, revision in submitted.values_list("pk", "revision"))
    pairs = project.pairs.order_by("position", "pk").values_list("pk", flat=True)
    return {"pairs": list(pairs), "annotations": sorted(annotations)}


def word_list_snapshot(project: Project, languages: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The word lists that a method may currently use, in addition to those that come with Diptych.

    `{"glossary": {"revision", "entries": [[language, language of the translations, word, [translation, …]], …]},
    "dictionaries": {name: digest}}`, each omitted where there is none. The entries are written down, so that a later
    change of the glossary changes no run; dictionaries only named, as they are large.
    """
    entries = glossary_entries(project)
    rows = [[*key, each.word, list(each.translations)] for key, listed in entries.items() for each in listed]
    bases = {(base_language(a), base_language(b)) for a, b in languages}
    installed = sources.dictionaries()
    named = {each.name: dictd.digest(each) for a, b in bases for each in dictd.dictionaries_between(installed, a, b)}
    return {
        **({"glossary": {"revision": glossary_revision(entries), "entries": rows}} if rows else {}),
        **({"dictionaries": dict(sorted(named.items()))} if named else {}),
    }


def word_lists(training: Mapping[str, Any]) -> WordLists:
    """The word lists of a snapshot. Raises MethodError if a dictionary is not the same on this machine."""
    glossary: dict[tuple[str, str], list[TermEntry]] = defaultdict(list)
    stored = training.get("glossary", {"revision": "", "entries": []})
    for language, other, word, translations in stored["entries"]:
        glossary[base_language(language), base_language(other)].append(TermEntry(word, tuple(translations)))
    named = training.get("dictionaries", {})
    here = {each.name: dictd.digest(each) for each in sources.dictionaries() if each.name in named}
    for name, digest in named.items():
        if here.get(name) != digest:
            raise MethodError(NO_DICTIONARY.with_params(name=name))
    return WordLists(dict(glossary), stored["revision"], tuple(named))


def read_pairs(pks: Sequence[int]) -> list[Pair]:
    """The pairs with these keys, with their texts, in this order; deleted ones are skipped."""
    pairs: dict[int, Pair] = {}
    for start in range(0, len(pks), CHUNK):
        chunk = Pair.objects.filter(pk__in=pks[start : start + CHUNK]).select_related("a", "b")
        pairs.update((pair.pk, pair) for pair in chunk)
    return [pairs[pk] for pk in pks if pk in pairs]


def pair_inputs(pairs: Iterable[Pair], scheme: Scheme, annotations: Sequence[Sequence[int]] = ()) -> list[PairInput]:
    """`pairs` as methods see them, with gold from the annotations of a snapshot; ids are the pairs' keys."""
    spans = _spans(annotations)
    inputs = []
    for pair in pairs:
        marked = spans.get(pair.pk, [])
        gold, labels = gold_values(pair, scheme, marked), gold_labels(pair, scheme, marked)
        a, b = _side(pair.a), _side(pair.b)
        into_b, into_a = _translations(pair, "a", b.language), _translations(pair, "b", a.language)
        inputs.append(
            PairInput(
                str(pair.pk),
                a,
                b,
                gold.get("a"),
                gold.get("b"),
                pair.split,
                translations_a=into_b,
                translations_b=into_a,
                labels_a=labels.get("a"),
                labels_b=labels.get("b"),
                spans=[_marked_span(pair, span, scheme) for spans in marked for span in spans],
                document=document if isinstance(document := pair.metadata.get("document"), str) else "",
            )
        )
    return inputs


def _marked_span(pair: Pair, span: Span, scheme: Scheme) -> MarkedSpan:
    """A span as ranges of tokens, on the sides that may be marked."""
    a, b = (
        tuple(token_ranges(covered_indices(span.on(side), text.tokens))) if side in scheme.sides else ()
        for side, text in zip(SIDES, (pair.a, pair.b), strict=True)
    )
    return MarkedSpan(span.label, a, b)


def _translations(pair: Pair, side: Side, language: str) -> list[TextSide]:
    """What a side says in the other's language, cut up on the way."""
    return [
        TextSide(language, text, tokenize(text, language), sentences(text, language), paragraphs(text))
        for text in pair.translations.get(side, ())
    ]


def _side(text: Text) -> TextSide:
    return TextSide(
        text.language, text.content, *(_ranges(it) for it in (text.tokens, text.sentences, text.paragraphs))
    )


def _ranges(stored: Iterable[Sequence[int]]) -> list[Range]:
    return [(start, end) for start, end in stored]


def _spans(annotations: Sequence[Sequence[int]]) -> dict[int, list[list[Span]]]:
    """Spans by pair, annotation by annotation, as they were at the revisions named."""
    revisions = {row[0]: row[1] for row in annotations}
    spans: dict[int, list[list[Span]]] = defaultdict(list)
    keys = sorted(revisions)
    for start in range(0, len(keys), CHUNK):
        chunk = keys[start : start + CHUNK]
        moved = []
        for row in Annotation.objects.filter(pk__in=chunk).only("pk", "pair_id", "revision", "spans"):
            if row.revision == revisions[row.pk]:
                spans[row.pair_id].append(parse_spans(row.spans))
            else:
                moved.append(Q(annotation=row.pk, number=revisions[row.pk]))
        for condition in moved:
            for old in Revision.objects.filter(condition).select_related("annotation"):
                spans[old.annotation.pair_id].append(parse_spans(old.spans))
    return spans


def gold_values(pair: Pair, scheme: Scheme, annotations: Sequence[Sequence[Span]]) -> dict[Side, Values]:
    """Per side that may be marked, one value in [0, 1] per token: the mean over annotations of its heaviest label.

    A graded label weighs its value against the highest; of others, 'new' weighs 1 and the rest one half. Tokens of
    ASCII punctuation alone are unknown (NaN) where labels are graded, as in SwissGov-RSD. Empty without annotations.
    """
    if not annotations or not scheme.labels:
        return {}
    weights = label_weights(scheme)
    values: dict[Side, Values] = {}
    for side in SIDES:
        if side not in scheme.sides:
            continue
        text = pair.a if side == "a" else pair.b
        sums = [0.0] * len(text.tokens)
        for spans in annotations:
            marked = [0.0] * len(text.tokens)
            for span in spans:
                for token in covered_indices(span.on(side), text.tokens):
                    marked[token] = max(marked[token], weights.get(span.label, 1.0))
            sums = [total + value for total, value in zip(sums, marked, strict=True)]
        mean = [total / len(annotations) for total in sums]
        if scheme.graded:
            words = (text.content[start:end] for start, end in text.tokens)
            mean = [math.nan if is_ascii_punctuation(word) else value for word, value in zip(words, mean, strict=True)]
        values[side] = mean
    return values


def gold_labels(pair: Pair, scheme: Scheme, annotations: Sequence[Sequence[Span]]) -> dict[Side, list[str]]:
    """Per side that may be marked, each token's label: the heaviest of an annotation, and what most annotations say.

    '' where most leave a token unmarked; of labels given equally often the heaviest. Empty without annotations.
    """
    if not annotations:
        return {}
    weights = {"": -1.0, **label_weights(scheme)}
    labels: dict[Side, list[str]] = {}
    for side in SIDES:
        if side not in scheme.sides or not scheme.labels:
            continue
        tokens = (pair.a if side == "a" else pair.b).tokens
        counts: list[Counter[str]] = [Counter() for _ in tokens]
        for spans in annotations:
            heaviest = [""] * len(tokens)
            for span in spans:
                for token in covered_indices(span.on(side), tokens):
                    heaviest[token] = max(heaviest[token], span.label, key=lambda label: weights.get(label, 1.0))
            for votes, label in zip(counts, heaviest, strict=True):
                votes[label] += 1
        labels[side] = [
            max(votes, key=lambda label: (votes[label], weights.get(label, 1.0), label)) for votes in counts
        ]
    return labels


def label_weights(scheme: Scheme) -> Mapping[str, float]:
    """How great a difference each label means, in [0, 1]."""
    if scheme.graded:
        highest = max((scheme.value(key) for key in scheme.keys), default=0.0) or 1.0
        return {key: scheme.value(key) / highest for key in scheme.keys}
    if "new" in scheme.keys:
        return {key: 1.0 if key == "new" else 0.5 for key in scheme.keys}
    return dict.fromkeys(scheme.keys, 1.0)


def highlight_input(pair: Pair, result: Result, scheme: Scheme) -> HighlightInput:
    """A method's result as stored in highlights: proposals become spans of code points with a label of the scheme."""
    return HighlightInput(
        pair=pair,
        scores_a=result.scores_a,
        scores_b=result.scores_b,
        edges=result.edges,
        proposals=proposed_spans(pair, result.proposals, scheme),
        labels={side: [label or scheme.default for label in labels] for side, labels in result.labels.items()},
        seconds=result.seconds,
    )


def proposed_spans(pair: Pair, proposals: Sequence[Proposal], scheme: Scheme) -> list[dict[str, Any]]:
    """Proposals as span objects with a `score`, limited to what may be marked in the scheme.

    The label is the one that the method predicts, also given as `predicted`; otherwise the one nearest to the score.
    """
    weights = label_weights(scheme)
    spans: list[dict[str, Any]] = []
    for proposal in proposals if scheme.labels else ():
        label = min(scheme.keys, key=lambda key: abs(weights[key] - proposal.score))
        fragments = [
            {"side": side, "start": text.tokens[first][0], "end": text.tokens[last - 1][1]}
            for side, text, ranges in (("a", pair.a, proposal.a), ("b", pair.b, proposal.b))
            if side in scheme.sides
            for first, last in ranges
        ]
        entry: dict[str, Any] = {"score": round(proposal.score, 4), "level": proposal.level}
        if proposal.reason:
            entry["reason"] = asdict(proposal.reason)
        if proposal.label in scheme.keys:
            label = entry["predicted"] = proposal.label
        spans.extend(
            {"label": label, "origin": "accepted", "fragments": part, **entry}
            for part in _split_fragments(fragments, scheme)
        )
    return spans


def _split_fragments(fragments: list[dict[str, Any]], scheme: Scheme) -> list[list[dict[str, Any]]]:
    """The fragments as one span, or as several if the scheme has no links or no gaps."""
    if not scheme.discontinuous:
        return [[fragment] for fragment in fragments]
    sides = [[part for part in fragments if part["side"] == side] for side in SIDES]
    return [part for part in ([fragments] if scheme.links else sides) if part]
