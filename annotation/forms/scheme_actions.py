"""What the scheme editor's buttons do to its rows. Nothing is saved by them."""

from __future__ import annotations

from typing import Any

from annotation.forms.scheme import MAX_ROWS, EditedScheme, LabelRow, OptionRow, QuestionRow


def rows_act(edited: EditedScheme, action: str) -> str:
    """Apply 'add-label', 'remove-option:1:2' and the like to the edited scheme's rows.

    Returns the id of the element that should have the focus then; '' for an unknown action.
    """
    name, _, position = action.partition(":")
    verb, _, kind = name.partition("-")
    numbers = [int(part) for part in position.split(":") if part.isdecimal() and len(part) < 4]
    location = _rows(edited, kind, numbers)
    if location is None:
        return ""
    rows, prefix, at = location
    if verb == "add":
        if len(rows) < MAX_ROWS:
            row: Any = {"label": LabelRow, "question": QuestionRow, "option": OptionRow}[kind]()
            if kind == "question":
                row.options = [OptionRow(), OptionRow()]
            rows.append(row)
        return f"{prefix}-{len(rows) - 1}-name"
    if not 0 <= at < len(rows):
        return ""
    if verb == "remove":
        del rows[at]
        return f"{prefix}-{min(at, len(rows) - 1)}-name" if rows else f"add-{kind}"
    if verb in ("up", "down"):
        target = max(0, min(len(rows) - 1, at + (1 if verb == "down" else -1)))
        rows.insert(target, rows.pop(at))
        return f"{verb}-{prefix}-{target}"
    return ""


def _rows(edited: EditedScheme, kind: str, numbers: list[int]) -> tuple[list[Any], str, int] | None:
    """The rows of a kind, the prefix of their fields, and which of them is meant (-1: none)."""
    if kind == "label":
        return edited.labels, "labels", numbers[0] if numbers else -1
    if kind == "question":
        return edited.questions, "questions", numbers[0] if numbers else -1
    if kind == "option" and numbers and numbers[0] < len(edited.questions):
        of = numbers[0]
        return edited.questions[of].options, f"questions-{of}-options", numbers[1] if len(numbers) > 1 else -1
    return None
