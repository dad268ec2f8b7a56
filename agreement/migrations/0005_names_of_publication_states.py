from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('agreement', '0004_kept_reports_are_computed_anew'),
    ]

    operations = [
        migrations.AlterField(
            model_name='publication',
            name='status',
            field=models.CharField(choices=[('queued', 'waiting for a worker'), ('running', 'being created'), ('done', 'ready'), ('failed', 'failed')], default='queued', max_length=8),
        ),
    ]
