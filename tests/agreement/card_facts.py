"""What the leads of tests state for a card."""

from __future__ import annotations

from agreement.publication.services.facts import facts_save
from annotation.models import Project

CARD_FACTS = {
    "contact": "Lena, lena@example.org",
    "citation": "@misc{towns, title={Two towns}}",
    "sources": "Pages of two towns.",
    "texts_licence": "public domain",
    "creators": "expert-generated",
    "recruitment": "Two *translators*.",
    "pay": "30 francs an hour",
    "limits": "Two towns only.",
}


def state_card_facts(project: Project, base: int = 0, **other: str) -> Project:
    """The project, with everything stated on top of revision `base`."""
    facts_save(project=project, values={**CARD_FACTS, **other}, base=base)
    project.refresh_from_db()
    return project
