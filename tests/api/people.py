"""People and invitations: who may what, and what adding people gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tests.factories import PairFactory

if TYPE_CHECKING:
    from tests.api.site import Site

ACCESS: dict[str, tuple[int, ...]] = {
    "people": (403, 403, 403, 200, 404, 403),
    "person_add": (403, 403, 403, 200, 404, 403),
    "person_share": (403, 403, 403, 200, 404, 403),
    "person_password_link": (403, 403, 403, 200, 404, 403),
    "person_change": (403, 403, 403, 200, 404, 403),
    "person_access": (403, 403, 403, 200, 404, 403),
    "person_replace": (403, 403, 403, 422, 404, 403),
    "person_rate": (403, 403, 403, 200, 404, 403),
    "person_time_correct": (403, 403, 403, 201, 404, 403),
    "invitations": (403, 403, 403, 200, 404, 403),
    "invitations_create": (403, 403, 403, 200, 404, 403),
    "invitation_renew": (403, 403, 403, 200, 404, 403),
    "invitation_revoke": (403, 403, 403, 200, 404, 403),
}
REQUESTS: dict[str, Any] = {
    "person_add": {"username": "egon", "alias": "Egon"},
    "person_share": {"seed": 1},
    "person_change": {"alias": "Zoe", "role": "annotator", "languages": [{"language": "de", "level": "C1"}]},
    "person_access": {"access": False},
    "person_rate": {"amount": "25.00", "since": "2026-11-01"},
    "person_time_correct": {"day": "2026-11-02", "seconds": 900, "reason": "A meeting about the guidelines."},
    "person_replace": {"newcomer": 0},
    "invitations_create": {"people": [{"name": "Emil"}, {"email": "fritz@example.org"}]},
}


def joined(at: Site) -> Iterator[tuple[str, Any]]:
    """People added at once, given a share of the pairs, and invited anew."""
    for _again in range(2):
        yield "person_add", at.ask("person_add", body=REQUESTS["person_add"])
    yield "person_add", at.ask("person_add", body={"username": " "})
    PairFactory(project=at.home.project)
    for _again in range(2):
        yield "person_share", at.ask("person_share", body={"seed": 1})
    yield "invitation_renew", at.ask("invitation_renew")
    yield "person_password_link", at.ask("person_password_link")
