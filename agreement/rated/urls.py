"""URLs of rated items."""

from django.urls import URLPattern, path

from annotation.views.lazy_views import LazyViews

views = LazyViews("agreement.rated.views")

urlpatterns: list[URLPattern] = [
    path("projects/<slug:slug>/agreement/items/", views.items, name="agreement-items"),
    path("projects/<slug:slug>/agreement/items/items.csv", views.file, name="agreement-items-csv"),
]
