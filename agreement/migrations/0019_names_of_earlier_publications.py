"""The public names of people in projects that have published are kept, as they are from now on with a publication."""

from __future__ import annotations

import re
from typing import Any

from django.db import migrations

NUMBER = re.compile(r"(annotator)?\d+")


def keep(apps: Any, schema_editor: Any) -> None:
    Annotator = apps.get_model("annotation", "Annotator")
    Annotation = apps.get_model("annotation", "Annotation")
    published = apps.get_model("agreement", "Publication").objects.filter(status="done").exclude(format="archive")
    for project in published.order_by().values_list("project", flat=True).distinct():
        people = list(Annotator.objects.filter(project=project).order_by("pk"))
        taken = {each.alias for each in people if NUMBER.fullmatch(each.alias)}
        work = Annotation.objects.filter(source="human", assignment__annotator__project=project).exclude(verdict="")
        with_work = set(work.values_list("assignment__annotator", flat=True))
        number = 0
        for each in people:
            name = each.alias
            if not NUMBER.fullmatch(name):
                number += 1
                while f"annotator{number}" in taken:
                    number += 1
                name = f"annotator{number}"
            if each.pk in with_work:
                Annotator.objects.filter(pk=each.pk).update(published_as=name)


class Migration(migrations.Migration):
    dependencies = [
        ("agreement", "0018_decisions_of_dry_runs"),
        ("annotation", "0038_public_names_kept"),
    ]

    operations = [migrations.RunPython(keep, migrations.RunPython.noop)]
