"""Every format of glossaries: what is read, and what is refused and why."""

from __future__ import annotations

import random

import pytest

from annotation.glossaries import cedict, files, tbx, tsv
from annotation.glossaries.entries import MAX_ENTRIES, TermEntry, entry_problem
from annotation.glossaries.files import (
    MAX_FILE_BYTES,
    MAX_LINE_LENGTH,
    MAX_REJECTED,
    MAX_ROWS,
    GlossaryFileError,
    ParsedGlossary,
    lines,
)
from annotation.glossaries.formats import read
from tests.annotation.glossaries.samples import CEDICT, TBX_2, TBX_3, TSV

ATTORNEY = TermEntry("power of attorney", ("Vollmacht",))
LIBRARY = TermEntry("library", ("Bibliothek", "Bücherei"), "the house")


@pytest.mark.parametrize(("name", "text"), [("a.tsv", TSV), ("a.TBX", TBX_2), ("b.tbx", TBX_3), ("c.xml", TBX_3)])
def test_the_same_entries_from_every_format(name: str, text: str) -> None:
    parsed = read(name, text.encode(), "en", "de")
    assert (parsed.entries, parsed.rejected, parsed.rows) == ([ATTORNEY, LIBRARY], [], 2)


@pytest.mark.parametrize(("name", "text"), [("a.tsv", TSV), ("a.tbx", TBX_2), ("b.tbx", TBX_3)])
def test_languages_that_the_file_lacks_are_named(name: str, text: str) -> None:
    with pytest.raises(GlossaryFileError, match="fr"):
        read(name, text.encode(), "en", "fr")


def test_a_file_is_read_in_either_direction() -> None:
    assert read("a.tsv", TSV.encode(), "de", "en").entries[0] == TermEntry("Vollmacht", ("power of attorney",))
    assert TermEntry("Bücherei", ("library",), "the house") in read("a.tbx", TBX_3.encode(), "de", "en").entries


def test_a_variant_of_a_language_will_do_where_the_language_itself_is_missing() -> None:
    assert read("a.tbx", TBX_2.encode(), "en", "de-AT").entries[0].translations == ("Vollmacht",)
    text = "en\tde\tde-CH\nstreet\tStraße\tStrasse\n"
    assert read("a.tsv", text.encode(), "en", "de-CH").entries == [TermEntry("street", ("Strasse",))]
    assert read("a.tsv", text.encode(), "en", "de-AT").entries == [TermEntry("street", ("Straße",))]


def test_a_table_needs_no_header() -> None:
    data = "\ufefflaw\tRecht;Gesetz\tboth\r\nnote\tNotiz\n#NoComment\t#KeinKommentar\n#a comment\n\n".encode()
    assert read("a.txt", data, "en", "de").entries == [
        TermEntry("law", ("Recht", "Gesetz"), "both"),
        TermEntry("note", ("Notiz",)),
        TermEntry("#NoComment", ("#KeinKommentar",)),
    ]


def test_rows_that_are_not_understood_are_named_with_line_and_reason() -> None:
    data = b"law\tRecht\nno tab\n\n# comment\nempty\t \nbell\x07\tGlocke\nlong\t" + b"x" * 300 + b"\n"
    parsed = read("a.tsv", data, "en", "de")
    assert parsed.entries == [TermEntry("law", ("Recht",))] and parsed.rejections == 4
    assert [each.line for each in parsed.rejected] == [2, 5, 6, 7]
    assert str(parsed.rejected[0].reason).startswith("no tab") and "at least one" in str(parsed.rejected[1].reason)
    assert "U+0007" in str(parsed.rejected[2].reason) and "300 characters" in str(parsed.rejected[3].reason)


def test_of_very_many_rejected_rows_the_first_are_kept() -> None:
    parsed = tsv.read(b"x\n" * (MAX_REJECTED + 5), "en", "de")
    assert len(parsed.rejected) == MAX_REJECTED and parsed.rejections == MAX_REJECTED + 5


def test_what_is_written_is_read_back() -> None:
    entries = [
        TermEntry('"quoted" and "so"', ("„zitiert“", '"x"')),
        TermEntry("#tag", ("#Zeichen",), "# not a comment"),
        TermEntry("# of items", ("Anzahl",)),
        TermEntry("note", ("Notiz",), 'says "so"'),
        TermEntry("en", ("de",)),
    ]
    assert tsv.read(tsv.write(entries, "en", "de").encode(), "en", "de").entries == entries


def test_text_that_is_not_utf_8_is_refused_with_its_line() -> None:
    with pytest.raises(GlossaryFileError, match="line 2: not valid UTF-8"):
        tsv.read(b"a\tb\nc\xff\td\n", "en", "de")
    with pytest.raises(GlossaryFileError, match="UTF-16"):
        tsv.read("a\tb".encode("utf-16"), "en", "de")


