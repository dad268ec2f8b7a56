"""TEI P5, read back by character offsets with a plain XML parser."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as xml

import pytest

from annotation.formats import FORMATS, format_of, read
from annotation.formats.record import AnnotationRecord, FormatError, PairRecord, TextRecord
from annotation.formats.tei.pair import tei_pair_json
from annotation.formats.tei.writer import omitted
from annotation.text.schemes import PRESETS, Scheme
from annotation.text.spans import Fragment, Span
from annotation.text.tokens import tokenize
from tests.annotation.formats import odd
from tests.annotation.formats.demo_pairs import demo_pairs
from tests.paths import ROOT

TEI = "{http://www.tei-c.org/ns/1.0}"
ID = "{http://www.w3.org/XML/1998/namespace}id"
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
Found = list[tuple[str, str, str, tuple[Fragment, ...]]]


def held(text: str) -> str:
    """The text as XML 1.0 can hold it, by the production `Char`."""
    legal = re.compile("[\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
    return "".join(character if legal.match(character) else "\ufffd" for character in text)


def offsets(text: xml.Element) -> tuple[str, dict[str, tuple[int, int]]]:
    """The text of an `<ab>`, and where its words are in it."""
    whole, words = "", {}
    (block,) = text.iter(f"{TEI}ab")
    whole = block.text or ""
    for word in block:
        start = len(whole)
        whole += word.text or ""
        words[word.attrib[ID]] = (start, len(whole))
        whole += word.tail or ""
    return whole, words


def work(item: xml.Element, given: dict[str, str], words: dict[str, tuple[int, int]], labels: dict[str, str]) -> Found:
    """The spans of the groups with these attributes: put together by their links."""
    found: Found = []
    ranges: dict[str, Fragment] = {}
    linked: dict[str, tuple[str, ...]] = {}
    for group in item.iter(f"{TEI}linkGrp"):
        if given.items() <= group.attrib.items():
            for link in group:
                names = tuple(name.removeprefix("#") for name in link.attrib["target"].split())
                linked |= dict.fromkeys(names, names)
    for group in item.iter(f"{TEI}spanGrp"):
        if not given.items() <= group.attrib.items():
            continue
        for span in group:
            if "from" in span.attrib:
                first, last = span.attrib["from"].removeprefix("#"), span.attrib["to"].removeprefix("#")
                side = "a" if first.split(".")[1] == "a" else "b"
                ranges[span.attrib[ID]] = Fragment(side, words[first][0], words[last][1])  # type: ignore[arg-type]
        for span in group:
            names = linked.get(span.attrib[ID], (span.attrib[ID],))
            if names[0] == span.attrib[ID]:
                parts = tuple(sorted(ranges[name] for name in names if name in ranges))
                label = labels[span.attrib["ana"].removeprefix("#")]
                found.append((span.attrib["n"], label, span.text or "", parts))
    return found


def expected(spans: list[Span]) -> Found:
    return [(span.id, span.label, held(span.comment), tuple(sorted(span.fragments))) for span in spans]


def check(records: list[PairRecord], scheme: Scheme, out: Path) -> None:
    FORMATS["tei"].write(records, scheme, out)
    corpus = xml.parse(out).getroot()
    assert corpus.tag == f"{TEI}teiCorpus"
    ids = [element.attrib[ID] for element in corpus.iter() if ID in element.attrib]
    assert len(set(ids)) == len(ids)
    pointers = [value for each in corpus.iter() for name in ("from", "to", "ana", "resp") if (value := each.get(name))]
    assert {pointer.removeprefix("#") for pointer in pointers} <= set(ids)
    labels = {each.attrib[ID]: each.attrib["n"] for each in corpus.iter(f"{TEI}category") if "n" in each.attrib}
    items = corpus.findall(f"{TEI}TEI")
    assert [item.attrib["n"] for item in items] == [record.id for record in records]
    for item, record in zip(items, records, strict=True):
        words: dict[str, tuple[int, int]] = {}
        for text, side in zip(
            item.findall(f"{TEI}text"), filter(None, (record.a, record.b, record.statement)), strict=True
        ):
            whole, own = offsets(text)
            assert whole == held(side.text) and text.attrib[LANGUAGE] == side.language
            assert list(own.values()) == list(side.tokens or ())
            words |= own
        people = {each.find(f"{TEI}name").text: each.attrib[ID] for each in item.iter(f"{TEI}respStmt")}  # type: ignore[union-attr]
        for each in record.annotations:
            given = {"resp": f"#{people[each.annotator]}", "subtype": each.phase, "n": str(each.round)}
            assert work(item, given, words, labels) == expected(each.spans)
            notes = {
                (note.get("type"), note.get("n")): note.text
                for group in item.iter(f"{TEI}interpGrp")
                if given.items() <= group.attrib.items()
                for note in group
            }
            stated: dict[tuple[str | None, str | None], str] = {
                (name, None): str(getattr(each, name) or "")
                for name in ("verdict", "comment", "reason", "guideline", "active_seconds")
            }
            stated |= {("answer", key): value for key, value in each.answers.items()}
            assert notes == {key: held(value) for key, value in stated.items() if value}
        if record.gold is not None:
            assert work(item, {"resp": f"#{people['gold']}"}, words, labels) == expected(record.gold)


def test_every_odd_thing_is_read_back(tmp_path: Path) -> None:
    check(odd.records(), odd.SCHEME, tmp_path / "odd.xml")


@pytest.mark.parametrize(("name", "scheme"), [("demo-graded", "graded"), ("demo-new", "xparade")])
def test_the_demos_are_read_back(tmp_path: Path, name: str, scheme: str) -> None:
    records = read("jsonl", [ROOT / "fixtures" / f"{name}.jsonl"]).records
    for record in records:
        record.a, record.b = (
            TextRecord(text.language, text.text, text.tokens or tokenize(text.text, text.language))
            for text in (record.a, record.b)
        )
        first = (record.b.tokens or [])[0]
        record.annotations.append(
            AnnotationRecord("new", spans=[Span("n", PRESETS[scheme].keys[0], (Fragment("b", *first),))])
        )
    check(records, PRESETS[scheme], tmp_path / "out.xml")


def test_an_empty_project_and_one_without_labels_are_well_formed(tmp_path: Path) -> None:
    FORMATS["tei"].write([], PRESETS["likert"], tmp_path / "none.xml")
    assert xml.parse(tmp_path / "none.xml").getroot().find(f"{TEI}TEI") is not None


def test_characters_without_a_place_in_xml_are_counted() -> None:
    counts = [sum(omitted(record, odd.SCHEME).values()) for record in odd.records()]
    assert counts == [1, 1, 1, 2], "in three of them, a gold span's rule is left out"


def same(given: list[PairRecord], found: list[PairRecord]) -> None:
    """The pairs came back value for value, but for characters that XML can't hold."""
    for record, back in zip(given, found, strict=True):
        record.origins, record.where = {}, back.where
        record.a, record.b = (TextRecord(text.language, held(text.text), text.tokens) for text in (record.a, record.b))
        assert back == record


