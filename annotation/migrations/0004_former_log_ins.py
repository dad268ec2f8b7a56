"""Whose log-in a place had before its access was ended."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0003_references_seen")]

    operations = [
        migrations.AddField(
            model_name="annotator",
            name="former_user",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="former_places",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="historicalannotator",
            name="former_user",
            field=models.ForeignKey(
                blank=True,
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="annotator",
            constraint=models.UniqueConstraint(fields=("project", "former_user"), name="annotator_former_user"),
        ),
    ]
