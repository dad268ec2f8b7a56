"""Whoever sees gold of texts that they have in their own work, on whichever page, is on record as having seen it."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from agreement.gold.services.versions import gold_create
from agreement.publication.card import Terms
from agreement.publication.services.publications import publication_request, publications_run
from annotation.models import Annotator, ReferenceView, Role
from annotation.selectors.references import pairs_with_known_reference, reference_seen
from tests.agreement.access import logged_in
from tests.agreement.gold.home import Home, home
from tests.factories import AnnotatorFactory, AssignmentFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(settings: Settings, tmp_path: Path) -> Home:
    """A pair with gold, which is in the draft of the next version too, and a published dataset."""
    settings.DATA_DIR = tmp_path
    made = home()
    gold_create(project=made.project, rule="pick", phase="main", settings={"annotator": "A1"})
    made.open("pick")
    return made


def adjudicator(at: Home, role: str = Role.ADJUDICATOR) -> tuple[Annotator, Client]:
    membership = AnnotatorFactory(project=at.project, role=role)
    return membership, logged_in(membership.user)


@pytest.mark.parametrize(
    "name", ["gold-history", "gold-compare", "manual-adjudication-pair", "api-manual-adjudication"]
)
def test_pages_of_gold(at: Home, name: str) -> None:
    membership, client = adjudicator(at)
    query = {"one": 1, "other": 0} if name == "gold-compare" else {}
    args = [at.project.slug] if name == "gold-compare" else [at.project.slug, at.pair.pk]
    address = reverse(name, args=args)
    assert client.get(address, query).status_code == 200
    assert not ReferenceView.objects.exists(), "a person without work of their own"
    own = AssignmentFactory(pair=at.pair, annotator=membership, phase="qualification")
    assert client.get(address, query).status_code == 200
    assert reference_seen(own) and pairs_with_known_reference(at.project) == {(membership.pk, at.pair.pk)}


def test_a_published_dataset_with_gold(at: Home) -> None:
    publication = publication_request(project=at.project, to="jsonl", terms=Terms("cc0-1.0", ""), by=UserFactory())
    publications_run()
    membership, client = adjudicator(at, Role.LEAD)
    own = AssignmentFactory(pair=at.pair, annotator=membership, phase="qualification")
    assert client.get(reverse("publication", args=[at.project.slug, publication.number])).status_code == 200
    assert reference_seen(own)


def test_a_person_whose_place_was_taken_from_them_and_may_be_given_back(at: Home) -> None:
    superuser = UserFactory(is_superuser=True)
    membership = AnnotatorFactory(project=at.project, user=None, former_user=superuser)
    own = AssignmentFactory(pair=at.pair, annotator=membership)
    logged_in(superuser).get(reverse("gold-history", args=[at.project.slug, at.pair.pk]))
    assert reference_seen(own)
