"""URLs of running a site."""

from django.urls import URLPattern, path

from annotation.views.lazy_views import LazyViews

views = LazyViews("operation.views")
privacy = LazyViews("operation.privacy.views")

urlpatterns: list[URLPattern] = [
    path("readyz", views.readyz, name="readyz"),
    path("metrics", views.metrics_page, name="metrics"),
    path("server/", views.server, name="server"),
    path("server/accounts/", privacy.accounts, name="accounts"),
    path("server/accounts/<int:pk>/", privacy.account, name="account-stored"),
    path("server/accounts/<int:pk>/export/", privacy.export, name="account-export"),
    path("server/accounts/<int:pk>/delete/", privacy.delete, name="account-delete"),
]
