"""Checks of an import: its records against each other and against the project, and the spans themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from annotation.formats.checks import statement_problems
from annotation.formats.fields import LONGEST_ALIAS, LONGEST_ID, LONGEST_LANGUAGE, LONGEST_SPLIT
from annotation.formats.record import PairRecord, Rejection, TextRecord
from annotation.models import Pair, Project, Text
from annotation.services.import_target import Sides, existing_mirrors, existing_sides, pairs_by_id
from annotation.strict_json import unprintable, unstorable
from annotation.text.schemes import Scheme
from annotation.text.spans import check


def record_problems(records: Iterable[PairRecord]) -> list[Rejection]:
    """What is wrong with the records, regardless of the project."""
    return [*_twice(records), *_unstorable(records)]


def project_problems(slug: str, records: Sequence[PairRecord], known_wrong: Iterable[Rejection]) -> list[Rejection]:
    """What is wrong, apart from `known_wrong`, with the records for a project that may not exist.

    Only what can be found without tokenizing a text: the files are refused anyway.
    """
    wrong = {rejection.where for rejection in known_wrong}
    records = [record for record in records if record.where not in wrong]
    found = record_problems(records)
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        return found
    known = pairs_by_id(project, [record.id for record in records])
    found += known_pair_problems(records, known)
    return found + statement_problems([record for record in records if record.id not in known], project.labels)


def _twice(records: Iterable[PairRecord]) -> list[Rejection]:
    first: dict[str, str] = {}
    rejections = []
    for record in records:
        if record.id in first:
            reason = f"the id '{record.id}' appears twice; first in {first[record.id]}"
            rejections.append(Rejection(record.where, reason))
        else:
            first[record.id] = record.where
        seen = set()
        for item in record.annotations:
            key = (item.annotator, item.phase, item.round)
            if key in seen:
                reason = f"pair '{record.id}' has two annotations of '{item.annotator}' in the {item.phase} phase"
                rejections.append(Rejection(record.where, f"{reason}, round {item.round}; keep one of them"))
            seen.add(key)
    return rejections


def _unstorable(records: Iterable[PairRecord]) -> list[Rejection]:
    """What no row can hold, in any format: names that are too long or invisible, invalid Unicode."""
    rejections = []
    for record in records:
        named = [("id", record.id, LONGEST_ID), ("split", record.split, LONGEST_SPLIT)]
        for text in filter(None, (record.a, record.b, record.statement)):
            named += [("language", text.language, LONGEST_LANGUAGE), ("text", text.text, 0)]
        named += [("translation", text, 0) for texts in record.translations.values() for text in texts]
        named += [("annotator", item.annotator, LONGEST_ALIAS) for item in record.annotations]
        for name, value, longest in named:
            problem = str(unprintable(value) or "") if longest else str(unstorable(value) or "")
            if longest and len(value) > longest:
                problem = f"{len(value)} characters; at most {longest} can be kept"
            if problem:
                rejections.append(Rejection(record.where, f"{name}: {problem}"))
    return rejections


def mirror_problems(records: Sequence[PairRecord], project: Project) -> dict[str, str]:
    """By the id of a pair, why the pair it names can't be its mirror.

    A mirror is another pair, existing or in the same import, with the same texts on swapped sides, and no one else's
    mirror.
    """
    naming = [record for record in records if record.mirror]
    if not naming:
        return {}
    given = {record.id: record for record in records}
    others = sorted({record.mirror for record in naming} - given.keys())
    existing = existing_sides(project, others)
    linked = existing_mirrors(project, sorted({name for record in naming for name in (record.id, record.mirror)}))
    named_by: dict[str, str] = {}
    problems = {}
    for record in naming:
        name, other = record.mirror, given.get(record.mirror)
        first = named_by.setdefault(name, record.id)
        wrongly = [
            (one, linked[one]) for one, two in ((record.id, name), (name, record.id)) if linked.get(one, two) != two
        ]
        if name == record.id:
            problems[record.id] = "names the pair itself"
        elif other is None and name not in existing:
            problems[record.id] = f"there is no pair '{name}', neither in the files nor in the project"
        elif other is not None and other.mirror not in ("", record.id):
            problems[record.id] = f"'{name}' names '{other.mirror}' as its mirror"
        elif first != record.id:
            problems[record.id] = f"'{first}' names '{name}' as well"
        elif wrongly:
            problems[record.id] = "in the project, '{}' and '{}' are each other's mirrors".format(*wrongly[0])
        elif _sides(record) != (_sides(other) if other is not None else existing[name])[::-1]:
            problems[record.id] = f"the texts of '{name}' are not the same with the sides swapped"
    return problems


def _sides(record: PairRecord) -> Sides:
    return (record.a.language, record.a.text), (record.b.language, record.b.text)


def known_pair_problems(records: Iterable[PairRecord], known: Mapping[str, Pair]) -> list[Rejection]:
    """Records whose pair is in the project with other texts."""
    rejections = []
    for record in records:
        pair = known.get(record.id)
        if pair is not None and (what := _differs(pair, record)):
            reason = f"'{record.id}' is in the project with another {what}; give it another id, or import it elsewhere"
            rejections.append(Rejection(record.where, reason))
    return rejections


def _differs(pair: Pair, record: PairRecord) -> str:
    """Which text of an existing pair the record contradicts; '' for none."""
    sides: tuple[tuple[str, Text | None, TextRecord | None], ...] = (
        ("text on side A", pair.a, record.a),
        ("text on side B", pair.b, record.b),
        ("statement", pair.statement, record.statement),
    )
    for name, text, given in sides:
        if text is None or given is None:
            if (text is None) != (given is None):
                return name
        elif (text.language, text.content) != (given.language, given.text):
            return name
        elif given.tokens is not None and [list(token) for token in given.tokens] != text.tokens:
            return f"division of the {name} into tokens"
    return ""


def work_problems(
    records: Sequence[PairRecord],
    pairs: Mapping[str, Pair],
    scheme: Scheme,
    on_annotation: Callable[[], None] = lambda: None,
) -> list[Rejection]:
    """Everything in the records' spans and answers that the scheme or the texts forbid.

    `on_annotation` is called before each annotation, of which one pair may have hundreds; it may raise ClaimLost.
    """
    questions = {question.key: {choice.key for choice in question.choices} for question in scheme.questions}
    rejections: list[Rejection] = []
    for record in records:
        pair = pairs[record.id]
        sources = [(f"annotations of '{item.annotator}'", item.spans) for item in record.annotations]
        sources.append(("gold", record.gold or []))
        for name, spans in sources:
            on_annotation()
            problems = check(spans, scheme, pair.a.grid, pair.b.grid, imported=True)
            for index, span in enumerate(spans):
                wrong = [side for side in span.sides if side not in scheme.sides]
                problems.extend(f"spans[{index}]: the scheme does not mark side {side}" for side in wrong)
            rejections.extend(Rejection(record.where, f"pair '{record.id}', {name}, {item}") for item in problems)
        for answers in (*(item.answers for item in record.annotations), record.gold_answers):
            for key, choice in answers.items():
                if choice not in questions.get(key, ()):
                    reason = f"pair '{record.id}', answer {key}: {choice!r} is not one of the scheme's answers"
                    rejections.append(Rejection(record.where, reason))
    return rejections
