"""URLs of the evaluation of pre-labels."""

from django.urls import URLPattern, path

from agreement.prelabel_eval import views

urlpatterns: list[URLPattern] = [
    path("projects/<slug:slug>/quality/", views.quality, name="prelabels-quality"),
]
