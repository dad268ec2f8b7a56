from django.db import migrations, models


def known(apps, schema_editor):
    """The one method so far that makes something else."""
    apps.get_model("assist", "Run").objects.filter(method__startswith="translate.").update(gives="translations")


class Migration(migrations.Migration):
    dependencies = [("assist", "0006_mined_articles")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="gives",
            field=models.CharField(
                choices=[("highlights", "highlights"), ("translations", "translations")],
                default="highlights",
                max_length=12,
            ),
        ),
        migrations.RunPython(known, migrations.RunPython.noop),
    ]
