from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Only the names by which Python reaches a person's memberships change; the database stays as it is."""

    dependencies = [("annotation", "0019_accounts_from_history")]

    operations = [
        migrations.AlterField(
            model_name="annotator",
            name="user",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="memberships",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="annotator",
            name="former_user",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="former_memberships",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
