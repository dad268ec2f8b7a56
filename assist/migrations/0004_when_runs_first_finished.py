from django.db import migrations, models
from django.db.models import F
from django.db.models.functions import Coalesce


def known(apps, schema_editor):
    """Runs that are done now; of those in progress it isn't known whether they were done before."""
    runs = apps.get_model("assist", "Run").objects
    runs.filter(status="done", done__gt=0).update(first_finished=Coalesce(F("finished"), F("requested")))


class Migration(migrations.Migration):
    dependencies = [("assist", "0003_translated_texts")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="first_finished",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunPython(known, migrations.RunPython.noop),
    ]
