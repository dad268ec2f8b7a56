"""Stores what an import understood of its files, so that a lead can check it before anything is written."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0020_memberships")]

    operations = [
        migrations.AddField(
            model_name="import", name="preview", field=models.JSONField(blank=True, null=True)
        ),
    ]
