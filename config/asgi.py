"""The entry point of uvicorn."""

import os

from django.core.asgi import get_asgi_application

from config.statics import StaticFiles

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = StaticFiles(get_asgi_application())
