"""What is particular to the method that learns: folds, few labels, and never having seen what it scores."""

import math
from dataclasses import replace

import numpy as np
import pytest

from annotation.text.related_texts import text_digest
from assist.methods.base import PairInput
from assist.methods.default import Default, DefaultSettings
from assist.methods.learned import Learned, LearnedSettings
from assist.methods.wordmodel import folds, repetition
from assist.methods.wordmodel.fitting import AdditiveModel, Level, marks, rank_mean
from assist.methods.wordmodel.hinges import Scale
from tests.assist.methods.texts import labelled, named, pair, parallel, side

SMALL = LearnedSettings(trees=20, seeds=1, folds=3)
MARKED = ["Rhine", "cold", "Rhein", "kalt"]


def turned(given: PairInput) -> PairInput:
    return PairInput(f"{given.id} turned", given.b, given.a, given.gold_b, given.gold_a, given.split)


def test_pairs_that_share_a_text_share_a_fold() -> None:
    pairs = parallel(9)
    others = [turned(each) for each in pairs]
    french = [pair(each.a.text, f"Phrase {index}.", f"fr{index}", ("en", "fr")) for index, each in enumerate(pairs)]
    found = folds.assign([*pairs, *others, *french], [True] * 27, 3).reshape(3, 9)
    assert (found == found[0]).all()
    assert sorted(np.bincount(found[0]).tolist()) == [3, 3, 3]


def test_folds_do_not_hang_on_order_or_ids() -> None:
    pairs = parallel(8)
    there = dict(zip((each.id for each in pairs), folds.assign(pairs, [True] * 8, 3), strict=True))
    back = dict(zip((each.id for each in pairs[::-1]), folds.assign(pairs[::-1], [True] * 8, 3), strict=True))
    assert there == back


PAGE = " ".join(f"Sentence {n} tells of matter {n * 7} in town {n * 3}." for n in range(12))


def test_versions_of_one_page_alone_teach_nothing_about_each_other() -> None:
    pairs = [labelled(pair(PAGE.replace("town 9", f"town {n}"), "Eine Seite.", str(n)), ["matter"]) for n in range(8)]
    model = Learned(SMALL).fit(pairs)
    assert not model.folds and model.documents == 8


@pytest.mark.parametrize("split", ["test", "Test", " TEST "])
def test_however_a_test_split_is_written_nothing_is_learned_from_it(split: str) -> None:
    pairs = [labelled(each, MARKED, split) for each in parallel(9)]
    assert Learned(SMALL).fit(pairs).documents == 0


def test_empty_texts_tie_nothing_together() -> None:
    empty = side("", "de")
    pairs = [PairInput(str(index), side(f"Text {index}.", "en"), empty) for index in range(4)]
    assert sorted(folds.assign(pairs, [True] * 4, 4).tolist()) == [0, 1, 2, 3]


def test_without_enough_labels_it_is_the_default() -> None:
    pairs = [*parallel(6), *(labelled(each, MARKED) for each in parallel(4))]
    pairs = [PairInput(str(index), each.a, each.b, each.gold_a, each.gold_b) for index, each in enumerate(pairs)]
    learned, plain = Learned(SMALL), Default(DefaultSettings())
    model = learned.fit(pairs)
    assert not model.folds
    given = learned.predict(model, pairs)
    wanted = plain.predict(plain.fit(pairs), pairs)
    assert [each.scores_a for each in given] == [each.scores_a for each in wanted]
    report = learned.report(model)
    assert (report["documents"], report["weight"], report["metric"], report["curve"]) == (4, 0.0, "spearman", [])
    assert report["threshold"] == model.default.bars.threshold


def test_it_learns_what_is_marked_and_reports_it_beside_the_default() -> None:
    pairs = [labelled(each, MARKED) for each in parallel(40)]
    learned = Learned(LearnedSettings(trees=30, seeds=1, folds=4, enough=20))
    model = learned.fit(pairs)
    report = learned.report(model)
    assert report["documents"] == 40 and report["weight"] == 1.0
    assert report["learned"] > report["default"] + 0.1
    (result,) = learned.predict(
        model, [pair("The dog is old. The Rhine is cold.", "Der Hund ist alt. Der Rhein ist kalt.")]
    )
    assert min(result.scores_a[-4:-1:2]) > max(result.scores_a[:4])


