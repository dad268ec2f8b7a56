"""WebAnno TSV 3 as Diptych reads it: its own exports value for value, and what INCEpTION makes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from annotation.formats import FORMATS, format_of, read
from annotation.formats.record import FormatError, PairRecord, ParsedSource, TextRecord
from annotation.formats.source_warnings import MISSING_FILES, OTHER_LAYERS, WORD_PARTS
from annotation.formats.webanno.index import INDEX
from annotation.formats.webanno.spans import LINKS, SPANS
from annotation.text.schemes import PRESETS
from annotation.text.spans import Fragment, Span
from tests.annotation.formats import odd
from tests.annotation.formats.demo_pairs import demo_pairs

PLAIN = {"language_a": "en", "language_b": "de"}


def same(given: list[PairRecord], found: ParsedSource) -> None:
    """The pairs came back value for value; that gold comes from a rule is said to be left out."""
    for record, back in zip(given, found.records, strict=True):
        record.origins, record.where = {}, back.where
        assert back == record
        assert [item.tokenizer for item in (back.a, back.b)] == ["", ""]


def test_an_export_comes_back_value_for_value(tmp_path: Path) -> None:
    records = odd.records()
    records[0].metadata = {"deep": [1, {"a": None}], "=1": "x\ry"}
    records[0].translations = {"b": ["one\n", "two"]}
    records[1].mirror = "emoji"
    records[0].annotations[0].guideline = 3
    FORMATS["webanno"].write(records, odd.SCHEME, tmp_path / "out")
    assert format_of([tmp_path / "out"]) == "webanno"
    found = read("webanno", [tmp_path / "out"])
    same(records, found)
    assert (found.scheme, found.warnings) == (odd.SCHEME, {})


@pytest.mark.parametrize(("name", "scheme"), [("demo-graded", "graded"), ("demo-new", "xparade")])
def test_the_demos_come_back_value_for_value(tmp_path: Path, name: str, scheme: str) -> None:
    records = demo_pairs(name)
    FORMATS["webanno"].write(records, PRESETS[scheme], tmp_path / "out")
    same(records, read("webanno", [tmp_path / "out"]))


def exported(folder: Path, *, index: bool = True) -> Path:
    """One pair as INCEpTION exports it after `anna` annotated it there: two more words, joined across the sides."""
    a = TextRecord("en", "Free on 😀 Sundays.", [(0, 4), (5, 7), (8, 9), (10, 17), (17, 18)])
    b = TextRecord("de", "Sonntags gratis.", [(0, 8), (9, 15), (15, 16)])
    FORMATS["webanno"].write([PairRecord("p", a, b)], PRESETS["graded"], folder)
    rows = (folder / "source" / "p.tsv").read_text(encoding="utf-8").split("\n\n\n")[1]
    made = (
        "#FORMAT=WebAnno TSV 3.3\n"
        "#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value\n"
        f"#T_SP={SPANS}|comment|difference|label\n"
        f"#T_RL={LINKS}|kind|BT_{SPANS}\n\n\n"
    )
    cells = {
        "Free": ["_", "_", "say \\[why\\]", "*", "4", "_", "_"],
        "Sundays": ["*[7]", "DAT[7]", "*[1]|*[2]", "*[1]|x[2]", "2[1]|3[2]", "_", "_"],
        ".": ["*[7]", "DAT[7]", "*[2]", "x[2]", "3[2]", "_", "_"],
        "gratis": ["_", "_", "*", "*", "4", "side", "1-1"],
    }
    for line in rows.split("\n"):
        first, _, rest = line.partition("\t")
        word = rest.split("\t")[1] if rest else ""
        own = cells.get(word, ["_"] * 7)
        if first == "2-3":  # only the full stop of side A
            own = ["_"] * 7
        made += "\t".join([first, *rest.split("\t")[:2], *own, ""]) + "\n" if rest else f"{line}\n"
    (folder / "annotation" / "p.tsv").mkdir(parents=True)
    (folder / "annotation" / "p.tsv" / "anna.tsv").write_text(made, encoding="utf-8")
    (folder / "annotation" / "p.tsv" / "INITIAL_CAS.tsv").write_bytes((folder / "source" / "p.tsv").read_bytes())
    if not index:
        (folder / INDEX).unlink()
        (folder / INDEX).with_suffix(".scheme.json").unlink()
    return folder


ANNA = [
    Span("s1", "4", (Fragment("a", 0, 4), Fragment("b", 9, 15)), comment="say [why]"),
    Span("s2", "2", (Fragment("a", 10, 17),)),
    Span("x", "3", (Fragment("a", 10, 18),)),
]


def test_work_added_in_inception_is_read_with_the_index(tmp_path: Path) -> None:
    found = read("", [exported(tmp_path / "out")])
    (record,) = found.records
    assert [item.annotator for item in record.annotations] == ["anna"]
    assert record.annotations[0].spans == ANNA
    assert found.warnings == {OTHER_LAYERS.text(): 4}, "two features of two words"


def test_the_index_may_be_given_beside_an_export_of_inception(tmp_path: Path) -> None:
    folder = exported(tmp_path / "out")
    index = (folder / INDEX).rename(tmp_path / INDEX)
    (folder / INDEX).with_suffix(".scheme.json").unlink()
    assert format_of([folder, index]) == "webanno"
    (record,) = read("", [folder, index]).records
    assert (record.a.text, record.annotations[0].spans) == ("Free on 😀 Sundays.", ANNA)


def test_without_an_index_two_sentences_are_the_sides(tmp_path: Path) -> None:
    folder = exported(tmp_path / "out", index=False)
    assert format_of([folder]) == "webanno", "by the folders that INCEpTION makes"
    (record,) = read("webanno", [folder], PLAIN).records
    assert (record.id, record.a.text, record.b.text) == ("p", "Free on 😀 Sundays.", "Sonntags gratis.")
    assert record.a.tokens == [(0, 4), (5, 7), (8, 9), (10, 17), (17, 18)]
    assert record.annotations[0].spans == ANNA
    assert record.gold is None
    with pytest.raises(FormatError, match="language_a: missing; set the option language_a=LANGUAGE"):
        read("webanno", [folder])
    entities = read("webanno", [folder], {**PLAIN, "layer": "NamedEntity"})
    assert entities.records[0].annotations[0].spans == [Span("s1", "DAT", (Fragment("a", 10, 18),))]
    assert entities.scheme.keys == ["DAT"], "a project that the import makes gets the labels of the files"
    (folder / "curation" / "p.tsv").mkdir(parents=True)
    (folder / "annotation" / "p.tsv" / "anna.tsv").rename(folder / "curation" / "p.tsv" / "CURATION_USER.tsv")
    (record,) = read("webanno", [folder], PLAIN).records
    assert (record.gold, record.annotations) == (ANNA, [])


SPECIFIED = (
    "#FORMAT=WebAnno TSV 3.2\n#T_SP=webanno.custom.Note|kind\n#T_CH=x.Coref|type|relation\n\n\n"
    "#Sentence.id=1\n#Text=Ms. Haag plays\n#Text=Elianti .\n"
    "1-1\t0-3\tMs.\tPER[1]\t_\t_\t\n1-2\t4-8\tHaag\tPER[1]\t*->1-1[3]\t_\t\n1-3\t9-14\tplays\t_\t_\t_\t\n"
    "1-3.1\t9-13\tplay\tROOT\t_\t_\t\n1-4\t15-22\tElianti\t\\_odd \\| one\t_\t_\t\n1-5\t23-24\t.\t_\t_\t_\t\n"
    "\n#Text=---\n2-1\t25-28\t---\t_\t_\t_\t\n\n#Text=Frau Haag\n"
    "3-1\t29-33\tFrau\tPER[4]|TITLE[5]\t_\t_\t\n3-2\t34-38\tHaag\tPER[4]\t_\t_\t\n"
)


def one(tmp_path: Path, text: str, name: str = "doc.tsv", **options: str) -> PairRecord:
    (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    return read("webanno", [tmp_path / name], PLAIN | options).records[0]


@pytest.mark.parametrize("version", ["3", "3.0", "3.1", "3.2", "3.3"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_single_file_with_a_divider_and_parts_of_words(tmp_path: Path, version: str, ending: str) -> None:
    text = SPECIFIED.replace("TSV 3.2", f"TSV {version}").replace("\n", ending)
    record = one(tmp_path, text, divider="---", annotator="ben")
    assert (record.id, record.a.text, record.b.text) == ("doc", "Ms. Haag plays\nElianti .", "Frau Haag")
    assert record.a.tokens == [(0, 3), (4, 8), (9, 13), (13, 14), (15, 22), (23, 24)], "'play|s': a part is marked"
    assert record.annotations[0].annotator == "ben"
    assert format_of([tmp_path / "doc.tsv"]) == "webanno"
    assert record.annotations[0].spans == [
        Span("s1", "PER", (Fragment("a", 0, 8),)),
        Span("s2", "ROOT", (Fragment("a", 9, 13),)),
        Span("s3", "_odd | one", (Fragment("a", 15, 22),)),
        Span("s4", "TITLE", (Fragment("b", 0, 4),)),
        Span("s5", "PER", (Fragment("b", 0, 9),)),
    ]


def test_a_part_of_a_word_is_the_word_in_a_project_that_has_its_words(tmp_path: Path) -> None:
    folder = exported(tmp_path / "out")
    path = folder / "annotation" / "p.tsv" / "anna.tsv"
    lines = path.read_text(encoding="utf-8").split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("2-1\t"))
    lines.insert(at + 1, "2-1.1\t20-24\tSonn\t_\t_\t*\t*\t5\t_\t_\t")
    path.write_text("\n".join(lines), encoding="utf-8")
    found = read("", [folder])
    assert Span("s4", "5", (Fragment("b", 0, 8),)) in found.records[0].annotations[0].spans
    assert found.warnings[WORD_PARTS.text()] == 1


def test_the_text_of_the_source_decides_what_is_between_sentences(tmp_path: Path) -> None:
    body = "#Text=One.\n1-1\t0-4\tOne.\tX\t\n\n#Text=Two.\n2-1\t5-9\tTwo.\t_\t\n\n#Text=Eins.\n3-1\t11-16\tEins.\t_\t\n"
    folder = tmp_path / "project"
    (folder / "annotation" / "d.txt").mkdir(parents=True)
    (folder / "annotation" / "d.txt" / "u.tsv").write_text(f"#FORMAT=WebAnno TSV 3.3\n#T_SP=c.X|value\n\n\n{body}")
    assert read("", [folder], PLAIN).records[0].a.text == "One. Two."
    (folder / "source").mkdir()
    (folder / "source" / "d.txt").write_text("One.\tTwo.\n\nEins.\n")
    record = read("", [folder], PLAIN).records[0]
    assert (record.id, record.a.text, record.b.text) == ("d", "One.\tTwo.", "Eins.")
    (folder / "source" / "d.txt").write_text("Another text altogether")
    assert read("", [folder], PLAIN).records[0].a.text == "One. Two."


def test_what_is_listed_and_missing(tmp_path: Path) -> None:
    FORMATS["webanno"].write(odd.records()[:1], odd.SCHEME, tmp_path / "out")
    (tmp_path / "out" / "annotation" / "emoji.tsv" / "1.tsv").unlink()
    with pytest.raises(FormatError, match=r"the file annotation/emoji.tsv/1.tsv is missing"):
        read("", [tmp_path / "out"])
    index = (tmp_path / "out" / INDEX).rename(tmp_path / INDEX)
    found = read("webanno", [tmp_path / "out", index])
    assert found.warnings[MISSING_FILES.text()] == 1
    (tmp_path / "out" / "source" / "emoji.tsv").rename(tmp_path / "out" / "source" / "other.tsv")
    with pytest.raises(FormatError, match=r"the document 'other.tsv' is not in diptych-webanno.csv"):
        read("webanno", [tmp_path / "out", index])


ROW = "1-1\t0-3\tMs.\tPER[1]\t_\t_\t\n"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("TSV 3.2", "TSV 2"), "the first line must be"),
        (("\t4-8\t", "\t2-8\t"), "begin before the last word's end 3"),
        (("\t4-8\t", "\t4-4\t"), "are empty"),
        (("\t4-8\t", "\t5-9\t"), "not in the text of their sentence"),
        (("\t34-38\t", "\t34-99999999999999999999\t"), "begin with its number and its offsets"),
        (("\t34-38\t", "\t34-9999999999\t"), "too large"),
        (("\t29-33\t", "\t9000-9004\t"), "begin before the last word's end 9004"),
        (("9-13\tplay", "9-20\tplay"), "a part of a word lies outside the word"),
        (("9-13\tplay", "9-13\tPLAY"), "'PLAY' is not at 9-13"),
        (("Haag\tPER[1]", "Haag\tLOC[1]"), "annotation [1] does not have the same values"),
        (("Elianti\t", "Elianti\tPER[1]|"), "its words are not next to each other"),
        (("PER[4]|TITLE[5]", "PER[4]|PER[4]"), "annotation [4] does not have the same values"),
        (("ROOT", "*"), "an annotation without a label"),
        ((ROW, ROW.replace("_\t_\t", "")), "5 cells where the header has 6"),
        (("#T_CH=x", "#T_ZZ=x"), "is not a layer"),
        (("1-1\t", "x\t"), "must begin with its number"),
        (("#Text=---", "#Text=..."), "not in the text of their sentence"),
        (("#T_SP=", "#T_SP=c.Other|f\n#T_SP="), "option layer=: choose one of c.Other, webanno.custom.Note"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, change: tuple[str, str], reason: str) -> None:
    assert change[0] in SPECIFIED
    with pytest.raises(FormatError, match=re.escape(reason)):
        one(tmp_path, SPECIFIED.replace(*change), divider="---", layer="" if "layer" in reason else "Note")


def test_a_wrong_row_is_named_with_the_archive_that_it_came_in(tmp_path: Path) -> None:
    # Where `uploads` unpacks `Work.ZIP` with one folder in it.
    folder = exported(tmp_path / "Work.ZIP" / "Work" / "export", index=False)
    path = folder / "annotation" / "p.tsv" / "anna.tsv"
    path.write_text(path.read_text(encoding="utf-8").replace("1-1\t", "x\t", 1), encoding="utf-8")
    with pytest.raises(FormatError, match=r"^Work\.ZIP/export/annotation/p\.tsv/anna\.tsv:\d+: a row must begin"):
        read("", [folder], PLAIN)


def test_sides_that_are_not_told_apart(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="it is not clear where side B begins"):
        one(tmp_path, SPECIFIED)
    with pytest.raises(FormatError, match=r"0 lines are '\*\*\*'; one is expected"):
        one(tmp_path, SPECIFIED, divider="***")
    apart = SPECIFIED.replace("25-28\t---", "25-28\tnew").replace("#Text=---", "#Text=new")
    apart = apart.replace("29-33", "30-34").replace("34-38", "35-39")
    record = one(tmp_path, apart)
    assert (record.a.text, record.b.text) == ("Ms. Haag plays\nElianti . new", "Frau Haag"), "by the empty line"


def test_joined_annotations_have_one_label(tmp_path: Path) -> None:
    folder = exported(tmp_path / "out")
    path = folder / "annotation" / "p.tsv" / "anna.tsv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("\t4\tside\t1-1", "\t3\tside\t1-1"), encoding="utf-8")
    with pytest.raises(FormatError, match="have different labels: 3, 4"):
        read("", [folder])
    for target in ("1-2", "1-1[9_1]", "9-9", "x"):
        path.write_text(text.replace("side\t1-1", f"side\t{target}"), encoding="utf-8")
        with pytest.raises(FormatError, match="relation"):
            read("", [folder])


def test_relations_of_a_layer_that_is_named_join_annotations(tmp_path: Path) -> None:
    text = (
        "#FORMAT=WebAnno TSV 3.3\n#T_SP=c.X|value\n#T_RL=c.Rel|BT_c.X\n\n\n"
        "#Text=One two\n1-1\t0-3\tOne\tA\t_\t\n1-2\t4-7\ttwo\t_\t_\t\n\n"
        "#Text=Eins zwei\n2-1\t8-12\tEins\tA[1]|B[2]\t1-1[0_1]\t\n2-2\t13-17\tzwei\t_\t_\t\n"
    )
    joined = one(tmp_path, text, links="Rel").annotations[0].spans
    assert joined == [
        Span("s1", "A", (Fragment("a", 0, 3), Fragment("b", 0, 4))),
        Span("s2", "B", (Fragment("b", 0, 4),)),
    ]
    assert len(one(tmp_path, text).annotations[0].spans) == 3
    with pytest.raises(FormatError, match=r"option links=Other: choose one of c.Rel"):
        one(tmp_path, text, links="Other")


def test_an_index_that_is_damaged_is_refused(tmp_path: Path) -> None:
    FORMATS["webanno"].write(odd.records()[:1], odd.SCHEME, tmp_path / "out")
    path = tmp_path / "out" / INDEX
    text = path.read_text(encoding="utf-8")
    for change, reason in (
        (("tokens_a", "tokens"), "has no column tokens_a; export the project again"),
        (("[[0, 1], ", '[[0, ""1""], '), "tokens_a: a list of"),
        (("trial,0,", "trial,-1,"), "round: '-1' is not a whole number"),
        (("trial,0,", "nowhere,0,"), "phase"),
        (("annotation/emoji.tsv/1-1.tsv", "annotation/emoji.tsv/1.tsv"), "appears twice"),
    ):
        assert change[0] in text
        path.write_text(text.replace(change[0], change[1], 1), encoding="utf-8", newline="")
        with pytest.raises(FormatError, match=re.escape(reason)):
            read("", [tmp_path / "out"])
