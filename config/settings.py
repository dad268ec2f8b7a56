"""Every deployment choice is an environment variable; the defaults need nothing installed but Python."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config.data_folder import ensure_folder
from config.environment import Environment
from config.language_models import llm_models
from config.openid.options import openid_options
from config.secret_key import stored_key

CHECKOUT = Path(__file__).resolve().parent.parent
# Templates, static files, translations and the demo are next to the code in a checkout, inside this package in a wheel.
INSTALLED = not (CHECKOUT / "templates").is_dir()
BASE_DIR = CHECKOUT / "config" / "resources" if INSTALLED else CHECKOUT
env = Environment()

# What this server writes (password hashes, sessions, texts) is readable only by its own user.
os.umask(0o077)
DATA_DIR = ensure_folder(Path(env.str("DIPTYCH_DATA", default=str((Path.cwd() if INSTALLED else CHECKOUT) / "var"))))


def restrict_permissions(path: Path) -> None:
    """Remove other users' access to files that an earlier version or a looser umask left open."""
    if path.exists() and path.stat().st_uid == os.getuid() and path.stat().st_mode & 0o077:
        path.chmod(path.stat().st_mode & 0o700)


restrict_permissions(DATA_DIR)

# From the environment, or generated once and stored in the data folder.
SECRET_KEY = env.str("DIPTYCH_SECRET_KEY", default="") or stored_key(DATA_DIR / "secret-key")
DEBUG = env.bool("DIPTYCH_DEBUG", default=False)
ALLOWED_HOSTS = env.list("DIPTYCH_HOSTS", default=["127.0.0.1", "localhost", "[::1]", "testserver"])
CSRF_TRUSTED_ORIGINS = env.list("DIPTYCH_ORIGINS", default=[])
HTTPS = env.bool("DIPTYCH_HTTPS", default=False)
# Where datasets are pushed to: only the site's owner chooses it, so no lead can have the server call other machines.
HUB = env.str("DIPTYCH_HUB", default="https://huggingface.co").rstrip("/")
# Whether what a lead has the server call (webhooks, language models) may be in a private network, or on this machine.
PRIVATE_ADDRESSES = env.bool("DIPTYCH_PRIVATE_ADDRESSES", default=False)
# The server of language models that pre-label (the method llm). The key goes to this address and to no other.
LLM_URL = env.str("DIPTYCH_LLM_URL", default="").rstrip("/")
LLM_KEY = env.str("DIPTYCH_LLM_KEY", default="")
LLM_MODELS = llm_models(env.list("DIPTYCH_LLM_MODELS", default=[]))
# What all projects may spend there in a calendar month; how often a minute, and how long a response may take.
LLM_LIMIT = env.float("DIPTYCH_LLM_LIMIT", default=10.0)
LLM_RATE = env.int("DIPTYCH_LLM_RATE", default=60)
LLM_SECONDS = env.float("DIPTYCH_LLM_SECONDS", default=120.0)
# Whoever sends it as a bearer token reads the metrics; without one only the site's owner does.
METRICS_TOKEN = env.str("DIPTYCH_METRICS_TOKEN", default="")
MIN_TOKEN_LENGTH = 20
if METRICS_TOKEN and len(METRICS_TOKEN) < MIN_TOKEN_LENGTH:
    raise ImproperlyConfigured(
        f"DIPTYCH_METRICS_TOKEN has {len(METRICS_TOKEN)} characters, so it can be guessed; give it at least "
        f"{MIN_TOKEN_LENGTH}, for example what 'openssl rand -hex 24' prints."
    )
# Logging in by OpenID Connect; None unless DIPTYCH_OPENID_ISSUER is set. Only then django-allauth is needed.
OPENID = openid_options(env, os.environ)
# The reverse proxies whose forwarding headers are trusted: addresses and CIDR ranges.
TRUSTED_PROXIES = env.list("DIPTYCH_PROXIES", default=[])

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
    "rules.apps.AutodiscoverRulesConfig",
    "simple_history",
    "annotation",
    "assist",
    "agreement",
    "operation",
    *(["allauth.account", "allauth.socialaccount"] if OPENID else []),
]

MIDDLEWARE = [
    "config.proxies.TrustedProxyMiddleware",
    "operation.middleware.RequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.caching.PublicCacheMiddleware",
    "config.http_methods.MethodsMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.caching.PrivateCacheMiddleware",
    "config.api_tokens.TokenMiddleware",
    "annotation.middleware.PersonLanguageMiddleware",
    "annotation.middleware.SameUserMiddleware",
    "config.body_limit.BodyLimitMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "simple_history.middleware.HistoryRequestMiddleware",
    "config.errors.DomainErrorMiddleware",
    "config.form_owner.FormOwnerMiddleware",
    "config.request_limit.RequestLimitMiddleware",
    "config.errors.NulMiddleware",
    "config.archive_guard.ArchivedMiddleware",
    "axes.middleware.AxesMiddleware",
    *(["allauth.account.middleware.AccountMiddleware"] if OPENID else []),
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "config.templates.Loader",
                    ["django.template.loaders.filesystem.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
            # Replaces Django's `csrf_token`.
            "builtins": ["annotation.templatetags.forms"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "csp.context_processors.nonce",
                "annotation.vocabulary.template_context",
            ],
        },
    },
]

