"""Projects, people, texts and annotations. Rows only: `services` decide what may be written."""

from __future__ import annotations

import hashlib
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from simple_history.models import HistoricalRecords

from annotation.managers import ProjectManager
from annotation.text.schemes import SIDES, Scheme, Side
from annotation.text.spans import Grid, Span, parse_spans
from annotation.vocabulary import Phase as Phase
from annotation.vocabulary import Role as Role
from annotation.vocabulary import Status as Status
from annotation.vocabulary import Verdict as Verdict

VERDICTS = [(verdict.value, verdict.value or "not submitted") for verdict in Verdict]


def no_spans() -> dict[str, Any]:
    return {"v": 1, "spans": []}


class User(AbstractUser):
    """A person who can log in. `preferences` are their own; `made_in` is the project whose lead created the account."""

    preferences = models.JSONField(default=dict, blank=True)
    made_in = models.ForeignKey("Project", on_delete=models.SET_NULL, null=True, editable=False, related_name="+")
    token: Any = None  # the `ApiToken` by which a request came, which limits what they may do; not a column


class Project(models.Model):
    """A set of pairs with one scheme. `settings` holds who sees what, highlights and limits; nobody sees a `staged`
    project, of an import or a deletion in progress; one that is `archived` can be read, not changed.
    """

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=200)
    scheme = models.JSONField()
    settings = models.JSONField(default=dict, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    staged = models.BooleanField(default=False, editable=False)
    archived = models.DateTimeField(null=True, blank=True, editable=False)
    history = HistoricalRecords(excluded_fields=["staged", "archived"])
    objects: models.Manager[Project] = ProjectManager()
    with_staged = models.Manager["Project"]()

    class Meta:
        ordering = ("name", "pk")

    def __str__(self) -> str:
        return self.name

    @property
    def labels(self) -> Scheme:
        return Scheme.from_json(self.scheme)


class Guideline(models.Model):
    """One version of a project's guidelines, in Markdown."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="guidelines")
    version = models.PositiveIntegerField()
    text = models.TextField()
    made = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ("project", "version")
        constraints = (models.UniqueConstraint(fields=("project", "version"), name="guideline_version"),)

    def __str__(self) -> str:
        return f"{self.project}, guidelines {self.version}"


class Annotator(models.Model):
    """A person's membership of a project. Imported annotators have no user.

    `published_as` is the name under which their work was first published, and is from then on; '' before.
    `former_user` is the account whose access to the project was ended: if it is added again, it gets this row back.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="annotators")
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="memberships")
    former_user = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="former_memberships"
    )
    alias = models.CharField(max_length=80)
    published_as = models.CharField(max_length=80, blank=True)
    role = models.CharField(max_length=12, choices=Role.choices, default=Role.ANNOTATOR.value)
    history = HistoricalRecords()

    class Meta:
        ordering = ("project", "pk")
        constraints = (
            models.UniqueConstraint(fields=("project", "alias"), name="annotator_alias"),
            models.UniqueConstraint(
                fields=("project", "published_as"),
                condition=~models.Q(published_as=""),
                name="annotator_published_once",
            ),
            models.UniqueConstraint(fields=("project", "user"), name="annotator_user"),
            models.UniqueConstraint(fields=("project", "former_user"), name="annotator_former_user"),
        )

    def __str__(self) -> str:
        return self.alias


class Text(models.Model):
    """An immutable text. Tokens, sentences and paragraphs are half-open ranges of code points, made once.

    `tokenizer` and `splitter` name the versions that made the tokens and the sentences.
    """

    language = models.CharField(max_length=35)
    content = models.TextField(blank=True)
    tokens = models.JSONField()
    sentences = models.JSONField()
    paragraphs = models.JSONField()
    tokenizer = models.CharField(max_length=40)
    splitter = models.CharField(max_length=40)
    digest = models.CharField(max_length=64, db_index=True)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.content[:60]

    @property
    def grid(self) -> Grid:
        return Grid(len(self.content), self.tokens)


