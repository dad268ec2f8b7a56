"""What differs between two publications, counted and down to the rows."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from agreement.models import Publication
from agreement.publication.card import Terms
from agreement.publication.difference import KINDS, changed_rows, datasets_of, difference, terms_changed
from agreement.publication.services.consent import consent_withdraw
from agreement.publication.services.publications import publication_request
from agreement.publication.splits import Splits
from annotation.errors import Invalid
from annotation.models import Annotation, Pair, Project, Source
from annotation.services.imports import import_files
from annotation.text.schemes import PRESETS
from tests.agreement.access import member, statuses
from tests.agreement.card_facts import state_card_facts
from tests.annotation.formats.samples import lines, pair, span
from tests.factories import UserFactory

pytestmark = [pytest.mark.any_database, pytest.mark.django_db]
MARKED = span("4", ("a", 0, 4), ("b", 9, 14), id="s1")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    work: list[dict[str, Any]] = [{"annotator": name, "spans": [MARKED]} for name in ("1", "2")]
    rows = [pair(id=name, annotations=work, gold={"spans": [MARKED]}) for name in ("p1", "p2")]
    import_files(slug="towns", paths=[lines(tmp_path / "p.jsonl", *rows)], scheme=PRESETS["graded"].to_json())
    return state_card_facts(Project.objects.get())


def publish(project: Project, to: str = "hub") -> Publication:
    Publication.objects.update(licence="other")
    return publication_request(project=project, to=to, terms=Terms("cc0-1.0"), by=None)


@pytest.fixture
def changed(project: Project, tmp_path: Path) -> tuple[Publication, Publication]:
    """A pair less, one more, gold relabelled, an annotation emptied and one reworded."""
    one = publish(project)
    Pair.objects.get(external_id="p2").delete()
    import_files(slug="towns", paths=[lines(tmp_path / "q.jsonl", pair(id="p3"))])
    gold = Annotation.objects.get(source=Source.GOLD)
    gold.spans = {"v": 1, "spans": [span("2", ("a", 0, 4), ("b", 9, 14), id="s1")]}
    gold.save()
    first, second = Annotation.objects.filter(source=Source.HUMAN).order_by("pk")
    first.spans = {"v": 1, "spans": []}
    first.save()
    second.comment = "hm"
    second.save()
    return one, publish(project)


def test_the_same_is_no_difference(project: Project) -> None:
    one, other = publish(project), publish(project)
    assert one.pk != other.pk and one.digest == other.digest != ""
    with datasets_of(one, other) as (before, after):
        found = difference(before, after)
    assert not any(found.by_kind.values()) and set(found.by_kind) == set(KINDS)
    assert ("gold", "4", 2, 2) in found.labels


def test_the_content_hash_is_what_the_documentation_says(project: Project, tmp_path: Path) -> None:
    shell = "find . -type f ! -name README.md -printf '%P\\n' | LC_ALL=C sort | xargs -d '\\n' sha256sum | sha256sum"
    assert shell in Path("docs/formats.md").read_text()
    made = publish(project)
    with datasets_of(made) as (folder,):
        done = subprocess.run(shell, shell=True, cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == made.digest


def test_every_change_is_found_and_quoted(project: Project, changed: tuple[Publication, Publication]) -> None:
    assert changed[0].digest != changed[1].digest
    with datasets_of(*changed) as (before, after):
        found = difference(before, after)
        assert {kind: list(rows) for kind, rows in found.by_kind.items() if rows} == {
            "pairs-added": [("p3", "")],
            "pairs-removed": [("p2", "")],
            "gold-removed": [("p2", "")],
            "gold-changed": [("p1", "")],
            "work-removed": [("p2", "1, main, 0"), ("p2", "2, main, 0")],
            "work-changed": [("p1", "1, main, 0"), ("p1", "2, main, 0")],
        }
        assert ("gold", "4", 2, 0) in found.labels and ("annotations", "4", 4, 1) in found.labels

        def rows(kind: str) -> list[Any]:
            return changed_rows(before, after, kind, found.by_kind[kind])

        (gold,) = rows("gold-changed")
        assert [(each.kind, each.before, each.after) for each in gold.spans] == [
            ("label", "4: Open / offen", "2: Open / offen")
        ]
        emptied, reworded = rows("work-changed")
        assert [(each.kind, each.before, each.after) for each in emptied.spans] == [("removed", "4: Open / offen", "")]
        assert (reworded.before, reworded.after, list(reworded.spans)) == ("", "hm", [])
        assert rows("pairs-added")[0].after == "Open on Sundays. / Sonntags offen."
        assert rows("work-removed")[0].spans[0].kind == "removed"


def test_labels_are_those_of_each_file_whatever_the_scheme_has_become(project: Project) -> None:
    one = publish(project)
    project.scheme = {**project.scheme, "labels": project.scheme["labels"][3:]}
    project.save()
    other = publish(project)
    with datasets_of(one, other) as (before, after):
        found = difference(before, after)
        assert not any(found.by_kind.values())
        assert {label: (old, new) for config, label, old, new in found.labels if config == "gold"} == {
            "4": (2, 2), "5": (0, 0), "1": (0, 0), "2": (0, 0), "3": (0, 0)
        }  # fmt: skip
    page = member(project, "lead").get(reverse("publication-compare", args=[project.slug]))
    assert page.status_code == 200 and "same content" not in page.content.decode()


def test_what_is_said_about_pairs_and_spans_is_compared_too(project: Project) -> None:
    one = publish(project)
    Pair.objects.filter(external_id="p2").update(split="test", metadata={"subset": "towns"})
    gold = Annotation.objects.filter(source=Source.GOLD).earliest("pk")
    gold.spans["spans"][0]["comment"] = "opening hours"
    gold.save()
    work = Annotation.objects.filter(source=Source.HUMAN).earliest("pk")
    work.reason = "another town"
    work.save()
    with datasets_of(one, publish(project)) as (before, after):
        found = difference(before, after).by_kind
        assert {kind for kind, rows in found.items() if rows} == {"details", "gold-changed", "work-changed"}
        (details,) = changed_rows(before, after, "details", found["details"])
        (commented,) = changed_rows(before, after, "gold-changed", found["gold-changed"])
        (rejected,) = changed_rows(before, after, "work-changed", found["work-changed"])
    assert details.before.startswith("split: ") and details.after == 'split: test; metadata: {"subset": "towns"}'
    assert (commented.before, commented.after) == ("", "4: opening hours")
    assert rejected.after.startswith("another town")


def test_what_was_chosen_differently_is_found(project: Project) -> None:
    def published(terms: Terms, splits: str = "", seed: int = 1) -> Publication:
        return publication_request(project=project, to="hub", terms=terms, splits=Splits.parse(splits, seed), by=None)

    one, other = published(Terms("cc-by-4.0")), published(Terms("cc0-1.0", "Two towns."), "train=100", 3)
    assert [(each.name, each.before, each.after) for each in terms_changed(one, other)] == [
        ("licence", "cc-by-4.0", "cc0-1.0"),
        ("description", "", "Two towns."),
        ("splits", "", "train=100"),
        ("seed", "", "3"),
    ]
    assert terms_changed(other, other) == []
    Publication.objects.filter(pk=one.pk).update(gold=None, seed=7)
    one.refresh_from_db()
    assert [(each.name, each.before, each.after) for each in terms_changed(one, published(Terms("cc-by-4.0")))] == [
        ("gold", "", "0")
    ], "the seed of a draw that was not made means nothing"


def test_the_page_shows_another_licence_where_nothing_else_changed(project: Project) -> None:
    for licence in ("cc-by-4.0", "cc-by-nc-4.0"):
        publication_request(project=project, to="hub", terms=Terms(licence), by=None)
    page = member(project, "lead").get(reverse("publication-compare", args=[project.slug])).content.decode()
    assert "<b>1 change</b> from publication 1 to 2." in page and "same content" not in page
    assert [cell in page for cell in ("<td>cc-by-4.0</td>", "<td>cc-by-nc-4.0</td>")] == [True, True]


def test_the_page_says_whose_consent_was_withdrawn_in_between(project: Project) -> None:
    publication_request(project=project, to="hub", terms=Terms("cc-by-4.0"), by=None)
    person = project.annotators.filter(assignments__annotation__verdict="submitted").first()
    assert person is not None
    consent_withdraw(annotator=person, by=UserFactory())
    publication_request(project=project, to="hub", terms=Terms("cc-by-4.0"), by=None)
    publication_request(project=project, to="hub", terms=Terms("cc-by-nc-4.0"), by=None)
    client, address = member(project, "lead"), reverse("publication-compare", args=[project.slug])
    said = f"Consent was withdrawn between the two publications: {person.alias}."
    assert said in client.get(address, {"one": "1", "other": "2"}).content.decode()
    assert said not in client.get(address, {"one": "2", "other": "3"}).content.decode()


def test_only_datasets_are_compared(project: Project) -> None:
    with pytest.raises(Invalid, match="is not a dataset"), datasets_of(publish(project, "csv")):
        pass


def test_the_page_opens_every_count(project: Project, changed: tuple[Publication, Publication]) -> None:
    client, address = member(project, "lead"), reverse("publication-compare", args=[project.slug])
    leads = {"stranger": 404, "annotator": 403, "adjudicator": 403, "lead": 200, "nobody": 302}
    assert statuses(project, address) == leads
    page = client.get(address).content.decode()
    assert "from publication 1 to 2." in page and "kind=gold-changed#rows" in page and "kind=texts" not in page
    rows = client.get(address, {"one": "1", "other": "2", "kind": "gold-changed"}).content.decode()
    assert (
        "4: Open / offen" in rows
        and reverse("pair", args=[project.slug, project.pairs.get(external_id="p1").pk]) in rows
    )
    assert "same content" in client.get(address, {"one": "2", "other": "2", "kind": "nonsense"}).content.decode()
    assert client.get(address, {"one": 9}).status_code == 404
    assert client.get(address, {"one": "x"}).status_code == 422
