"""What a method says about its model is made readable, and a tuned threshold has its curve."""

from __future__ import annotations

from assist.runs.method_reports import HEIGHT, WIDTH, report_curve, report_rows

CURVE = [
    {"threshold": 0.2, "precision": 0.3, "recall": 0.9, "f1": 0.45},
    {"threshold": 0.4, "precision": 0.6, "recall": 0.6, "f1": 0.6},
    {"threshold": 1.0, "precision": 0.0, "recall": 0.0, "f1": 0.0},
]


def test_rows_are_words_and_leave_the_curve_out() -> None:
    report = {
        "encoders": [{"model": "m", "layer": 8}],
        "null_threshold": 0.123456,
        "tuned": True,
        "on": None,
        "curve": CURVE,
    }
    assert report_rows(report) == [
        ("encoders", "model m, layer 8"),
        ("null threshold", "0.123"),
        ("tuned", "yes"),
        ("on", "none"),
    ]


def test_a_curve_fills_its_box_and_marks_the_chosen_threshold() -> None:
    curve = report_curve({"curve": CURVE, "threshold": 0.41})
    assert curve is not None
    assert curve.line == f"0.0,{HEIGHT * 0.25} {WIDTH * 0.25},0.0 {float(WIDTH)},{float(HEIGHT)}"
    assert (curve.chosen["threshold"], curve.chosen_x, curve.chosen_y) == (0.4, WIDTH * 0.25, 0.0)


def test_nothing_tuned_no_curve() -> None:
    assert report_curve({}) is None
    assert report_curve({"curve": CURVE[:1]}) is None


def test_a_curve_that_never_leaves_the_ground_is_drawn_all_the_same() -> None:
    curve = report_curve({"curve": [{**row, "f1": 0.0} for row in CURVE]})
    assert curve is not None
    assert curve.chosen_y == HEIGHT
