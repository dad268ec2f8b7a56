"""URLs of publications."""

from django.urls import URLPattern, path

from agreement.publication import views

urlpatterns: list[URLPattern] = [
    path("projects/<slug:slug>/publish/", views.publish, name="publish"),
    path("projects/<slug:slug>/publish/<int:number>/", views.download, name="publication"),
    path("projects/<slug:slug>/publish/<int:number>/retry/", views.retry, name="publication-retry"),
    path("projects/<slug:slug>/publish/<int:number>/delete/", views.delete, name="publication-delete"),
]
