from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("annotation", "0040_one_status_of_jobs")]

    operations = [
        migrations.RenameField("webhook", "former", "earlier_nonces"),
        migrations.RenameField("webhook", "served", "last_sent"),
        migrations.RenameField("webhook", "broken", "disabled_at"),
        migrations.RenameField("webhook", "told", "leads_notified"),
    ]
