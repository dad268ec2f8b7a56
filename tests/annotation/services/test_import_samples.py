"""The sample files of the import page: each is imported as it is, in projects of every scheme."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import Pair, Project
from annotation.models.imports import Import
from annotation.services.import_samples import import_samples
from annotation.text.schemes import PRESETS
from tests.annotation.views.test_imports import send
from tests.annotation.work import house

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.mark.parametrize("name", import_samples())
def test_each_sample_is_imported_as_it_is(name: str) -> None:
    home = house()
    scheme = PRESETS["xparade" if "xparade" in name else "graded"]
    Pair.objects.all().delete()
    Project.objects.filter(pk=home.project.pk).update(scheme=scheme.to_json())
    content = home.lead.get(reverse("import-sample", args=(home.project.slug, name)))
    upload = SimpleUploadedFile(name, content.content)
    page = send(home, upload, "import", format="", options="")
    row = Import.objects.latest("pk")
    assert row.status == "done", (row.rejections, page.content.decode())
    assert row.report is not None and row.report["pairs_new"] >= 2
    if name.endswith(".zip"):
        assert row.preview is not None and name == f"pairs-{row.preview['format']}.zip", "recognised"


@pytest.mark.parametrize("scheme", ["new", "likert", "yes-no"])
@pytest.mark.parametrize("name", ["pairs-csv.csv", "pairs-jsonl.jsonl"])
def test_samples_fit_the_scheme_of_the_project(scheme: str, name: str) -> None:
    home = house()
    Pair.objects.all().delete()
    chosen = PRESETS["xparade" if scheme == "new" else scheme]
    Project.objects.filter(pk=home.project.pk).update(scheme=chosen.to_json())
    content = home.lead.get(reverse("import-sample", args=(home.project.slug, name)))
    send(home, SimpleUploadedFile(name, content.content), "import")
    row = Import.objects.latest("pk")
    assert row.status == "done", row.rejections
    assert row.report is not None and row.report["pairs_new"] == 3
    (pair,) = Pair.objects.filter(external_id="sample-2")
    (work,) = pair.annotations.filter(source="human")
    assert (work.span_count, len(work.answers)) == (1 if chosen.labels else 0, len(chosen.rated))


def test_a_sample_that_does_not_exist_is_not_found() -> None:
    home = house()
    assert home.lead.get(reverse("import-sample", args=(home.project.slug, "pairs.pdf"))).status_code == 404
