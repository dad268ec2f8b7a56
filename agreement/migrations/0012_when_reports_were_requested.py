from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("agreement", "0011_data_of_reports")]

    operations = [
        migrations.RenameField(model_name="cachedreport", old_name="asked", new_name="requested_fingerprint"),
        migrations.AddField(model_name="cachedreport", name="requested", field=models.DateTimeField(null=True)),
    ]
