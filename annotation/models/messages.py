"""Messages between an annotator and the project's leads about a pair. Rows only, as in `core`."""

from __future__ import annotations

from django.db import models

from annotation.models.core import Assignment, Role, User


class Party(models.TextChoices):
    """The two sides of a thread."""

    ANNOTATOR = Role.ANNOTATOR.value, Role.ANNOTATOR.value
    LEAD = Role.LEAD.value, Role.LEAD.value


class Thread(models.Model):
    """What an annotator and the leads say about one assignment, or about words of it.

    `quote` holds those words: [{"side", "start", "end", "text"}, …] in code points, with their text, so that the thread
    makes sense once the span `span` is gone. `waiting_for` is who has to answer: whoever did not write last.
    `unread_since` is since when a lead's message waits to be read by the annotator; `mailed`, when they were last told
    of one by e-mail.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="threads")
    span = models.CharField(max_length=64, blank=True)
    quote = models.JSONField(default=list, blank=True)
    made = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField()
    waiting_for = models.CharField(max_length=9, choices=Party.choices)
    unread_since = models.DateTimeField(null=True, blank=True)
    mailed = models.DateTimeField(null=True, blank=True)
    resolved = models.DateTimeField(null=True, blank=True)
    resolved_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ("assignment", "pk")

    def __str__(self) -> str:
        return f"thread {self.pk} on {self.assignment}"

    @property
    def waits_for_lead(self) -> bool:
        return self.waiting_for == Party.LEAD


class Message(models.Model):
    """One message of a thread. `by` says for which side it was written, also once `author` is gone."""

    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="messages")
    by = models.CharField(max_length=9, choices=Party.choices)
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    text = models.TextField()
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("thread", "pk")
        indexes = (models.Index(fields=("author", "made"), name="message_author_made"),)

    def __str__(self) -> str:
        return f"message {self.pk} of {self.thread}"

    @property
    def is_by_annotator(self) -> bool:
        return self.by == Party.ANNOTATOR


class ThreadReading(models.Model):
    """How far a lead has read a thread: up to the message `last`, 0 for not at all.

    `mailed` is when they were last told of one by e-mail. What annotators have read is `Thread.unread_since`.
    """

    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="readings")
    reader = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    last = models.PositiveBigIntegerField(default=0)
    mailed = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("thread", "reader"), name="one_reading_a_lead"),)

    def __str__(self) -> str:
        return f"{self.reader} has read {self.thread} up to {self.last}"
