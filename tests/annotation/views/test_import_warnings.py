"""Labels that a scheme has not: told before and after the import, kept, and the better scheme with one click."""

from __future__ import annotations

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.import_models import Import
from annotation.models import Project
from annotation.selectors.imports import import_warnings
from annotation.services.import_jobs import imports_work
from annotation.text.schemes import PRESETS
from tests.annotation.formats.samples import parade
from tests.annotation.views.test_imports import send
from tests.annotation.work import House, house

pytestmark = pytest.mark.django_db


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
    imports_work()
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
    assert response.status_code == 409 and Project.objects.get(pk=home.project.pk).labels == PRESETS["xparade"]


def test_warnings_are_shown_after_the_import_and_kept_with_the_project() -> None:
    home = empty_project("xparade")
    page = send(home, parade_file(), "import").content.decode()
    warning = "spans labelled connotation, imported as inferable: the scheme has no such label"
    assert "<b>1 pair</b> imported" in page and warning in page
    assert reverse("project-new") + "?scheme=xparade-extended" in page
    assert warning in home.lead.get(reverse("import", args=(home.project.slug,))).content.decode()
    # The same files again bring nothing in, and warn of nothing anew.
    send(home, parade_file(), "import")
    assert import_warnings(home.project)[warning] == 1
    form = home.lead.get(reverse("project-new") + "?scheme=xparade-extended").content.decode()
    assert re.search(r'value="xparade-extended"[^>]* checked', form)
