"""Pairs that are excluded from the gold are among the changes of their project, as they are from now on."""

from __future__ import annotations

from typing import Any

from django.db import migrations


def record(apps: Any, schema_editor: Any) -> None:
    Event = apps.get_model("annotation", "ProjectEvent")
    for row in apps.get_model("agreement", "Exclusion").objects.select_related("pair").order_by("made", "pk").iterator():
        event = Event.objects.create(
            project_id=row.pair.project_id,
            what="excluded",
            made_by_id=row.made_by_id,
            details={"pair": row.pair.external_id},
        )
        Event.objects.filter(pk=event.pk).update(made=row.made)


class Migration(migrations.Migration):
    dependencies = [
        ("agreement", "0019_names_of_earlier_publications"),
        ("annotation", "0039_time_corrections"),
    ]

    operations = [migrations.RunPython(record, migrations.RunPython.noop)]