@pytest.mark.long
def test_a_documents_score_does_not_hang_on_its_own_labels() -> None:
    # The same project twice, with other labels on one document: its own scores stay, others' change.
    pairs = [labelled(each, MARKED) for each in parallel(16)]
    other = [labelled(pairs[0], ["The", "Das", "dog", "Hund"]), *pairs[1:]]
    learned = Learned(LearnedSettings(trees=20, seeds=1, folds=3, enough=2, threshold=0.5))
    before, after = (learned.fit(each) for each in (pairs, other))
    number = before.fold_of[text_digest(pairs[0].a)]
    kinds = len(repetition.PRIORS)
    rows = np.random.default_rng(0).random((30, len(before.folds[0].additive.scales) - kinds)).astype(np.float32)
    keys = np.tile(np.arange(30), (kinds, 1))
    for fold in range(3):
        same = np.array_equal(before.folds[fold].predict(rows, keys), after.folds[fold].predict(rows, keys))
        assert same == (fold == number)


@pytest.mark.long
@pytest.mark.takes(10)
def test_labels_of_test_pairs_are_never_read() -> None:
    train = [labelled(each, MARKED) for each in parallel(12)]
    held = parallel(20)[12:]
    scores = []
    for marked in (MARKED, ["dog", "Hund"]):
        learned = Learned(SMALL)
        pairs = [*train, *(labelled(each, marked, "test") for each in held)]
        scores.append([each.scores_a for each in learned.predict(learned.fit(pairs), pairs)])
    assert scores[0] == scores[1]


def test_new_is_learned_from_what_is_more_than_half_new() -> None:
    gold = np.array([0.0, 0.5, 0.6, 1.0, math.nan])
    assert marks(gold, "new")[:4].tolist() == [0.0, 0.0, 1.0, 1.0]
    assert math.isnan(marks(gold, "new")[4])
    assert marks(gold, "graded") is gold


GRADES = {"Rhine": ("5", 1.0), "Rhein": ("5", 1.0), "cold": ("2", 0.4), "kalt": ("2", 0.4)}
RHINE = pair("The dog is old. The Rhine is cold.", "Der Hund ist alt. Der Rhein ist kalt.")


@pytest.mark.long
def test_grades_are_predicted_where_a_token_is_marked() -> None:
    learned = Learned(LearnedSettings(trees=30, seeds=1, folds=4, enough=20))
    model = learned.fit([named(each, GRADES) for each in parallel(40)])
    assert learned.report(model)["labels"]["exact"] > 0.9
    (result,) = learned.predict(model, [RHINE])
    assert result.labels["a"] == ["", "", "", "", "", "", "5", "", "2", ""]
    assert {each.label for each in result.proposals} <= {"2", "5"}


@pytest.mark.long
def test_labels_of_new_content_are_predicted_for_the_sides_that_have_them() -> None:
    words = {"Rhein": ("new", 1.0), "kalt": ("inferable", 0.5)}
    pairs = [replace(named(each, words), gold_a=None, labels_a=None) for each in parallel(40)]
    learned = Learned(LearnedSettings(target="new", trees=30, seeds=1, folds=4, enough=20))
    model = learned.fit(pairs)
    # All tokens alike would have a third.
    assert learned.report(model)["labels"]["macro f1"] > 0.5
    (result,) = learned.predict(model, [RHINE])
    assert list(result.labels) == ["b"]
    assert (result.labels["b"][6], result.labels["b"][8], result.labels["b"][9]) == ("new", "inferable", "")


def test_of_few_documents_no_labels_are_learned() -> None:
    learned = Learned(SMALL)
    model = learned.fit([named(each, GRADES) for each in parallel(19)])
    assert model.folds and model.naming is None
    assert learned.report(model)["labels"] == "none predicted: 19 documents are labelled, 20 are needed"
    (result,) = learned.predict(model, [RHINE])
    assert result.labels == {} and {each.label for each in result.proposals} <= {""}


