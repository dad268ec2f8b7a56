"""Runs of pre-labelling methods, and their lots. The database is the source of truth; the broker only wakes workers.

A run covers all pairs of its project. Free workers claim its lots one at a time; if a worker dies, the heartbeat of its
lot stops, and another takes it over.
"""

from __future__ import annotations

from typing import Any

from django.db import models

from annotation.models import ACTIVE_JOB, CANCELLABLE_JOB_CHOICES, Job, JobStatus, Pair, Project, Text, User


def empty_snapshot() -> dict[str, Any]:
    return {}


class Queue(models.TextChoices):
    CPU = "cpu", "CPU"
    GPU = "gpu", "GPU"


class MethodOutput(models.TextChoices):
    HIGHLIGHTS = "highlights", "highlights"
    TRANSLATIONS = "translations", "translations"


class Run(models.Model):
    """One method with one set of settings over a project's pairs; `slug` is what its highlights name.

    `training` is what the method is fitted on, recorded when fitting is requested, so that every worker on every
    machine fits the same model; `digest` identifies that model. `gives` is what the method makes. `versions` are those
    of the method and of the packages used. `log` is one line per event. `first_finished` is when the run was first
    done and had something to show; it stays when the run is extended or retrained.
    """

    Status = JobStatus

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="runs")
    slug = models.SlugField(max_length=120)
    method = models.CharField(max_length=80)
    gives = models.CharField(max_length=12, choices=MethodOutput.choices, default=MethodOutput.HIGHLIGHTS)
    settings = models.JSONField(default=dict, blank=True)
    queue = models.CharField(max_length=3, choices=Queue.choices, default=Queue.CPU)
    status = models.CharField(max_length=9, choices=JobStatus.choices, default=JobStatus.QUEUED)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    training = models.JSONField(default=empty_snapshot, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    report = models.JSONField(default=dict, blank=True)
    versions = models.JSONField(default=dict, blank=True)
    requested_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    requested = models.DateTimeField(auto_now_add=True)
    started = models.DateTimeField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True)
    first_finished = models.DateTimeField(null=True, blank=True)
    log = models.TextField(blank=True)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ("project", "-requested", "pk")
        constraints = (models.UniqueConstraint(fields=("project", "slug"), name="run_slug"),)
        indexes = (models.Index(fields=("status", "queue"), name="run_active"),)

    def __str__(self) -> str:
        return f"{self.slug} of {self.project}"

    @property
    def is_active(self) -> bool:
        """Whether it is running, or waits for a worker."""
        return self.status in ACTIVE_JOB

    @property
    def has_ended(self) -> bool:
        return self.status in (JobStatus.DONE, JobStatus.FAILED, JobStatus.CANCELLED)

    @property
    def can_be_retried(self) -> bool:
        """Whether it has ended with pairs that failed or were not reached."""
        return self.has_ended and (self.status != JobStatus.DONE or self.failed > 0)

    @property
    def gives_highlights(self) -> bool:
        """Whether the run makes highlights, which can be shown, rather than translations."""
        return self.gives == MethodOutput.HIGHLIGHTS


class LotStatus(models.TextChoices):
    """The status of a part of a run. No `JobStatus`: nobody requests, pauses or cancels a lot alone, and it may be
    WAITING while its run is paused or has failed. A lot is FAILED if workers died on it, and its run goes on.
    """

    WAITING = "waiting", "waiting"
    CLAIMED = "claimed", "being worked on"
    DONE = "done", "done"
    FAILED = "failed", "failed"


class Lot(Job):
    """A few pairs that one worker processes at a time.

    `failures` maps the ids of failed pairs to the reasons: phrases as JSON, in older rows English text. `priority` is
    lower for pairs that annotators see next. `digest` is the fitted model that was used.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="lots")
    ordinal = models.PositiveIntegerField()
    priority = models.PositiveSmallIntegerField(default=1)
    pairs = models.JSONField()
    status = models.CharField(max_length=9, choices=LotStatus.choices, default=LotStatus.WAITING)
    finished = models.DateTimeField(null=True, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    failures = models.JSONField(default=dict, blank=True)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ("run", "priority", "ordinal")
        constraints = (models.UniqueConstraint(fields=("run", "ordinal"), name="lot_ordinal"),)
        indexes = (models.Index(fields=("run", "status", "priority", "ordinal"), name="lot_next"),)

    def __str__(self) -> str:
        return f"lot {self.ordinal} of {self.run}"


class TranslatedText(models.Model):
    """A model's translation of a text, stored so that no text is translated twice, in other projects or by another run.

    `translator` identifies the model, its commit and the settings that affect its output.
    """

    source = models.ForeignKey(Text, on_delete=models.CASCADE, related_name="+")
    target = models.CharField(max_length=35)
    translator = models.CharField(max_length=300)
    content = models.TextField(blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("source", "target", "translator"), name="translated_once"),)

    def __str__(self) -> str:
        return f"{self.source} in {self.target}"


class LlmAnswer(models.Model):
    """What a language model answered, stored unchanged, so that nothing is asked twice in a project.

    `key` identifies the request: server, model, messages and whatever else affects the answer.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=64)
    content = models.TextField(blank=True)
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("project", "key"), name="answered_once"),)

    def __str__(self) -> str:
        return f"answer {self.key[:8]} in {self.project_id}"


