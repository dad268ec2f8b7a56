"""What two aligned sentences say differently, and what they only write differently."""

import numpy as np
import pytest

from assist.methods.mismatch.aligned import Aligned
from assist.methods.mismatch.finder import mismatches
from tests.assist.methods.texts import side

EN_DE = ("en", "de")


def aligned(a: str, b: str, languages: tuple[str, str], links: list[tuple[str, str]] | None = None) -> Aligned:
    """One sentence beside another; ``links`` are words that are each other's counterparts, others have none."""
    left, right = side(a, languages[0]), side(b, languages[1])
    counterparts = (np.full(len(left.tokens), -1), np.full(len(right.tokens), -1))
    similarities = (np.zeros(len(left.tokens)), np.zeros(len(right.tokens)))
    for one, other in links or []:
        i, j = left.words().index(one), right.words().index(other)
        counterparts[0][i], counterparts[1][j] = j, i
        similarities[0][i] = similarities[1][j] = 1.0
    passages = [((0, len(left.tokens)), (0, len(right.tokens)))]
    return Aligned(left, right, passages, counterparts, similarities)


def found(
    a: str, b: str, languages: tuple[str, str], links: list[tuple[str, str]] | None = None
) -> list[tuple[str, str, str]]:
    return [(each.kind, a[slice(*each.a)], b[slice(*each.b)]) for each in mismatches(aligned(a, b, languages, links))]


@pytest.mark.parametrize(
    ("a", "b", "wanted"),
    [
        ("It has 1,250 members.", "Er hat 1'520 Mitglieder.", ("number", "1,250", "1'520")),
        ("Last changed 29.12.2023", "Zuletzt geändert 28.12.2023", ("date", "29.12.2023", "28.12.2023")),
        ("on 4 January 1883", "am 6. Januar 1883", ("date", "4 January 1883", "6. Januar 1883")),
        ("It opens at 10:00 am.", "Es öffnet um 11:00.", ("time", "10:00 am.", "11:00")),
        ("a fee of 5 percent", "eine Gebühr von 5 ‰", ("unit", "5 percent", "5 ‰")),
        ("a term of 12 months", "eine Frist von 12 Jahre", ("unit", "12 months", "12 Jahre")),
        ("CHF 5 per year", "5 CHF pro Monat", ("period", "per year", "pro Monat")),
        ("a monthly report", "ein jährlicher Bericht", ("period", "monthly", "jährlicher")),
        (
            "0.90 euros per square metre and year",
            "0,90 Euro je Quadratmeter und Monat",
            ("period", "per square metre and year", "je Quadratmeter und Monat"),
        ),
    ],
)
def test_what_differs(a: str, b: str, wanted: tuple[str, str, str]) -> None:
    assert found(a, b, EN_DE) == [wanted]


@pytest.mark.parametrize(
    ("a", "b", "languages"),
    [
        ("It has 1,250 members.", "Er hat 1'250 Mitglieder.", EN_DE),
        ("It has two members.", "Er hat 2 Mitglieder.", EN_DE),
        ("two members and 3 guests", "2 Mitglieder und drei Gäste", EN_DE),
        ("between 1989 and 2000", "von 1989-2000", EN_DE),
        ("on 25 November 2009", "vom 25.11.2009", EN_DE),
        ("in November 2009", "am 25. November 2009", EN_DE),
        ("at 2:30 pm", "um 14.30 Uhr", EN_DE),
        ("3 million", "3 Mio.", EN_DE),
        ("3,000,000", "3 Millionen", EN_DE),
        ("the 19th century, Louis XIV", "le 19e siècle, Louis 14", ("en", "fr")),
        ("5 percent", "百分之5", ("en", "zh")),
        ("6.8 billion", "68億", ("en", "zh")),
        ("12 people", "१२ लोग", ("en", "hi")),
        ("a monthly fee, every year", "une taxe mensuelle, chaque année", ("en", "fr")),
        ("5 apples", "Äpfel", EN_DE),
        ("Regulation No 813/2013", "Verordnung Nr. 813/2013", EN_DE),
    ],
)
def test_what_is_only_written_differently(a: str, b: str, languages: tuple[str, str]) -> None:
    assert found(a, b, languages) == []


def test_a_number_of_the_next_sentence_is_no_mismatch() -> None:
    a, b = side("There are 5 here. And 7 there.", "en"), side("Hier sind 7 . Dort sind 5 .", "de")
    none = (np.full(len(a.tokens), -1), np.full(len(b.tokens), -1))
    weak = (np.zeros(len(a.tokens)), np.zeros(len(b.tokens)))
    assert mismatches(Aligned(a, b, [((0, 5), (0, 4)), ((5, 9), (4, 8))], none, weak)) == []


def test_a_table_of_numbers_is_left_alone() -> None:
    one, other = (" ".join(map(str, range(low, low + 201))) for low in (3000, 5000))
    assert found(one, other, EN_DE) == []
    assert found(f"{one[:4]} x", f"{other[:4]} x", EN_DE) == [("number", "3000", "5000")]


LINKS = [("Members", "Mitglieder"), ("pay", "zahlen"), ("fees", "Gebühren")]


def test_obligation_and_permission() -> None:
    assert found("Members must pay fees", "Mitglieder können Gebühren zahlen", EN_DE, LINKS) == [
        ("modality", "must", "können")
    ]
    assert found("Members must pay fees", "Mitglieder müssen Gebühren zahlen", EN_DE, LINKS) == []
    assert found("Members must pay fees", "Mitglieder können Gebühren zahlen", EN_DE) == []  # nothing else fits


def test_all_and_some() -> None:
    links = [("members", "Mitglieder"), ("pay", "zahlen"), ("fees", "Gebühren")]
    assert found("all members pay fees", "einige Mitglieder zahlen Gebühren", EN_DE, links) == [
        ("quantifier", "all", "einige")
    ]
    assert found("all members pay fees", "alle Mitglieder zahlen Gebühren", EN_DE, links) == []


def test_negation_on_one_side() -> None:
    links = [("rule", "Regel"), ("is", "ist"), ("approved", "genehmigt")]
    assert found("The rule is not approved", "Die Regel ist genehmigt", EN_DE, links) == [
        ("negation", "not approved", "genehmigt")
    ]
    assert found("The rule is not approved", "Die Regel ist nicht genehmigt", EN_DE, links) == []


def test_names() -> None:
    links = [("yesterday", "hier"), ("met", "rencontré"), ("president", "président"), ("the", "le")]
    a, b = "yesterday the president Anna Smith met", "hier le président Marie Dubois rencontré"
    assert found(a, b, ("en", "fr"), links) == [("name", "Anna Smith", "Marie Dubois")]
    same = [*links, ("Anna", "Marie"), ("Smith", "Dubois")]
    assert found(a, b, ("en", "fr"), same) == []
    assert found(a, b.replace("rencontré", "traf"), EN_DE, links[:1]) == []  # nouns are capitalised in German
