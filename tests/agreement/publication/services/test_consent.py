"""Who withdraws their consent is in no later publication, nor is gold that rests on their work."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import datasets
import pytest
from django.urls import reverse
from django.utils import timezone

from agreement.gold.services.versions import gold_create
from agreement.publication.card import Terms
from agreement.publication.export import export
from agreement.publication.services.consent import consent_restore, consent_withdraw
from agreement.publication.services.publications import publication_request
from agreement.selectors import gold_withheld, withdrawals
from annotation.errors import Conflict
from annotation.models import Annotation, Annotator, Project, Role, Source
from annotation.services.imports import import_files
from annotation.text.schemes import PRESETS
from tests.agreement.access import logged_in, member, statuses
from tests.agreement.card_facts import state_card_facts
from tests.annotation.formats.samples import lines, pair, span
from tests.factories import AnnotatorFactory, UserFactory

pytestmark = pytest.mark.django_db


def mark(label: str) -> list[dict[str, Any]]:
    return [span(label, ("a", 0, 4), ("b", 9, 14))]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Anna, Bruno and Chiara annotated p1; Bruno and Chiara p2."""
    rows = [
        pair(id="p1", annotations=[{"annotator": n, "spans": mark(k)} for n, k in zip("abc", "433", strict=True)]),
        pair(id="p2", annotations=[{"annotator": n, "spans": mark("2")} for n in "bc"]),
    ]
    import_files(slug="towns", paths=[lines(tmp_path / "p.jsonl", *rows)], scheme=PRESETS["graded"].to_json())
    made = state_card_facts(Project.objects.get())
    gold_create(project=made, rule="majority", phase="main")
    return made


def anna(project: Project) -> Annotator:
    return Annotator.objects.get(project=project, alias="a")


def published(project: Project, out: Path) -> tuple[dict[str, list[str]], list[str], str]:
    """Who annotated each pair, the pairs with gold, and the card."""
    export(project=project, to="hub", out=out)
    cache = str(out.parent / f"{out.name}-cache")
    rows = datasets.load_dataset(str(out), "annotations", cache_dir=cache)["train"]
    people = {row["id"]: [each["annotator"] for each in row["annotations"]] for row in rows}
    gold = datasets.load_dataset(str(out), "gold", cache_dir=cache)["train"]["id"] if (out / "gold").is_dir() else []
    return people, list(gold), (out / "README.md").read_text()


def test_their_annotations_and_gold_resting_on_them_are_left_out(project: Project, tmp_path: Path) -> None:
    everyone = {"p1": ["annotator1", "annotator2", "annotator3"], "p2": ["annotator2", "annotator3"]}
    people, gold, card = published(project, tmp_path / "one")
    assert (people, gold) == (everyone, ["p1", "p2"]) and "withdrawn" not in card
    consent_withdraw(annotator=anna(project), by=UserFactory())
    people, gold, card = published(project, tmp_path / "two")
    assert people == {"p1": ["annotator2", "annotator3"], "p2": ["annotator2", "annotator3"]}, "numbers stay"
    assert gold == ["p2"] and "1 person has withdrawn their consent" in card
    assert "| main | 2 | 2 | 4 |" in card and "| annotator1 |" not in card
    figures = json.loads((tmp_path / "two" / "agreement.json").read_text())["phases"]["main"]
    assert set(figures["annotators"]) == {"annotator2", "annotator3"}
    done = subprocess.run([sys.executable, tmp_path / "two" / "recompute.py"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    export(project=project, to="jsonl", out=tmp_path / "all.jsonl")
    found = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert [[each["annotator"] for each in row["annotations"]] for row in found] == [["b", "c"], ["b", "c"]]
    assert ["gold" in row for row in found] == [False, True]


def test_gold_made_since_is_published_and_rests_on_others(project: Project, tmp_path: Path) -> None:
    consent_withdraw(annotator=anna(project), by=UserFactory())
    outcome = gold_create(project=project, rule="union", phase="main")
    assert outcome.version is not None and gold_withheld(project, outcome.version.number) == set()
    _people, gold, _card = published(project, tmp_path / "set")
    assert gold == ["p1", "p2"]
    (first, *_rest) = datasets.load_dataset(str(tmp_path / "set"), "gold", cache_dir=str(tmp_path / "c"))["train"]
    assert {name for each in first["spans"] for name in each["annotators"]} == {"annotator2", "annotator3"}


def test_a_decision_of_before_is_left_out_until_it_is_decided_again(project: Project) -> None:
    first = Annotation.objects.filter(source=Source.GOLD, pair__external_id="p1")
    first.update(decided=timezone.now())
    consent_withdraw(annotator=anna(project), by=UserFactory())
    pair = project.pairs.get(external_id="p1").pk
    outcome = gold_create(project=project, rule="union", phase="main")
    assert outcome.version is not None
    assert gold_withheld(project, outcome.version.number) == {pair}
    Annotation.objects.filter(source=Source.GOLD, decided__isnull=False).update(decided=timezone.now())
    assert gold_withheld(project, outcome.version.number) == set()


def test_what_was_published_a_moment_before_is_not_given_again(project: Project) -> None:
    def ask() -> int:
        return publication_request(project=project, to="hub", terms=Terms("cc0-1.0"), by=None).number

    assert (ask(), ask()) == (1, 1)
    consent_withdraw(annotator=anna(project), by=UserFactory())
    assert (ask(), ask()) == (2, 2)


def test_it_can_be_undone_and_is_recorded_once(project: Project, tmp_path: Path) -> None:
    by = UserFactory()
    consent_withdraw(annotator=anna(project), by=by)
    with pytest.raises(Conflict, match="already"):
        consent_withdraw(annotator=anna(project), by=by)
    consent_restore(annotator=anna(project))
    with pytest.raises(Conflict, match="was not withdrawn"):
        consent_restore(annotator=anna(project))
    assert withdrawals(project) == {}
    people, gold, _card = published(project, tmp_path / "set")
    assert "annotator1" in people["p1"] and gold == ["p1", "p2"]


def test_a_lead_or_the_sites_owner_records_it(project: Project) -> None:
    address, person = reverse("consent", args=[project.slug]), {"person": anna(project).pk}
    leads = {"stranger": 404, "annotator": 403, "adjudicator": 403, "lead": 200, "nobody": 302}
    assert statuses(project, address) == leads
    client = member(project, "lead")
    assert client.post(address, person).status_code == 302 and anna(project).pk in withdrawals(project)
    page = client.get(address).content.decode()
    assert "<b>1 person</b> has withdrawn" in page and "withdrawn on" in page
    assert client.post(address, person).status_code == 409
    assert logged_in(UserFactory(is_superuser=True)).post(address, {**person, "action": "restore"}).status_code == 302
    assert not withdrawals(project)
    other = AnnotatorFactory(role=Role.ANNOTATOR)
    assert client.post(address, {"person": other.pk}).status_code == 404, "nobody of another project"
