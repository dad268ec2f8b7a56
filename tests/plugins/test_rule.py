"""A rule in a module of its own is offered and applied, by command and by page, with no change elsewhere."""

from __future__ import annotations

import json
import re
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from agreement.adjudication.base import RULES
from agreement.management.commands.adjudicate import Command
from annotation.models import Annotation, Project, Source
from tests.agreement.access import member
from tests.agreement.work import pair, project, submit
from tests.plugins.conftest import Load

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def plugin(load: Load) -> None:
    assert "most-marks" not in RULES
    load("most_marks", RULES)


@pytest.fixture
def study() -> Project:
    study, (one, two) = project()
    on = pair(study)
    submit(on, one, [("4", [0, 1], [0])])
    submit(on, two, [("2", [0], [0]), ("1", [3], [])])
    return study


def test_the_command_makes_gold_with_it(study: Project) -> None:
    assert "most-marks" in Command().create_parser("manage.py", "adjudicate").format_help()
    out = StringIO()
    arguments = ("--project", study.slug, "--rule", "most-marks", "--set", "fewest=3", "--format", "json")
    call_command("adjudicate", *arguments, stdout=out)
    assert json.loads(out.getvalue())["spans"] == {"1": 1, "2": 1, "3": 0, "4": 0, "5": 0}
    gold = Annotation.objects.get(source=Source.GOLD)
    assert [span["label"] for span in gold.spans["spans"]] == ["2", "1"]
    assert {origin["unsure"]["code"] for origin in gold.provenance.values()} == {"tie"}


def test_the_page_offers_it_with_its_settings_compares_it_and_makes_gold(study: Project) -> None:
    lead = member(study, "lead")
    form = lead.get(reverse("adjudication", args=[study.slug]), {"rule": "most-marks"}).content.decode()
    assert re.search(r'<option value="most-marks" selected>\s*Most marks', form)
    assert "Fewest spans" in form and "The work of whoever marked the most." in form
    tried = lead.post(reverse("adjudication-try", args=[study.slug]), {"rule": "union", "phase": "main"})
    assert "Most marks" in {row.title for row, _why in tried.context["others"]}
    body = {"rule": "most-marks", "phase": "main", "fewest": "1"}
    page = lead.post(reverse("adjudication-make", args=[study.slug]), body, follow=True).content.decode()
    assert "Most marks" in page
    assert Annotation.objects.get(source=Source.GOLD).spans["spans"][0]["label"] == "2"


def test_manual_adjudication_starts_from_it(study: Project) -> None:
    lead = member(study, "lead")
    body = {"rule": "most-marks", "phase": "main", "fewest": "0"}
    lead.post(reverse("manual-adjudication-open", args=[study.slug]), body)
    assert "Most marks" in lead.get(reverse("manual-adjudication", args=[study.slug])).content.decode()


def test_it_decides_answers_if_it_says_so() -> None:
    rated, (one, two) = project("yes-no")
    on = pair(rated)
    submit(on, one, answers={"close": "no"})
    submit(on, two, answers={"close": "yes"})
    client = member(rated, "lead")
    page = client.get(reverse("adjudication", args=[rated.slug])).content.decode()
    assert "Most marks" in page and "Union" not in page
    page = client.get(reverse("adjudication", args=[rated.slug]), {"rule": "most-marks"}).content.decode()
    assert "The first answer that was given." in page
    call_command("adjudicate", "--project", rated.slug, "--rule", "most-marks", stdout=StringIO())
    assert Annotation.objects.get(source=Source.GOLD).answers == {"close": "no"}
