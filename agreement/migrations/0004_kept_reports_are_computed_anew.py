from django.db import migrations


def forget_bodies(apps, schema_editor):
    """A kept report holds links within itself now, of which its page makes addresses; older ones hold addresses."""
    apps.get_model("agreement", "CachedReport").objects.filter(body__isnull=False).update(body=None)


class Migration(migrations.Migration):
    dependencies = [("agreement", "0003_inputs_of_gold_and_plain_problems")]

    operations = [migrations.RunPython(forget_bodies, migrations.RunPython.noop)]