# SQLite in WAL mode: readers never wait for the writer, and `IMMEDIATE` takes the write lock at the beginning of a
# transaction, so that two writers wait for each other instead of failing half-way: up to `timeout` seconds, which is
# less than the browser waits.
SQLITE = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 10,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
}
DATABASES = {"default": env.database("DATABASE_URL", f"sqlite:///{DATA_DIR / 'diptych.sqlite3'}")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["ENGINE"] = "config.sqlite3"
    DATABASES["default"]["OPTIONS"] = SQLITE
    for suffix in ("", "-wal", "-shm"):
        restrict_permissions(Path(f"{DATABASES['default']['NAME']}{suffix}"))
else:
    DATABASES["default"]["ENGINE"] = "config.postgresql"
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DATABASES["default"]["CONN_MAX_AGE"] = env.int("DIPTYCH_CONNECTION_SECONDS", default=0)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "annotation.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "rules.permissions.ObjectPermissionBackend",
    "config.accounts.AccountBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25
LOGIN_ADDRESS_LIMIT = 20
AXES_HANDLER = "config.login_throttle.LoginThrottle"
AXES_LOCKOUT_PARAMETERS = ["username", "ip_address"]
AXES_CLIENT_IP_CALLABLE = "config.proxies.throttled_address"
AXES_RESET_ON_SUCCESS = True
# The addresses of successful log-ins serve nothing; the log `diptych.security` says who logged in.
AXES_DISABLE_ACCESS_LOG = True
# Repeated attempts do not extend the lock of a name.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_LOCKOUT_CALLABLE = "config.login_throttle.locked_out"

# django-allauth asks the provider; who may enter is decided here (annotation/services/identities.py).
ACCOUNT_ADAPTER = "config.openid.adapter.AccountAdapter"
SOCIALACCOUNT_ADAPTER = "config.openid.adapter.SocialAdapter"
SOCIALACCOUNT_STORE_TOKENS = False

# How a link for a new password reaches people: by e-mail where that is set up, else a lead passes it on.
EMAIL = env.mail("DIPTYCH_EMAIL_URL")
for _name, _value in EMAIL.items():
    globals()[_name] = _value or ""
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("DIPTYCH_EMAIL_FROM", default="diptych@localhost")
PASSWORD_RESET_TIMEOUT = 24 * 3600

SESSION_ENGINE = "config.sessions"
SESSION_COOKIE_AGE = 14 * 24 * 3600
if HTTPS:
    # Browsers take such a cookie only from this very host: no other site of the same domain can plant one.
    SESSION_COOKIE_NAME = "__Host-sessionid"
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
# Health checks reach the server directly, without the proxy.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
# Whether subdomains use HTTPS, and browsers are to know the host beforehand, is for whoever has the domain.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        # Scripts set widths of bars and positions of lines as style attributes.
        "style-src-attr": ["'unsafe-inline'"],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    }
}

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("fr", "Français"), ("it", "Italiano"), ("es", "Español")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "config.formats"
TIME_ZONE = env.zone("DIPTYCH_TIME_ZONE", "UTC")
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = ensure_folder(DATA_DIR / "static")
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder", "config.static_files.PackageFiles"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static_files.Storage"},
}
# Files are also found in the checkout, so that everything works without `collectstatic`, which makes visits faster.
WHITENOISE_USE_FINDERS = True
# Pages name files by their hash; under plain names they are served from the checkout, so they are not compressed twice.
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_AUTOREFRESH = DEBUG
# Scripts of this site only.
WHITENOISE_ALLOW_ALL_ORIGINS = False
# Already compressed files, and source maps, which browsers request only for developers.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ("png", "gz", "br", "map")

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "config.token_authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.parsers.StrictJSONParser"],
    # The document's URL has no version: the requested one is in a header.
    "ALLOWED_VERSIONS": ["1"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "config.errors.api_exception_handler",
    # No response to OPTIONS: /api/schema/ describes everything.
    "DEFAULT_METADATA_CLASS": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Diptych",
    "DESCRIPTION": "Mark, word by word, where two documents differ in meaning.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "OAS_VERSION": "3.1.1",
    "DEFAULT_GENERATOR_CLASS": "config.openapi.OneAtATime",
    "PREPROCESSING_HOOKS": ["config.openapi.describe_documented"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.openapi.describe_every_operation",
    ],
    # Several fields have the same name; each list of values gets a separate name.
    "ENUM_NAME_OVERRIDES": {
        "Side": "annotation.text.schemes.SIDES",
        "Phase": "annotation.vocabulary.Phase.choices",
        "ReadingLevel": "annotation.vocabulary.ReadingLevel.choices",
        "Preset": "annotation.serializers.projects.PRESET_NAMES",
        "Origin": "annotation.text.spans.ORIGINS",
        "Verdict": "annotation.vocabulary.FINAL_VERDICTS",
        "AssignmentStatus": "annotation.models.Status.choices",
        "InvitationState": "annotation.vocabulary.InvitationState.choices",
        "Party": "annotation.models.messages.Party.choices",
        "DeliveryStatus": "annotation.models.webhooks.DeliveryStatus.choices",
        "WebhookEvent": "annotation.serializers.webhooks.EVENT_NAMES",
        "RunStatus": "annotation.models.jobs.JobStatus",
        "JobStatus": "annotation.models.jobs.CANCELLABLE_JOB_CHOICES",
        "ComputingStatus": "agreement.models.ComputationStatus.choices",
        "DryRunStatus": "agreement.gold.version_serializers.STATUSES",
        "PlanName": "annotation.serializers.plans.PLAN_NAMES",
        "ImportStatus": "annotation.models.imports.IMPORT_CHOICES",
        "PublicationStatus": "annotation.models.jobs.JOB_CHOICES",
        "AdjudicationState": "agreement.gold.serializers.STATES",
        "RegionState": "agreement.gold.serializers.REGION_STATES",
        "QualificationStatus": "annotation.qualification.results.STATUSES",
    },
}

