"""All URLs of the site; each app has its own list."""

from django.urls import include, path
from django.views.i18n import set_language

from annotation.views.lazy_views import LazyViews
from config.script_texts import script_texts

docs = LazyViews("drf_spectacular.views")

handler400 = "config.errors.bad_request"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"

urlpatterns = [
    path("language/", set_language, name="set_language"),
    path("language/<slug:language>.<slug:version>.js", script_texts, name="javascript-catalog"),
    path("api/schema/", LazyViews("config.api_document").of_class("ApiDocumentView"), name="schema"),
    path("api/docs/", docs.of_class("SpectacularSwaggerSplitView", url_name="schema"), name="api-docs"),
    path("", include("annotation.urls")),
    path("", include("assist.urls")),
    path("", include("agreement.urls")),
    path("", include("operation.urls")),
]
