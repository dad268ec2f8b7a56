import annotation.models
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('annotation', '0001_people_texts_and_work'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Exclusion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.TextField()),
                ('made', models.DateTimeField(auto_now_add=True)),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('pair', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='exclusion', to='annotation.pair')),
            ],
            options={
                'ordering': ('pair',),
            },
        ),
        migrations.CreateModel(
            name='HandDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('spans', models.JSONField(default=annotation.models.no_spans)),
                ('answers', models.JSONField(blank=True, default=dict)),
                ('provenance', models.JSONField(default=dict)),
                ('comment', models.TextField(blank=True)),
                ('revision', models.PositiveIntegerField(default=1)),
                ('made', models.DateTimeField(auto_now=True)),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('pair', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='hand_decision', to='annotation.pair')),
            ],
            options={
                'ordering': ('pair',),
            },
        ),
        migrations.CreateModel(
            name='CachedReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('view', models.CharField(max_length=600)),
                ('language', models.CharField(default='en', max_length=8)),
                ('fingerprint', models.CharField(blank=True, max_length=64)),
                ('body', models.JSONField(null=True)),
                ('made', models.DateTimeField(null=True)),
                ('seconds', models.FloatField(default=0)),
                ('asked', models.CharField(blank=True, max_length=64)),
                ('claimed', models.DateTimeField(null=True)),
                ('problem', models.TextField(blank=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.project')),
            ],
            options={
                'ordering': ('project', 'view', 'language'),
                'constraints': [models.UniqueConstraint(fields=('project', 'view', 'language'), name='cached_report_once')],
            },
        ),
        migrations.CreateModel(
            name='GoldVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('rule', models.CharField(max_length=40)),
                ('parameters', models.JSONField(default=dict)),
                ('phase', models.CharField(choices=[('qualification', 'qualification'), ('trial', 'trial'), ('main', 'main')], max_length=13)),
                ('made', models.DateTimeField(auto_now_add=True)),
                ('counts', models.JSONField(default=dict)),
                ('excluded', models.JSONField(default=dict)),
                ('open', models.BooleanField(default=False)),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gold_versions', to='annotation.project')),
            ],
            options={
                'ordering': ('project', 'number'),
                'constraints': [models.UniqueConstraint(fields=('project', 'number'), name='gold_version_number'), models.UniqueConstraint(condition=models.Q(('open', True)), fields=('project',), name='one_draft_of_the_gold')],
            },
        ),
        migrations.CreateModel(
            name='Publication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('format', models.CharField(max_length=20)),
                ('licence', models.CharField(default='unknown', max_length=80)),
                ('description', models.TextField(blank=True)),
                ('gold', models.PositiveIntegerField(blank=True, null=True)),
                ('status', models.CharField(choices=[('queued', 'waiting for a worker'), ('running', 'being written'), ('done', 'ready'), ('failed', 'failed')], default='queued', max_length=8)),
                ('total', models.PositiveIntegerField(default=0)),
                ('done', models.PositiveIntegerField(default=0)),
                ('claimed', models.DateTimeField(blank=True, null=True)),
                ('problem', models.TextField(blank=True)),
                ('file', models.CharField(blank=True, max_length=200)),
                ('size', models.PositiveBigIntegerField(default=0)),
                ('made', models.DateTimeField(auto_now_add=True)),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='publications', to='annotation.project')),
            ],
            options={
                'ordering': ('project', '-number'),
                'constraints': [models.UniqueConstraint(fields=('project', 'number'), name='publication_number')],
            },
        ),
    ]
