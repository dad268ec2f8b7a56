"""All that is stored about one person, as a zip of JSON files."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from datetime import datetime
from typing import IO, Any

from annotation.models import Annotator, Pair, Project, User
from annotation.security_events import security_event
from annotation.selectors.sessions import sessions_of, stored_log_in
from operation.privacy.links import LINKS, PersonalTable, memberships_of, rows_of

OTHER_PERSON = "someone else"


def person_export(*, user: User, out: IO[bytes]) -> dict[str, int]:
    """Write the files to `out`; returns the number of rows in each. Passwords and the keys of sessions are in none.

    Other people are named in none of the columns; what the person wrote is as they wrote it.
    """
    memberships = memberships_of(user)
    pairs = dict(
        Pair.objects.filter(project__in={each.project_id for each in memberships}).values_list("pk", "external_id")
    )
    names: Mapping[type, dict[int, str]] = {
        User: {user.pk: user.get_username()},
        Annotator: {each.pk: each.alias for each in memberships},
        Pair: pairs,
        Project: dict(Project.with_staged.values_list("pk", "slug")),
    }
    counts = {}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for link in LINKS:
            rows = [_row(link, each, names) for each in rows_of(link, user, memberships).iterator(chunk_size=200)]
            counts[link.file] = len(rows)
            _write(archive, link.file, rows)
        sessions = [{"expires": each.expire_date, **stored_log_in(each)} for each in sessions_of(user)]
        counts["sessions"] = len(sessions)
        _write(archive, "sessions", sessions)
    security_event("person exported", account=user.pk)
    return counts


def _write(archive: zipfile.ZipFile, name: str, rows: list[dict[str, Any]]) -> None:
    text = json.dumps(rows, ensure_ascii=False, indent=1, default=_display_value)
    archive.writestr(f"{name}.json", text)


def _row(link: PersonalTable, row: Any, names: Mapping[type, dict[int, str]]) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for field in row._meta.concrete_fields:
        if field.name in link.left_out or (link.columns and field.name not in link.columns):
            continue
        value = getattr(row, field.attname)
        if field.is_relation and value is not None:
            names_by_key = names.get(field.related_model)
            value = (
                value
                if names_by_key is None
                else names_by_key.get(value, value if field.related_model is Pair else OTHER_PERSON)
            )
        shown[field.name] = value
    return shown


def _display_value(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
