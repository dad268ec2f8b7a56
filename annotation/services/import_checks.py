"""Checks of an import: its records against each other and against the project, and the spans themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from annotation.formats.checks import statement_problems
from annotation.formats.fields import MAX_ALIAS_LENGTH, MAX_ID_LENGTH, MAX_LANGUAGE_LENGTH, MAX_SPLIT_LENGTH
from annotation.formats.record import PairRecord, Rejection, TextRecord
from annotation.models import Pair, Project, Text
from annotation.phrases import Phrase, field_problem
from annotation.services.import_changed_texts import rename_changed_pairs
from annotation.services.import_target import Sides, existing_mirrors, existing_sides, pairs_by_id
from annotation.strict_json import encoding_problem, name_problem
from annotation.text.schemes import Scheme
from annotation.text.spans import check


def record_problems(records: Iterable[PairRecord]) -> list[Rejection]:
    """What is wrong with the records, regardless of the project."""
    return [*_duplicate_ids(records), *_unstorable(records)]


def project_problems(slug: str, records: Sequence[PairRecord], known_wrong: Iterable[Rejection]) -> list[Rejection]:
    """What is wrong, apart from `known_wrong`, with the records for a project that may not exist.

    Only what can be found without tokenizing a text: the files are refused anyway.
    """
    wrong = {rejection.where for rejection in known_wrong}
    records = [record for record in records if record.where not in wrong]
    problems = record_problems(records)
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        return problems
    records, _changed = rename_changed_pairs(project, records)
    known = pairs_by_id(project, [record.id for record in records])
    problems += known_pair_problems(records, known)
    return problems + statement_problems([record for record in records if record.id not in known], project.labels)


def _duplicate_ids(records: Iterable[PairRecord]) -> list[Rejection]:
    first: dict[str, str] = {}
    rejections = []
    for record in records:
        if record.id in first:
            reason = Phrase(
                "the id '%(id)s' appears twice; first in %(first)s",
                {"id": str(record.id), "first": str(first[record.id])},
            )
            rejections.append(Rejection(record.where, reason))
        else:
            first[record.id] = record.where
        seen = set()
        for item in record.annotations:
            key = (item.annotator, item.phase, item.round)
            if key in seen:
                reason = Phrase(
                    "pair '%(id)s' has two annotations of '%(annotator)s' in the %(phase)s phase",
                    {"id": str(record.id), "annotator": str(item.annotator), "phase": str(item.phase)},
                )
                rejections.append(
                    Rejection(
                        record.where,
                        Phrase(
                            "%(reason)s, round %(round)s; keep one of them",
                            {"reason": reason, "round": str(item.round)},
                        ),
                    )
                )
            seen.add(key)
    return rejections


def _unstorable(records: Iterable[PairRecord]) -> list[Rejection]:
    """What no row can hold, in any format: names that are too long or invisible, invalid Unicode."""
    rejections = []
    for record in records:
        named = [("id", record.id, MAX_ID_LENGTH), ("split", record.split, MAX_SPLIT_LENGTH)]
        for text in filter(None, (record.a, record.b, record.statement)):
            named += [("language", text.language, MAX_LANGUAGE_LENGTH), ("text", text.text, 0)]
        named += [("translation", text, 0) for texts in record.translations.values() for text in texts]
        named += [("annotator", item.annotator, MAX_ALIAS_LENGTH) for item in record.annotations]
        for name, value, longest in named:
            problem = name_problem(value) if longest else encoding_problem(value)
            if longest and len(value) > longest:
                problem = Phrase(
                    "%(n)s characters; at most %(longest)s can be stored",
                    {"n": str(len(value)), "longest": str(longest)},
                )
            if problem:
                rejections.append(Rejection(record.where, field_problem(name, problem)))
    return rejections


def mirror_problems(records: Sequence[PairRecord], project: Project) -> dict[str, Phrase]:
    """By the id of a pair, why the pair it names can't be its mirror.

    A mirror is another pair, existing or in the same import, with the same texts on swapped sides, and nobody else's
    mirror.
    """
    naming = [record for record in records if record.mirror]
    if not naming:
        return {}
    by_id = {record.id: record for record in records}
    others = sorted({record.mirror for record in naming} - by_id.keys())
    existing = existing_sides(project, others)
    linked = existing_mirrors(project, sorted({name for record in naming for name in (record.id, record.mirror)}))
    named_by: dict[str, str] = {}
    problems: dict[str, Phrase] = {}
    for record in naming:
        name, other = record.mirror, by_id.get(record.mirror)
        first = named_by.setdefault(name, record.id)
        wrongly = [
            (one, linked[one]) for one, two in ((record.id, name), (name, record.id)) if linked.get(one, two) != two
        ]
        if name == record.id:
            problems[record.id] = Phrase("names the pair itself")
        elif other is None and name not in existing:
            problems[record.id] = Phrase(
                "there is no pair '%(name)s', neither in the files nor in the project", {"name": str(name)}
            )
        elif other is not None and other.mirror not in ("", record.id):
            problems[record.id] = Phrase(
                "'%(name)s' names '%(mirror)s' as its mirror", {"name": str(name), "mirror": str(other.mirror)}
            )
        elif first != record.id:
            problems[record.id] = Phrase(
                "'%(first)s' also names '%(name)s' as its mirror", {"first": str(first), "name": str(name)}
            )
        elif wrongly:
            problems[record.id] = Phrase(
                "in the project, '%(one)s' and '%(other)s' are each other's mirrors",
                dict(zip(("one", "other"), wrongly[0], strict=True)),
            )
        elif _sides(record) != (_sides(other) if other is not None else existing[name])[::-1]:
            problems[record.id] = Phrase(
                "the texts of '%(name)s' are not the same with the sides swapped", {"name": str(name)}
            )
    return problems


def _sides(record: PairRecord) -> Sides:
    return (record.a.language, record.a.text), (record.b.language, record.b.text)


def known_pair_problems(records: Iterable[PairRecord], known: Mapping[str, Pair]) -> list[Rejection]:
    """Records whose pair is in the project with other texts, languages or tokens."""
    rejections = []
    for record in records:
        pair = known.get(record.id)
        if pair is not None and (what := _contradiction(pair, record)):
            reason = Phrase(
                "'%(id)s' is in the project with a different %(what)s; give it another id, or import it elsewhere",
                {"id": str(record.id), "what": what},
            )
            rejections.append(Rejection(record.where, reason))
    return rejections


def _contradiction(pair: Pair, record: PairRecord) -> Phrase | None:
    """Which text of an existing pair the record contradicts; None for none."""
    sides: tuple[tuple[Phrase, Text | None, TextRecord | None], ...] = (
        (Phrase("text on side A"), pair.a, record.a),
        (Phrase("text on side B"), pair.b, record.b),
        (Phrase("statement"), pair.statement, record.statement),
    )
    for name, text, imported in sides:
        if text is None or imported is None:
            if (text is None) != (imported is None):
                return name
        elif (text.language, text.content) != (imported.language, imported.text):
            return name
        elif imported.tokens is not None and [list(token) for token in imported.tokens] != text.tokens:
            return Phrase("tokenization of the %(name)s", {"name": name})
    return None


def annotation_problems(
    records: Sequence[PairRecord],
    pairs: Mapping[str, Pair],
    scheme: Scheme,
    on_annotation: Callable[[], None] = lambda: None,
) -> list[Rejection]:
    """Everything in the records' spans and answers that the scheme or the texts forbid.

    `on_annotation` is called before each annotation, of which one pair may have hundreds; it may raise ClaimLost.
    """
    questions = {question.key: question for question in scheme.questions}
    rejections: list[Rejection] = []
    for record in records:
        pair = pairs[record.id]
        sources = [
            (Phrase("annotations of '%(alias)s'", {"alias": item.annotator}), item.spans) for item in record.annotations
        ]
        sources.append((Phrase("gold"), record.gold or []))
        for name, spans in sources:
            on_annotation()
            problems = check(spans, scheme, pair.a.grid, pair.b.grid, imported=True)
            for index, span in enumerate(spans):
                wrong = [side for side in span.sides if side not in scheme.sides]
                problems.extend(
                    field_problem(f"spans[{index}]", Phrase("the scheme does not mark side %(side)s", {"side": side}))
                    for side in wrong
                )
            rejections.extend(
                Rejection(
                    record.where,
                    Phrase(
                        "pair '%(id)s', %(name)s, %(item)s",
                        {"id": str(record.id), "name": name, "item": item},
                    ),
                )
                for item in problems
            )
        for answers in (*(item.answers for item in record.annotations), record.gold_answers):
            for key, choice in answers.items():
                if key not in questions or not questions[key].accepts(choice):
                    reason = Phrase(
                        "pair '%(id)s', answer %(key)s: %(choice)s is not one of the scheme's answers",
                        {"id": str(record.id), "key": str(key), "choice": repr(choice)},
                    )
                    rejections.append(Rejection(record.where, reason))
    return rejections
