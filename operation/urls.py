"""URLs of running a site."""

from django.urls import URLPattern, path

from operation import views

urlpatterns: list[URLPattern] = [
    path("readyz", views.readyz, name="readyz"),
    path("metrics", views.metrics_page, name="metrics"),
    path("server/", views.server, name="server"),
]
