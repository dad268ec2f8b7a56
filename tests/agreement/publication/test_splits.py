"""Splits drawn for an export: by page, with a seed, whatever the order of the pairs."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import datasets
import pytest

from agreement.publication.export import export
from agreement.publication.splits import Splits, assign
from annotation.errors import Invalid
from annotation.models import Pair, Project
from annotation.services.imports import import_files
from annotation.text.schemes import PRESETS
from tests.annotation.formats.samples import lines, span

pytestmark = pytest.mark.django_db
WANTED = Splits.parse("train=80, dev=10, test=10", 3)


def page(number: int, version: str = "") -> str:
    """A page unlike the others; a version has one word more."""
    return (
        " ".join(
            f"Clause{number}x{index} rules{number} on{index} item{index * number}{version}." for index in range(30)
        )
        + version
    )


def rows(pages: int) -> list[dict[str, Any]]:
    """Three pairs for each page: two languages, and a later version of the page."""
    return [
        {"id": f"{number}-{kind}", "a": {"language": "en", "text": english}, "b": {"language": language, "text": other}}
        for number in range(pages)
        for kind, language, english, other in (
            ("de", "de", page(number), f"Seite {number} handelt von Nummer {number}."),
            ("fr", "fr", page(number), f"La page {number} parle du numéro {number}."),
            ("new", "de", page(number) + " Added.", f"Neue Fassung der Seite {number}, erweitert."),
        )
    ]


@pytest.fixture
def pages(tmp_path: Path) -> Project:
    import_files(slug="pages", paths=[lines(tmp_path / "p.jsonl", *rows(20))])
    return Project.objects.get()


def test_a_page_is_in_one_split_and_shares_are_kept(pages: Project) -> None:
    found = assign(pages, WANTED)
    of_page: dict[str, set[str]] = defaultdict(set)
    for pair, split in found.items():
        of_page[pair.partition("-")[0]].add(split)
    assert len(found) == 60 and all(len(splits) == 1 for splits in of_page.values())
    assert Counter(found.values()) == {"train": 48, "dev": 6, "test": 6}


def test_the_draw_follows_the_seed_and_the_texts_alone(pages: Project) -> None:
    found = assign(pages, WANTED)
    for position, pair in enumerate(Pair.objects.order_by("-position")):
        Pair.objects.filter(pk=pair.pk).update(position=position + 100)
    assert assign(pages, WANTED) == found
    assert assign(pages, Splits(WANTED.shares, 4)) != found


def test_the_dataset_has_the_splits_and_the_card_says_how_they_were_drawn(pages: Project, tmp_path: Path) -> None:
    export(project=pages, to="hub", out=tmp_path / "set", splits=WANTED)
    found = datasets.load_dataset(str(tmp_path / "set"), "annotations", cache_dir=str(tmp_path / "cache"))
    assert {name: part.num_rows for name, part in found.items()} == {"train": 48, "dev": 6, "test": 6}
    assert "(train=80, dev=10, test=10) were drawn with the seed 3" in (tmp_path / "set" / "README.md").read_text()
    card = " ".join((tmp_path / "set" / "README.md").read_text().split())
    assert "have texts that share 70% of the different runs of three words of the longer" in card
    assert set(Pair.objects.values_list("split", flat=True)) == {""}


def test_agreement_by_split_is_that_of_the_splits_drawn(tmp_path: Path) -> None:
    worked = []
    for row in rows(20):
        marked = span("1", ("a", 0, row["a"]["text"].index(" ")))
        work = [{"annotator": name, "spans": [marked]} for name in ("mina", "jonas")]
        worked.append(row | {"annotations": work, "split": "own"})
    import_files(slug="worked", paths=[lines(tmp_path / "w.jsonl", *worked)], scheme=PRESETS["graded"].to_json())
    export(project=Project.objects.get(slug="worked"), to="hub", out=tmp_path / "set", splits=WANTED)
    figures = json.loads((tmp_path / "set" / "agreement.json").read_text())["phases"]["main"]
    assert {each["name"]: each["documents"] for each in figures["splits"]} == {"dev": 6, "test": 6, "train": 48}


def test_small_splits_get_their_share_or_are_refused(pages: Project) -> None:
    Pair.objects.exclude(external_id__in=[f"{number}-{kind}" for number in range(5) for kind in ("de", "fr")]).delete()
    assert Counter(assign(pages, Splits.parse("train=60, dev=20, test=20")).values()) == {
        "train": 6,
        "dev": 2,
        "test": 2,
    }
    with pytest.raises(Invalid, match="No pairs remain for the split “dev”"):
        assign(pages, Splits.parse("train=98, dev=1, test=1"))


@pytest.mark.parametrize("text", ["train", "train=0", "train=1, Train=2", "a/b=3", "train=80 dev=10", "=3", "train=-1"])
def test_what_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(Invalid, match="does not give a split and its share"):
        Splits.parse(text)


@pytest.mark.parametrize("text", ["all=50, x=50", "x=50, All=50"])
def test_a_split_that_no_loader_opens_is_refused(text: str) -> None:
    with pytest.raises(Invalid, match="can't be named") as refused:
        Splits.parse(text)
    assert refused.value.where == "splits"


def test_shares_read_back_as_they_were_written() -> None:
    assert Splits.parse(str(WANTED), 3) == WANTED and Splits.parse("") == Splits()


def test_the_pairs_of_a_document_stay_together_even_without_a_text_in_common(tmp_path: Path) -> None:
    texts = [
        {
            "id": f"{number}-{a}{b}",
            "a": {"language": a, "text": f"{a} {page(number * 4 + index)}"},
            "b": {"language": b, "text": f"{b} {page(number * 4 + index + 1)}"},
            "metadata": {"document": f"d{number}"},
        }
        for number in range(1, 11)
        for index, (a, b) in enumerate((("en", "de"), ("fr", "it")))
    ]
    import_files(slug="documents", paths=[lines(tmp_path / "d.jsonl", *texts)])
    found = assign(Project.objects.get(), WANTED)
    assert all(found[f"{number}-ende"] == found[f"{number}-frit"] for number in range(1, 11))
    assert Counter(found.values()) == {"train": 16, "dev": 2, "test": 2}


@pytest.mark.parametrize(("length", "own"), [(45, 4), (300, 120)])
def test_many_versions_of_a_page_are_in_one_split_and_other_pages_elsewhere(
    tmp_path: Path, length: int, own: int
) -> None:
    texts = []
    for number in range(40):
        words = [f"word{index}" for index in range(length)]
        begin = number * (length - own) // 40
        words[begin : begin + own] = [f"own{number}x{index}" for index in range(own)]
        texts.append(("v", number, " ".join(words)))
    texts += [("o", number, " ".join(f"other{number}x{index}" for index in range(length))) for number in range(40)]
    given = [
        {
            "id": f"{kind}{number}",
            "a": {"language": "en", "text": text},
            "b": {"language": "de", "text": f"{kind}{number}"},
        }
        for kind, number, text in texts
    ]
    import_files(slug="versions", paths=[lines(tmp_path / "v.jsonl", *given)])
    found = assign(Project.objects.get(), WANTED)
    assert len({split for pair, split in found.items() if pair.startswith("v")}) == 1
    assert {split for pair, split in found.items() if pair.startswith("o")} == {"train", "dev", "test"}
