"""What imports warn of, counted by its English text; pages translate it.

The text is what the API, the command line and archives have, so rows have it too.
"""

from __future__ import annotations

from annotation.phrases import Phrase, parse_phrase

SEVERAL_PAIRS = Phrase("pages with more than one pair, distinguished by a number")
GAPS = Phrase("texts whose token indices have gaps")
REBUILT = Phrase("texts that differ from their tokens, rebuilt from the tokens")
LOST_MARKS = Phrase("marks on tokens that are not in the text, ignored")
TAG_MARKS = Phrase("marks on the language tag, ignored")
MISSING_PAGES = Phrase("missing pages, rebuilt from their annotated words only")
OTHER_WORD = Phrase("positions where the page has a different word, replaced by the annotated one")
POSITIONS_BEYOND_PAGE = Phrase("positions beyond the page, added to it")
UNEQUAL = Phrase("sides of a span whose numbers of words and positions differ (positions are used)")
OTHER_PAGES = Phrase("documents whose annotators name different pages (the first is used)")
EMPTY_FILES = Phrase("empty files (the annotator marked nothing)")
TWO_WORDS = Phrase("positions where two annotators have different words (the first is used)")
UNSCORED = Phrase("tokens that are unscored although they are words")
SCORED = Phrase("tokens that are scored although they are ASCII punctuation")
LABEL_MERGED = Phrase("spans labelled %(label)s, imported as %(other)s: the scheme has no such label")
EXISTING_KEPT = Phrase("annotations that differ from those in the project (the project's are kept)")
REFERENCE_SEEN = Phrase("unfinished work not imported: its annotator has seen the reference (gold) of these texts")
NO_GUIDELINES = Phrase("annotations made with a version of the guidelines that the project doesn't have")
BROKEN_SPANS = Phrase("spans without a token on either side (broken)")
OVERLAPS = Phrase("tokens under more than one span of an annotator")
REPEATED = Phrase("rows with the same texts as an earlier row, imported once")
CHANGED_TEXTS = Phrase(
    "pairs whose text differs from that of the project's pair with the same id, kept as separate pairs"
)
WORD_PARTS = Phrase("annotations of parts of a word, extended to the whole word")
OTHER_LAYERS = Phrase("values of other layers and features, not read")
MISSING_FILES = Phrase("files listed in diptych-webanno.csv that are missing")
UNCHECKED = Phrase("texts in a language that can't be identified: their sentences were only counted")

ALL_WARNINGS = (
    *(
        SEVERAL_PAIRS,
        GAPS,
        REBUILT,
        LOST_MARKS,
        TAG_MARKS,
        MISSING_PAGES,
        OTHER_WORD,
        POSITIONS_BEYOND_PAGE,
        UNEQUAL,
        OTHER_PAGES,
    ),
    *(
        EMPTY_FILES,
        TWO_WORDS,
        UNSCORED,
        SCORED,
        LABEL_MERGED,
        EXISTING_KEPT,
        REFERENCE_SEEN,
        NO_GUIDELINES,
        BROKEN_SPANS,
        OVERLAPS,
    ),
    *(REPEATED, CHANGED_TEXTS, WORD_PARTS, OTHER_LAYERS, MISSING_FILES, UNCHECKED),
)


def warning_phrase(stored: str) -> Phrase:
    """The phrase of a warning, by its English text."""
    return parse_phrase(stored, ALL_WARNINGS)