def translation_digest(side: str, text: str) -> str:
    """The key of a side's translation in `Pair.translators`."""
    return hashlib.sha256(f"{side} {text}".encode()).hexdigest()[:16]


class Pair(models.Model):
    """Two texts to compare; `position` is its position in the project, from 0.

    `translations` holds by side ('a', 'b') the text's translations into the other side's language: for methods, never
    shown. `translators` lists those that a model made: its name and commit, by the translation's digest. The others
    came with the pair.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="pairs")
    a = models.ForeignKey(Text, on_delete=models.PROTECT, related_name="+")
    b = models.ForeignKey(Text, on_delete=models.PROTECT, related_name="+")
    statement = models.ForeignKey(Text, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    mirror = models.OneToOneField("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="mirrored")
    external_id = models.CharField(max_length=300)
    split = models.CharField(max_length=40, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    translations = models.JSONField(default=dict, blank=True)
    translators = models.JSONField(default=dict, blank=True)
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ("project", "position")
        constraints = (models.UniqueConstraint(fields=("project", "external_id"), name="pair_external_id"),)

    def __str__(self) -> str:
        return self.external_id

    @property
    def supplied_translations(self) -> dict[Side, list[str]]:
        """The translations that came with the pair, by side, for sides that have any."""
        supplied: dict[Side, list[str]] = {
            side: [
                text
                for text in self.translations.get(side, ())
                if translation_digest(side, text) not in self.translators
            ]
            for side in SIDES
        }
        return {side: texts for side, texts in supplied.items() if texts}


class Assignment(models.Model):
    """One pair assigned to one annotator in a phase; `round` counts re-tests of the same pair by the same person."""

    pair = models.ForeignKey(Pair, on_delete=models.CASCADE, related_name="assignments")
    annotator = models.ForeignKey(Annotator, on_delete=models.CASCADE, related_name="assignments")
    phase = models.CharField(max_length=13, choices=Phase.choices, default=Phase.MAIN.value)
    round = models.PositiveSmallIntegerField(default=0)
    order = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN.value)
    highlights_shown = models.BooleanField(default=True)
    # The decision that a person retries the qualification, which assigned this pair and takes it back if it is undone.
    retry = models.ForeignKey(
        "annotation.QualificationStep", on_delete=models.SET_NULL, null=True, blank=True, related_name="assignments"
    )

    class Meta:
        ordering = ("annotator", "order", "pk")
        constraints = (models.UniqueConstraint(fields=("pair", "annotator", "phase", "round"), name="assignment_once"),)
        indexes = (models.Index(fields=("annotator", "status", "order"), name="assignment_next"),)

    def __str__(self) -> str:
        return f"{self.pair} for {self.annotator}, {self.phase}"


class Source(models.TextChoices):
    HUMAN = "human", "human"
    GOLD = "gold", "gold"


class Annotation(models.Model):
    """One person's annotation of a pair (human: has an assignment), or the gold of a pair in one version.

    The counts are those of `spans` and written with it, so that list pages parse no documents; `token_count` is summed
    over spans. `dismissed` holds the suggestions that an annotator dismissed.

    A pair's gold in a version is one row from its draft on (docs/agreement.md, *The model of gold*). `gold_version` 0
    was imported. `provenance` maps a span's id, or 'answer:' and a question's key, to its origin. `unmarked` holds the
    disputed regions that were left unmarked on purpose. `decided` is the time of a person's decision, which holds in
    this version and every later one; None if a rule decided or the decision was reopened. `feedback` is a lead's
    comment for annotators on a pair's gold.
    """

    source = models.CharField(max_length=5, choices=Source.choices)
    pair = models.ForeignKey(Pair, on_delete=models.CASCADE, related_name="annotations")
    assignment = models.OneToOneField(
        Assignment, on_delete=models.CASCADE, null=True, blank=True, related_name="annotation"
    )
    gold_version = models.PositiveIntegerField(null=True, blank=True)
    guideline = models.ForeignKey(Guideline, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    revision = models.PositiveIntegerField(default=0)
    spans = models.JSONField(default=no_spans)
    answers = models.JSONField(default=dict, blank=True)
    verdict = models.CharField(max_length=9, choices=VERDICTS, default=Verdict.NONE.value, blank=True)
    reason = models.TextField(blank=True)
    comment = models.TextField(blank=True)
    read_paragraphs = models.JSONField(default=dict, blank=True)
    dismissed = models.JSONField(default=list, blank=True)
    active_seconds = models.PositiveIntegerField(default=0)
    span_count = models.PositiveIntegerField(default=0)
    token_count = models.PositiveIntegerField(default=0)
    label_counts = models.JSONField(default=dict, blank=True)
    provenance = models.JSONField(default=dict, blank=True)
    unmarked = models.JSONField(default=list, blank=True)
    decided = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    feedback = models.TextField(blank=True)
    made = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("pair", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=("pair", "gold_version"), name="gold_once", condition=Q(gold_version__isnull=False)
            ),
            models.UniqueConstraint(
                fields=("pair",),
                name="one_decision_a_pair",
                condition=Q(source=Source.GOLD.value, decided__isnull=False),
            ),
            models.CheckConstraint(
                name="human_has_assignment_gold_has_version",
                condition=Q(source=Source.HUMAN.value, assignment__isnull=False, gold_version__isnull=True)
                | Q(source=Source.GOLD.value, assignment__isnull=True, gold_version__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"{self.source} annotation of {self.pair}"

    @property
    def is_gold(self) -> bool:
        return self.source == Source.GOLD

    @property
    def parsed_spans(self) -> list[Span]:
        return parse_spans(self.spans)


class ReferenceView(models.Model):
    """A record that someone was shown the reference of a pair: they can no longer reopen their answer to its texts."""

    annotator = models.ForeignKey(Annotator, on_delete=models.CASCADE, related_name="references_seen")
    pair = models.ForeignKey(Pair, on_delete=models.CASCADE, related_name="+")
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("annotator", "pk")
        constraints = (models.UniqueConstraint(fields=("annotator", "pair"), name="reference_view_once"),)

    def __str__(self) -> str:
        return f"reference of {self.pair}, shown to {self.annotator}"


class Revision(models.Model):
    """An annotation at one revision. Append-only."""

    annotation = models.ForeignKey(Annotation, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    spans = models.JSONField()
    answers = models.JSONField(default=dict)
    verdict = models.CharField(max_length=9, choices=VERDICTS, blank=True)
    comment = models.TextField(blank=True)
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("annotation", "number")
        constraints = (models.UniqueConstraint(fields=("annotation", "number"), name="revision_number"),)

    def __str__(self) -> str:
        return f"{self.annotation}, revision {self.number}"


class Highlight(models.Model):
    """The result of one run of one method for a pair: a score in [0, 1] per token, edges between token indices."""

    pair = models.ForeignKey(Pair, on_delete=models.CASCADE, related_name="highlights")
    run = models.CharField(max_length=120)
    method = models.CharField(max_length=80)
    scores_a = models.JSONField()
    scores_b = models.JSONField()
    edges = models.JSONField(default=list)
    proposals = models.JSONField(default=list)
    labels = models.JSONField(default=dict, blank=True)
    seconds = models.FloatField(default=0)
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pair", "run")
        constraints = (models.UniqueConstraint(fields=("pair", "run"), name="highlight_once_a_run"),)
        indexes = (models.Index(fields=("run",), name="highlight_run"),)

    def __str__(self) -> str:
        return f"{self.method} on {self.pair}"


class Dismissal(models.Model):
    """A suggestion that an annotator dismissed, with a digest of its words: those dismissed often are not shown."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    annotation = models.ForeignKey(Annotation, on_delete=models.CASCADE, related_name="dismissals")
    proposal = models.CharField(max_length=64)
    phrase = models.CharField(max_length=64)

    class Meta:
        ordering = ("annotation", "proposal")
        constraints = (models.UniqueConstraint(fields=("annotation", "proposal"), name="dismissed_once"),)
        indexes = (models.Index(fields=("project", "phrase"), name="dismissed_phrase"),)

    def __str__(self) -> str:
        return f"{self.proposal} in {self.annotation}"
