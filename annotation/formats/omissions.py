"""What an export omits, counted by its English text; pages translate it.

The text is what the API, the command line, manifests and archives have, so rows have it too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from annotation.formats.record import AnnotationRecord, PairRecord
from annotation.phrases import Phrase, parse_phrase
from annotation.text.schemes import SIDES
from annotation.text.spans import Span, count_covered
from annotation.vocabulary import Phase, Status, Verdict

ILLEGAL_IN_XML = Phrase("characters that XML can't hold, written as U+FFFD")
NO_TOKEN = Phrase("spans without a token on either side (broken)")
GOLD = Phrase("pairs' gold, which these files can't hold")
LEGACY_GOLD = Phrase("pairs' gold, which these files have no place for")
"""As earlier publications and exports have it."""
RETESTS = Phrase("annotations of re-tests and earlier phases: these files hold one per annotator and pair")
OTHER_PHASES = Phrase("annotations of re-tests and of phases that these files don't have")
ANSWERS = Phrase("answers to questions")
COMMENTS = Phrase("comments on spans")
PAIR_COMMENTS = Phrase("comments on pairs")
VERDICTS = Phrase("verdicts other than 'submitted'")
OVERLAPS = Phrase("gold tokens under several spans: the last span's label is kept")
CONNOTATION = Phrase("gold tokens labelled connotation, written as inferable")
ANNOTATIONS = Phrase("annotations: these files hold the gold alone")
NO_GOLD = Phrase("pairs without gold")
ORIGINS = Phrase("gold spans' rules and the annotators they are based on")
PHASES = Phrase("annotations' phases other than 'main'")
TIMES = Phrase("annotations' active time")
GUIDELINES = Phrase("annotations' version of the guidelines")
METADATA = Phrase("pairs' metadata")
UNMARKED = Phrase("annotations and gold without a span, which have no row here")
REASONS = Phrase("reasons for verdicts")
SPLITS = Phrase("pairs' splits")
MIRRORS = Phrase("pairs' mirrors")
TRANSLATIONS = Phrase("pairs' translations")
SUGGESTED = Phrase("spans' origin as a suggestion, and the label predicted for them")
PAIRS_WITHOUT_ANNOTATIONS = Phrase("pairs without annotations, which an import does not find")
REASSIGNED = Phrase("annotations of pairs that were reassigned, written as skipped or submitted")
RETOKENIZED = Phrase(
    "pairs whose texts these files divide into words differently: an import finds different words and annotations there"
)
LINKED = Phrase("gold spans on both sides, written as one on each")

ALL_OMISSIONS = (
    *(ILLEGAL_IN_XML, NO_TOKEN, GOLD, LEGACY_GOLD, RETESTS, OTHER_PHASES, ANSWERS, COMMENTS, PAIR_COMMENTS, VERDICTS),
    *(OVERLAPS, CONNOTATION, ANNOTATIONS, NO_GOLD, ORIGINS, PHASES, TIMES, GUIDELINES, METADATA, UNMARKED),
    *(
        REASONS,
        SPLITS,
        MIRRORS,
        TRANSLATIONS,
        SUGGESTED,
        PAIRS_WITHOUT_ANNOTATIONS,
        REASSIGNED,
        RETOKENIZED,
        LINKED,
    ),
)


def omission_phrase(stored: str) -> Phrase:
    """The phrase of an omission, by its English text."""
    return parse_phrase(stored, ALL_OMISSIONS)


def nonzero_counts(*counts: tuple[Phrase, int]) -> Counter[str]:
    """The numbers that are not 0, as they are stored."""
    return Counter({phrase.text(): int(number) for phrase, number in counts if number})


def spans_of(record: PairRecord, people: Iterable[AnnotationRecord]) -> list[Span]:
    """The spans of these people and of the gold."""
    return [span for item in people for span in item.spans] + list(record.gold or ())


def count_answers(record: PairRecord) -> int:
    return sum(len(item.answers) for item in record.annotations) + len(record.gold_answers)


def count_broken_spans(spans: Iterable[Span]) -> int:
    return sum(not span.fragments for span in spans)


def count_comments(spans: Iterable[Span]) -> int:
    return sum(bool(span.comment) for span in spans)


def count_other_phases(people: Iterable[AnnotationRecord]) -> int:
    return sum(item.phase != Phase.MAIN for item in people)


def count_other_verdicts(people: Iterable[AnnotationRecord]) -> int:
    return sum(item.verdict != Verdict.SUBMITTED for item in people)


def unpublished_counts(people: Sequence[AnnotationRecord]) -> tuple[tuple[Phrase, int], ...]:
    """How much the annotations have of what no published format knows: active times, versions of the guidelines."""
    return (
        (TIMES, sum(bool(item.active_seconds) for item in people)),
        (GUIDELINES, sum(item.guideline is not None for item in people)),
        (REASONS, sum(bool(item.reason) for item in people)),
        (REASSIGNED, count_reassigned(people)),
    )


def count_reassigned(people: Iterable[AnnotationRecord]) -> int:
    return sum(item.status == Status.REASSIGNED for item in people)


def count_suggested(spans: Iterable[Span]) -> int:
    return sum(span.origin != "manual" or bool(span.predicted) for span in spans)


def count_origins(record: PairRecord) -> int:
    return sum(bool(origin.rule or origin.annotators) for origin in record.origins.values())


def count_overlaps(record: PairRecord, spans: Sequence[Span]) -> int:
    """How many labels tokens have beyond their first: a token under three spans counts twice."""
    result = 0
    for side in SIDES:
        tokens = getattr(record, side).tokens or ()
        each = [span.on(side) for span in spans]
        together = [part for ranges in each for part in ranges]
        result += sum(count_covered(ranges, tokens) for ranges in each) - count_covered(together, tokens)
    return result
