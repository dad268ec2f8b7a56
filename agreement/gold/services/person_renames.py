"""Renames an annotator in the settings, counts and exclusions that versions of gold were created with."""

from __future__ import annotations

from agreement.models import DryRun, GoldVersion
from annotation.models import Project
from annotation.person_names import rename_in_exclusions, rename_in_gold_counts, rename_in_rule_settings


def gold_rename(project: Project, old: str, new: str) -> None:
    """Change a name in every version of the gold; dry runs are computed again."""

    def rename(name: str) -> str:
        return new if name == old else name

    for version in GoldVersion.objects.select_for_update().filter(project=project):
        columns = {
            "parameters": rename_in_rule_settings(version.parameters, rename),
            "counts": rename_in_gold_counts(version.counts, rename),
            "excluded": rename_in_exclusions(version.excluded, rename),
        }
        if any(getattr(version, column) != value for column, value in columns.items()):
            GoldVersion.objects.filter(pk=version.pk).update(**columns)
    DryRun.objects.filter(project=project).delete()
