"""Django's command line: `manage.py` in a checkout, `diptych` where the wheel is installed."""

import os
import re
import sys

NO_TABLE = re.compile(r'no such table|relation "\w+" does not exist|no such column|column \S+ does not exist')
"""What SQLite and PostgreSQL say of a database without the tables or columns of this version."""


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line
    from django.db.utils import OperationalError, ProgrammingError

    try:
        execute_from_command_line(sys.argv)
    except (OperationalError, ProgrammingError) as error:
        if not NO_TABLE.search(str(error)) or "--traceback" in sys.argv:
            raise
        sys.exit("The database is empty or of another version of Diptych: run `python manage.py migrate` first.")
