"""Who was shown the reference of which pair."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0002_imports_in_the_background")]

    operations = [
        migrations.CreateModel(
            name="ReferenceView",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("made", models.DateTimeField(auto_now_add=True)),
                (
                    "annotator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="references_seen",
                        to="annotation.annotator",
                    ),
                ),
                (
                    "pair",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="annotation.pair"
                    ),
                ),
            ],
            options={"ordering": ("annotator", "pk")},
        ),
        migrations.AddConstraint(
            model_name="referenceview",
            constraint=models.UniqueConstraint(fields=("annotator", "pair"), name="reference_view_once"),
        ),
    ]
