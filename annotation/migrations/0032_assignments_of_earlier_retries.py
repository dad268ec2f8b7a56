"""Earlier retries stored the order of their first assignment and how many there were, which follow each other.

On its own, because PostgreSQL changes no table in a transaction that has changed its rows.
"""

from django.db import migrations


def from_orders(apps, schema_editor):
    Assignment = apps.get_model("annotation", "Assignment")
    QualificationStep = apps.get_model("annotation", "QualificationStep")
    for step in QualificationStep.objects.filter(step="retry", undone=None):
        first, pairs = step.details.get("since") or 0, step.details.get("pairs") or 0
        own = Assignment.objects.filter(annotator=step.annotator_id, phase="qualification", round=0)
        own.filter(order__gte=first, order__lt=first + pairs).update(retry=step.pk)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0031_assignments_of_retries")]

    operations = [migrations.RunPython(from_orders, migrations.RunPython.noop)]
