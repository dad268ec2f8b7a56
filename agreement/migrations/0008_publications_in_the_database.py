import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("agreement", "0007_one_row_of_gold_a_pair")]

    operations = [
        migrations.CreateModel(
            name="PublicationPart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("data", models.BinaryField()),
                (
                    "publication",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="parts",
                        to="agreement.publication",
                    ),
                ),
            ],
            options={
                "ordering": ("publication", "number"),
                "constraints": [
                    models.UniqueConstraint(fields=("publication", "number"), name="publication_part")
                ],
            },
        ),
    ]
