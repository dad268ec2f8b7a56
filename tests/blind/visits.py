"""How a blind adjudicator opens every URL of the site: add new URLs here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agreement.gold.status import pair_status
from agreement.models import GoldJob, GoldVersion
from annotation.models.messages import Thread
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
    queries: tuple[dict[str, str], ...] = (
        {},
        {"again": ALIASES[0]},
        {"annotators": ",".join(ALIASES[:2])},
        {"phase": "trial"},
    )
    return [("get", [at.project.slug, pair.pk], query) for pair in at.pairs for query in queries]


def on_assignments(method: str, body: Any = None) -> Callable[[Site], list[Call]]:
    return lambda at: [(method, [pk], body or {}) for pk in at.ids]


def own_pages(at: Site) -> list[Call]:
    return [("get", [at.project.slug, pk], {}) for pk in at.ids]


def rules(at: Site) -> list[Call]:
    queries = [
        {"rule": rule, "phase": "main", "annotator": name}
        for rule in ("pick", "majority", "dawid-skene", "agreed", "nonsense")
        for name in ("", ALIASES[1])
    ]
    return [(method, [at.project.slug], data) for method in ("get", "post") for data in queries]


def compare(at: Site) -> list[Call]:
    versions = GoldVersion.objects.filter(project=at.project).values_list("number", flat=True)
    return [("get", [at.project.slug], {"one": one, "other": other}) for one in versions for other in versions]


def versions(at: Site) -> list[Call]:
    return [("get", [at.project.slug, number], {}) for number in range(6)]


def gold_jobs(at: Site) -> list[Call]:
    keys = GoldJob.objects.filter(project=at.project).values_list("pk", flat=True)
    return [(method, [at.project.slug, pk], {}) for pk in keys for method in ("get", "post")]


def runs(*more: str) -> Callable[[Site], list[Call]]:
    return lambda at: [(method, [at.project.slug, *more], {}) for method in ("get", "post")]


def numbered(at: Site) -> list[Call]:
    return [(method, [at.project.slug, 1], {}) for method in ("get", "post")]


def threads(*methods: str) -> Callable[[Site], list[Call]]:
    keys = Thread.objects.order_by("pk").values_list("pk", flat=True)
    return lambda at: [(method, [at.project.slug, pk], {}) for pk in keys.all() for method in methods]


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
    "work-worker": lambda at: [("get", [at.project.slug], {})],
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
            "accounts",
            "login",
            "openid",
            "openid-callback",
            "openid-new",
            "openid-account",
            "account",
            "tokens",
            "project-new",
            "logged-in",
        ),
        nothing,
    ),
    "account-stored": lambda at: [("get", [1], {})],
    **dict.fromkeys(("account-export", "account-delete"), lambda at: [("post", [1], {})]),
    "project": in_project,
    "guidelines": in_project,
    **dict.fromkeys(
        (
            "project-settings",
            "project-scheme",
            "guidelines-reopen",
            "import",
            "plan",
            "plan-change",
            "plan-again",
            "people",
            "pairs",
            "documents",
            "guidelines-edit",
            "glossary",
        ),
        in_project,
    ),
    **dict.fromkeys(("glossary", "glossary-upload", "glossary-restore"), in_project),
    **dict.fromkeys(("glossary-entry", "glossary-delete"), numbered),
    **dict.fromkeys(
        ("glossary-download", "glossary-download-tbx"), lambda at: [("get", [at.project.slug, "en", "de"], {})]
    ),
    **dict.fromkeys(("project-scheme-preview", "project-scheme-export"), in_project),
    "api-projects": lambda at: [("get", [], {}), ("post", [], {"name": "x", "preset": "graded"})],
    **dict.fromkeys(("api-project", "api-pairs", "api-plan", "api-plan-change"), in_project),
    **dict.fromkeys(("api-report", "api-disagreements", "api-gold-versions", "api-gold-dry-run"), in_project),
    **dict.fromkeys(("api-gold-compare", "api-gold-draft", "api-gold-draft-close", "api-minings"), in_project),
    **dict.fromkeys(("api-encoders", "encoders", "api-items", "items"), in_project),
    "api-gold-pairs": lambda at: [("get", [at.project.slug, number], {}) for number in (0, 1, 2)],
    "api-gold-job": lambda at: [(method, [at.project.slug, 1], {}) for method in ("get", "post")],
    "documents-exclude": lambda at: [("post", [at.project.slug], {"document": "a", "reason": "x"})],
    "api-documents": in_project,
    "api-documents-excluded": lambda at: [("put", [at.project.slug], {"documents": ["a"], "excluded": False})],
    "api-pair-example": lambda at: [("post", [at.project.slug, pair.pk], {}) for pair in at.pairs],
    **dict.fromkeys(("api-glossary-upload", "api-glossary-restore"), in_project),
    **dict.fromkeys(
        ("api-automatic", "api-project-settings"),
        lambda at: [(method, [at.project.slug], {}) for method in ("get", "put")],
    ),
    "api-run-quality": lambda at: [("get", [at.project.slug, "run-1"], {})],
    "api-publication-card": versions,
    "api-person-password-link": lambda at: [("post", [at.project.slug, each.pk], {}) for each in at.people],
    "api-pair-excluded": lambda at: [("put", [at.project.slug, pair.pk], {}) for pair in at.pairs],
    "api-mining": lambda at: [("get", [at.project.slug, 1], {})],
    **dict.fromkeys(("api-encoders-result", "api-items-result"), lambda at: [("get", [at.project.slug, 1], {})]),
    **dict.fromkeys(("api-encoders-cancel", "api-encoders-retry"), lambda at: [("post", [at.project.slug, 1], {})]),
    **dict.fromkeys(
        ("api-items-start", "api-items-cancel", "api-items-retry"), lambda at: [("post", [at.project.slug, 1], {})]
    ),
    **dict.fromkeys(("api-mining-import", "api-mining-cancel"), lambda at: [("post", [at.project.slug, 1], {})]),
    "api-pair": on_pairs,
    "api-scheme": lambda at: [(method, [at.project.slug], {}) for method in ("get", "put")],
    "api-guidelines": in_project,
    "api-guidelines-reopen": lambda at: [("post", [at.project.slug], {"version": 1})],
    "api-glossary": in_project,
    "api-glossary-entry": lambda at: [(method, [at.project.slug, 1], {}) for method in ("put", "delete")],
    "person": person,
    **dict.fromkeys(("api-person", "api-person-access"), lambda at: [("put", [at.project.slug, at.people[0].pk], {})]),
    "api-person-replace": lambda at: [("post", [at.project.slug, at.people[0].pk], {})],
    **dict.fromkeys(("invitations", "api-people", "api-invitations"), in_project),
    **dict.fromkeys(("invitation-revoke", "invitation-renew"), numbered),
    "api-invitation": lambda at: [("delete", [at.project.slug, 1], {})],
    "api-person-time": lambda at: [("post", [at.project.slug, at.people[0].pk], {})],
    "api-person-rate": lambda at: [("put", [at.project.slug, at.people[0].pk], {})],
    **dict.fromkeys(("time", "timesheet", "api-time"), in_project),
    **dict.fromkeys(("qualification", "qualification-rule", "api-qualification"), in_project),
    **dict.fromkeys(("qualification-person", "api-qualification-person"), person),
    "api-qualification-rule": lambda at: [(method, [at.project.slug], {}) for method in ("get", "put")],
    "qualification-pair": own_pages,
    "monitor": in_project,
    "monitor-review": numbered,
    "api-monitor": in_project,
    "api-monitor-review": lambda at: [("put", [at.project.slug, 1], {})],
    **dict.fromkeys(("threads", "api-threads", "webhooks", "api-webhooks"), in_project),
    **dict.fromkeys(("webhook-delete", "api-webhook-resend-failed"), numbered),
    "api-person-share": lambda at: [("post", [at.project.slug, at.people[0].pk], {})],
    "api-plan-again": in_project,
    "api-invitation-renew": lambda at: [("post", [at.project.slug, 1], {})],
    **dict.fromkeys(("webhook", "webhook-act", "api-webhook-secret", "api-webhook-test"), numbered),
    "api-webhook": lambda at: [(method, [at.project.slug, 1], {}) for method in ("get", "put", "delete")],
    "api-webhook-deliveries": lambda at: [("get", [at.project.slug, 1], {})],
    **dict.fromkeys(("webhook-resend", "api-webhook-resend"), lambda at: [("post", [at.project.slug, 1, 1], {})]),
    **dict.fromkeys(("thread", "api-thread"), threads("get", "post")),
    **dict.fromkeys(("api-thread-resolved", "api-thread-read"), threads("put")),
    "join": nothing,
    "join-link": lambda at: [("get", ["1-x"], {})],
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
        ("project-duplicate", "project-archive", "project-delete", "api-checklist", "api-project-duplicate"), in_project
    ),
    **dict.fromkeys(("project-changes", "project-changes-csv", "api-project-changes"), in_project),
    "api-project-delete": runs(),
    "api-project-archived": lambda at: [("put", [at.project.slug], {"archived": True})],
    **dict.fromkeys(
        ("prelabels", "prelabels-runs", "prelabels-method", "prelabels-automatic", "api-runs"),
        runs(),
    ),
    "prelabels-word-lists": runs(),
    "prelabels-prompt": runs(),
    **dict.fromkeys(("prelabels-run", "api-run"), runs("some-run")),
    **dict.fromkeys(("prelabels-act", "api-run-act"), runs("some-run", "pause")),
    "manual-adjudication": in_project,
    "manual-adjudication-open": rules,
    "manual-adjudication-close": in_project,
    "manual-adjudication-next": in_project,
    "manual-adjudication-pair": on_pairs,
    "manual-adjudication-reset": on_pairs,
    "manual-adjudication-old": in_project,
    "manual-adjudication-old-page": lambda at: [("get", [at.project.slug, "next/"], {})],
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
    **dict.fromkeys(
        ("agreement-answers", "agreement-outcomes", "analyses", "analyses-pairs", "prelabels-quality", "publish"),
        in_project,
    ),
    **dict.fromkeys(("agreement-items", "agreement-items-csv"), in_project),
    **dict.fromkeys(("card-facts", "card-preview", "publication-compare", "consent"), in_project),
    "publication-push": numbered,
    "publication-card": lambda at: [("get", [at.project.slug, number], {}) for number in (0, 1)],
    "agreement-download": lambda at: [("get", [at.project.slug, kind], {}) for kind in ("json", "csv", "md", "tex")],
    "agreement-pair": pair_page,
    "agreement-example": on_pairs,
    **dict.fromkeys(("import-result", "import-start", "import-cancel", "import-recheck"), numbered),
    **dict.fromkeys(("api-import", "api-import-start", "api-import-cancel"), numbered),
    **dict.fromkeys(("encoders-result", "encoders-json", "encoders-csv"), numbered),
    **dict.fromkeys(("encoders-cancel", "encoders-retry"), numbered),
    **dict.fromkeys(("items-result", "items-start", "items-cancel", "items-retry"), numbered),
    **dict.fromkeys(("mining-result", "mining-import", "mining-cancel"), numbered),
    **dict.fromkeys(("api-imports", "mining"), runs()),
    "import-sample": lambda at: [("get", [at.project.slug, "pairs.csv"], {})],
    **dict.fromkeys(("publication-retry", "publication-delete"), numbered),
    "publication": lambda at: [("get", [at.project.slug, 1], {})],
    **dict.fromkeys(("api-publications", "api-card-facts", "api-publication-difference", "api-consents"), in_project),
    **dict.fromkeys(("api-publication-retry", "api-publication-pushes", "api-consent"), numbered),
    "api-publication": lambda at: [(method, [at.project.slug, 1], {}) for method in ("get", "delete")],
    "adjudication": rules,
    "adjudication-try": rules,
    "adjudication-make": rules,
    "gold-job": gold_jobs,
    "gold-version": versions,
    "adjudication-rules": on_pairs,
    "adjudication-exclude": on_pairs,
    "logout": lambda at: [],  # it would end the visit
}
