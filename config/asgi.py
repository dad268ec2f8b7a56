"""The entry point of uvicorn."""

import os

from django.core.asgi import get_asgi_application

from config.body_limit import BodyLimit
from config.statics import StaticFiles

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = StaticFiles(BodyLimit(get_asgi_application()))
