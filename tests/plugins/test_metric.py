"""A metric in a module of its own is in the page, every output of the command, the methods and a stored report."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from agreement.metrics.base import METRICS
from annotation.models import Project
from tests.agreement.access import member
from tests.agreement.work import pair, project, submit
from tests.plugins.conftest import Load

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
TITLE = "tokens labelled alike by everyone"


@pytest.fixture
def study() -> Project:
    study, (one, two) = project()
    for other in ("1", "3"):
        on = pair(study)
        submit(on, one, [("1", [0, 1], [0])])
        submit(on, two, [(other, [0, 1], [0])])
    return study


def command_output(study: Project, format: str) -> str:
    out = StringIO()
    call_command("agreement", "--project", study.slug, "--format", format, stdout=out)
    return out.getvalue()


def test_it_is_in_the_output_of_the_command_and_in_the_methods(study: Project, load: Load) -> None:
    before = json.loads(command_output(study, "json"))
    load("exact_tokens", METRICS)
    after = json.loads(command_output(study, "json"))
    tokens = len(study.pairs.first().a.tokens) + len(study.pairs.first().b.tokens)  # type: ignore[union-attr]
    # Two documents of one length; in one of them, three tokens have two labels.
    assert after.pop("exact_tokens") == pytest.approx((2 * tokens - 3) / (2 * tokens))
    low, high = after.pop("exact_tokens_ci")
    assert low < high and "rough" in after.pop("exact_tokens_note")
    assert after == before
    for format in ("text", "markdown", "latex"):
        assert TITLE in command_output(study, format) and "A token is labelled alike if" in command_output(
            study, format
        ), format


def test_the_page_computes_a_kept_report_again(study: Project, load: Load) -> None:
    lead, address = member(study, "lead"), reverse("agreement", args=[study.slug])
    assert TITLE not in lead.get(address).content.decode()
    load("exact_tokens", METRICS)
    assert TITLE in lead.get(address).content.decode()


def test_one_that_needs_an_order_is_left_out_where_labels_have_none(load: Load) -> None:
    load("exact_tokens", METRICS)
    METRICS["exact_tokens"] = replace(METRICS["exact_tokens"], ordered=True)
    unordered, (one, two) = project("xparade")
    on = pair(unordered)
    for person in (one, two):
        submit(on, person, [("new", [], [0])])
    assert "exact_tokens" not in json.loads(command_output(unordered, "json"))
