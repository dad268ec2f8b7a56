"""How a blind adjudicator opens every URL of the site: add new URLs here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agreement.gold.status import pair_status
from agreement.models import GoldVersion
from tests.blind.site import ALIASES, Site, site_draft

Call = tuple[str, list[Any], dict[str, Any]]
"""A method, the arguments of the address, and what is sent along; `seen` is sent in the address."""


def nothing(at: Site) -> list[Call]:
    return [("get", [], {})]


def in_project(at: Site) -> list[Call]:
    return [("get", [at.project.slug], {}), ("post", [at.project.slug], {})]


def on_pairs(at: Site) -> list[Call]:
    return [(method, [at.project.slug, pair.pk], {}) for pair in at.pairs for method in ("get", "post")]


def pair_page(at: Site) -> list[Call]:
    asked: tuple[dict[str, str], ...] = (
        {},
        {"again": ALIASES[0]},
        {"annotators": ",".join(ALIASES[:2])},
        {"phase": "trial"},
    )
    return [("get", [at.project.slug, pair.pk], query) for pair in at.pairs for query in asked]


def on_assignments(method: str, body: Any = None) -> Callable[[Site], list[Call]]:
    return lambda at: [(method, [pk], body or {}) for pk in at.ids]


def own_pages(at: Site) -> list[Call]:
    return [("get", [at.project.slug, pk], {}) for pk in at.ids]


def rules(at: Site) -> list[Call]:
    asked = [
        {"rule": rule, "phase": "main", "annotator": name}
        for rule in ("pick", "majority", "dawid-skene", "agreed", "nonsense")
        for name in ("", ALIASES[1])
    ]
    return [(method, [at.project.slug], data) for method in ("get", "post") for data in asked]


def compare(at: Site) -> list[Call]:
    versions = GoldVersion.objects.filter(project=at.project).values_list("number", flat=True)
    return [("get", [at.project.slug], {"one": one, "other": other}) for one in versions for other in versions]


def versions(at: Site) -> list[Call]:
    return [("get", [at.project.slug, number], {}) for number in range(6)]


def runs(*more: str) -> Callable[[Site], list[Call]]:
    return lambda at: [(method, [at.project.slug, *more], {}) for method in ("get", "post")]


def numbered(at: Site) -> list[Call]:
    return [(method, [at.project.slug, 1], {}) for method in ("get", "post")]


def person(at: Site) -> list[Call]:
    return [(method, [at.project.slug, each.pk], {}) for each in at.people for method in ("get", "post")]


def decisions(at: Site) -> list[Call]:
    """A decision based on no revision, which the draft of a saved pair refuses with its own state."""
    body = {"revision": 0, "verdict": "submitted"}
    draft = site_draft(at)
    seen = {pair.pk: status.fingerprint for pair in at.pairs if (status := pair_status(draft, pair)) is not None}
    return [("post", [at.project.slug, pair.pk], {**body, "seen": seen.get(pair.pk, "")}) for pair in at.pairs]


SAVE = {"revision": 0, "spans": {"v": 1, "spans": []}}
VISITS: dict[str, Callable[[Site], list[Call]]] = {
    "javascript-catalog": lambda at: [("get", ["de", "0"], {})],
    **dict.fromkeys(("password-reset", "password-reset-sent", "password-reset-done"), nothing),
    "password-reset-new": lambda at: [("get", ["MQ", "x-y"], {})],
    "set_language": lambda at: [("post", [], {"language": "de"})],
    **dict.fromkeys(
        (
            "schema",
            "api-docs",
            "home",
            "healthz",
            "readyz",
            "metrics",
            "server",
            "login",
            "account",
            "project-new",
            "logged-in",
        ),
        nothing,
    ),
    "project": in_project,
    "guidelines": in_project,
    **dict.fromkeys(
        ("project-settings", "import", "plan", "plan-again", "people", "pairs", "guidelines-edit", "glossary"),
        in_project,
    ),
    **dict.fromkeys(("glossary", "glossary-upload", "glossary-restore"), in_project),
    **dict.fromkeys(("glossary-entry", "glossary-delete"), numbered),
    **dict.fromkeys(
        ("glossary-download", "glossary-download-tbx"), lambda at: [("get", [at.project.slug, "en", "de"], {})]
    ),
    "api-glossary": in_project,
    "api-glossary-entry": lambda at: [(method, [at.project.slug, 1], {}) for method in ("put", "delete")],
    "person": person,
    "pair": on_pairs,
    "work-next": in_project,
    "work": own_pages,
    "api-assignment": on_assignments("get"),
    "api-annotation": on_assignments("put", SAVE),
    "api-submit": on_assignments("post", {"revision": 1, "verdict": "submitted"}),
    "api-reopen": on_assignments("post"),
    "api-preferences": lambda at: [("put", [], {"theme": "dark"})],
    "api-next": in_project,
    **dict.fromkeys(
        ("prelabels", "prelabels-runs", "prelabels-method", "prelabels-automatic", "api-runs"),
        runs(),
    ),
    "prelabels-word-lists": runs(),
    **dict.fromkeys(("prelabels-run", "api-run"), runs("some-run")),
    **dict.fromkeys(("prelabels-act", "api-run-act"), runs("some-run", "pause")),
    "manual-adjudication": in_project,
    "manual-adjudication-open": rules,
    "manual-adjudication-close": in_project,
    "manual-adjudication-next": in_project,
    "manual-adjudication-pair": on_pairs,
    "manual-adjudication-put-back": on_pairs,
    "gold-history": on_pairs,
    "gold-compare": compare,
    "adjudicated": in_project,
    "adjudicated-pair": own_pages,
    "api-manual-adjudication": on_pairs,
    "api-manual-adjudication-annotation": lambda at: [("put", [at.project.slug, pair.pk], SAVE) for pair in at.pairs],
    "api-manual-adjudication-submit": decisions,
    "api-manual-adjudication-reopen": on_pairs,
    **dict.fromkeys(
        (
            "agreement",
            "agreement-documents",
            "agreement-disagreements",
            "agreement-spans",
            "agreement-texts",
            "agreement-trends",
        ),
        in_project,
    ),
    **dict.fromkeys(("agreement-answers", "agreement-outcomes", "prelabels-quality", "publish"), in_project),
    "agreement-download": lambda at: [("get", [at.project.slug, kind], {}) for kind in ("json", "csv", "md", "tex")],
    "agreement-pair": pair_page,
    "agreement-example": on_pairs,
    **dict.fromkeys(("import-result", "import-start", "import-cancel"), numbered),
    **dict.fromkeys(("publication-retry", "publication-delete"), numbered),
    "publication": lambda at: [("get", [at.project.slug, 1], {})],
    "adjudication": rules,
    "adjudication-try": rules,
    "adjudication-make": rules,
    "gold-version": versions,
    "adjudication-rules": on_pairs,
    "adjudication-exclude": on_pairs,
    "logout": lambda at: [],  # it would end the visit
}
