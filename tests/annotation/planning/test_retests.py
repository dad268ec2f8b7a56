"""Re-tests: who gets which pair again, drawn by seed."""

from annotation.planning.retests import PastSubmission, RetestSettings, make_retests

LONG_AGO = [PastSubmission(pair, person, 0, 30.0) for person in (1, 2) for pair in range(10)]


def test_everyone_gets_their_own_draw_of_what_they_did() -> None:
    plan = make_retests(LONG_AGO, [1, 2], RetestSettings(pairs=4))
    assert [plan.load(person) for person in (1, 2)] == [4, 4] and plan.available == {1: 10, 2: 10}
    drawn = {person: [each.pair for each in plan.planned if each.annotator == person] for person in (1, 2)}
    assert drawn[1] != drawn[2]
    assert [each.order for each in plan.planned] == [0, 1, 2, 3] * 2 and {each.round for each in plan.planned} == {1}


def test_the_same_seed_gives_the_same_whoever_joins() -> None:
    alone = make_retests(LONG_AGO, [1], RetestSettings(pairs=4))
    both = make_retests(LONG_AGO, [1, 2], RetestSettings(pairs=4))
    assert both.planned[:4] == alone.planned
    assert make_retests(LONG_AGO, [1], RetestSettings(seed=2, pairs=4)).digest != alone.digest


def test_what_is_too_recent_or_still_open_is_not_re_tested() -> None:
    rows = [
        PastSubmission(1, 1, 0, 13.9),
        PastSubmission(2, 1, 0, 14.0),
        PastSubmission(3, 1, 0, 30.0),
        PastSubmission(3, 1, 1, 0.0, True),
    ]
    plan = make_retests(rows, [1], RetestSettings(pairs=9, days=14))
    assert [each.pair for each in plan.planned] == [2]


def test_a_third_time_is_counted_from_the_second() -> None:
    rows = [PastSubmission(1, 1, 1, 20.0), PastSubmission(1, 1, 0, 60.0)]
    (again,) = make_retests(rows, [1], RetestSettings()).planned
    assert again.round == 2


def test_a_person_without_finished_work_gets_nothing() -> None:
    plan = make_retests([], [7], RetestSettings())
    assert plan.planned == [] and plan.available == {7: 0}
