"""Checks of every record, whatever its format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.formats import read
from annotation.formats.checks import check_records, statement_problems
from annotation.formats.record import AnnotationRecord, FormatError, PairRecord, TextRecord
from annotation.text.limits import (
    MAX_ANNOTATIONS,
    MAX_METADATA_BYTES,
    MAX_PARAGRAPHS,
    MAX_SPANS,
    MAX_TEXT_LENGTH,
    MAX_TOKEN_LENGTH,
    MAX_TOKEN_REJECTIONS,
    MAX_TOKENS,
    MAX_TRANSLATIONS,
)
from annotation.text.schemes import PRESETS
from annotation.text.sentences import sentences
from annotation.text.spans import Span
from annotation.text.tokens import tokenize
from tests.annotation.formats.samples import lines, pair, parade, town, town_line


def reasons(**changes: Any) -> list[str]:
    """What is wrong with a pair, without the location."""
    record = PairRecord("p1", TextRecord("en", "one"), TextRecord("de", "eins"), where="pairs.jsonl:1")
    for name, value in changes.items():
        setattr(record, name, value)
    try:
        check_records([record])
    except FormatError as error:
        return [str(rejection).removeprefix("pairs.jsonl:1: pair 'p1', ") for rejection in error.rejections]
    return []


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"comment": "x" * 10_001}, "comment: 10001 characters; at most 10000 are accepted. Shorten it"),
        ({"reason": "x" * 10_001}, "reason: 10001 characters; at most 10000 are accepted. Shorten it"),
        ({"spans": [Span("s1", "4", (), "manual", "x" * 10_001)]}, "spans[0].comment: 10001 characters"),
        ({"active_seconds": 10_000_001}, "active_seconds: 10000001; at most 10000000 are accepted"),
        ({"status": "started"}, "verdict: 'submitted' contradicts the status 'started', which goes with none"),
        (
            {"status": "done", "verdict": ""},
            "verdict: '' contradicts the status 'done', which goes with submitted, ",
        ),
        ({"status": "done", "verdict": "skipped"}, "verdict: 'skipped' contradicts the status 'done'"),
        ({"status": "skipped"}, "verdict: 'submitted' contradicts the status 'skipped', which goes with skipped"),
        ({"status": "reassigned"}, "verdict: 'submitted' contradicts the status 'reassigned'"),
        ({"status": "open"}, "verdict: 'submitted' contradicts the status 'open', which goes with none"),
        ({"status": "open", "verdict": "", "reason": "x"}, "reason: contradicts the status 'open'"),
        ({"status": "open", "verdict": "", "comment": "x"}, "comment: contradicts the status 'open'"),
        ({"status": "open", "verdict": "", "answers": {"q": "1"}}, "answers: contradicts the status 'open'"),
        ({"status": "open", "verdict": "", "active_seconds": 1}, "active_seconds: contradicts the status 'open'"),
        ({"status": "open", "verdict": "", "spans": [Span("s1", "4", ())]}, "spans: contradicts the status 'open'"),
    ],
)
def test_work_that_could_not_be_saved_or_would_be_lost_is_refused(changes: dict[str, Any], reason: str) -> None:
    (told,) = reasons(annotations=[AnnotationRecord("w", **changes)])
    assert told.startswith(f"annotations of 'w', {reason}")


def test_gold_has_the_limits_of_a_save() -> None:
    (told,) = reasons(gold=[Span("s1", "4", (), "manual", "x" * 10_001)])
    assert told.startswith("gold, spans[0].comment: 10001 characters")


@pytest.mark.parametrize("text", ["", "  \n", "\u200b\u00ad", "\u2028"])
def test_an_empty_side_is_refused(text: str) -> None:
    assert reasons(a=TextRecord("en", text)) == ["a.text: empty; a text with at least one word is needed"]
    assert reasons(statement=TextRecord("en", text))[0].startswith("statement.text: empty")
    assert reasons(b=TextRecord("de", "eins", [])) == ["b.tokens: none; omit them, or give at least one"]


@pytest.mark.parametrize(
    "word",
    ["x" * 1_000_000, "." * 100_001, "a-" * 600 + "a", "1" + "\u00a0000" * 400, "e" + "\u0301" * 1_001],
)
def test_a_word_that_a_browser_cannot_draw_is_refused_with_the_limit(word: str) -> None:
    (reason,) = reasons(b=TextRecord("de", f"ein {word} Wort"))
    assert f"at most {MAX_TEXT_LENGTH if len(word) > MAX_TEXT_LENGTH else MAX_TOKEN_LENGTH} are accepted" in reason
    if len(word) <= MAX_TEXT_LENGTH:
        assert f"b.text: a word of {len(word)} characters at 4;" in reason
    given = TextRecord("de", "y" * 1_001, [(0, 1_001)])
    assert "a word of 1001 characters at 0" in reasons(b=given)[0]


def test_a_long_text_without_spaces_is_no_long_word() -> None:
    assert reasons(b=TextRecord("zh", "这是一个关于城市图书馆的句子。" * 100)) == []
    assert reasons(b=TextRecord("en", "https://town.example/" + "a" * 900)) == []


def test_what_is_too_large_is_refused_with_the_limit() -> None:
    span = Span("s", "1", ())
    work = AnnotationRecord("1")
    for changes, limit in (
        ({"a": TextRecord("en", "a " * MAX_TEXT_LENGTH)}, MAX_TEXT_LENGTH),
        ({"a": TextRecord("en", ". , " * (MAX_TOKENS // 2 + 1))}, MAX_TOKENS),
        ({"b": TextRecord("en", "a\n\n" * (MAX_PARAGRAPHS + 1))}, MAX_PARAGRAPHS),
        ({"statement": TextRecord("en", "a " * MAX_TEXT_LENGTH)}, MAX_TEXT_LENGTH),
        ({"translations": {"a": ["a"] * (MAX_TRANSLATIONS + 1)}}, MAX_TRANSLATIONS),
        ({"translations": {"a": ["a" * (MAX_TEXT_LENGTH + 1)]}}, MAX_TEXT_LENGTH),
        ({"annotations": [work] * (MAX_ANNOTATIONS + 1)}, MAX_ANNOTATIONS),
        ({"annotations": [AnnotationRecord("1", spans=[span] * (MAX_SPANS + 1))]}, MAX_SPANS),
        ({"gold": [span] * (MAX_SPANS + 1)}, MAX_SPANS),
    ):
        (reason,) = reasons(**changes)
        assert f"at most {limit} are accepted" in reason


def test_cheap_limits_are_checked_before_any_text_is_tokenized(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text over the limit of tokens takes seconds to tokenize: a file of them must not block a worker for minutes."""
    divided: list[int] = []

    def counted(text: str, language: str) -> list[tuple[int, int]]:
        divided.append(len(text))
        return [(start, start + 1) for start in range(0, len(text), 2)]

    monkeypatch.setattr("annotation.formats.checks.tokenize", counted)
    many, longer = TextRecord("en", "a " * (MAX_TOKENS + 1)), TextRecord("en", "a " * MAX_TEXT_LENGTH)
    records = [PairRecord(f"p{n}", many, many, where=f"p.jsonl:{n}") for n in range(500)]
    records += [PairRecord("last", longer, TextRecord("fr!", "un"), statement=many, where="p.jsonl:500")]
    with pytest.raises(FormatError) as caught:
        check_records(records)
    found = list(map(str, caught.value.rejections))
    assert len(divided) == MAX_TOKEN_REJECTIONS
    assert "p.jsonl:500: pair 'last', a.text: 400000 characters" in found[0]
    assert "pair 'last', b.language" in found[1]
    assert sum(f"at most {MAX_TOKENS} are accepted" in reason for reason in found) == MAX_TOKEN_REJECTIONS
    assert found[-1] == "p.jsonl:4: reading stopped here, after 10 texts with such errors; fix these first"

    divided.clear()
    with pytest.raises(FormatError):
        check_records([PairRecord(f"p{n}", many, longer, where=f"p.jsonl:{n}") for n in range(1_000)])
    assert divided == []


