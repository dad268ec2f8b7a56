"""Which of the annotators' flags, rejections and comments a lead has dealt with. Rows only."""

from __future__ import annotations

from django.db import models

from annotation.models.core import Annotation, User


class Review(models.Model):
    """A lead has dealt with an annotation at `revision`; if the annotator changes it, it is in the queue again."""

    annotation = models.OneToOneField(Annotation, on_delete=models.CASCADE, related_name="review")
    revision = models.PositiveIntegerField()
    made = models.DateTimeField(auto_now=True)
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ("annotation",)

    def __str__(self) -> str:
        return f"review of {self.annotation}"