def test_cedict_lines_are_read_from_either_language() -> None:
    parsed = read("cedict.txt", CEDICT.encode(), "zh-Hans", "en")
    assert parsed.entries[:3] == [
        TermEntry("图书馆", ("library",)),
        TermEntry("圖書館", ("library",)),
        TermEntry("授权书", ("power of attorney",)),
    ]
    assert parsed.entries[-1] == TermEntry("去", ("go",))
    assert read("cedict.u8", CEDICT.encode(), "en", "zh").entries[0] == TermEntry("library", ("图书馆", "圖書館"))


def test_cedict_lines_that_are_none_are_named() -> None:
    parsed = cedict.read("# CC-CEDICT\nnonsense\n某 某 [mou3] /(bound form)/\n".encode(), "zh", "en")
    assert [each.line for each in parsed.rejected] == [2, 3] and parsed.entries == []
    with pytest.raises(GlossaryFileError, match="Chinese and English"):
        cedict.read(CEDICT.encode(), "zh", "de")


def test_a_concept_without_one_of_the_languages_is_rejected_by_its_line() -> None:
    text = TBX_3.replace('"de"', '"fr"', 1)
    parsed = tbx.read(text.encode(), "en", "de")
    assert parsed.entries == [LIBRARY] and [(each.line, str(each.reason)) for each in parsed.rejected] == [
        (6, "no term in de")
    ]


BOMB = """<?xml version="1.0"?><!DOCTYPE martif [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<martif><text><body><termEntry><langSet><tig><term>&b;</term></tig></langSet></termEntry></body></text></martif>"""
OUTSIDE = """<?xml version="1.0"?><!DOCTYPE martif [<!ENTITY a SYSTEM "file:///etc/passwd">]>
<martif><text><body><termEntry><langSet><tig><term>&a;</term></tig></langSet></termEntry></body></text></martif>"""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (BOMB, "entities"),
        (OUTSIDE, "entities"),
        ("<html/>", "root is “html”"),
        (TBX_2.replace("</body>", ""), "line 18: not valid XML"),
        ("", "not valid XML"),
        ("<tbx>" + "<a>" * 200 + "</a>" * 200 + "</tbx>", "nested"),
        ("<martif><termEntry><note>" + "x" * 20_000 + "</note></termEntry></martif>", "10000 characters"),
        ("<martif/>", "no entries"),
        (TBX_2.replace("Vollmacht", "Vollm&auml;cht"), "line 8: &auml; is not"),
    ],
)
def test_xml_that_is_no_glossary_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(GlossaryFileError, match=reason):
        read("a.tbx", text.encode(), "en", "de")


