"""Forms of mining: the articles and how they are compared; then the bounds of what is kept."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from annotation.forms.imports import FilesField
from assist.mining.settings import MiningSettings
from assist.requested_jobs.pages import JobSettingsForm

COMPARISON_FIELDS = ("method", "model", "language_a", "language_b", "skip_summary")
BOUNDS = (
    *("least_similar", "most_similar", "shortest", "longest", "most_copied"),
    *("per_article", "sample", "seed"),
)


class ArticlesForm(JobSettingsForm):
    """Files of articles, and how to compare them."""

    described_by = MiningSettings
    names = COMPARISON_FIELDS
    upload = FilesField(label=gettext_lazy("Articles"))


class BoundsForm(JobSettingsForm):
    """Which matches become pairs."""

    described_by = MiningSettings
    names = BOUNDS
