"""How gunicorn serves the site: `gunicorn -c python:config.gunicorn_settings config.wsgi`.

Every view is synchronous, so a process serves several requests at once in threads, each with a connection to the
database, which it keeps. Address and number of processes are given on the command line.
"""

import os
from pathlib import Path

worker_class = "gthread"
threads = int(os.environ.get("DIPTYCH_THREADS") or 8)
loglevel = "warning"
# Requests in progress are answered before a process ends.
graceful_timeout = 10
# The filters of lists are in addresses.
limit_request_line = 8190
# Forwarding headers are judged by config/proxies.py alone.
forwarded_allow_ips = ""
# A process that cannot write its heartbeat, because a disk is slow, would be killed.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None
