"""Documents excluded from the gold in all their pairs, and included again."""

from __future__ import annotations

import pytest

from agreement.gold.parallel_documents import parallel_document_rows, parallel_documents_matching
from agreement.gold.services.document_exclusions import (
    MAX_DOCUMENTS,
    parallel_documents_exclude,
    parallel_documents_include,
)
from agreement.gold.services.exclusions import pair_exclude
from agreement.models import Exclusion
from agreement.selectors import exclusions
from annotation.errors import Conflict, Invalid, NotFound
from annotation.models import Pair, Project, User
from annotation.models.lifecycle import ProjectEvent
from annotation.selectors.audit import AuditTrail
from annotation.services.archiving import project_archive
from tests.factories import PairFactory, ProjectFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def towns(db: None) -> Project:
    """Two documents in two pairs of languages each, and a pair without one; another project with the same names."""
    project = ProjectFactory(slug="towns")
    for owner in (project, ProjectFactory(slug="elsewhere")):
        for name in ("hours", "baths"):
            for code in ("de", "fr"):
                PairFactory(project=owner, external_id=f"{name}-{code}", metadata={"document": name})
    PairFactory(project=project, external_id="plain")
    return project


@pytest.fixture
def lead(db: None) -> User:
    return UserFactory(username="lena")


def excluded(project: Project) -> dict[str, str]:
    names = dict(Pair.objects.values_list("pk", "external_id"))
    return {names[pk]: reason for pk, reason in exclusions(project).items()}


def test_all_pairs_of_a_document_are_excluded_and_included_again(towns: Project, lead: User) -> None:
    done = parallel_documents_exclude(project=towns, documents=["hours", "hours"], reason=" not a page ", by=lead)
    assert (done.documents, done.pairs) == (1, 2)
    assert excluded(towns) == {"hours-de": "not a page", "hours-fr": "not a page"}
    assert Exclusion.objects.count() == 2, "nothing of the other project"
    assert set(Exclusion.objects.values_list("made_by__username", flat=True)) == {"lena"}
    done = parallel_documents_include(project=towns, documents=["hours", "baths"], by=lead)
    assert (done.documents, done.pairs) == (2, 2) and excluded(towns) == {}


def test_a_pair_that_is_excluded_keeps_its_reason(towns: Project) -> None:
    pair_exclude(pair=Pair.objects.get(project=towns, external_id="hours-fr"), reason="a copy", by=None)
    assert parallel_documents_exclude(project=towns, documents=["hours"], reason="x", by=None).pairs == 1
    assert excluded(towns) == {"hours-de": "x", "hours-fr": "a copy"}
    assert parallel_documents_exclude(project=towns, documents=["hours"], reason="y", by=None).pairs == 0


def test_what_cannot_be_changes_nothing(towns: Project) -> None:
    with pytest.raises(Invalid, match="Give a reason"):
        parallel_documents_exclude(project=towns, documents=["hours"], reason="  ", by=None)
    with pytest.raises(Invalid, match="Choose at least one document"):
        parallel_documents_include(project=towns, documents=[], by=None)
    with pytest.raises(NotFound, match="There is no document “plain”"):
        parallel_documents_exclude(project=towns, documents=["hours", "plain"], reason="x", by=None)
    with pytest.raises(Invalid, match=f"At most {MAX_DOCUMENTS} documents"):
        parallel_documents_exclude(
            project=towns, documents=[f"x{number}" for number in range(MAX_DOCUMENTS + 1)], reason="x", by=None
        )
    assert not Exclusion.objects.exists() and not ProjectEvent.objects.exists()
    project_archive(project=towns, by=None)
    for service in (parallel_documents_include, parallel_documents_exclude):
        with pytest.raises(Conflict, match="is archived"):
            service(
                project=towns, documents=["hours"], by=None, **({"reason": "x"} if "ex" in service.__name__ else {})
            )


def test_both_are_in_the_list_of_changes(towns: Project, lead: User) -> None:
    parallel_documents_exclude(project=towns, documents=["hours", "baths"], reason="x", by=lead)
    parallel_documents_include(project=towns, documents=["hours"], by=lead)
    parallel_documents_include(project=towns, documents=["hours"], by=lead)
    changes = [each for each in AuditTrail(towns, kind="gold")[0:50] if each.what.startswith("Documents")]
    assert [(each.what, each.about, each.by) for each in changes] == [
        ("Documents included in the gold again", "hours", "lena"),
        ("Documents excluded from the gold", "baths, hours", "lena"),
    ]
    assert [(value.name, value.after) for value in changes[1].values] == [("Documents", "2"), ("Pairs", "4")]


def test_documents_are_listed_with_what_was_said_of_their_pairs(towns: Project) -> None:
    pair_exclude(pair=Pair.objects.get(project=towns, external_id="baths-de"), reason="a copy", by=None)
    assert list(parallel_documents_matching(towns)) == ["hours", "baths"]
    assert list(parallel_documents_matching(towns, only="excluded")) == ["baths"]
    assert list(parallel_documents_matching(towns, text="HOU")) == ["hours"] and not list(
        parallel_documents_matching(towns, only="flagged")
    )
    (row,) = parallel_document_rows(towns, ["baths"])
    assert [(pair.external_id, reason) for pair, reason in row.pairs] == [("baths-de", "a copy"), ("baths-fr", "")]
    assert (row.excluded, row.flags, row.rejections, row.subdomain, row.reasons) == (1, 0, 0, "", ["a copy"])
