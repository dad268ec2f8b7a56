"""Imports: all or nothing, dry runs, repeatable, and existing rows are never changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotation.formats import xparade
from annotation.models import Annotation, Annotator, Assignment, Pair, Project, Revision, Source, Text, User
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save
from annotation.services.import_report import ImportRefused, ImportReport
from annotation.services.imports import import_files, import_pairs
from annotation.text.schemes import PRESETS
from tests.annotation.formats.samples import lines, pair, parade, parade_back, span, swapped, town, town_line
from tests.factories import AnnotatorFactory, ProjectFactory, UserFactory

pytestmark = pytest.mark.django_db

MARKED = span("4", ("a", 0, 4), ("b", 9, 14))


def jsonl(tmp_path: Path, *items: Any, **options: Any) -> ImportReport:
    return import_files(slug="towns", paths=[lines(tmp_path / "pairs.jsonl", *items)], **options)


def refused(tmp_path: Path, *items: Any, **options: Any) -> list[str]:
    with pytest.raises(ImportRefused) as caught:
        jsonl(tmp_path, *items, **options)
    return [str(rejection) for rejection in caught.value.rejections]


def rows() -> tuple[int, ...]:
    models = (Project, Annotator, Text, Pair, Assignment, Annotation, Revision)
    return tuple(model.objects.count() for model in models)


def work(annotator: str, *spans: Any, **changes: Any) -> dict[str, Any]:
    return {"annotator": annotator, "spans": list(spans)} | changes


def test_a_project_is_made_with_the_formats_scheme_and_its_lead(tmp_path: Path) -> None:
    lead: User = UserFactory()
    report = jsonl(tmp_path, pair(gold={"spans": [span("new", ("b", 0, 8))]}), by=lead)
    project = Project.objects.get(slug="towns")
    assert report.project_is_new and project.labels == PRESETS["xparade"]
    assert project.annotators.get().user == lead


def test_pairs_people_work_and_gold_become_rows(tmp_path: Path) -> None:
    report = jsonl(
        tmp_path,
        pair(
            annotations=[work("anna", MARKED), work("bruno", verdict="skipped"), work("chiara", MARKED, verdict="")],
            gold={"spans": [MARKED]},
        ),
        swapped(pair(), id="p2", mirror="p1", annotations=[work("anna", phase="trial", status="open", verdict="")]),
    )
    assert (report.pairs_new, report.annotations_new, report.gold_new) == (2, 3, 1)
    assert (report.spans, report.gold_spans) == (2, 1)
    assert report.annotators_new == ["anna", "bruno", "chiara"]
    first = Pair.objects.get(external_id="p1")
    assert (first.position, first.mirror) == (0, Pair.objects.get(external_id="p2"))
    statuses = Assignment.objects.order_by("pk").values_list("annotator__alias", "phase", "order", "status")
    assert list(statuses) == [
        ("anna", "main", 0, "done"),
        ("bruno", "main", 0, "skipped"),
        ("chiara", "main", 0, "started"),
        ("anna", "trial", 1, "open"),
    ]
    annotation = Annotation.objects.get(source=Source.HUMAN, assignment__annotator__alias="anna")
    assert (annotation.span_count, annotation.token_count, annotation.label_counts) == (1, 2, {"4": 1})
    assert annotation.revisions.get().spans == annotation.spans and annotation.revision == 1
    gold = Annotation.objects.get(source=Source.GOLD)
    assert (gold.gold_version, gold.pair) == (0, first)


def test_a_dry_run_reports_the_same_and_writes_nothing(tmp_path: Path) -> None:
    item = pair(annotations=[work("anna", MARKED)])
    before = rows()
    dry = jsonl(tmp_path, item, dry_run=True)
    assert rows() == before
    wet = jsonl(tmp_path, item)
    assert dry.to_json() | {"dry_run": False} == wet.to_json()
    assert dry.lines()[0] == "Would import into towns (new):" and dry.lines()[1:] == wet.lines()[1:]


def test_a_pair_without_the_statement_that_the_scheme_asks_about_is_refused(tmp_path: Path) -> None:
    before = rows()
    likert = PRESETS["likert"].to_json()
    (reason,) = refused(tmp_path, pair(), pair(id="p2", statement={"language": "en", "text": "x"}), scheme=likert)
    assert reason.startswith("pairs.jsonl:1: pair 'p1', statement: missing") and rows() == before


def test_a_word_that_stops_the_browser_never_gets_into_the_database(tmp_path: Path) -> None:
    (reason,) = refused(tmp_path, pair(b={"language": "de", "text": "x" * 1_001}))
    assert reason == (
        "pairs.jsonl:1: pair 'p1', b.text: a word of 1001 characters at 0; at most 1000 are accepted. Divide it"
    )
    assert not Project.objects.exists()


def test_a_second_import_makes_no_duplicates(tmp_path: Path) -> None:
    item = pair(annotations=[work("anna", MARKED)], gold={"spans": []})
    jsonl(tmp_path, item)
    before = rows()
    report = jsonl(tmp_path, item)
    assert rows() == before
    assert (report.pairs_new, report.pairs_known, report.annotations_known, report.gold_known) == (0, 1, 1, 1)


def test_a_second_import_adds_what_is_missing_and_keeps_what_exists(tmp_path: Path) -> None:
    jsonl(tmp_path, pair(annotations=[work("anna", MARKED), work("bruno", status="open", verdict="")]))
    changed = work("anna", span("1", ("a", 0, 4)))
    item = pair(annotations=[changed, work("bruno", MARKED), work("chiara")], gold={"spans": [MARKED]})
    report = jsonl(tmp_path, item, pair(id="p2"))
    assert (report.pairs_new, report.annotations_new, report.annotations_known, report.gold_new) == (1, 2, 1, 1)
    assert report.source_warnings == {"annotations that differ from those in the project (the project's are kept)": 1}
    anna = Annotation.objects.get(source=Source.HUMAN, assignment__annotator__alias="anna")
    assert anna.label_counts == {"4": 1}
    assert Assignment.objects.get(annotator__alias="bruno").status == "done"
    assert list(Pair.objects.values_list("external_id", "position")) == [("p1", 0), ("p2", 1)]


def test_translations_may_come_later_and_are_never_replaced(tmp_path: Path) -> None:
    jsonl(tmp_path, pair())
    jsonl(tmp_path, pair(translations_a=["Sonntags geöffnet."]))
    jsonl(tmp_path, pair(translations_a=["Anders."], translations_b=["Open on Sundays."]))
    kept = {"a": ["Sonntags geöffnet."], "b": ["Open on Sundays."]}
    assert Pair.objects.get().translations == kept


def test_an_import_with_errors_is_refused_as_a_whole_and_they_are_named(tmp_path: Path) -> None:
    jsonl(tmp_path, pair())
    before = rows()
    found = refused(
        tmp_path,
        pair(id="p2"),
        pair(b={"language": "fr", "text": pair()["b"]["text"]}),
        pair(id="p2"),
        pair(id="p3", statement={"language": "en", "text": "x"}),
    )
    assert found == [
        "pairs.jsonl:2: 'p1' is in the project with a different text on side B; give it another id, "
        "or import it elsewhere",
        "pairs.jsonl:3: the id 'p2' appears twice; first in pairs.jsonl:1",
    ]
    assert rows() == before


def test_a_changed_text_makes_a_new_pair_once_and_says_so(tmp_path: Path) -> None:
    jsonl(tmp_path, pair(), swapped(pair(), id="p2", mirror="p1"))
    changed = pair(b={"language": "de", "text": "Montags offen."})
    dry = jsonl(tmp_path, changed, swapped(changed, id="p2", mirror="p1"), dry_run=True)
    report = jsonl(tmp_path, changed, swapped(changed, id="p2", mirror="p1"))
    assert (report.pairs_new, report.pairs_known, dry.pairs_new) == (2, 0, 2)
    assert report.warnings == {
        "pairs whose text differs from that of the project's pair with the same id, kept as separate pairs": 2
    }
    old, mirror, new, new_mirror = Pair.objects.order_by("pk")
    assert new.external_id.startswith("p1~") and (old.external_id, mirror.external_id) == ("p1", "p2")
    assert new_mirror.mirror_id == new.pk and mirror.mirror_id == old.pk
    again = jsonl(tmp_path, changed, swapped(changed, id="p2", mirror="p1"))
    assert (again.pairs_new, again.pairs_known) == (0, 2) and again.warnings == report.warnings


def test_everything_wrong_with_a_file_is_named_at_once(tmp_path: Path) -> None:
    found = refused(
        tmp_path,
        pair(id="p1", a={"language": "French!!", "text": "Ouvert."}),
        '{"id": "p2",',
        pair(id="p3", a={"language": "en", "text": " "}),
    )
    assert [each.split(": ")[0] for each in found] == ["pairs.jsonl:1", "pairs.jsonl:2", "pairs.jsonl:3"], "by line"
    assert "is not a language tag" in found[0] and "at character 13" in found[1] and "empty" in found[2]


def test_everything_wrong_with_a_project_is_named_at_once(tmp_path: Path) -> None:
    jsonl(tmp_path, pair(id="known"), scheme=PRESETS["graded"].to_json())
    found = refused(
        tmp_path,
        pair(id="p2"),
        pair(id="p2"),
        pair(id="known", b={"language": "fr", "text": pair()["b"]["text"]}),
        pair(id="p3", gold={"spans": [span("6", ("a", 0, 4))]}),
    )
    assert [each.split(": ")[0] for each in found] == ["pairs.jsonl:2", "pairs.jsonl:3", "pairs.jsonl:4"]
    assert (
        "appears twice" in found[0] and "a different text" in found[1] and "not one of the scheme's labels" in found[2]
    )


def test_what_is_wrong_with_files_and_project_is_named_at_once(tmp_path: Path) -> None:
    project = ProjectFactory(slug="towns", scheme=PRESETS["likert"].to_json())
    statement = {"language": "en", "text": "x"}
    jsonl(tmp_path, pair(id="known", statement=statement))
    for bad in ('{"id": "p2",', pair(id="p2", statement=statement, a={"language": "French!!", "text": "Ouvert."})):
        found = refused(
            tmp_path,
            bad,
            pair(id="p3", statement=statement),
            pair(id="p3", statement=statement),
            pair(id="known", b={"language": "fr", "text": pair()["b"]["text"]}, statement=statement),
            pair(id="p4"),
        )
        assert [each.split(": ")[0] for each in found] == [f"pairs.jsonl:{line}" for line in (1, 3, 4, 5)]
        assert "appears twice" in found[1] and "a different text" in found[2] and "asks about a statement" in found[3]
    assert project.pairs.count() == 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"gold": {"spans": [span("6", ("a", 0, 4))]}}, "gold, spans[0].label: '6' is not one of the scheme's labels"),
        ({"annotations": [work("x", span("1", ("a", 0, 99)))]}, "annotations of 'x', spans[0].fragments[0]: [0, 99)"),
        ({"annotations": [work("x", span("1", ("a", 1, 4)))]}, "cuts a token; the whole tokens are [0, 4)"),
        ({"annotations": [work("x", answers={"agree": "5"})]}, "answer agree: '5' is not one of the scheme's answers"),
    ],
)
def test_invalid_spans_and_answers_are_refused_by_line(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    before = rows()
    found = refused(tmp_path, pair(id="fine"), pair(**changes), scheme=PRESETS["graded"].to_json())
    assert len(found) == 1 and found[0].startswith("pairs.jsonl:2: pair 'p1', ") and reason in found[0]
    assert rows() == before


def test_a_side_that_the_scheme_does_not_mark_is_refused(tmp_path: Path) -> None:
    ProjectFactory(slug="towns", scheme=PRESETS["xparade"].to_json())
    found = refused(tmp_path, pair(gold={"spans": [span("new", ("a", 0, 4))]}))
    assert found == ["pairs.jsonl:1: pair 'p1', gold, spans[0]: the scheme does not mark side a"]


def test_existing_people_keep_their_account(tmp_path: Path) -> None:
    anna = AnnotatorFactory(alias="anna", project=ProjectFactory(slug="towns"))
    report = jsonl(tmp_path, pair(annotations=[work("anna", MARKED)]))
    assert report.annotators_new == []
    assert Annotation.objects.get().assignment.annotator == anna  # type: ignore[union-attr]


def test_imported_work_can_be_continued(tmp_path: Path) -> None:
    anna = AnnotatorFactory(alias="anna", project=ProjectFactory(slug="towns"))
    jsonl(tmp_path, pair(annotations=[work("anna", MARKED, verdict="")]))
    saved = annotation_save(
        assignment=Assignment.objects.get(), by=anna.user, base=1, sent=AnnotationInput(spans={"v": 1, "spans": []})
    )
    assert (saved.revision, saved.span_count) == (2, 0)


def test_published_annotators_are_in_order_and_have_no_account(tmp_path: Path) -> None:
    root = town(tmp_path, first=[town_line(), town_line(text1=[], text1_positions=[])], second=[])
    broken = town_line(text1=[], text1_positions=[], text2=[], text2_positions=[])
    lines(root / "annotations_trial" / "annotations2" / "de" / "town.example_town_en_home_library.jsonl", broken)
    report = import_files(slug="swiss", paths=[root], format="swissgov", options={"phase": "main"})
    assert (report.spans, report.broken, report.overlaps) == (2, 0, 1)
    trial = import_files(slug="swiss", paths=[root], format="swissgov", options={"phase": "trial"})
    assert (trial.pairs_known, trial.annotations_new, trial.broken) == (1, 1, 1)
    people = Annotator.objects.order_by("pk")
    assert [(person.alias, person.user) for person in people] == [("annotator1", None), ("annotator2", None)]
    assert "  warning: 1 × empty files (the annotator marked nothing)" in report.lines()


def test_a_mirror_imported_later_is_linked_to_the_existing_pair(tmp_path: Path) -> None:
    for name, item in (("en-es-dev.json", parade()), ("es-en-dev.json", parade_back())):
        import_files(slug="both", paths=[lines(tmp_path / name, [item])], format="xparade")
    there, later = Pair.objects.order_by("position")
    assert there.mirror == later and later.mirror == there


def test_a_derived_mirror_with_other_texts_is_not_linked(tmp_path: Path) -> None:
    items = [parade(), parade_back() | {"premise": "Otro texto."}]
    import_files(slug="both", paths=[lines(tmp_path / "both-dev.json", items)], format="xparade")
    assert Pair.objects.count() == 2 and not Pair.objects.filter(mirror__isnull=False).exists()


@pytest.mark.parametrize(
    ("mirrors", "reason"),
    [
        ({"p1": "p9"}, "p1', mirror: there is no pair 'p9', neither in the files nor in the project"),
        ({"p1": "p1"}, "p1', mirror: names the pair itself"),
        ({"p1": "p2", "p2": "p3"}, "p1', mirror: 'p2' names 'p3' as its mirror"),
        ({"p1": "p2", "p3": "p2"}, "p3', mirror: 'p1' also names 'p2' as its mirror"),
        ({"p1": "p3"}, "p1', mirror: the texts of 'p3' are not the same with the sides swapped"),
        ({"p1": "there"}, "p1', mirror: the texts of 'there' are not the same with the sides swapped"),
        ({"p2": "tied"}, "p2', mirror: in the project, 'tied' and 'tied-too' are each other's mirrors"),
    ],
)
def test_an_invalid_mirror_is_refused(tmp_path: Path, mirrors: dict[str, str], reason: str) -> None:
    one = pair(id="p1")
    jsonl(tmp_path, pair(id="there"), pair(id="tied", mirror="tied-too"), swapped(one, id="tied-too"))
    before = rows()
    items = [one, swapped(one, id="p2"), pair(id="p3")]
    on_annotation = refused(tmp_path, *[item | {"mirror": mirrors.get(item["id"], "")} for item in items])
    where = f"pairs.jsonl:{items.index(next(item for item in items if item['id'] == reason[:2])) + 1}"
    assert f"{where}: pair '{reason}" in on_annotation and rows() == before


def test_a_mirror_may_be_named_by_both_or_exist_already(tmp_path: Path) -> None:
    one = pair(id="p1", mirror="p2")
    jsonl(tmp_path, one, swapped(one, id="p2", mirror="p1"), pair(id="p3"))
    jsonl(tmp_path, one, swapped(pair(), id="p4", mirror="p3"))
    found = dict(Pair.objects.values_list("external_id", "mirror__external_id"))
    assert found == {"p1": "p2", "p2": "p1", "p3": "p4", "p4": "p3"}


@pytest.mark.parametrize("status", ["started", "open"])
def test_unfinished_work_needs_no_verdict_and_can_be_continued(tmp_path: Path, status: str) -> None:
    spans = [MARKED] if status == "started" else []
    jsonl(tmp_path, pair(annotations=[work("anna", *spans, status=status)]), scheme=PRESETS["graded"].to_json())
    assignment = Assignment.objects.get()
    annotation = annotation_save(
        assignment=assignment,
        by=None,
        base=len(spans),
        sent=AnnotationInput(spans={"spans": [MARKED]}, comment="go on"),
    )
    assert (assignment.status, annotation.verdict, annotation.comment) == (status, "", "go on")


def test_what_no_row_can_hold_is_refused_whatever_the_format(tmp_path: Path) -> None:
    parsed = xparade.read([lines(tmp_path / "en-es-dev.json", [parade()])], {})
    record = parsed.records[0]
    record.id, record.b = "7" * 301, replace(record.b, language="es-of-a-very-long-name-that-is-no-language")
    record.annotations[0].annotator = "a\ud800"
    with pytest.raises(ImportRefused) as caught:
        import_pairs(slug="x", parsed=parsed)
    reasons = [rejection.reason.split(":")[0] for rejection in caught.value.rejections]
    assert reasons == ["id", "language", "annotator"]
    assert not Project.objects.exists()


def test_connotation_is_imported_as_inferable_if_the_scheme_lacks_it(tmp_path: Path) -> None:
    path = tmp_path / "en-es-dev.json"
    lines(path, [parade()])
    made = import_files(slug="own", paths=[path], format="xparade")
    given = import_files(slug="given", paths=[path], format="xparade", scheme=PRESETS["xparade"].to_json())
    counts = [
        Annotation.objects.get(pair__project__slug=slug, assignment__annotator__alias="0").label_counts
        for slug in ("own", "given")
    ]
    assert counts == [{"connotation": 1, "inferable": 1, "new": 1}, {"inferable": 2, "new": 1}]
    assert not made.source_warnings["spans labelled connotation, imported as inferable: the scheme has no such label"]
    assert given.source_warnings["spans labelled connotation, imported as inferable: the scheme has no such label"] == 1
