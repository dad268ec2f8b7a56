"""Which column of a table holds what: stated, chosen or guessed."""

from pathlib import Path

import pytest

from annotation.formats import read
from annotation.formats.columns import ColumnsError, choose_columns
from annotation.formats.record import FormatError

EN = "The library is open on Sundays and it is free for the children of the town."
DE = "Die Bibliothek ist am Sonntag offen und für die Kinder der Stadt ist sie gratis."


def rows(**columns: list[str]) -> list[dict[str, str]]:
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


@pytest.mark.parametrize(
    ("header", "a", "b"),
    [
        (("text_a", "text_b"), "text_a", "text_b"),
        (("Source", "Target"), "Source", "Target"),
        (("Deutsch", "English"), "Deutsch", "English"),
        (("English text", "Deutscher Text"), "English text", "Deutscher Text"),
        (("note", "one", "two"), "one", "two"),
        (("premise", "hypothesis"), "premise", "hypothesis"),
    ],
)
def test_texts_are_found_by_usual_names_languages_or_length(header: tuple[str, ...], a: str, b: str) -> None:
    cells = [EN, DE] if len(header) == 2 else ["x1", EN, DE]
    choice = choose_columns(header, [dict(zip(header, cells, strict=True))], {})
    assert (choice.mapping["text_a"], choice.mapping["text_b"]) == (a, b)
    assert ("text_a" in choice.guessed) == (a != "text_a")


def test_a_number_is_an_id_only_if_it_differs_in_every_row() -> None:
    table = rows(Nr=["1", "2"], English=[EN, EN], Deutsch=[DE, DE])
    assert choose_columns(list(table[0]), table, {}).mapping["id"] == "Nr"
    table[1]["Nr"] = "1"
    assert "id" not in choose_columns(list(table[0]), table, {}).mapping
    assert "id" not in choose_columns(list(table[0]), table, {"id_column": "-"}).mapping


def test_languages_are_guessed_where_nothing_states_them() -> None:
    table = rows(id=["1"], text_a=[EN], text_b=[DE])
    choice = choose_columns(list(table[0]), table, {})
    assert (choice.language("a"), choice.language("b")) == ("en", "de")
    assert choose_columns(list(table[0]), table, {"language_a": "fr"}).languages.keys() == {"b"}


def test_a_language_that_is_not_sure_is_asked_for_once_and_the_pairs_are_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    mixed = [("1", EN, DE), ("2", EN, EN), ("3", EN, DE)]
    path.write_text("\n".join(["id,text_a,text_b", *(",".join(row) for row in mixed)]))
    with pytest.raises(FormatError) as caught:
        read("", [path], {})
    asked = "choose it, add the column language_b, or set the option language_b=LANGUAGE"
    assert str(caught.value) == f"t.csv:1: the language of text B could not be determined; {asked}"
    assert [(record.id, record.b.language) for record in caught.value.records] == [
        ("1", "de"),
        ("2", "de"),
        ("3", "de"),
    ]
    assert caught.value.table is not None and caught.value.table.unsure == ["b"]
    assert len(read("", [path], {"language_b": "de"}).records) == 3


def test_a_language_without_a_guess_is_asked_for_too(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"id,text_a,text_b\n1,{EN},Bern 1848\n2,{EN},Biel 1900\n")
    with pytest.raises(FormatError) as caught:
        read("", [path], {})
    assert len(caught.value.rejections) == 1 and [each.b.language for each in caught.value.records] == ["und", "und"]


def test_chosen_columns_must_be_there_and_be_different() -> None:
    table = rows(one=[EN], two=[DE])
    with pytest.raises(ColumnsError, match="there is no column 'three'; the header has: one, two"):
        choose_columns(list(table[0]), table, {"text_a_column": "three"})
    with pytest.raises(ColumnsError, match="chosen twice"):
        choose_columns(list(table[0]), table, {"text_a_column": "one", "text_b_column": "one"})
    swapped = choose_columns(list(table[0]), table, {"text_a_column": "two", "text_b_column": "one"})
    assert swapped.mapping == {"text_a": "two", "text_b": "one"}


def test_a_table_without_texts_is_refused_with_what_was_understood(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("n,m\n1,2\n")
    with pytest.raises(FormatError) as caught:
        read("", [path], {})
    assert "t.csv:1: no column was recognised as text_a, text_b; the header has: n, m" in str(caught.value)
    assert caught.value.table is not None and caught.value.table.columns == ["n", "m"]


def test_pairs_without_ids_are_named_by_their_texts_and_repeated_ones_read_once(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f'English,Deutsch,id\n"{EN}","{DE}",x\n"{EN}","{DE}",x\n"{EN}!","{DE}",y\n')
    options = {"id_column": "-"}
    first = read("", [path], options)
    assert len(first.records) == 2 and sum(first.warnings.values()) == 1
    assert [record.id for record in read("", [path], options).records] == [record.id for record in first.records]
    assert first.records[0].id.startswith("pair-") and first.records[0].metadata == {"id (column)": "x"}
