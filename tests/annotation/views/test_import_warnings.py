"""Labels that a scheme lacks: warnings before and after the import, and the better scheme with one click."""

from __future__ import annotations

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import Project
from annotation.models.imports import Import
from annotation.selectors.imports import import_warnings
from annotation.services.import_jobs import imports_run
from annotation.text.schemes import PRESETS
from tests.annotation.formats.samples import pair, parade, span
from tests.annotation.views.test_imports import send
from tests.annotation.work import House, house

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def parade_file() -> SimpleUploadedFile:
    return SimpleUploadedFile("en-es-dev.json", json.dumps([parade()]).encode())


def empty_project(scheme: str) -> House:
    home = house(scheme=PRESETS[scheme].to_json())
    home.assignment.pair.delete()
    return home


def test_a_dry_run_proposes_the_scheme_that_keeps_the_labels_and_one_click_takes_it() -> None:
    home = empty_project("xparade")
    page = send(home, parade_file(), "dry").content.decode()
    assert "spans labelled connotation, imported as inferable" in page
    assert "Change the scheme to xparade-extended and import" in page
    row = Import.objects.get()
    home.lead.post(reverse("import-start", args=(home.project.slug, row.pk)), {"scheme": "xparade-extended"})
    imports_run()
    home.project.refresh_from_db()
    assert home.project.labels == PRESETS["xparade-extended"]
    row.refresh_from_db()
    assert row.status == "done" and row.better_scheme == ""
    assert not any("connotation" in name for name in row.warnings)


def test_a_scheme_is_not_changed_where_there_are_pairs() -> None:
    home = house(scheme=PRESETS["xparade"].to_json())
    send(home, parade_file(), "dry")
    row = Import.objects.get()
    start = reverse("import-start", args=(home.project.slug, row.pk))
    response = home.lead.post(start, {"scheme": "xparade-extended"})
    assert response.status_code == 302 and Project.objects.get(pk=home.project.pk).labels == PRESETS["xparade"]


def test_warnings_are_shown_after_the_import_and_kept_with_the_project() -> None:
    home = empty_project("xparade")
    page = send(home, parade_file(), "import").content.decode()
    warning = "spans labelled connotation, imported as inferable: the scheme has no such label"
    assert "<b>1 pair</b> imported" in page and warning in page
    assert reverse("project-new") + "?scheme=xparade-extended" in page
    assert warning in home.lead.get(reverse("import", args=(home.project.slug,))).content.decode()
    # The same files again change nothing, and cause no new warnings.
    send(home, parade_file(), "import")
    assert import_warnings(home.project)[warning] == 1
    form = home.lead.get(reverse("project-new") + "?scheme=xparade-extended").content.decode()
    assert re.search(r'value="xparade-extended"[^>]* checked', form)


def pairs_file(label: str, **changes: object) -> SimpleUploadedFile:
    work = {"annotator": "anna", "verdict": "submitted", "spans": [span(label, ("b", 0, 8))]}
    return SimpleUploadedFile("pairs.jsonl", json.dumps(pair(annotations=[work], **changes)).encode())


def test_a_format_that_refuses_labels_proposes_the_scheme_and_one_click_imports_with_it() -> None:
    home = empty_project("xparade")
    for step in ("dry", "import"):
        page = send(home, pairs_file("connotation"), step).content.decode()
        row = Import.objects.latest("pk")
        assert (row.status, row.better_scheme) == ("refused", "xparade-extended")
        assert "Nothing was imported" in page and "has all the labels in these files" in page
        assert "Change the scheme to xparade-extended and import" in page
        assert "Import with the current scheme" not in page
        start = reverse("import-start", args=(home.project.slug, row.pk))
        for given in ({}, {"scheme": "graded"}):
            assert home.lead.post(start, given).status_code == 302
            assert Import.objects.get(pk=row.pk).status == "refused", "with the scheme for which it was refused"
    home.lead.post(start, {"scheme": "xparade-extended"})
    imports_run()
    home.project.refresh_from_db()
    row.refresh_from_db()
    assert (row.status, row.rejected, row.rejections, row.problem, row.better_scheme) == ("done", 0, [], "", "")
    assert home.project.labels == PRESETS["xparade-extended"] and home.project.pairs.count() == 1
    assert not row.files.exists()


def test_where_there_are_pairs_a_refusal_proposes_a_new_project() -> None:
    home = house(scheme=PRESETS["xparade"].to_json())
    page = send(home, pairs_file("connotation"), "dry").content.decode()
    assert reverse("project-new") + "?scheme=xparade-extended" in page and "Change the scheme" not in page


def test_the_better_scheme_comes_first_and_refusals_that_differ_in_place_are_one_row() -> None:
    home = house(scheme=PRESETS["xparade"].to_json())
    spans = [span("connotation", ("b", 0, 8))]
    work = [{"annotator": f"reader {n}", "verdict": "submitted", "spans": spans} for n in range(300)]
    file = SimpleUploadedFile("pairs.jsonl", json.dumps(pair(annotations=work)).encode())
    page = send(home, file, "dry").content.decode()
    row = Import.objects.get()
    assert row.status == "refused" and row.better_scheme == "xparade-extended"
    assert page.index("?scheme=xparade-extended") < page.index('class="refused"')
    table = page.split('class="refused"')[1].split("</table>")[0]
    labels = "&#x27;connotation&#x27; is not one of the scheme&#x27;s labels"
    assert table.count(labels) == 1 and '<td class="end">300</td>' in table
    first, _, folded = table.partition("<details")
    assert first.count("annotations of &#x27;reader ") == 3 and "reader 2&#x27;, spans[0].label" in first
    assert "and 297 more" in folded and "reader 199" in folded and "and 100 more" in folded
    after = page.split('class="refused"')[1].split("</table>")[1]
    assert "more" not in after.split("Detected format and columns")[0], "all are counted above"


@pytest.mark.parametrize(("label", "text"), [("unheard", "Sonntags offen."), ("new", "")])
def test_no_scheme_is_proposed_where_none_would_help(label: str, text: str) -> None:
    home = empty_project("xparade")
    send(home, pairs_file(label, b={"language": "de", "text": text}), "dry")
    row = Import.objects.get()
    assert (row.status, row.better_scheme) == ("refused", "")
    assert row.files.exists(), "what was checked can be read again in another way"


def test_nothing_is_proposed_if_an_import_has_nothing_new() -> None:
    home = empty_project("xparade")
    send(home, parade_file(), "import")
    for step in ("dry", "import"):
        page = send(home, parade_file(), step).content.decode()
        assert Import.objects.latest("pk").better_scheme == ""
        assert "none of them would be changed" not in page and reverse("project-new") not in page