def test_other_files_and_large_ones_are_refused() -> None:
    for name in ("a.pdf", "noending", ""):
        with pytest.raises(GlossaryFileError, match=r"\.tsv, .*\.tbx"):
            read(name, b"a\tb\n", "en", "de")
    with pytest.raises(GlossaryFileError, match="bytes"):
        read("a.tsv", b" " * (MAX_FILE_BYTES + 1), "en", "de")
    with pytest.raises(GlossaryFileError, match="no entries"):
        read("a.tsv", b"\n# nothing\n", "en", "de")


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize(("name", "text"), [("a.tsv", TSV), ("a.tbx", TBX_2), ("b.tbx", TBX_3), ("c.u8", CEDICT)])
def test_damaged_files_are_refused_or_give_valid_entries(name: str, text: str, seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(text.encode())
    for _ in range(chance.randint(1, 12)):
        at = chance.randrange(len(data)) if len(data) > 1 else 0
        kind = chance.randrange(4)
        if kind == 0:
            data[at : at + 1] = bytes([chance.randrange(256)])
        elif kind == 1:
            del data[at : at + chance.randint(1, 40)]
        elif kind == 2:
            data[at:at] = chance.choice([b"\t", b"\n", b"\0", b"<", b"&", b"]]>", b"\xff", "\u202e".encode(), b"<!--"])
        else:
            data[at:at] = data[at // 2 :][: chance.randint(1, 200)]
    try:
        parsed = read(name, bytes(data), *(("zh", "en") if name == "c.u8" else ("en", "de")))
    except GlossaryFileError as error:
        assert str(error)
    else:
        assert all(entry_problem(entry) is None for entry in parsed.entries)
        assert all(each.line > 0 and each.reason.message for each in parsed.rejected)


@pytest.mark.parametrize("header", ["en\tfr", "fr\ten", "de\tja", "en-GB\tfr"])
def test_a_header_of_two_languages_of_which_one_was_not_chosen_is_refused(header: str) -> None:
    with pytest.raises(GlossaryFileError, match="but not both languages"):
        tsv.read(f"{header}\nhedgehog\thérisson\n".encode(), "en", "de")


def test_two_short_words_are_no_header() -> None:
    parsed = tsv.read(b"so\tda\nno\tnein\n", "en", "de")
    assert [entry.word for entry in parsed.entries] == ["so", "no"]


def test_attributes_that_a_file_declares_are_refused() -> None:
    text = f'<!DOCTYPE martif [<!ATTLIST a x CDATA "{"x" * 1000}">]><martif><a/><a/></martif>'
    for encoding in ("utf-8", "utf-16"):
        with pytest.raises(GlossaryFileError, match="declares attributes"):
            tbx.read(text.encode(encoding), "en", "de")
    assert tbx.read(b'<!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd"><martif></martif>', "en", "de").entries == []


def test_reading_stops_at_the_first_entry_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    add = ParsedGlossary.add

    def counted(self: ParsedGlossary, line: int, entry: TermEntry) -> None:
        taken.append(line)
        add(self, line, entry)

    monkeypatch.setattr(ParsedGlossary, "add", counted)
    text = "".join(f"term {n}\tBegriff {n}\n" for n in range(MAX_ENTRIES + 500))
    with pytest.raises(GlossaryFileError, match=f"line {MAX_ENTRIES + 1}: more than {MAX_ENTRIES} entries"):
        read("a.tsv", text.encode(), "en", "de")
    assert taken[-1] == MAX_ENTRIES + 1
    same = "".join(f"term\tBegriff {n}\n" for n in range(MAX_ENTRIES + 1))
    assert len(read("a.tsv", same.encode(), "en", "de").entries) == 1


def test_lines_are_read_one_by_one_and_only_so_many() -> None:
    every = lines(b"a\r\nb\rc\n" + b"\n" * MAX_ROWS, ParsedGlossary())
    assert [next(every) for _ in range(4)] == [(1, "a"), (2, "b"), (3, "c"), (4, "")]
    for data in (b"\n", b"# a comment\n", b"no tab\n"):
        with pytest.raises(GlossaryFileError, match=f"line {MAX_ROWS + 1}: more than {MAX_ROWS} rows"):
            read("a.tsv", data * (MAX_ROWS + 1), "en", "de")


def test_a_line_that_is_too_long_is_rejected_alone() -> None:
    for line in (
        b"x\t" + b"y;" * MAX_LINE_LENGTH,
        b"a b [c] /" + b"(" * MAX_LINE_LENGTH,
        b"\t" * (MAX_LINE_LENGTH + 1),
    ):
        found = read("a.tsv", b"law\tRecht\n" + line + b"\nright\tRecht\n", "en", "de")
        assert [entry.word for entry in found.entries] == ["law", "right"]
        assert [(each.line, str(each.reason)) for each in found.rejected] == [(2, "more than 10000 characters")]


def test_brackets_in_a_gloss_take_linear_time() -> None:
    assert cedict.glosses("(of (a river)) bank") == [] and cedict.glosses("(of a river) bank [x]") == ["bank"]
    assert cedict.glosses("(" * 9_000) == []


def test_what_a_file_of_xml_can_cost_is_bounded() -> None:
    concept = "<martif><termEntry>{}</termEntry></martif>"
    term = "<tig><term>law</term></tig>"
    terms = f"<langSet xml:lang='en'>{term * 300}</langSet><langSet xml:lang='de'>{term}</langSet>"
    found = tbx.read(concept.format(terms).encode(), "en", "de")
    assert [str(each.reason) for each in found.rejected] == ["more than 200 terms"]
    for inner, reason in (
        ("<a/>" * 500_001, "more than 500000 elements"),
        ("<a " + " ".join(f"a{n}=''" for n in range(40_000)) + "/>", "a tag or a comment of more than 131072 bytes"),
        (f"<!--{'x' * 400_000}-->", "a tag or a comment of more than 131072 bytes"),
    ):
        with pytest.raises(GlossaryFileError, match=reason):
            tbx.read(concept.format(inner).encode(), "en", "de")
    with pytest.raises(GlossaryFileError, match=f"more than {files.MAX_ROWS} rows"):
        tbx.read(b"<martif>" + b"<termEntry/>" * (files.MAX_ROWS + 1), "en", "de")


def test_long_values_are_cut_in_what_a_file_is_refused_for() -> None:
    texts = [
        "<martif><termEntry>" + "".join(
            f"<langSet xml:lang='en-x-{n}'><tig><term>t</term></tig></langSet>" for n in range(100)
        ) + "</termEntry></martif>",
        f"<{'x' * 500}/>",
    ]  # fmt: skip
    for text in texts:
        with pytest.raises(GlossaryFileError, match="…") as refused:
            read("a.tbx", text.encode(), "en", "de")
        assert len(str(refused.value)) < 160
    with pytest.raises(GlossaryFileError, match="…") as refused:
        tsv.read(("en\tfr\tnote" + "\tes" * 300 + "\nlaw\tdroit\n").encode(), "en", "de")
    assert len(str(refused.value)) < 260
