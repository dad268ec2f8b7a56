"""Refusals that differ only in their location, as one reason with its locations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.formats.record import Rejection
from annotation.formats.reworded import RENAMED, REWORDED
from annotation.phrases import Phrase

FIRST_LOCATIONS = 3
"""Locations of a reason that are always shown."""
_PAIR = "pair '%(id)s'"
_WORK = "pair '%(id)s', %(name)s, %(item)s"
_IN_PAIR = "%(whole)s, %(problem)s"
_IN_FIELD = "%(field)s: %(reason)s"
_NUMBERED = re.compile(r"\w+\[\d+\]")


@dataclass(slots=True)
class RejectionGroup:
    """A reason with the locations that have it, `count` in all; each says where in the files and in the row."""

    reason: Phrase
    locations: list[tuple[str, Phrase | None]] = field(default_factory=list)
    count: int = 0


def split_location(phrase: Phrase) -> tuple[Phrase | None, Phrase]:
    """A reason in two: where in its row (None: it doesn't say) and what is wrong there."""
    params = phrase.params
    if phrase.message == _WORK and isinstance(item := params["item"], Phrase):
        inner, reason = split_location(item)
        if inner is not None:
            return Phrase(_WORK, {**params, "item": inner}), reason
        return Phrase(_IN_PAIR, {"whole": Phrase(_PAIR, {"id": params["id"]}), "problem": params["name"]}), reason
    if phrase.message == _IN_PAIR and isinstance(whole := params["whole"], Phrase) and whole.message == _PAIR:
        if not isinstance(problem := params["problem"], Phrase):
            return None, phrase
        inner, reason = split_location(problem)
        return whole if inner is None else Phrase(_IN_PAIR, {"whole": whole, "problem": inner}), reason
    if phrase.message == _IN_FIELD and isinstance(wrong := params["reason"], Phrase):
        name = params["field"]
        return (Phrase(name), wrong) if isinstance(name, str) and _NUMBERED.match(name) else (None, phrase)
    if isinstance(location := params.get("location"), str):
        return Phrase(location), Phrase(phrase.message, {**params, "location": "…"})
    return None, phrase


def rejection_groups(rejections: Iterable[tuple[str, Phrase, int]]) -> list[RejectionGroup]:
    """The groups of (where, reason, how many are alike, 0 for only those in `rejections`), in order of their firsts.

    A refusal that is alone keeps its whole reason.
    """
    groups: dict[str, RejectionGroup] = {}
    whole: dict[str, Phrase] = {}
    for where, phrase, alike in rejections:
        inside, reason = split_location(phrase)
        group = groups.setdefault(reason.text(), RejectionGroup(reason))
        whole.setdefault(reason.text(), phrase)
        group.locations.append((where, inside))
        group.count = max(group.count, alike, len(group.locations))
    for name, group in groups.items():
        if group.count == 1:
            group.reason, group.locations = whole[name], [(group.locations[0][0], None)]
    return list(groups.values())


def select_rejections(rejections: Sequence[Rejection], limit: int) -> list[dict[str, Any]]:
    """At most `limit` refusals as they are stored, in their order: the first ones of each reason before the others.

    `alike` is how many there are with the same reason, stored or not.
    """
    reasons = [split_location(rejection.phrase)[1].text() for rejection in rejections]
    counts, seen = Counter(reasons), Counter[str]()
    ranks = []
    for reason in reasons:
        ranks.append(min(seen[reason], FIRST_LOCATIONS))
        seen[reason] += 1
    chosen = sorted(sorted(range(len(reasons)), key=lambda index: (ranks[index], index))[:limit])
    return [{**rejections[index].to_json(), "alike": counts[reasons[index]]} for index in chosen]


def stored_phrase(stored: Mapping[str, Any]) -> Phrase:
    """The reason of a stored refusal.

    Earlier versions stored it in English only, or in words or with a placeholder that the catalogues no longer have.
    """
    if not stored.get("phrase"):
        return Phrase(str(stored["reason"]))
    phrase = Phrase.from_json(stored["phrase"])
    message, params = phrase.message, phrase.params
    if name := RENAMED.get(message):
        message = message.replace("%(place)s", f"%({name})s")
        params = {name if key == "place" else key: value for key, value in params.items()}
    return Phrase(REWORDED.get(message, message), params)


def stored_parts(stored: Mapping[str, Any]) -> tuple[str, Phrase, int]:
    """(where, reason, how many are alike) of a stored refusal."""
    return str(stored["where"]), stored_phrase(stored), int(stored.get("alike", 0))
