"""The scheme editor's form: what it shows of a scheme is what it sends."""

from __future__ import annotations

from annotation.forms.scheme import EditedScheme, LabelRow
from annotation.text.scheme_parsing import parse_scheme
from annotation.text.schemes import PRESETS


def colours(edited: EditedScheme) -> list[str]:
    """The colours of the chips."""
    return [row.colour or automatic for row, automatic in edited.coloured_labels]


def test_colours_that_were_chosen_for_grades_are_kept_and_automatic_ones_follow_their_number() -> None:
    graded = PRESETS["graded"].to_json()
    chosen = {**graded, "labels": [{**each, "colour": f"r{2 * n + 1}"} for n, each in enumerate(graded["labels"])]}
    as_sent = EditedScheme.from_scheme(parse_scheme(chosen)).to_json()
    assert [each["colour"] for each in as_sent["labels"]] == ["r1", "r3", "r5", "r7", "r9"]
    assert parse_scheme(as_sent) == parse_scheme(chosen)
    assert not any("colour" in each for each in EditedScheme.from_scheme(PRESETS["graded"]).to_json()["labels"])


def test_labels_have_the_colours_of_the_workspace_also_where_nobody_chose_any() -> None:
    for name in ("graded", "xparade-extended"):
        edited = EditedScheme.from_scheme(PRESETS[name])
        assert colours(edited) == [each.colour for each in PRESETS[name].labels]
        edited.labels.append(LabelRow(name="Other", value="6" if name == "graded" else ""))
        made = parse_scheme(edited.to_json())
        assert colours(edited) == [each.colour for each in made.labels]
    assert EditedScheme().coloured_labels == []
    assert colours(EditedScheme(labels=[LabelRow(value="x")])) == ["p1"]


def test_a_label_whose_colour_is_chosen_has_another_one_in_store_and_a_new_grade_has_none_yet() -> None:
    edited = EditedScheme(labels=[LabelRow(colour="p1"), LabelRow(colour="p2"), LabelRow()])
    assert [automatic for _row, automatic in edited.coloured_labels] == ["p1", "p2", "p3"]
    graded = EditedScheme.from_scheme(PRESETS["graded"])
    graded.labels.insert(1, LabelRow(name="New"))
    assert colours(graded) == ["g1", "", "g2", "g3", "g4", "g5"]
