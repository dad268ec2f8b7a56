"""The scheme editor's form: what it shows of a scheme is what it sends."""

from __future__ import annotations

from annotation.forms.scheme import EditedScheme, LabelRow
from annotation.text.scheme_parsing import parse_scheme
from annotation.text.schemes import PRESETS


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
        assert [colour for _row, colour in edited.coloured_labels] == [each.colour for each in PRESETS[name].labels]
        edited.labels.append(LabelRow(name="Other", value="6" if name == "graded" else ""))
        made = parse_scheme(edited.to_json())
        assert [colour for _row, colour in edited.coloured_labels] == [each.colour for each in made.labels]
    assert EditedScheme().coloured_labels == []
    assert [colour for _row, colour in EditedScheme(labels=[LabelRow(value="x")]).coloured_labels] == ["p1"]
