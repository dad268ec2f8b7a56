"""URLs of agreement, gold, the evaluation of pre-labels and publication."""

from django.urls import URLResolver, include, path

urlpatterns: list[URLResolver] = [
    path("", include("agreement.gold.urls")),
    path("", include("agreement.prelabel_eval.urls")),
    path("", include("agreement.publication.urls")),
    path("", include("agreement.rated.urls")),
    path("", include("agreement.report.urls")),
]
