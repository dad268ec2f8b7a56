from django.db import migrations, models


class Migration(migrations.Migration):
    """Texts stored so far keep their sentences, which the package pysbd found."""

    dependencies = [("annotation", "0015_worker_versions")]

    operations = [
        migrations.AddField(
            model_name="text",
            name="splitter",
            field=models.CharField(default="pysbd", max_length=40),
            preserve_default=False,
        ),
    ]
