"""Texts are stored once, with the tokens they came with or the tokenizer's."""

from __future__ import annotations

import pytest

from annotation.errors import Invalid
from annotation.models import Text
from annotation.services.texts import GIVEN
from annotation.text.sentences import SPLITTER
from annotation.text.tokens import TOKENIZER
from tests.annotation.writes import text_create

pytestmark = pytest.mark.django_db


def test_a_text_is_created_once() -> None:
    first = text_create(language="en", content="Open on Sundays.\nFree.")
    assert text_create(language="en", content="Open on Sundays.\nFree.") == first
    assert first.tokens == [[0, 4], [5, 7], [8, 15], [15, 16], [17, 21], [21, 22]]
    assert (first.paragraphs, first.tokenizer) == ([[0, 16], [17, 22]], TOKENIZER)


def test_a_stored_text_keeps_the_sentences_that_an_earlier_version_found() -> None:
    text = text_create(language="en", content="See Dr. Miller.")
    assert (text.sentences, text.splitter) == ([[0, 15]], SPLITTER)
    Text.objects.update(sentences=[[0, 7], [8, 15]], splitter="pysbd")
    again = text_create(language="en", content="See Dr. Miller.")
    assert (again.pk, again.sentences, again.splitter) == (text.pk, [[0, 7], [8, 15]], "pysbd")


def test_other_tokens_or_another_language_create_another_text() -> None:
    made = text_create(language="en", content="ab")
    given = text_create(language="en", content="ab", tokens=[(0, 1), (1, 2)])
    assert given != made and given.tokenizer == GIVEN
    assert text_create(language="de", content="ab") != made
    assert text_create(language="en", content="ab", tokens=[(0, 2)]) == made
    assert Text.objects.count() == 3


@pytest.mark.parametrize("tokens", [[(0, 3)], [(0, 2), (1, 2)], [(1, 1)]])
def test_invalid_tokens_are_refused(tokens: list[tuple[int, int]]) -> None:
    with pytest.raises(Invalid, match="the token"):
        text_create(language="en", content="ab", tokens=tokens)
    assert not Text.objects.exists()