def test_an_export_comes_back_value_for_value(tmp_path: Path) -> None:
    records = odd.records()
    records[0].metadata = {"deep": [1, {"a": None}], "x": "\x01 ]]> <&"}
    records[0].translations = {"b": ["one\n", "two"]}
    records[1].mirror = "emoji"
    records[0].annotations[0].guideline = 3
    FORMATS["tei"].write(records, odd.SCHEME, tmp_path / "odd.xml")
    assert format_of([tmp_path / "odd.xml"]) == "tei"
    found = read("", [tmp_path / "odd.xml"])
    same(records, found.records)
    assert (found.scheme, found.warnings) == (odd.SCHEME, {})


@pytest.mark.parametrize(("name", "scheme"), [("demo-graded", "graded"), ("demo-new", "xparade")])
def test_the_demos_come_back_value_for_value(tmp_path: Path, name: str, scheme: str) -> None:
    records = demo_pairs(name)
    FORMATS["tei"].write(records, PRESETS[scheme], tmp_path / "out.xml")
    same(records, read("tei", [tmp_path / "out.xml"]).records)


PAIR = """<?xml version="1.0" encoding="UTF-8"?>
<t:TEI xmlns:t="http://www.tei-c.org/ns/1.0" n="own">
 <t:teiHeader><t:fileDesc><t:titleStmt><t:title>Own</t:title>
   <t:respStmt xml:id="r"><t:resp>annotation</t:resp><t:name>anna</t:name></t:respStmt></t:titleStmt></t:fileDesc>
  <t:encodingDesc><t:classDecl><t:taxonomy><t:category xml:id="big" n="4"/></t:taxonomy></t:classDecl></t:encodingDesc>
 </t:teiHeader>
 <t:text xml:lang="en"><t:body>
   <t:p>  <t:w xml:id="a1">Open</t:w>
        <t:hi><t:w xml:id="a2">to<t:lb/>day</t:w></t:hi> now </t:p>
   <t:p><t:w xml:id="a3">Free</t:w></t:p></t:body></t:text>
 <t:text xml:lang="de"><t:body><t:ab xml:space="preserve"><t:w xml:id="b1">Heute</t:w>  offen</t:ab></t:body></t:text>
 <t:standOff><t:spanGrp resp="#r"><t:span from="#a1" to="#a2" ana="#big"/></t:spanGrp></t:standOff>
</t:TEI>
"""


