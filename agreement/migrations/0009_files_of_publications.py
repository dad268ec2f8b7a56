from django.conf import settings
from django.db import migrations

PART_BYTES = 1024 * 1024


def to_database(apps, schema_editor):
    """Files of publications used to lie in the data folder. They stay there; nothing reads them any more."""
    part = apps.get_model("agreement", "PublicationPart").objects
    for publication in apps.get_model("agreement", "Publication").objects.filter(status="done").exclude(file=""):
        try:
            with (settings.DATA_DIR / "publications" / publication.file).open("rb") as file:
                for number, data in enumerate(iter(lambda: file.read(PART_BYTES), b"")):
                    part.create(publication=publication, number=number, data=data)
        except FileNotFoundError:
            continue  # as before, its page says that it has to be published again


class Migration(migrations.Migration):
    dependencies = [("agreement", "0008_publications_in_the_database")]

    operations = [migrations.RunPython(to_database, migrations.RunPython.noop)]
