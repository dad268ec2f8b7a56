"""Addresses of adjudication by hand."""

from django.urls import URLPattern, URLResolver, path

from agreement import api_hand
from agreement.hand import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("projects/<slug:slug>/adjudication/hand/", views.queue, name="hand"),
    path("projects/<slug:slug>/adjudication/hand/open/", views.open_draft, name="hand-open"),
    path("projects/<slug:slug>/adjudication/hand/close/", views.close_draft, name="hand-close"),
    path("projects/<slug:slug>/adjudication/hand/next/", views.next_pair, name="hand-next"),
    path("projects/<slug:slug>/adjudication/hand/<int:pk>/", views.pair, name="hand-pair"),
    path("projects/<slug:slug>/adjudication/hand/<int:pk>/gold/", views.history, name="gold-history"),
    path("projects/<slug:slug>/adjudication/compare/", views.compare, name="gold-compare"),
    path("projects/<slug:slug>/adjudicated/", views.own_list, name="adjudicated"),
    path("projects/<slug:slug>/adjudicated/<int:pk>/", views.own, name="adjudicated-pair"),
    path("api/projects/<slug:slug>/gold/<int:pk>/", api_hand.HandView.as_view(), name="api-hand"),
    path(
        "api/projects/<slug:slug>/gold/<int:pk>/annotation/",
        api_hand.HandAnnotationView.as_view(),
        name="api-hand-annotation",
    ),
    path("api/projects/<slug:slug>/gold/<int:pk>/submit/", api_hand.HandSubmitView.as_view(), name="api-hand-submit"),
    path("api/projects/<slug:slug>/gold/<int:pk>/reopen/", api_hand.HandReopenView.as_view(), name="api-hand-reopen"),
]
