from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("annotation", "0016_text_splitter")]

    operations = [migrations.RenameField(model_name="import", old_name="asked", new_name="requested")]
