from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("agreement", "0012_when_reports_were_requested")]

    operations = [
        migrations.AddField(model_name="publication", name="omitted", field=models.JSONField(default=dict)),
    ]
