"""The colours of labels, as named in `static/css/tokens.css`; text on each is readable in both themes."""

from __future__ import annotations

from collections.abc import Sequence

# Grades form one sequence from light to dark: in five steps, or in up to nine.
FIVE_GRADES = ("g1", "g2", "g3", "g4", "g5")
NINE_GRADES = tuple(f"r{step}" for step in range(1, 10))
PALETTE = (*(f"p{number}" for number in range(1, 9)), "new", "inferable", "connotation", "reference")
COLOURS = (*FIVE_GRADES, *NINE_GRADES, *PALETTE)


def grade_colours(count: int) -> list[str]:
    """The colours of up to nine grades, light to dark and as different as possible."""
    steps = FIVE_GRADES if count <= len(FIVE_GRADES) else NINE_GRADES
    if count == 1:
        return [steps[len(steps) // 2]]
    return [steps[round(index * (len(steps) - 1) / (count - 1))] for index in range(count)]


def label_colours(values: Sequence[float | None]) -> list[str]:
    """Colours for labels by their values: those of the grades in order, or the palette's for labels without values.

    If there are more labels than colours, colours repeat.
    """
    order = sorted({value for value in values if value is not None})
    if len(order) == len(values) <= len(NINE_GRADES):
        grades = dict(zip(order, grade_colours(len(order)), strict=True))
        return [grades[value] for value in values if value is not None]
    return [PALETTE[index % len(PALETTE)] for index in range(len(values))]


def filled_colours(colours: Sequence[str], values: Sequence[float | None]) -> list[str]:
    """Colours for labels by their values, of which some were chosen ('': not). Grades are coloured all or none."""
    if not any(colours):
        return label_colours(values)
    if values[0] is not None:
        return list(colours)
    free = iter(colour for colour in PALETTE if colour not in colours)
    return [colour or next(free, "") for colour in colours]
