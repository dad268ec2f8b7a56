"""Django's command line: `manage.py` in a checkout, `diptych` where the wheel is installed."""

import errno
import os
import re
import sys
from collections.abc import Iterator
from tempfile import gettempdir

NO_TABLE = re.compile(r'no such table|relation "\w+" does not exist|no such column|column \S+ does not exist')
"""What SQLite and PostgreSQL say of a database without the tables or columns of this version."""

NO_FILE = "unable to open database file"
"""What SQLite says of a file that is not there and can't be made."""

FULL = re.compile(r"database or disk is full|disk I/O error|readonly database|No space left on device")
"""What SQLite and PostgreSQL say without room for data or temporary files, or on a disk that is read-only."""

DISK_FULL_ERRNOS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(str(error))
    except Exception as error:
        sentence = _sentence(error)
        if not sentence or "--traceback" in sys.argv:
            raise
        sys.exit(sentence)


def _sentence(error: Exception) -> str:
    """What is wrong with the database or a disk, and what to do; '' if it is something else."""
    from django.db.utils import InterfaceError, OperationalError, ProgrammingError

    # A library that can't write its last bytes may fail again while it closes its file: that error comes last.
    for each in _reasons(error):
        if isinstance(each, OSError) and each.errno in DISK_FULL_ERRNOS:
            where = f"{each.filename}: " if each.filename else ""
            return f"{where}{each.strerror}. Nothing was kept; make room and run the command again."
    if not isinstance(error, (InterfaceError, OperationalError, ProgrammingError)):
        return ""
    return _database_reason(error)


def _reasons(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and those that led to it."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _database_reason(error: Exception) -> str:
    from annotation.connections import connection_lost

    if NO_TABLE.search(str(error)):
        return "The database is empty or of another version of Diptych: run `python manage.py migrate` first."
    if NO_FILE in str(error) or connection_lost(error):
        reason = str(error).splitlines()[0]
        return f"{_database()} can't be reached: {reason}. Start it, or correct DATABASE_URL."
    if FULL.search(str(error)):
        return (
            f"{_database()} can't be written: {str(error).splitlines()[0]}. See whether its disk is full, or that of "
            f"temporary files ({os.environ.get('TMPDIR') or gettempdir()}); make room and run the command again."
        )
    return ""


def _database() -> str:
    """Which database it is, without the password."""
    from django.db import connection

    options = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"The SQLite database {options['NAME']}"
    where = f"at {options['HOST']}:{options['PORT'] or 5432}" if options["HOST"] else "on this machine"
    return f"The PostgreSQL database {options['NAME']} {where}"