def test_a_file_by_others_with_a_prefix_paragraphs_and_white_space(tmp_path: Path) -> None:
    (tmp_path / "own.xml").write_text(PAIR)
    (record,) = read("", [tmp_path / "own.xml"]).records
    assert (record.id, record.a.text, record.b.text) == ("own", "Open today now \nFree", "Heute  offen")
    assert (record.a.tokens, record.b.tokens) == ([(0, 4), (5, 10), (16, 20)], [(0, 5)])
    assert record.annotations == [AnnotationRecord("anna", spans=[Span("s1", "4", (Fragment("a", 0, 10),))])]
    for encoding in ("utf-16", "iso-8859-1"):
        text = PAIR.replace("UTF-8", encoding).replace("Heute", "Höre")
        (tmp_path / "own.xml").write_text(text, encoding=encoding)
        assert read("", [tmp_path / "own.xml"]).records[0].b.text == "Höre  offen"


MANY = " ".join(f"a{n}='x'" for n in range(60_000))
BOMB = "<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;'>"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("<t:TEI", f"<!DOCTYPE x [{BOMB}]><t:TEI"), "the file declares entities, which are not accepted"),
        (("<t:TEI", "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><t:TEI"), "declares entities"),
        (("<t:TEI", "<!DOCTYPE x [<!ATTLIST t:w a CDATA 'x'>]><t:TEI"), "declares attributes"),
        ((" now ", " &nbsp; "), "not valid XML"),
        ((" now ", "<x>" * 101 + "</x>" * 101), "nested more than 100 deep"),
        ((" now ", f"<x {MANY}/>"), "a tag or a comment of more than"),
        (("t:TEI", "t:DOC"), "the root is “DOC”, not teiCorpus or TEI"),
        (("</t:standOff>", ""), "not valid XML"),
        (("UTF-8", "x-unknown"), "not valid XML"),
        (("#a1", "#a9"), "from='#a9' is not a word of this pair"),
        (("#a1", "a1"), "from='a1' is not a pointer"),
        (('from="#a1" to="#a2"', 'from="#a2" to="#a1"'), "in the wrong order"),
        (('to="#a2"', 'to="#b1"'), "are in two texts"),
        (("#big", "#small"), "ana='#small' is not a category of this file"),
        (('xml:id="a2"', 'xml:id="a1"'), "xml:id 'a1' appears twice"),
        (('resp="#r"', 'resp="#q"'), "resp='#q' is not a respStmt"),
        (('resp="#r"', 'resp="#r" n="x"'), "n='x' is not a whole number"),
        (('resp="#r"', 'resp="#r" subtype="never"'), "phase"),
        (('ana="#big"/>', 'ana="#big" type="guessed"/>'), "origin"),
        (("</t:standOff>", '<t:linkGrp><t:link target="#a1 #a2"/></t:linkGrp></t:standOff>'), "its targets must be"),
        (("</t:standOff>", '<t:interpGrp resp="#r"><t:interp type="x"/></t:interpGrp></t:standOff>'), "is unknown"),
        (("</t:teiHeader>", '<t:xenoData type="pair">{"a": 1}</t:xenoData></t:teiHeader>'), "xenoData.a: unknown"),
        (("</t:teiHeader>", '<t:xenoData type="pair">{</t:xenoData></t:teiHeader>'), "xenoData"),
        (("</t:teiHeader>", '<t:xenoData type="scheme">{}</t:xenoData></t:teiHeader>'), "scheme"),
        (("<t:standOff>", "<t:text/><t:text/><t:standOff>"), "4 texts; a pair has two"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, change: tuple[str, str], reason: str) -> None:
    assert change[0] in PAIR
    (tmp_path / "own.xml").write_text(PAIR.replace(*change))
    with pytest.raises(FormatError, match=re.escape(reason)):
        read("tei", [tmp_path / "own.xml"])


def test_links_join_spans_of_one_label(tmp_path: Path) -> None:
    two = '<t:span xml:id="n1" from="#a1" to="#a1" ana="#big"/><t:span xml:id="n2" from="#b1" to="#b1" ana="#LABEL"/>'
    link = '<t:linkGrp><t:link target="#n1 #n2"/></t:linkGrp></t:standOff>'
    text = PAIR.replace('<t:span from="#a1" to="#a2" ana="#big"/>', two).replace("</t:standOff>", link)
    text = text.replace('n="4"/>', 'n="4"/><t:category xml:id="small" n="1"/>')
    (tmp_path / "own.xml").write_text(text.replace("#LABEL", "#big"))
    (span,) = read("tei", [tmp_path / "own.xml"]).records[0].annotations[0].spans
    assert span == Span("s1", "4", (Fragment("a", 0, 4), Fragment("b", 0, 5)))
    (tmp_path / "own.xml").write_text(text.replace("#LABEL", "#small"))
    with pytest.raises(FormatError, match="its targets have different labels: 1, 4"):
        read("tei", [tmp_path / "own.xml"])


def test_text_in_nested_blocks_counts_once() -> None:
    """Otherwise a small file of blocks in blocks would become a large text."""
    inner = "<p>" * 50 + "word " * 1000 + "</p>" * 50
    side = tei_pair_json(xml.fromstring(f"<TEI><text><body>{inner}</body></text><text/></TEI>"), {})["a"]
    assert side["text"] == ("word " * 1000).strip()
