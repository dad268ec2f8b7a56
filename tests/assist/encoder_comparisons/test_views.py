"""The pages of encoders side by side: the form, the figures, the files."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.core.cache import cache
from django.urls import reverse

from annotation.figure_tables import NONE
from annotation.models import Annotator, Role
from assist.encoder_comparisons.figures import number
from assist.methods.encoder.pretrained import PACKAGED
from assist.models import EncoderComparison
from assist.phrases.model_phrases import ENCODER, NO_FOLDER
from tests.annotation.work import client_of
from tests.assist.encoder_comparisons.test_jobs import ALONE, SAMPLES, done, lead, requested, sent, small, user_of  # noqa: F401
from tests.factories import AnnotatorFactory, ProjectFactory

pytestmark = [pytest.mark.any_database, pytest.mark.django_db]


@pytest.fixture
def compared(lead: Annotator) -> EncoderComparison:  # noqa: F811
    files = {"clsd": sent(), "compositionality": sent(SAMPLES, "s.tsv")}
    return done(requested(lead, PACKAGED, "bert", files=files))


def page(row: EncoderComparison, name: str = "encoders-result", language: str = "en") -> Any:
    person = Annotator.objects.get(project=row.project, role=Role.LEAD)
    address = reverse(name, args=(row.project.slug, row.pk))
    return client_of(user_of(person)).get(address, headers={"Accept-Language": language})


def test_the_page_has_tables_plots_and_lists(compared: EncoderComparison) -> None:
    text = page(compared).content.decode()
    assert "<b>2 encoders</b> compared." in text
    assert f"Highest P@1: {PACKAGED} (100.0). Highest C4: " in text and "with the gold" not in text
    for said in ("Side by side", "Meaning or form", "Overlap, difference, union", "Speed and memory", "P@1, pivot",
                 "C1: both", "C5: near A", f"ADJ, {PACKAGED}", "correct directly, wrong via"):  # fmt: skip
        assert said in text, said
    # Two of changes, three of angles, one of lengths; each with a text of its own.
    assert text.count("<svg") == 6 and text.count('role="img"') >= 6 and 'aria-label=""' not in text
    assert "#010101" not in text and "#040404" not in text


def test_numbers_are_rounded() -> None:
    assert [number(value) for value in (66.666, -0.638, 0.9999999992, 2345.678, None)] == [
        *("66.67", "-0.64", "1.00", "2,345.68"),
        NONE,
    ]
    assert number(8.96, 1) == "9.0" and number(18.5567, 0) == "19"


def test_a_note_on_figures_is_shown_with_them(compared: EncoderComparison) -> None:
    note = "C1, C3 and C4 are percentages"
    assert note in page(compared).content.decode() and compared.result is not None
    cache.clear()
    EncoderComparison.objects.update(result={**compared.result, "compositionality": None})
    assert note not in page(compared).content.decode()


def test_lists_show_the_distractor_that_was_nearer(compared: EncoderComparison) -> None:
    assert compared.result is not None
    first = compared.result["clsd"]["models"][0]
    assert first["direct"]["p_at_1"] == 100.0 and first["pivot"]["only_direct"] == [2]
    text = page(compared).content.decode()
    shown = text[text.index("correct directly, wrong via") : text.index("wrong directly, correct via")]
    assert "We drink hot tea." in shown and "We drink tea." in shown and "Trains are late again." not in shown
    EncoderComparison.objects.update(rows=None)
    assert "The sentences are no longer available. Enter them again." in page(compared).content.decode()


def test_problems_are_told(compared: EncoderComparison) -> None:
    problem = "encoder 'x' is not on this machine: there is no such folder, or no encoder in it"
    assert compared.result is not None
    stored = NO_FOLDER.with_params(kind=ENCODER, name="x").to_json()
    for each in (stored, problem):  # as comparisons store it, and as older ones did
        EncoderComparison.objects.update(result={**compared.result, "problems": {"x": each}})
        assert "there is no such folder" in page(compared).content.decode()
        assert json.loads(page(compared, "encoders-json").content)["problems"] == {"x": problem}
        assert "ist nicht auf diesem Rechner" in page(compared, language="de").content.decode()


def test_the_files_have_every_figure(compared: EncoderComparison) -> None:
    response = page(compared, "encoders-json")
    found = json.loads(response.content)
    assert response["Content-Disposition"] == f'attachment; filename="encoders-{compared.pk}.json"'
    assert found["clsd"] == (compared.result or {})["clsd"] and found["rows"] == compared.rows
    head, *lines = csv.reader(io.StringIO(page(compared, "encoders-csv").content.decode()))
    assert head == ["model", "task", "figure", "value"]
    values = {(model, task, figure): value for model, task, figure, value in lines}
    assert values[PACKAGED, "clsd", "direct.p_at_1"] == "100.0"
    composed = found["compositionality"]["models"][1]
    assert float(values["bert", "compositionality", "measures.ned.c1.3"]) == composed["measures"]["ned"]["c1"][3]
    assert len(values) == len(lines) > 150


def test_a_file_needs_a_result(lead: Annotator) -> None:  # noqa: F811
    assert page(requested(lead, "bert", **ALONE), "encoders-csv").status_code == 409


def test_the_form_keeps_what_was_typed_and_puts_a_refusal_at_its_field(lead: Annotator) -> None:  # noqa: F811
    client = client_of(user_of(lead))
    address = reverse("encoders", args=("town",))
    fields = {"encoders": f"{PACKAGED}\n/etc", "clsd": "on", "gold_pairs": "100", "pivot_language": "en"}
    fields["device"] = "auto"
    refused = client.post(address, fields)
    text = refused.content.decode()
    assert refused.status_code == 422 and "must be a name" in text and "/etc" in text
    wrong = {**fields, "encoders": PACKAGED, "clsd_file": sent("Source\n")}
    text = client.post(address, wrong).content.decode()
    assert text.index("rows.csv has no column") < text.index("Your own samples")
    made = client.post(address, {**fields, "encoders": f" {PACKAGED} \n\nbert\n"})
    row = EncoderComparison.objects.get()
    assert made.status_code == 302 and row.encoders == [PACKAGED, "bert"]
    assert row.settings["compositionality"] is False
    assert "Waiting for a worker." in page(row).content.decode()
    assert PACKAGED in client.get(address).content.decode()


def test_another_projects_comparison_is_not_found(compared: EncoderComparison) -> None:
    other = AnnotatorFactory(project=ProjectFactory(slug="museum"), role=Role.LEAD)
    address = reverse("encoders-result", args=("museum", compared.pk))
    assert client_of(user_of(other)).get(address).status_code == 404
