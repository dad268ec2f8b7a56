"""What people state is saved whole, as revisions, and refused by field."""

from __future__ import annotations

import pytest

from agreement.publication.facts import CardFacts, facts_of
from agreement.publication.services.facts import check_publishable, facts_save, validated_facts
from annotation.errors import Conflict, Invalid
from annotation.models import Project
from annotation.project_options import ProjectOptions
from annotation.services.projects import project_change
from tests.agreement.card_facts import CARD_FACTS, state_card_facts
from tests.factories import ProjectFactory

pytestmark = pytest.mark.django_db


def test_revisions_follow_each_other_and_history_keeps_them() -> None:
    project: Project = ProjectFactory()
    assert facts_save(project=project, values={"pay": " not paid \r\n"}, base=0) == 1
    assert facts_save(project=project, values={"pay": "not paid"}, base=0) == 1, "the same is no conflict"
    with pytest.raises(Conflict, match="revision 1"):
        facts_save(project=project, values={"pay": "30"}, base=0)
    assert facts_save(project=project, values=CARD_FACTS, base=1) == 2
    project.refresh_from_db()
    assert facts_of(project) == (CardFacts(**CARD_FACTS), 2)
    earlier = [row.settings.get("card", {}).get("pay") for row in project.history.order_by("history_id")]
    assert earlier == [None, "not paid", CARD_FACTS["pay"]]


def test_changed_settings_leave_them() -> None:
    project = state_card_facts(ProjectFactory())
    project_change(project=project, name="Other", options=ProjectOptions(gold_shown=True))
    project.refresh_from_db()
    assert facts_of(project) == (CardFacts(**CARD_FACTS), 1)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("creators", "me"),
        ("homepage", "javascript:alert(1)"),
        ("paper", "https://a b"),
        ("paper", "https://[bad"),
        ("source_datasets", "a/b/c"),
        ("contact", "two\nlines"),
        ("contact", "x" * 301),
        ("contact", "two\rlines"),
        ("contact", "Lena \u202e"),
        ("contact", " \u200b "),
        ("licence", "mit"),
    ],
)
def test_what_cannot_be_names_its_field(field: str, value: str) -> None:
    with pytest.raises(Invalid) as refused:
        validated_facts({field: value})
    assert refused.value.where == field


def test_publishing_names_all_that_is_missing() -> None:
    project = ProjectFactory()
    with pytest.raises(Invalid, match=r"Missing: Licence, Contact, .*Known limitations") as refused:
        check_publishable(project, facts=CardFacts(), licence="unknown", description="")
    assert refused.value.where == "licence" and "contact" in refused.value.payload["missing"]
    with pytest.raises(Invalid, match="Missing: Description") as refused:
        check_publishable(project, facts=CardFacts(**CARD_FACTS), licence="other", description=" ")
    assert refused.value.payload["missing"] == ["description"]
    check_publishable(project, facts=CardFacts(**CARD_FACTS), licence="other", description="Ask us.")
