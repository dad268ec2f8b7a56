"""Active time from before days were counted: that of a pair is put on the day on which it was last saved.

On its own, because PostgreSQL changes no table in a transaction that has changed its rows.
"""

from collections import Counter

from django.db import migrations
from django.db.models import Max, Q
from django.utils.timezone import get_default_timezone, localdate


def from_revisions(apps, schema_editor):
    """Only of people with an account: the time that came with an import was not worked here."""
    Annotation = apps.get_model("annotation", "Annotation")
    WorkDay = apps.get_model("annotation", "WorkDay")
    worked = Annotation.objects.filter(source="human", active_seconds__gt=0).filter(
        Q(assignment__annotator__user__isnull=False) | Q(assignment__annotator__former_user__isnull=False)
    )
    rows = worked.order_by().annotate(saved=Max("revisions__made"))
    columns = ("assignment__annotator", "assignment__phase", "saved", "changed", "active_seconds")
    found = Counter()
    for annotator, phase, saved, changed, seconds in rows.values_list(*columns).iterator():
        found[annotator, localdate(saved or changed, get_default_timezone()), phase] += seconds
    WorkDay.objects.bulk_create(
        (
            WorkDay(annotator_id=annotator, day=day, phase=phase, seconds=min(seconds, 2**31 - 1))
            for (annotator, day, phase), seconds in found.items()
        ),
        batch_size=500,
    )


class Migration(migrations.Migration):
    dependencies = [("annotation", "0022_invitations_languages_and_hours")]

    operations = [migrations.RunPython(from_revisions, migrations.RunPython.noop)]
