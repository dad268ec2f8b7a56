"""URLs of the evaluation of pre-labels."""

from django.urls import URLPattern, path

from annotation.views.lazy_views import LazyViews

views = LazyViews("agreement.prelabel_eval.views")
api = LazyViews("agreement.prelabel_eval.api")

urlpatterns: list[URLPattern] = [
    path("projects/<slug:slug>/quality/", views.quality, name="prelabels-quality"),
    path("projects/<slug:slug>/analyses/", views.analyses, name="analyses"),
    path("projects/<slug:slug>/analyses/pairs/", views.analyses_pairs, name="analyses-pairs"),
    path("api/projects/<slug:slug>/quality/<slug:run>/", api.of_class("QualityView"), name="api-run-quality"),
]
