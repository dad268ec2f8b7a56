"""The published values, to the last digit, from the published files: import, agreement, adjudication."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from agreement.data.annotation_arrays import codes_of, collection_of, label_codes
from agreement.metrics.documents import Collection
from agreement.selectors import gold_annotations
from annotation.models import Annotation, Project, Source
from tests.paths import published

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.data]


def command_json(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command(*arguments, "--format", "json", stdout=out)
    body: dict[str, Any] = json.loads(out.getvalue())
    return body


def xparade(direction: str) -> None:
    folder = published("xparade", f"complete_data_{direction.replace('en', '').strip('-')}")
    files = sorted(str(path) for path in folder.glob(f"{direction}-adj-*.json"))
    call_command("import_pairs", *files, "--project", direction, "--format", "xparade", stdout=StringIO())


def hundred(value: float) -> float:
    return round(100 * value, 1)


@pytest.mark.parametrize(
    ("direction", "alpha", "macro", "new", "inferable"),
    [
        ("en-es", 0.657, (62.5, 2.9), (84.5, 1.4), (17.4, 6.9)),
        ("es-en", 0.693, (63.4, 3.4), (86.9, 1.1), (17.4, 8.3)),
    ],
)
def test_xparade(
    direction: str,
    alpha: float,
    macro: tuple[float, float],
    new: tuple[float, float],
    inferable: tuple[float, float],
) -> None:
    xparade(direction)
    body = command_json("agreement", "--project", direction)
    assert (body["documents"], body["left_out"]) == (186, 0)
    assert round(body["alpha"]["nominal"], 3) == alpha
    low, high = body["alpha"]["nominal_ci"]
    assert low < alpha < high
    for figure, expected in (
        (body["macro_f1"], macro),
        (body["label_f1"]["new"], new),
        (body["label_f1"]["inferable"], inferable),
    ):
        assert (hundred(figure["mean"]), hundred(figure["sd"])) == expected


@pytest.mark.parametrize(
    ("direction", "tokens", "spans"),
    [
        ("en-es", (7797, 7032, 1981), (791, 507, 444)),
        ("es-en", (7351, 8183, 1468), (776, 581, 382)),
        ("en-hi", (4602, 3869, 2616), None),
        ("hi-en", (4475, 3436, 1649), None),
        ("en-zh", (3362, 2382, 1433), None),
        ("zh-en", (3543, 4695, 1665), None),
    ],
)
@pytest.mark.long
def test_the_rule_gives_the_released_label_on_every_token(
    direction: str, tokens: tuple[int, int, int], spans: tuple[int, int, int] | None
) -> None:
    xparade(direction)
    body = command_json("adjudicate", "--project", direction, "--rule", "xparade")
    assert body["excluded"] == 0
    assert body["tokens"] == dict(zip(("same", "new", "inferable"), tokens, strict=True))
    if spans:
        assert body["spans"] == dict(zip(("same", "new", "inferable"), spans, strict=True))
    project = Project.objects.get(slug=direction)
    labels = label_codes(project.labels)[1]

    def of(annotation: Annotation) -> list[int]:
        return [int(code) for code in codes_of(annotation.parsed_spans, "b", annotation.pair.b.tokens, labels)]

    released, made = gold_annotations(project, 0), gold_annotations(project, 1)
    assert len(released) == len(made) == body["pairs"]
    assert [of(annotation) for annotation in made] == [of(annotation) for annotation in released]


def swissgov(phase: str) -> Collection:
    folder = str(published("swissgov"))
    arguments = ["--project", "en-de", "--format", "swissgov", "--set", "language=de", "--set", f"phase={phase}"]
    call_command("import_pairs", folder, *arguments, stdout=StringIO())
    return collection_of(Project.objects.get(slug="en-de"), source=Source.HUMAN, phase=phase)


@pytest.mark.parametrize(
    ("phase", "documents", "counts", "iou", "f1", "matched", "spearman"),
    [
        (
            "main", (21, 4), [(348, 2543), (75, 839)], (11.17, 10.22), (18.09, 17.22), (23, 14, 8, 7),
            (66.16, 74.80, 77.93, 83.17),
        ),
        (
            "trial", (3, 0), [(89, 430), (51, 589)], (23.02, 16.63), (36.64, 27.99), (17, 8, 6, 6),
            (40.45, 48.30, 3.33, 3.33),
        ),
    ],
)  # fmt: skip
def test_swissgov(
    phase: str,
    documents: tuple[int, int],
    counts: list[tuple[int, int]],
    iou: tuple[float, float],
    f1: tuple[float, float],
    matched: tuple[int, int, int, int],
    spearman: tuple[float, float, float, float],
) -> None:
    swissgov(phase)
    body = command_json("agreement", "--project", "en-de", "--phase", phase)
    assert (body["documents"], body["left_out"]) == documents
    assert [(person["spans"], person["tokens"]) for person in body["annotators"].values()] == counts
    sides = [body["sides"][side] for side in ("a", "b")]
    assert tuple(round(100 * side["iou"], 2) for side in sides) == iou
    assert tuple(round(100 * side["f1"], 2) for side in sides) == f1
    found = [*(body["fuzzy"][percent] for percent in ("50", "75", "90")), body["exact"]]
    assert tuple(item["count"] for item in found) == matched
    assert tuple(round(100 * item["spearman"], 2) for item in found) == spearman


@pytest.mark.long
def test_the_repeated_tokens_of_en_de() -> None:
    """839 marked tokens, summed over spans, of which 835 are distinct."""
    swissgov("main")
    body = command_json("agreement", "--project", "en-de")
    assert [person["distinct"] for person in body["annotators"].values()] == [2543, 835]
    assert body["with_empty"]["documents"] == 25
