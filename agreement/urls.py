"""Addresses of agreement and adjudication."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from agreement.views import adjudication, behind, lists, publish, quality, report

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("agreement.hand.urls")),
    path("projects/<slug:slug>/agreement/", report.agreement, name="agreement"),
    re_path(
        r"^projects/(?P<slug>[-\w]+)/agreement/report\.(?P<ending>json|csv|md|tex)$",
        report.download,
        name="agreement-download",
    ),
    path("projects/<slug:slug>/agreement/documents/", behind.documents, name="agreement-documents"),
    path("projects/<slug:slug>/agreement/disagreements/", behind.disagreements, name="agreement-disagreements"),
    path("projects/<slug:slug>/agreement/spans/", behind.spans, name="agreement-spans"),
    path("projects/<slug:slug>/agreement/texts/", lists.texts, name="agreement-texts"),
    path("projects/<slug:slug>/agreement/answers/", lists.answers, name="agreement-answers"),
    path("projects/<slug:slug>/agreement/outcomes/", lists.outcomes, name="agreement-outcomes"),
    path("projects/<slug:slug>/agreement/pairs/<int:pk>/", report.pair, name="agreement-pair"),
    path("projects/<slug:slug>/agreement/pairs/<int:pk>/example/", report.example, name="agreement-example"),
    path("projects/<slug:slug>/quality/", quality.quality, name="prelabels-quality"),
    path("projects/<slug:slug>/publish/", publish.publish, name="publish"),
    path("projects/<slug:slug>/publish/<int:number>/", publish.download, name="publication"),
    path("projects/<slug:slug>/adjudication/", adjudication.adjudication, name="adjudication"),
    path("projects/<slug:slug>/adjudication/try/", adjudication.attempt, name="adjudication-try"),
    path("projects/<slug:slug>/adjudication/make/", adjudication.make, name="adjudication-make"),
    path("projects/<slug:slug>/adjudication/versions/<int:number>/", adjudication.version, name="gold-version"),
    path("projects/<slug:slug>/adjudication/pairs/<int:pk>/rules/", adjudication.rules, name="adjudication-rules"),
    path(
        "projects/<slug:slug>/adjudication/pairs/<int:pk>/exclude/", adjudication.exclude, name="adjudication-exclude"
    ),
]
