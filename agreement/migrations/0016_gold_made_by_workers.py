import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('agreement', '0015_cards_consent_and_pushes'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='GoldJob',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('claimed_by', models.CharField(blank=True, max_length=200)),
                ('claimed', models.DateTimeField(blank=True, null=True)),
                ('heartbeat', models.DateTimeField(blank=True, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('action', models.CharField(choices=[('create', 'create'), ('open', 'open'), ('close', 'close')], max_length=6)),
                ('rule', models.CharField(max_length=40)),
                ('parameters', models.JSONField(default=dict)),
                ('phase', models.CharField(choices=[('qualification', 'qualification'), ('trial', 'trial'), ('main', 'main')], max_length=13)),
                ('language', models.CharField(default='en', max_length=8)),
                ('status', models.CharField(choices=[('queued', 'waiting for a worker'), ('running', 'being created'), ('done', 'ready'), ('failed', 'failed')], default='queued', max_length=8)),
                ('total', models.PositiveIntegerField(default=0)),
                ('done', models.PositiveIntegerField(default=0)),
                ('version', models.PositiveIntegerField(blank=True, null=True)),
                ('problem', models.TextField(blank=True)),
                ('requested', models.DateTimeField()),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.project')),
            ],
            options={
                'ordering': ('project', '-pk'),
                'constraints': [models.UniqueConstraint(condition=models.Q(('status__in', ('queued', 'running'))), fields=('project',), name='one_unfinished_gold_job')],
            },
        ),
    ]
