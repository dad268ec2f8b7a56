"""URLs of the evaluation of pre-labels."""

from django.urls import URLPattern, path

from annotation.views.lazy import LazyViews

views = LazyViews("agreement.prelabel_eval.views")

urlpatterns: list[URLPattern] = [
    path("projects/<slug:slug>/quality/", views.quality, name="prelabels-quality"),
    path("projects/<slug:slug>/analyses/", views.analyses, name="analyses"),
]
