"""Addresses of pre-labelling."""

from django.urls import URLPattern, URLResolver, path

from assist import api, views

urlpatterns: list[URLPattern | URLResolver] = [
    path("projects/<slug:slug>/prelabels/", views.prelabels, name="prelabels"),
    path("projects/<slug:slug>/prelabels/runs/", views.runs, name="prelabels-runs"),
    path("projects/<slug:slug>/prelabels/method/", views.method, name="prelabels-method"),
    path("projects/<slug:slug>/prelabels/word-lists/", views.word_lists, name="prelabels-word-lists"),
    path("projects/<slug:slug>/prelabels/automatic/", views.automatic, name="prelabels-automatic"),
    path("projects/<slug:slug>/prelabels/<slug:run>/", views.run, name="prelabels-run"),
    path("projects/<slug:slug>/prelabels/<slug:run>/<slug:action>/", views.act, name="prelabels-act"),
    path("api/projects/<slug:slug>/runs/", api.RunsView.as_view(), name="api-runs"),
    path("api/projects/<slug:slug>/runs/<slug:run>/", api.RunView.as_view(), name="api-run"),
    path("api/projects/<slug:slug>/runs/<slug:run>/<slug:action>/", api.ActView.as_view(), name="api-run-act"),
]
