"""Records with every odd thing that schemes and texts allow, for writers whose files are read back by other readers."""

from __future__ import annotations

from annotation.formats.record import AnnotationRecord, Origin, PairRecord, TextRecord
from annotation.text.schemes import Label, Scheme
from annotation.text.spans import Fragment, Span
from annotation.text.tokens import tokenize

SCHEME = Scheme(
    "odd",
    labels=(
        Label("a_b|c", "Under_score | pipe", "Says [x] -> y; z*", "p1", "1"),
        Label("=1+1", '<New> & "old"', "", "p2", "2"),
        Label("ضد", "ضد", "", "p3", "3"),
    ),
)
RESERVED = "a\\b [c] |d_e -> f; *g*"
COMMENT = "first line\nsecond\twith \\ [brackets] | and _ -> ; *\r\n<b>&amp;</b>"


def records() -> list[PairRecord]:
    """Four pairs: astral characters and combining marks, right-to-left, line breaks, reserved characters."""
    return [
        _pair("emoji", "😀 e\u0301te\u0301 👩‍👩‍👧 𝒳 done", "en", "नमस्ते 😀\n\n𝒴 क्षि end.", "hi", split="dev"),
        _pair("EMOJI", "\n  First line.\r\nSecond one.\n\n\nThird 𝒳.\n", "de-CH", "ערב טוב 😀, עולם.", "he"),
        _pair("=HYPERLINK(1)", RESERVED, "en", "-2 @x \u2028 nbsp\u00a0here \u0085 next", "fr"),
        _gaps(),
    ]


def _tokenized(text: str, language: str) -> TextRecord:
    return TextRecord(language, text, tokenize(text, language))


def _pair(name: str, a: str, language_a: str, b: str, language_b: str, split: str = "") -> PairRecord:
    one, other = _tokenized(a, language_a), _tokenized(b, language_b)
    at, to = one.tokens or [], other.tokens or []

    def on(side: str, first: int, last: int) -> Fragment:
        tokens = at if side == "a" else to
        return Fragment(side, tokens[first][0], tokens[last][1])  # type: ignore[arg-type]

    spans = [
        Span("s1", "a_b|c", (on("a", 0, 1), on("a", -1, -1), on("b", 0, 0), on("b", 2, 2)), "edited", COMMENT, "=1+1"),
        Span("x]_1", "=1+1", (on("a", 0, len(at) - 1),)),
        Span("s3", "ضد", (on("b", 0, 2),), "accepted"),
        Span("s4", "ضد", (on("b", 0, 0),)),
        Span("none", "a_b|c", (), comment="nowhere"),
    ]
    work = [
        AnnotationRecord("1", spans=spans, comment=COMMENT, active_seconds=7),
        AnnotationRecord("1", phase="trial", spans=spans[:1], verdict="flagged", reason="=broken"),
        AnnotationRecord("1", round=1, spans=spans[2:]),
        AnnotationRecord("annotator2", verdict="rejected"),
    ]
    gold = spans[1:4]
    return PairRecord(
        name, one, other, split=split, annotations=work, gold=gold, origins={"s3": Origin("majority", ("1",))}
    )


def _gaps() -> PairRecord:
    """Tokens of the source that leave out punctuation and hold a line break; a statement; answers."""
    a = TextRecord("en", "«Hello,\nwide world»!", [(1, 6), (8, 18)])
    b = TextRecord("de", "\x0bHallo\x01 … Welt", [(1, 6), (10, 14)])
    span = Span("g", "=1+1", (Fragment("a", 1, 18), Fragment("b", 1, 14)))
    work = [AnnotationRecord("1", spans=[span], answers={"agree": "4"})]
    statement = TextRecord("en", "They greet 😀.", [(0, 4), (5, 10), (11, 12)])
    return PairRecord("gaps", a, b, statement, annotations=work, gold=[], gold_answers={"agree": "3"})
