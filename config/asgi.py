"""The ASGI entry point, for uvicorn."""

import os
import warnings

from django.core.asgi import get_asgi_application

from config.body_limit import BodyLimit

# WhiteNoise opens files without `await`, which Django warns about; they are small.
warnings.filterwarnings("ignore", "StreamingHttpResponse must consume synchronous iterators")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = BodyLimit(get_asgi_application())
