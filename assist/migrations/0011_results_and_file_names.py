from django.db import migrations

MODELS = ("mining", "encodercomparison", "itemmaking")
RENAMED = {"names": "file_names", "found": "result"}


class Migration(migrations.Migration):
    dependencies = [("assist", "0010_items_made")]

    operations = [migrations.RenameField(model, old, new) for model in MODELS for old, new in RENAMED.items()]
