"""A new name of an annotator in what gold was made with."""

from __future__ import annotations

from agreement.models import DryRun, GoldVersion
from annotation.models import Project


def gold_rename(project: Project, old: str, new: str) -> None:
    """Change the annotator that a rule's settings name, of every version of the gold; dry runs are computed again."""
    for version in GoldVersion.objects.select_for_update().filter(project=project):
        parameters = dict(version.parameters)
        if parameters.get("annotator") == old:
            parameters["annotator"] = new
        if isinstance(choices := parameters.get("choices"), dict):
            parameters["choices"] = {pair: new if name == old else name for pair, name in choices.items()}
        if parameters != version.parameters:
            version.parameters = parameters
            version.save(update_fields=["parameters"])
    DryRun.objects.filter(project=project).delete()
