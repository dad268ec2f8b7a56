"""A project's settings: defaults for missing ones, bounds for given ones."""

import pytest

from annotation.project_options import OptionsError, ProjectOptions


def test_what_is_written_is_read_again() -> None:
    options = ProjectOptions(highlights_share=50, verdicts=("submitted", "flagged"), closed_phases=("trial",))
    assert ProjectOptions.from_json(options.to_json()) == options


def test_missing_keys_have_their_defaults_and_unknown_ones_are_ignored() -> None:
    assert ProjectOptions.from_json({"palette": "loud"}) == ProjectOptions()


@pytest.mark.parametrize(("assignments", "allowed"), [(0, 0), (19, 0), (20, 1), (100, 5)])
def test_a_share_of_skips_is_rounded_down(assignments: int, allowed: int) -> None:
    assert ProjectOptions(skip_percent=5).skips_allowed(assignments) == allowed


def test_without_a_share_anything_may_be_skipped() -> None:
    assert ProjectOptions().skips_allowed(10) is None


@pytest.mark.parametrize(
    "values", [{"highlights_share": -1}, {"skip_percent": 101}, {"verdicts": ()}, {"closed_phases": ("x",)}]
)
def test_settings_out_of_bounds_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(OptionsError, match=next(iter(values))):
        ProjectOptions(**values)  # type: ignore[arg-type]
