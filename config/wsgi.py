"""The application that `config/serving.py` serves."""

import os

from django.core.wsgi import get_wsgi_application

from config.hidden_packages import hide_packages

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# A thread of the server keeps its connection from one request to the next; everything else closes it.
os.environ.setdefault("DIPTYCH_CONNECTION_SECONDS", "600")
# The REST framework loads whatever it could use, for parts of it that this site doesn't have: 15 MB of a web process.
with hide_packages("django.contrib.postgres", "pygments", "requests", "uritemplate", "yaml"):
    import rest_framework.compat  # noqa: F401
application = get_wsgi_application()
