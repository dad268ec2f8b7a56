"""Projects, their pairs and their plan: every response that the document of the API has for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from annotation.text.schemes import PRESETS
from tests.factories import AnnotatorFactory, PairFactory, UserFactory

if TYPE_CHECKING:
    from tests.api.site import Site

ACCESS: dict[str, tuple[int, ...]] = {
    "projects": (200, 200, 200, 200, 200, 403),
    "project_create": (403, 403, 403, 200, 403, 403),
    "settings": (403, 403, 403, 200, 404, 403),
    "settings_change": (403, 403, 403, 200, 404, 403),
    "project": (200, 200, 200, 200, 404, 403),
    "pairs": (403, 403, 403, 200, 404, 403),
    "pair": (403, 403, 403, 200, 404, 403),
    "plan_now": (403, 403, 403, 200, 404, 403),
    "plan": (403, 403, 403, 422, 404, 403),
    "plan_change": (403, 403, 403, 422, 404, 403),
}
REQUESTS: dict[str, Any] = {
    "project_create": {"name": "Town pages", "preset": "graded"},
    "settings_change": {"highlights_share": 50, "currency": "CHF"},
    "plan": {"people": []},
    "plan_change": {"people": []},
}


def planned(at: Site) -> Iterator[tuple[str, Any]]:
    """Projects listed, one created, its pairs read, and a plan shown, applied and changed."""
    again_by = at.home.project.annotators.filter(assignments__pair=at.adjudicated).first()
    assert again_by
    again_by.user = UserFactory()
    again_by.save()
    again = {"people": [again_by.pk], "days": 0}
    shown = at.ask("retests", body=again)
    yield "retests", shown
    yield "retests", at.ask("retests", body={**again, "digest": "another"})
    yield "retests", at.ask("retests", body={**again, "digest": shown.json().get("digest", "")})
    for name in ("projects", "project", "pairs", "pair", "settings"):
        yield name, at.ask(name)
    yield "settings_change", at.ask("settings_change", body=REQUESTS["settings_change"])
    yield "settings_change", at.ask("settings_change", body={"highlights_run": "none-such"})
    yield "project", at.ask("project", "annotator")
    yield "projects", at.ask("projects", body={"page": "x"})
    yield "projects", at.ask("projects", body={"format": "xml"})
    yield "pairs", at.ask("pairs", body={"only": "nonsense"})
    yield "project_create", at.ask("project_create", body=REQUESTS["project_create"])
    yield "project_create", at.ask("project_create", body=REQUESTS["project_create"])
    scheme = PRESETS["graded"].to_json()
    yield "project_create", at.ask("project_create", body={"name": "Two", "preset": "graded", "scheme": scheme})
    person = AnnotatorFactory(project=at.home.project, user=UserFactory())
    PairFactory(project=at.home.project)
    yield "plan_now", at.ask("plan_now")
    wanted = {"people": [person.pk], "minutes": 12.5, "preset": "swissgov"}
    shown = at.ask("plan", body=wanted)
    yield "plan", shown
    yield "plan", at.ask("plan", body={**wanted, "digest": "another"})
    yield "plan", at.ask("plan", body={**wanted, "digest": shown.json()["digest"]})
    other = AnnotatorFactory(project=at.home.project, user=UserFactory())
    changed = {"people": [person.pk, other.pk], "overlap": 1}
    shown = at.ask("plan_change", body=changed)
    yield "plan_change", shown
    yield "plan_change", at.ask("plan_change", body={**changed, "digest": "another"})
    yield "plan_change", at.ask("plan_change", body={**changed, "digest": shown.json()["digest"]})
