"""URLs of publications."""

from django.urls import URLPattern, path

from annotation.views.lazy_views import LazyViews

card = LazyViews("agreement.publication.views.card")
comparison = LazyViews("agreement.publication.views.comparison")
consent = LazyViews("agreement.publication.views.consent")
api = LazyViews("agreement.publication.api")
publications = LazyViews("agreement.publication.views.publications")
pushes = LazyViews("agreement.publication.views.pushes")

urlpatterns: list[URLPattern] = [
    path("projects/<slug:slug>/publish/", publications.publish, name="publish"),
    path("projects/<slug:slug>/publish/card/", card.facts, name="card-facts"),
    path("projects/<slug:slug>/publish/preview/", card.preview, name="card-preview"),
    path("projects/<slug:slug>/publish/compare/", comparison.compare, name="publication-compare"),
    path("projects/<slug:slug>/publish/consent/", consent.consent, name="consent"),
    path("projects/<slug:slug>/publish/<int:number>/card/", card.card, name="publication-card"),
    path("projects/<slug:slug>/publish/<int:number>/", publications.download, name="publication"),
    path("projects/<slug:slug>/publish/<int:number>/push/", pushes.push, name="publication-push"),
    path("projects/<slug:slug>/publish/<int:number>/retry/", publications.retry, name="publication-retry"),
    path("projects/<slug:slug>/publish/<int:number>/delete/", publications.delete, name="publication-delete"),
    path("api/projects/<slug:slug>/publications/", api.of_class("PublicationsView"), name="api-publications"),
    path("api/projects/<slug:slug>/card/", api.of_class("CardFactsView"), name="api-card-facts"),
    path(
        "api/projects/<slug:slug>/difference/",
        api.of_class("DifferenceView"),
        name="api-publication-difference",
    ),
    path(
        "api/projects/<slug:slug>/publications/<int:number>/",
        api.of_class("PublicationView"),
        name="api-publication",
    ),
    path(
        "api/projects/<slug:slug>/publications/<int:number>/card/",
        api.of_class("CardView"),
        name="api-publication-card",
    ),
    path(
        "api/projects/<slug:slug>/publications/<int:number>/retry/",
        api.of_class("PublicationRetryView"),
        name="api-publication-retry",
    ),
    path(
        "api/projects/<slug:slug>/publications/<int:number>/pushes/",
        api.of_class("PushesView"),
        name="api-publication-pushes",
    ),
    path("api/projects/<slug:slug>/consent/", api.of_class("ConsentsView"), name="api-consents"),
    path("api/projects/<slug:slug>/consent/<int:pk>/", api.of_class("ConsentView"), name="api-consent"),
]
