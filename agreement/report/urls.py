"""URLs of the agreement report."""

from django.urls import URLPattern, path, re_path

from annotation.views.lazy_views import LazyViews

views = LazyViews("agreement.report.views")
drilldown, drilldown_lists = LazyViews("agreement.report.drilldown"), LazyViews("agreement.report.drilldown_lists")

api = LazyViews("agreement.report.api")
pages = LazyViews("agreement.report.monitor_views")

urlpatterns: list[URLPattern] = [
    path("projects/<slug:slug>/monitor/", pages.monitor, name="monitor"),
    path("projects/<slug:slug>/monitor/<int:pk>/", pages.review, name="monitor-review"),
    path("projects/<slug:slug>/agreement/", views.agreement, name="agreement"),
    re_path(
        r"^projects/(?P<slug>[-\w]+)/agreement/report\.(?P<ending>json|csv|md|tex)$",
        views.download,
        name="agreement-download",
    ),
    path("projects/<slug:slug>/agreement/documents/", drilldown.documents, name="agreement-documents"),
    path("projects/<slug:slug>/agreement/disagreements/", drilldown.disagreements, name="agreement-disagreements"),
    path("projects/<slug:slug>/agreement/spans/", drilldown.spans, name="agreement-spans"),
    path("projects/<slug:slug>/agreement/texts/", drilldown_lists.texts, name="agreement-texts"),
    path("projects/<slug:slug>/agreement/trends/", drilldown_lists.trends, name="agreement-trends"),
    path("projects/<slug:slug>/agreement/answers/", drilldown_lists.answers, name="agreement-answers"),
    path("projects/<slug:slug>/agreement/outcomes/", drilldown_lists.outcomes, name="agreement-outcomes"),
    path("projects/<slug:slug>/agreement/pairs/<int:pk>/", views.pair, name="agreement-pair"),
    path("api/projects/<slug:slug>/report/", api.of_class("ReportView"), name="api-report"),
    path("api/projects/<slug:slug>/pairs/<int:pk>/example/", api.of_class("ExampleView"), name="api-pair-example"),
    path("api/projects/<slug:slug>/disagreements/", api.of_class("DisagreementsView"), name="api-disagreements"),
    path("projects/<slug:slug>/agreement/pairs/<int:pk>/example/", views.example, name="agreement-example"),
]
