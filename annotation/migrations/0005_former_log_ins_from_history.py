"""For places whose access was ended earlier: whose they were, read from their history.

On its own, because PostgreSQL changes no table in a transaction that has changed its rows.
"""

from django.db import migrations


def from_history(apps, schema_editor):
    """The last log-in of each place without one, unless it has gone, or has a place in the project again."""
    Annotator = apps.get_model("annotation", "Annotator")
    History = apps.get_model("annotation", "HistoricalAnnotator")
    User = apps.get_model("annotation", "User")
    taken = set(Annotator.objects.exclude(user=None).values_list("project_id", "user_id"))
    for place in Annotator.objects.filter(user=None).order_by("pk"):
        past = History.objects.filter(id=place.pk).exclude(user_id=None).order_by("-history_date", "-history_id")
        user = past.values_list("user_id", flat=True).first()
        if user is None or (place.project_id, user) in taken or not User.objects.filter(pk=user).exists():
            continue
        taken.add((place.project_id, user))
        Annotator.objects.filter(pk=place.pk).update(former_user=user)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0004_former_log_ins")]

    operations = [migrations.RunPython(from_history, migrations.RunPython.noop)]
