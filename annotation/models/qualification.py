"""What leads said and decided about people's qualification. Rows only, as in `core`."""

from __future__ import annotations

from django.db import models

from annotation.models.core import Annotator, User


class StepKind(models.TextChoices):
    """WORDS to the person, the latest of which they see; RELEASE of their result; ADVANCE: they get trial and main
    pairs; RETRY: they were assigned other pairs, by which alone they are judged from then on.
    """

    WORDS = "words", "words"
    RELEASE = "release", "release"
    ADVANCE = "advance", "advance"
    RETRY = "retry", "retry"


class QualificationStep(models.Model):
    """One thing that a lead (or, with `automatic`, the pass rule) said or decided about a person. Append-only, except
    that it can be `undone`.

    `details` are numbers: the value, the pairs it was computed from and their least number; of a RETRY also `pairs`
    assigned and `since`, the order of the first of these assignments, which name it as their `retry`. With `said`, the
    person's step before this one are words that came with it, and are undone with it. Words have `deleted` if they were
    deleted with the person's account.
    """

    annotator = models.ForeignKey(Annotator, on_delete=models.CASCADE, related_name="qualification_steps")
    step = models.CharField(max_length=7, choices=StepKind.choices)
    words = models.TextField(blank=True)
    details = models.JSONField(default=dict, blank=True)
    automatic = models.BooleanField(default=False)
    made = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    undone = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ("annotator", "pk")

    def __str__(self) -> str:
        return f"{self.step} of {self.annotator}"

    def _number(self, name: str) -> float | int | None:
        """A number of `details`; None if there is none, or something else (in an archive that someone made)."""
        value = self.details.get(name) if isinstance(self.details, dict) else None
        return value if isinstance(value, int | float) and not isinstance(value, bool) else None

    @property
    def value(self) -> float | None:
        """The agreement at that time."""
        return self._number("value")

    @property
    def counted(self) -> int | None:
        """How many pairs it was computed from."""
        number = self._number("counted")
        return None if number is None else int(number)

    @property
    def pairs(self) -> int | None:
        """How many pairs a retry assigned."""
        number = self._number("pairs")
        return None if number is None else int(number)

    @property
    def what(self) -> str:
        """The step, or what became of words: 'words-back' took the last ones back, 'words-deleted' were deleted with
        the person's account.
        """
        if self.step != StepKind.WORDS or self.words:
            return str(self.step)
        return "words-deleted" if self._number("deleted") else "words-back"

    @property
    def has_message(self) -> bool:
        """Whether the step before it are words that came with this decision."""
        return self.step != StepKind.WORDS and bool(self._number("said"))

    @property
    def since(self) -> int:
        """The order of the first assignment that counts from a retry on."""
        return int(self._number("since") or 0)
