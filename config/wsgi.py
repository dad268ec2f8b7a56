"""The application that `config/serving.py` serves."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# A thread of the server keeps its connection from one request to the next; everything else closes it.
os.environ.setdefault("DIPTYCH_CONNECTION_SECONDS", "600")
application = get_wsgi_application()
