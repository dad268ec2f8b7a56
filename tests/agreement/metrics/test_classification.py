"""F1 over annotator pairs, kappas and the majority, against scikit-learn and nltk."""

import numpy as np
import pytest
from hypothesis import given
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score, confusion_matrix, f1_score

from agreement.metrics.arrays import MISSING, Ints
from agreement.metrics.classification import (
    against_majority,
    cohen,
    cohen_of,
    confusions,
    deviation_defined,
    fleiss_counts,
    fleiss_of,
    label_f1,
    label_f1_of,
    macro_f1_of,
    majority,
    mean_defined,
    pairs,
    pairs_with_common_documents,
)
from tests.agreement.metrics.strategies import answers


@given(answers())
def test_confusion_and_f1_are_scikit_learns(drawn: tuple[Ints, Ints]) -> None:
    codes, documents = drawn
    matrices = confusions(codes, documents, 3, 5).sum(axis=0)
    chosen = pairs_with_common_documents(codes, documents, 5)
    for one, other in set(pairs(len(codes))) - set(chosen):
        assert not ((codes[one] != MISSING) & (codes[other] != MISSING)).any()
    for (one, other), matrix in zip(chosen, matrices, strict=True):
        both = (codes[one] != MISSING) & (codes[other] != MISSING)
        if not both.any():
            assert np.isnan(macro_f1_of(matrix))
            continue
        first, second = codes[one, both], codes[other, both]
        assert matrix.tolist() == confusion_matrix(first, second, labels=[0, 1, 2]).tolist()
        expected = f1_score(first, second, average="macro", zero_division=0.0)
        assert float(macro_f1_of(matrix)) == pytest.approx(expected)
        assert label_f1(matrix) == pytest.approx(
            [None if np.isnan(value) else value for value in label_f1_of(matrix).tolist()]
        )


@given(answers())
def test_cohen_is_scikit_learns(drawn: tuple[Ints, Ints]) -> None:
    codes, documents = drawn
    matrix = sum(confusions(codes[:2], documents, 3, 5).sum(axis=0), np.zeros((3, 3)))  # none if they never met
    both = (codes[0] != MISSING) & (codes[1] != MISSING)
    first, second = codes[0, both], codes[1, both]
    if len(set(first.tolist()) | set(second.tolist())) < 2:
        assert cohen(matrix) is None
    else:
        assert cohen(matrix) == pytest.approx(cohen_kappa_score(first, second))
        assert float(cohen_of(matrix)) == pytest.approx(cohen(matrix) or 0, abs=1e-12)


@given(answers(missing=False))
def test_fleiss_is_nltks_for_a_fixed_number_of_answers(drawn: tuple[Ints, Ints]) -> None:
    codes, documents = drawn
    value = float(fleiss_of(fleiss_counts(codes, documents, 3, 5).sum(axis=0)))
    if len(np.unique(codes)) < 2:
        assert np.isnan(value)
        return
    rows = [(a, u, int(codes[a, u])) for a in range(len(codes)) for u in range(codes.shape[1])]
    assert value == pytest.approx(AnnotationTask(rows).pi(), abs=1e-9)


@given(answers())
def test_annotator_order_and_names_of_labels_do_not_matter(drawn: tuple[Ints, Ints]) -> None:
    codes, documents = drawn

    def figures(of: Ints) -> list[float]:
        matrices = confusions(of, documents, 3, 5).sum(axis=0)
        fleiss = fleiss_of(fleiss_counts(of, documents, 3, 5).sum(axis=0))
        scores = macro_f1_of(matrices)
        return [float(mean_defined(scores)), float(deviation_defined(scores)), float(fleiss)]

    renamed = np.where(codes == MISSING, MISSING, (codes + 1) % 3)
    assert figures(codes[::-1]) == pytest.approx(figures(codes), nan_ok=True)
    assert figures(renamed) == pytest.approx(figures(codes), nan_ok=True)


def test_an_annotator_with_no_shared_unit_is_no_part_of_the_mean() -> None:
    codes = np.array([[0, 1, 2, MISSING], [0, 1, 1, MISSING], [MISSING, MISSING, MISSING, 2]])
    scores = macro_f1_of(confusions(codes, np.zeros(4, dtype=np.int64), 3, 1)[0])
    assert len(scores) == 3 and np.isnan(scores[1:]).all(), "they share the document, but no unit"
    assert mean_defined(scores) == scores[0]
    assert deviation_defined(scores) == 0


def test_annotators_without_a_document_in_common_are_no_pair() -> None:
    codes = np.array([[0, 1, MISSING, MISSING], [0, 2, MISSING, MISSING], [MISSING, MISSING, 1, 1]])
    documents = np.array([0, 0, 1, 1])
    assert pairs_with_common_documents(codes, documents, 2) == [(0, 1)]
    assert confusions(codes, documents, 3, 2).shape == (2, 1, 3, 3)


def test_one_label_only() -> None:
    matrix = np.diag([7.0, 0.0, 0.0])
    assert label_f1(matrix) == [1.0, None, None]
    assert float(macro_f1_of(matrix)) == 1
    assert cohen(matrix) is None


def test_the_majority_and_its_ties() -> None:
    codes = np.array([[0, 0, 1, MISSING], [0, 1, 1, MISSING], [1, 2, 1, MISSING], [0, MISSING, 2, MISSING]])
    assert majority(codes, 3).tolist() == [0, MISSING, 1, MISSING]


def test_each_against_the_majority_of_the_others() -> None:
    codes = np.array([[0, 1, 0], [0, 1, 1], [0, 1, 1]])
    matrices = against_majority(codes, np.zeros(3, dtype=np.int64), 2, 1)[0]
    assert matrices[0].tolist() == [[1, 0], [1, 1]], "the majority is the row, the annotator the column"
    assert matrices[1].tolist() == [[1, 0], [0, 1]], "the third token has no majority among the others"


def test_two_annotators_have_no_majority_of_others() -> None:
    assert against_majority(np.zeros((2, 4), dtype=np.int64), np.zeros(4, dtype=np.int64), 2, 1).sum() == 0
