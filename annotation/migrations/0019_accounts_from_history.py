"""In which project earlier accounts were created: in that of a membership which was added in the same moment.

On its own, because PostgreSQL changes no table in a transaction that has changed its rows.
"""

from datetime import timedelta

from django.db import migrations

AT_ONCE = timedelta(seconds=10)


def from_history(apps, schema_editor):
    """Accounts whose first membership came later stay without one: for these, leads make no links for passwords."""
    History = apps.get_model("annotation", "HistoricalAnnotator")
    Project = apps.get_model("annotation", "Project")
    User = apps.get_model("annotation", "User")
    for user in User.objects.filter(made_in=None, is_staff=False, is_superuser=False).iterator():
        first = History.objects.filter(user_id=user.pk, history_type="+").order_by("history_date", "history_id").first()
        if first is None or abs(first.history_date - user.date_joined) > AT_ONCE:
            continue
        if Project.objects.filter(pk=first.project_id).exists():
            User.objects.filter(pk=user.pk).update(made_in=first.project_id)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0018_accounts_of_projects")]

    operations = [migrations.RunPython(from_history, migrations.RunPython.noop)]
