"""Two texts of any length as rows of one joint input."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assist.methods.base import MethodError
from assist.methods.encoder.pretrained import load_encoder
from assist.methods.joint.rows import SubwordRow, Template, batch, group_by_budget, rows, template

SIZES = st.integers(0, 300)


@given(SIZES, SIZES, st.integers(2, 120))
def test_each_subword_is_kept_once_and_each_row_fits(a: int, b: int, room: int) -> None:
    kept = np.zeros(a, int), np.zeros(b, int)
    for row in rows(a, b, room):
        assert row.size <= room
        for side, read, keep in ((0, row.a, row.keep_a), (1, row.b, row.keep_b)):
            assert 0 <= read[0] <= read[1] <= (a, b)[side]
            if keep[0] < keep[1]:
                assert read[0] <= keep[0] and keep[1] <= read[1]
                kept[side][slice(*keep)] += 1
    assert (kept[0] == 1).all() and (kept[1] == 1).all()


@given(SIZES, SIZES, st.integers(2, 120))
def test_a_text_is_read_beside_some_of_the_other(a: int, b: int, room: int) -> None:
    for row in rows(a, b, room):
        assert (row.a[0] < row.a[1] or not a) and (row.b[0] < row.b[1] or not b)


def test_a_window_is_beside_the_passage_at_the_same_position() -> None:
    assert rows(10, 20, 30) == [SubwordRow((0, 10), (0, 20), (0, 10), (0, 20))]
    found = rows(100, 200, 60)
    first, last = found[0], next(row for row in found if row.keep_a[1] == 100)
    assert (first.a, first.b) == ((0, 30), (15, 45))
    assert (last.a, last.b) == ((70, 100), (155, 185))
    assert rows(0, 0, 10) == []


def test_a_short_text_is_read_whole_beside_each_window_of_a_long_one() -> None:
    assert {row.b for row in rows(500, 8, 50) if row.keep_a != (0, 0)} == {(0, 8)}


@pytest.mark.parametrize("kind", ["bert", "xlmr", "modern"])
def test_two_texts_are_joined_as_the_tokenizer_joins_them(tiny: Callable[[str], str], kind: str) -> None:
    tokenizer, model = load_encoder(tiny(kind), None)
    made = template(tokenizer, model)
    a, b = (np.array(tokenizer(text, add_special_tokens=False)["input_ids"]) for text in ("the dog", "a cat house"))
    inputs = tokenizer("the dog", "a cat house")
    found = batch(made, [(a, b), (b, a)], [False, False])
    assert found.ids[0].tolist() == inputs["input_ids"]
    if made.types:
        assert found.types[0].tolist() == inputs["token_type_ids"]
    turned = batch(made, [(b, a), (a, b)], [True, True])
    assert (turned.ids == found.ids).all()
    assert (turned.at_a, turned.at_b) == (found.at_b, found.at_a)
    assert found.ids[0, found.at_b[0] : found.at_b[0] + len(b)].tolist() == b.tolist()


def test_shorter_rows_are_padded() -> None:
    made = Template((1,), (2, 3), (4,), types=True, pad=0, limit=20)
    found = batch(made, [(np.array([7, 8]), np.array([9])), (np.array([7]), np.zeros(0, int))], [False, True])
    assert found.ids.tolist() == [[1, 7, 8, 2, 3, 9, 4], [1, 2, 3, 7, 4, 0, 0]]
    assert found.mask.tolist() == [[1] * 7, [1, 1, 1, 1, 1, 0, 0]]
    assert found.types.tolist() == [[0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 0, 0]]
    assert (found.at_a, found.at_b) == ([1, 3], [5, 1])


def test_a_tokenizer_that_joins_no_texts_is_refused(tiny: Callable[[str], str]) -> None:
    tokenizer, model = load_encoder(tiny("bert"), None)

    class Alone:
        model_input_names = ("input_ids",)

        def __call__(self, *texts: str, **options: bool) -> dict[str, list[int]]:
            return {"input_ids": [5] * len(texts[:1])}

    with pytest.raises(MethodError, match="Alone"):
        template(Alone(), model)
    assert template(tokenizer, model).room == 37


@given(st.lists(st.integers(1, 50), max_size=40), st.integers(1, 100), st.integers(0, 50))
def test_groups_hold_every_row_once_within_the_budget_and_the_padding(
    sizes: list[int], budget: int, padding: int
) -> None:
    groups = group_by_budget(sizes, budget, padding)
    assert sorted(at for group in groups for at in group) == list(range(len(sizes)))
    for group in groups:
        found = [sizes[at] for at in group]
        assert len(group) == 1 or (max(found) * len(group) <= budget and max(found) - min(found) <= padding)


def test_rows_of_similar_size_are_computed_together() -> None:
    assert group_by_budget([30, 200, 28, 190, 31], 1000, 16) == [[1, 3], [4, 0, 2]]
    assert group_by_budget([30, 200, 28, 190, 31], 1000, 200) == [[1, 3, 4, 0, 2]]
