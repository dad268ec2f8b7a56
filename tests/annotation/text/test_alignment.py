"""Paragraphs are aligned with their translations; each is in exactly one bead, in order."""

from hypothesis import given
from hypothesis import strategies as st

from annotation.text.alignment import Bead, align_paragraphs
from annotation.text.paragraphs import paragraphs

ENGLISH = [
    "Opening hours",
    "The town library in Wiesenbrück is open from Tuesday to Saturday, from 9 to 18 o'clock, and closed on Mondays.",
    "Adults pay an annual fee of 24 euros; students and pensioners pay half of it at the information desk.",
    "You may borrow up to 20 items at a time, and renew them twice unless another reader has asked for them.",
    "Contact: library@wiesenbrueck.example, telephone 031 555 12 34.",
]
GERMAN = [
    "Öffnungszeiten",
    "Die Stadtbibliothek Wiesenbrück ist von Dienstag bis Samstag von 9 bis 18 Uhr geöffnet und montags geschlossen.",
    "Erwachsene zahlen eine Jahresgebühr von 24 Euro; Studierende sowie Rentnerinnen und Rentner zahlen die Hälfte.",
    "Sie können bis zu 20 Medien gleichzeitig ausleihen und zweimal verlängern, wenn niemand sonst sie bestellt hat.",
    "Kontakt: library@wiesenbrueck.example, Telefon 031 555 12 34.",
]


def beads(a: list[str], b: list[str]) -> list[Bead]:
    left, right = "\n".join(a), "\n".join(b)
    return align_paragraphs(left, paragraphs(left), right, paragraphs(right))


def one_to_one(n: int) -> list[Bead]:
    return [([i], [i]) for i in range(n)]


def test_a_translation_is_aligned_with_its_original() -> None:
    assert beads(ENGLISH, GERMAN) == one_to_one(5)


def test_a_paragraph_without_counterpart_is_alone_on_either_side() -> None:
    without = [*GERMAN[:2], *GERMAN[3:]]
    assert beads(ENGLISH, without) == [([0], [0]), ([1], [1]), ([2], []), ([3], [2]), ([4], [3])]
    assert beads(without, ENGLISH) == [([0], [0]), ([1], [1]), ([], [2]), ([2], [3]), ([3], [4])]


def test_a_paragraph_that_was_split_is_aligned_with_both_parts() -> None:
    first, second = GERMAN[2].split("; ")
    parts = [*GERMAN[:2], first, second, *GERMAN[3:]]
    assert beads(ENGLISH, parts) == [([0], [0]), ([1], [1]), ([2], [2, 3]), ([3], [4]), ([4], [5])]


def test_chinese_is_as_long_as_it_says() -> None:
    chinese = ["开放时间", "市图书馆周二至周六9点至18点开放，周一休息。", "成人每年缴纳24欧元，学生减半。"]
    assert beads(ENGLISH[:3], chinese) == one_to_one(3)


def test_an_empty_side_leaves_the_other_alone() -> None:
    assert beads(ENGLISH[:2], []) == [([0], []), ([1], [])]
    assert beads([], ENGLISH[:1]) == [([], [0])]
    assert beads([], []) == []


TEXTS = st.lists(st.text("ab 1é中", min_size=1, max_size=30).filter(str.strip), max_size=40)


@given(TEXTS, TEXTS)
def test_every_paragraph_is_in_one_bead_and_in_order(a: list[str], b: list[str]) -> None:
    left, right = "\n".join(a), "\n".join(b)
    cut_a, cut_b = paragraphs(left), paragraphs(right)
    found = align_paragraphs(left, cut_a, right, cut_b)
    assert [i for one, _ in found for i in one] == list(range(len(cut_a)))
    assert [j for _, other in found for j in other] == list(range(len(cut_b)))
    assert all(one or other for one, other in found)