def test_metadata_of_a_pair_has_a_limit_in_every_format(tmp_path: Path) -> None:
    note = "ü" * (MAX_METADATA_BYTES // 2)
    size = len('{"note": ""}') + MAX_METADATA_BYTES
    reason = f"metadata: {size} bytes as JSON; at most {MAX_METADATA_BYTES} are accepted. Remove what is not needed"
    table = tmp_path / "p.csv"
    table.write_text(f"id,language_a,text_a,language_b,text_b,note\np1,en,a,de,b,{note}\n")
    for name, path, where in (
        ("jsonl", lines(tmp_path / "p.jsonl", pair(metadata={"note": note})), "p.jsonl:1"),
        ("csv", table, "p.csv:2"),
    ):
        with pytest.raises(FormatError) as caught:
            read(name, [path])
        assert str(caught.value) == f"{where}: pair 'p1', {reason}"
    just = "x" * (MAX_METADATA_BYTES - len('{"note": ""}'))
    assert reasons(metadata={"note": just}) == []
    assert len(reasons(metadata={"note": just + "x"})) == 1


@pytest.mark.parametrize("language", ["French!!", "../../en", "/en", "en_US", "", "e" * 5_000])
def test_languages_are_checked_in_every_format(language: str, tmp_path: Path) -> None:
    wrong = {"language": language, "text": "one"}
    sources: dict[str, tuple[Path, dict[str, str]]] = {
        "jsonl": (lines(tmp_path / "p.jsonl", pair(a=wrong)), {}),
        "csv": (tmp_path / "p.csv", {}),
        "rsd": (
            lines(tmp_path / "r.jsonl", {"id": "1", "text_a": "a", "text_b": "b", "labels_a": [0], "labels_b": [0]}),
            {"language_a": language, "language_b": "de"},
        ),
        "xparade": (lines(tmp_path / "x" / "p.json", [parade(pair_type=f"en-{language}")]), {}),
    }
    cells = ["1", language, "a", "de", "b"]
    sources["csv"][0].write_text("id,language_a,text_a,language_b,text_b\n" + ",".join(cells) + "\n")
    for name, (path, options) in sources.items():
        with pytest.raises(FormatError) as caught:
            read(name, [path], options)
        assert "language" in str(caught.value), name


def test_a_folder_of_swissgov_that_is_no_language_is_refused(tmp_path: Path) -> None:
    root = town(tmp_path, first=[town_line()], second=[])
    for folder in sorted((root / "annotations_raw").glob("*/de")):
        folder.rename(folder.with_name("German!"))
    with pytest.raises(FormatError, match=r"b\.language: 'German!' is not a language tag"):
        read("swissgov", [root])


def test_a_scheme_that_asks_about_a_statement_needs_one() -> None:
    record = PairRecord("p1", TextRecord("en", "one"), TextRecord("de", "eins"))
    (found,) = statement_problems([record], PRESETS["likert"])
    assert "statement: missing; the scheme 'likert' asks about a statement" in found.reason
    assert statement_problems([record], PRESETS["yes-no"]) == statement_problems([record], PRESETS["graded"]) == []
    record.statement = TextRecord("en", "both")
    assert statement_problems([record], PRESETS["likert"]) == []


def test_the_longest_text_that_is_accepted_can_be_tokenized() -> None:
    """These took forever when the time grew with the square of the length: runs of marks, elisions, sentences."""
    assert len(tokenize("." * MAX_TEXT_LENGTH, "en")) == 1
    assert len(tokenize("l'" * (MAX_TEXT_LENGTH // 2 - 2) + "eau", "fr")) == MAX_TEXT_LENGTH // 2 - 1
    assert len(sentences("One two three four. " * (MAX_TEXT_LENGTH // 20), "en")) > 5_000