# The broker only wakes workers: the database says what is to be done, and workers also poll. A folder is enough.
CELERY_BROKER_URL = env.broker("CELERY_BROKER_URL")
CELERY_BROKER_FOLDER = DATA_DIR / "broker"
if CELERY_BROKER_URL.startswith("filesystem://"):
    ensure_folder(CELERY_BROKER_FOLDER)
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, str | float] = {
        "data_folder_in": str(CELERY_BROKER_FOLDER),
        "data_folder_out": str(CELERY_BROKER_FOLDER),
        "control_folder": str(CELERY_BROKER_FOLDER),
    }
elif CELERY_BROKER_URL.startswith(("redis://", "rediss://")):
    # A page that notifies workers must not wait for a Redis that is unreachable.
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "socket_connect_timeout": 2.0,
        "socket_timeout": 10.0,
        # Sites that share a Redis are distinguished by the prefix of their keys.
        "global_keyprefix": env.str("DIPTYCH_BROKER_PREFIX", default=""),
    }
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "cpu"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = TIME_ZONE
# How often a worker polls for jobs; how long after its last heartbeat its job is taken over; after how many workers
# that died on it a job fails; and the maximum number of a run's pairs that are claimed at a time.
JOB_POLL_SECONDS = env.float("DIPTYCH_LOOK_SECONDS", default=3.0)
JOB_LEASE_SECONDS = env.float("DIPTYCH_STALE_SECONDS", default=30.0)
JOB_ATTEMPTS = env.int("DIPTYCH_JOB_ATTEMPTS", default=3)
# How many methods a worker runs at a time, so that one that is stuck does not hold up the others.
PRELABEL_METHODS_AT_ONCE = env.int("DIPTYCH_METHODS_AT_ONCE", default=2)
PRELABEL_LOT_PAIRS = env.int("DIPTYCH_LOT_PAIRS", default=64)

# 'json': one object a line, without anything that people wrote (config/logs.py); 'plain' for reading it oneself.
LOG_FORMAT = env.str("DIPTYCH_LOG", default="plain")
if LOG_FORMAT not in ("plain", "json"):
    raise ImproperlyConfigured(f"DIPTYCH_LOG is {LOG_FORMAT!r}; it can be 'plain' or 'json'.")
logging.captureWarnings(LOG_FORMAT == "json")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"()": "config.logs.Plain"},
        "json": {"()": "config.logs.Json"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    "root": {"handlers": ["console"], "level": env.level("DIPTYCH_LOG_LEVEL", "INFO")},
    "loggers": {
        "axes": {"level": "WARNING"},
        # A line for each request is for programs to read.
        "diptych.request": {"level": "INFO" if LOG_FORMAT == "json" else "WARNING"},
        "django": {"handlers": [], "propagate": True},
        # A line for each request, with the address.
        "httpx2": {"level": "WARNING"},
        # It warns that a broker without a host, such as a folder, has none.
        "kombu.connection": {"level": "ERROR"},
        "openai": {"level": "WARNING"},
    },
}
