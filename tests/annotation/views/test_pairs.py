"""The list of pairs, and one pair with all its annotations."""

import re

import pytest
from django.urls import reverse

from annotation.models import Annotation, Source
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from tests.annotation.work import BIBLIOTHEK, LIBRARY, House, doc, house, span
from tests.factories import AssignmentFactory, PairFactory, TextFactory

pytestmark = pytest.mark.django_db


def listed(home: House, query: str = "") -> str:
    return str(home.lead.get(reverse("pairs", args=(home.project.slug,)) + query).content.decode())


def test_pairs_are_found_by_id_by_words_and_by_state() -> None:
    home = house()
    home.assignment.pair.external_id = "library"
    home.assignment.pair.save()
    PairFactory(project=home.project, external_id="bath", a=TextFactory(content="The pool is shut."))
    annotation_submit(assignment=home.assignment, by=None, base=0, verdict="flagged", reason="cut off")
    lions = TextFactory(content="Lions sleep.")
    AssignmentFactory(pair=PairFactory(project=home.project, external_id="zoo", a=lions))
    expected = {
        "": ["library", "bath", "zoo"],
        "?q=LIBR": ["library"],
        "?q=pool": ["bath"],
        "?only=flagged": ["library"],
        "?only=rejected": [],
        "?only=unassigned": ["bath"],
        "?only=unfinished": ["zoo"],
        "?only=gold": [],
        "?only=unknown": ["library", "bath", "zoo"],
    }
    found = {
        query: [name for name in ("library", "bath", "zoo") if f">{name}<" in listed(home, query)] for query in expected
    }
    assert found == expected
    offered = re.findall(r'<option value="(\w+)"', listed(home))
    assert {f"?only={value}" for value in offered} < expected.keys()


def test_many_pairs_come_page_by_page() -> None:
    home = house()
    PairFactory.create_batch(100, project=home.project)
    assert "page 1 of 2" in listed(home)
    assert "page 2 of 2" in listed(home, "?page=2")


def test_a_pair_shows_everybodys_spans_and_the_gold_quoted() -> None:
    home = house()
    work = AnnotationInput(spans=doc(span(LIBRARY, BIBLIOTHEK, comment="which one?")), comment="hm")
    annotation_save(assignment=home.assignment, by=None, base=0, sent=work)
    broken = doc({"id": "g", "label": "5", "origin": "manual", "comment": "", "fragments": []})
    Annotation.objects.create(
        source=Source.GOLD, verdict="submitted", pair=home.assignment.pair, gold_version=0, spans=broken
    )
    page = home.lead.get(reverse("pair", args=(home.project.slug, home.assignment.pair_id))).content.decode()
    for words in ("library", "Bibliothek", "which one?", "hm", "Gold, imported", "broken"):
        assert words in page
    assert ": 1 annotation." in page and "There is 1 gold version." in page


def test_a_leads_words_on_the_gold_are_kept() -> None:
    home = house()
    gold = Annotation.objects.create(source=Source.GOLD, verdict="submitted", pair=home.assignment.pair, gold_version=0)
    address = reverse("pair", args=(home.project.slug, home.assignment.pair_id))
    assert home.lead.post(address, {"comment": " Well read. "}).status_code == 302
    gold.refresh_from_db()
    assert gold.feedback == "Well read."


def test_what_people_wrote_cannot_run() -> None:
    home = house()
    work = AnnotationInput(spans=doc(), comment="<script>alert(1)</script>")
    annotation_save(assignment=home.assignment, by=None, base=0, sent=work)
    for name, args in (("pair", (home.assignment.pair_id,)), ("monitor", ())):
        page = home.lead.get(reverse(name, args=(home.project.slug, *args))).content.decode()
        assert "&lt;script&gt;alert" in page and "<script>alert" not in page
