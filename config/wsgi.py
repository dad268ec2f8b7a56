"""The entry point of the web server (`config/gunicorn_settings.py`)."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# A thread of a server keeps its connection from one request to the next; everything else closes it.
os.environ.setdefault("DIPTYCH_CONNECTION_SECONDS", "600")
application = get_wsgi_application()
