"""Ratings of items: averages, quartiles, alpha by operator, validated ones, the files that `evaluate_encoder` reads."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from agreement.rated.compute import rated_items
from agreement.rated.layouts import layout
from agreement.rated.plots import box_plot
from annotation.models import Pair, Project
from annotation.services.imports import import_pairs
from assist.encoder_choice.tables import read_clsd, read_samples
from assist.item_generation.items import distractor_items, items_source, triple_items
from assist.item_generation.settings import GenerationSettings
from assist.item_generation.sources import Parallel, Triple
from tests.agreement.work import submit
from tests.factories import AnnotatorFactory, ProjectFactory

pytestmark = pytest.mark.django_db
SETTINGS = GenerationSettings()


def rated(project: Project, answers: dict[str, list[dict[str, str]]]) -> None:
    """Each item by its id, with what each person answered."""
    people = [AnnotatorFactory(project=project, alias=f"A{number}") for number in range(3)]
    for name, given in answers.items():
        pair = Pair.objects.get(external_id=name)
        for person, own in zip(people, given, strict=False):
            submit(pair, person, answers=own)


def agree(*values: int) -> list[dict[str, str]]:
    return [{"agree": str(value)} for value in values]


def judged(*pairs: str) -> list[dict[str, str]]:
    """'yn': close in form, not different in meaning."""
    word = {"y": "yes", "n": "no"}
    return [{"close": word[pair[0]], "different": word[pair[1]]} for pair in pairs]


@pytest.fixture
def triples() -> Project:
    records = [
        record
        for number in (1, 2)
        for record in triple_items(Triple(f"t:{number}", "P.", "C.", "N."), "PC.", "CN.", {}, SETTINGS, "m")
    ]
    import_pairs(slug="triples", parsed=items_source("compositionality", records))
    return Project.objects.get(slug="triples")


@pytest.fixture
def rows() -> Project:
    records = []
    for number in (1, 2):
        row = Parallel(f"r:{number}", f"Quelle {number}.", f"Target {number}.")
        records += distractor_items(row, [f"Distractor {number}{letter}." for letter in "abc"], SETTINGS, "m")
    import_pairs(slug="rows", parsed=items_source("clsd", records))
    return Project.objects.get(slug="rows")


def test_averages_quartiles_and_alpha_by_operator(triples: Project) -> None:
    rated(triples, {"t:1:1": agree(4, 3), "t:2:1": agree(1, 2, 0), "t:1:2": agree(4, 4), "t:1:3": agree(2, 2)})
    found = rated_items(triples, resamples=20)
    assert found.task == "compositionality" and len(found.items) == 18
    overlap, difference = found.groups
    assert (overlap.name, overlap.items, overlap.ratings) == ("overlap", 2, 5)
    # Averages of the items: 3.5 and 1.
    assert overlap.mean == pytest.approx(2.25) and overlap.quartiles == pytest.approx((1, 1.625, 2.25, 2.875, 3.5))
    assert overlap.alpha.value is not None and 0 < overlap.alpha.value < 1
    assert (difference.items, difference.mean) == (2, 3.0) and difference.alpha.value == pytest.approx(1.0)


def test_ordinal_alpha_is_krippendorffs(triples: Project) -> None:
    import krippendorff

    given = {"t:1:1": [4, 3], "t:2:1": [1, 2], "t:1:8": [0, 0], "t:1:9": [3, 1]}
    rated(triples, {name: agree(*values) for name, values in given.items()})
    overlap, union = rated_items(triples, resamples=20).groups
    for group, names in ((overlap, ("t:1:1", "t:2:1")), (union, ("t:1:8", "t:1:9"))):
        table = [[given[name][rater] for name in names] for rater in (0, 1)]
        expected = krippendorff.alpha(table, level_of_measurement="ordinal", value_domain=range(5))
        assert group.alpha.value == pytest.approx(expected), group.name


def test_items_are_validated_whose_mean_is_over_the_bound(triples: Project) -> None:
    rated(triples, {"t:1:1": agree(4, 3), "t:2:1": agree(3, 2), "t:1:2": agree(4), "t:1:8": agree(2, 2, 4)})
    found = rated_items(triples, resamples=5)
    assert [item.name for item in found.validated()] == ["t:1:1", "t:1:8"], "2.5 is not over 2.5"
    assert [item.name for item in found.validated(raters=1)] == ["t:1:1", "t:1:2", "t:1:8"]
    assert [item.name for item in found.validated(least=3.0)] == ["t:1:1"]
    assert [item.name for item in found.validated(raters=3)] == ["t:1:8"]


def test_validated_samples_are_a_file_for_the_evaluation(triples: Project, tmp_path: Path) -> None:
    rated(triples, {"t:1:1": agree(4, 3), "t:1:2": agree(4, 4), "t:2:9": agree(0, 4, 4)})
    out, picture = tmp_path / "samples.csv", tmp_path / "box.svg"
    said = command("triples", str(out), "--plot", str(picture))
    assert "3 items validated: 3 rows" in said and "overlap: 1 items, 2 ratings, mean 3.50" in said
    assert [(each.a, each.b, each.target, each.operator) for each in read_samples(out)] == [
        ("PC.", "CN.", "C.", "overlap"),
        ("PC.", "P.", "C.", "difference"),
        ("C.", "N.", "CN.", "union"),
    ]
    drawn = picture.read_text(encoding="utf-8")
    assert drawn.startswith("<svg") and "var(--" not in drawn and "#0f5c5c" in drawn


def test_distractors_are_validated_that_are_close_and_different(rows: Project, tmp_path: Path) -> None:
    answers = {"r:1:1": ["yy", "yy"], "r:1:2": ["yn", "yy"], "r:1:3": ["yy", "yy", "nn"], "r:2:1": ["yy", "yy"]}
    rated(rows, {name: judged(*given) for name, given in answers.items()})
    found = rated_items(rows, resamples=5)
    assert [item.name for item in found.validated()] == ["r:1:1", "r:1:3", "r:2:1"]
    close, different = found.groups
    assert (close.name, close.items, close.ratings) == ("close", 4, 9) and close.mean == pytest.approx((3 + 2 / 3) / 4)
    assert different.mean == pytest.approx((1 + 0.5 + 2 / 3 + 1) / 4)
    file = layout("clsd", found.validated())
    assert (file.rows, file.incomplete) == (1, 1)
    out = tmp_path / "rows.csv"
    assert "3 items validated: 2 rows" in command("rows", str(out), "--distractors", "1")
    first, second = read_clsd(out)
    assert (first.direct.source, first.direct.target, first.direct.distractors) == (
        "Quelle 1.", "Target 1.", ("Distractor 1a.",)
    )  # fmt: skip
    assert second.direct.distractors == ("Distractor 2a.",)


def test_rows_of_two_files_of_one_name_are_two_rows(tmp_path: Path) -> None:
    for number in (1, 2):
        row = Parallel("rows:2", f"Quelle {number}.", f"Target {number}.")
        made = distractor_items(row, [f"Distractor {number}{letter}." for letter in "abc"], SETTINGS, "m")
        import_pairs(slug="twice", parsed=items_source("clsd", made))
    project = Project.objects.get(slug="twice")
    rated(project, {pair.external_id: judged("yy", "yy") for pair in project.pairs.all()})
    out = tmp_path / "rows.csv"
    assert "6 items validated: 2 rows" in command("twice", str(out))
    assert [(each.direct.source, each.direct.target, each.direct.distractors) for each in read_clsd(out)] == [
        (f"Quelle {number}.", f"Target {number}.", tuple(f"Distractor {number}{letter}." for letter in "abc"))
        for number in (1, 2)
    ]


FOREIGN = [
    {"task": "clsd"},
    {"task": "clsd", "row": "r:1", "source": "Quelle 1.", "number": "abc"},
    {"task": "clsd", "row": "r:1", "source": "Quelle 1.", "number": True},
    {"task": "clsd", "row": ["r:1"], "source": "Quelle 1.", "number": 1},
    {"task": "compositionality", "row": "t:1", "operator": "union"},
    {"task": "compositionality", "row": "t:1", "operator": ["union"], "target": "x"},
    {"task": ["x"]},
    {"task": "other", "row": "r:1"},
    "clsd",
]
"""What imports may bring under the same name."""


@pytest.mark.parametrize("item", FOREIGN)
def test_what_making_did_not_write_is_no_item(rows: Project, item: object, tmp_path: Path) -> None:
    # First of all, so that its task would be that of all.
    Pair.objects.filter(external_id="r:1:1").update(metadata={"item": item})
    Pair.objects.filter(external_id="r:1:2").update(metadata={"item": item})
    rated(rows, {name: judged("yy", "yy") for name in ("r:1:1", "r:1:2", "r:2:1", "r:2:2")})
    found = rated_items(rows, resamples=5)
    assert (found.task, [each.name for each in found.items]) == ("clsd", ["r:1:3", "r:2:1", "r:2:2", "r:2:3"])
    assert "2 items validated: 1 rows" in command("rows", str(tmp_path / "out.csv"))


def command(slug: str, *more: str) -> str:
    out = io.StringIO()
    call_command("rated_items", "--project", slug, *more, stdout=out)
    return out.getvalue()


def test_json_has_the_figures(rows: Project) -> None:
    rated(rows, {"r:1:1": judged("yy", "yy")})
    found: dict[str, Any] = json.loads(command("rows", "--format", "json"))
    assert (found["task"], found["items"], found["holding"], found["rows"]) == ("clsd", 6, 1, 1)
    assert [group["group"] for group in found["groups"]] == ["close", "different"]
    assert found["groups"][0]["quartiles"] == [1.0] * 5 and found["groups"][0]["alpha_ordinal"] is None


def test_nothing_rated_and_nothing_made(rows: Project) -> None:
    assert "6 items, 0 rated\n0 items validated: 0 rows" in command("rows")
    assert box_plot(rated_items(rows)) is None
    ProjectFactory(slug="plain")
    with pytest.raises(CommandError, match="plain has no items"):
        command("plain")