@pytest.mark.long
@pytest.mark.parametrize("split", ["", "test"])
def test_the_labels_of_a_document_do_not_hang_on_its_own(split: str) -> None:
    pairs = [named(each, GRADES) for each in parallel(24)]
    other = [replace(named(pairs[0], {"dog": ("2", 1.0), "Hund": ("5", 0.4)}), split=split), *pairs[1:]]
    pairs = [replace(pairs[0], split=split), *pairs[1:]]
    learned = Learned(LearnedSettings(trees=20, seeds=1, folds=3, enough=2, threshold=0.5))
    before, after = (learned.fit(each) for each in (pairs, other))
    rows = np.random.default_rng(0).random((30, len(before.folds[0].additive.scales) - 11)).astype(np.float32)
    keys = np.tile(np.arange(30), (len(repetition.PRIORS), 1))
    own = before.fold_of.get(text_digest(pairs[0].a))
    for fold in range(3):
        same = np.array_equal(before.folds[fold].shares(rows, keys), after.folds[fold].shares(rows, keys))
        assert same == (split == "test" or fold == own)


def test_ranks_and_back() -> None:
    scale = Scale.of(np.array([0.0, 0.1, 0.2, 0.4]))
    assert scale.rank(np.array([-1.0, 0.0, 0.4, 2.0])).tolist() == [0.0, 0.0, 1.0, 1.0]
    assert scale.score(scale.rank(np.array([0.1, 0.3]))) == pytest.approx(np.array([0.1, 0.3]), abs=1e-3)


def test_blending_keeps_the_defaults_distribution() -> None:
    rng = np.random.default_rng(0)
    plain, learned = rng.random(5000) ** 2, rng.normal(size=5000)
    scales = (Scale.of(plain), Scale.of(learned))
    assert rank_mean(scales, plain, learned, 0.0) == pytest.approx(plain, abs=2e-3)
    mixed = rank_mean(scales, plain, learned, 1.0)
    assert np.quantile(mixed, [0.1, 0.5, 0.9]) == pytest.approx(np.quantile(plain, [0.1, 0.5, 0.9]), abs=0.01)
    assert (np.argsort(mixed, kind="stable")[-500:] == np.argsort(learned, kind="stable")[-500:]).mean() > 0.9


def test_habits_are_learned_from_other_parts_alone() -> None:
    keys = [np.full((len(repetition.PRIORS), 2), 7) for _ in range(3)]
    parts = np.array([0, 0, 1])
    before = repetition.out_of_fold_columns(
        keys, [np.array([0.0, 1.0]), np.array([1.0, 1.0]), np.array([0.0, 0.0])], parts
    )
    after = repetition.out_of_fold_columns(
        keys, [np.array([1.0, 0.0]), np.array([1.0, 1.0]), np.array([0.0, 0.0])], parts
    )
    assert [np.array_equal(one, other) for one, other in zip(before, after, strict=True)] == [True, True, True]
    assert (before[0] == before[1]).all() and (before[0] < before[2]).all()
    unknown = repetition.marking_statistics(keys[:1], [np.array([1.0, np.nan])]).columns(
        np.array([[9]] * len(repetition.PRIORS))
    )
    assert unknown.tolist() == [[1.0] * len(repetition.PRIORS)]


def test_the_level_of_a_document_is_told_by_its_features() -> None:
    rng = np.random.default_rng(0)
    # Side, a feature of the document (which says how much is marked), noise; of side A (0) nothing is known.
    tables = [
        np.column_stack([np.arange(40) // 20, np.full(40, index), rng.normal(size=40)]).astype(np.float32)
        for index in range(-60, 60)
    ]
    golds = [np.where(np.arange(40) < 20, np.nan, 0.5 + table[:, 1] / 200) for table in tables]
    level = Level.fit(tables, golds)
    assert level.sides == (1.0,)
    scores = np.where(np.arange(40) < 20, 9.0, 0.5)
    high, low = level.shift(tables[-10], scores), level.shift(tables[10], scores)
    assert high == pytest.approx(-low, abs=0.02) and 0.04 < high < 0.15
    assert level.shift(tables[0][:20], scores[:20]) == 0.0


def test_the_additive_model_leaves_part_of_a_documents_mean_to_its_annotator() -> None:
    rng = np.random.default_rng(0)
    document = np.repeat(np.arange(50), 40)
    of_document, of_token = rng.random(50)[document], rng.random(2000)
    table = np.column_stack([of_document, of_token]).astype(np.float32)
    wanted = of_token + rng.random(50)[document]
    before = wanted.copy()
    fitted = AdditiveModel.fit(table, wanted, document, 0.4).predict(table)
    assert np.corrcoef(fitted, of_token)[0, 1] > 0.95
    assert (wanted == before).all()