class LlmAccount(models.Model):
    """What was spent on language models: by a run, or by the whole site in a month at the server of its owner.

    `name` is 'run 7' or 'site 2026-11'. `reserved` is what requests could cost that nobody knows the outcome of: they
    are on their way, or their answer was lost. `spent`, `prompt` and `answer` (tokens) are those of answers; `requests`
    counts what was sent, `repeated` what the server refused or lost. `next_request` is when another may be sent.
    """

    name = models.CharField(max_length=40, unique=True)
    run = models.OneToOneField(Run, on_delete=models.CASCADE, null=True, blank=True, related_name="llm_account")
    spent = models.FloatField(default=0.0)
    reserved = models.FloatField(default=0.0)
    prompt = models.PositiveBigIntegerField(default=0)
    answer = models.PositiveBigIntegerField(default=0)
    requests = models.PositiveIntegerField(default=0)
    repeated = models.PositiveIntegerField(default=0)
    next_request = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class LlmOutcome(models.Model):
    """How good a language model's answers about a pair were; the counts are those of `AnswerCounts`."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="llm_outcomes")
    pair = models.ForeignKey(Pair, on_delete=models.CASCADE, related_name="+")
    answers = models.PositiveIntegerField(default=0)
    repaired = models.PositiveIntegerField(default=0)
    unusable = models.PositiveIntegerField(default=0)
    tokens = models.PositiveIntegerField(default=0)
    padded = models.PositiveIntegerField(default=0)
    outside = models.PositiveIntegerField(default=0)
    spans = models.PositiveIntegerField(default=0)
    near = models.PositiveIntegerField(default=0)
    unmatched = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("run", "pair"), name="llm_outcome"),)

    def __str__(self) -> str:
        return f"answers about pair {self.pair_id} in {self.run_id}"


OUTCOME_COUNTS = ("answers", "repaired", "unusable", "tokens", "padded", "outside", "spans", "near", "unmatched")


class RequestedJob(Job):
    """Work that a lead has requested, with files of their own, and that a worker does.

    `file_names` are those of the files, `settings` all settings by name. `done` of `total` steps are done; `problem`
    says why there is no `result`.
    """

    Status = JobStatus

    requested_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    requested = models.DateTimeField(auto_now_add=True)
    finished = models.DateTimeField(null=True, blank=True)
    file_names = models.JSONField(default=list)
    settings = models.JSONField(default=dict)
    status = models.CharField(max_length=9, choices=CANCELLABLE_JOB_CHOICES, default=JobStatus.QUEUED)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    result = models.JSONField(null=True, blank=True)
    problem = models.TextField(blank=True)

    class Meta:
        abstract = True
        ordering = ("-pk",)

    @property
    def listed_names(self) -> list[str]:
        """The names by which lists and pages show the job: those of its files, and the like."""
        raise NotImplementedError


class Mining(RequestedJob):
    """Articles that a lead sent, and the matches that a worker found in them.

    `done` and `total` count paragraphs. `result` is what `assist.mining.mine.MiningResult` stores: every match, so that
    bounds can be changed without comparing again.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="minings")

    @property
    def listed_names(self) -> list[str]:
        return list(self.file_names)

    def __str__(self) -> str:
        return f"mining {self.pk} in {self.project_id}"


class MiningArticle(models.Model):
    """One language version of an article, kept until it is compared. `paragraphs` are texts, in order."""

    mining = models.ForeignKey(Mining, on_delete=models.CASCADE, related_name="articles")
    name = models.CharField(max_length=100)
    language = models.CharField(max_length=100)
    paragraphs = models.JSONField(default=list)
    where = models.CharField(max_length=1000)
    url = models.CharField(max_length=2000, blank=True)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.name} ({self.language})"


class EncoderComparison(RequestedJob):
    """Encoders that a lead has compared, so that one can be chosen for pre-labels.

    `encoders` are their names; `file_names` and `tables` the files that the lead sent and their texts, by task, which
    are kept until they are compared. `done` and `total` count sentences and pairs. `result` holds the figures by task
    (`clsd`, `compositionality`, `gold`) and `problems`, why encoders are missing, by name; `rows` the rows that some
    encoder gets right only directly or only through the pivot, with their sentences.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="encoder_comparisons")
    encoders = models.JSONField(default=list)
    tables = models.JSONField(default=dict, blank=True)
    rows = models.JSONField(null=True, blank=True)

    @property
    def listed_names(self) -> list[str]:
        return list(self.encoders)

    def __str__(self) -> str:
        return f"comparison {self.pk} in {self.project_id}"


class ItemMaking(RequestedJob):
    """Items to compare encoders on, which a lead has a language model make.

    `task` is 'clsd' (distractors) or 'compositionality' (triples), `into` the slug of the rating project that gets
    them. `text` is that of the file, kept until they are made. Nothing is asked before the lead has seen the cost and
    `started` it. `done` and `total` count answers; `result` says how many items there are.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="item_makings")
    task = models.CharField(max_length=16)
    into = models.CharField(max_length=80)
    text = models.TextField(blank=True)
    started = models.BooleanField(default=False)

    @property
    def listed_names(self) -> list[str]:
        return [*self.file_names, self.into]

    def __str__(self) -> str:
        return f"items {self.pk} of {self.project_id}"


class WordListCoverage(Job):
    """How much of a project's texts the word lists know, as a worker has counted it: the lists are large.

    `fingerprint` is that of the texts and the glossary counted, `requested_fingerprint` that of those to be counted
    ('' for none), `failed` that for which counting failed, and `problem` says why.
    """

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="+")
    report = models.JSONField(null=True)
    fingerprint = models.CharField(max_length=64, blank=True)
    computed = models.DateTimeField(null=True)
    requested_fingerprint = models.CharField(max_length=64, blank=True)
    requested = models.DateTimeField(null=True)
    failed = models.CharField(max_length=64, blank=True)
    problem = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"word lists of {self.project}"
