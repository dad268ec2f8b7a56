"""URLs of gold: created by a rule, adjudicated manually, compared."""

from django.urls import URLPattern, path

from annotation.views.lazy_views import LazyViews

api = LazyViews("agreement.gold.api")
versions = LazyViews("agreement.gold.version_api")
manual, rules = LazyViews("agreement.gold.views.manual"), LazyViews("agreement.gold.views.rules")
qualification = LazyViews("agreement.gold.views.qualification")
jobs = LazyViews("agreement.gold.views.jobs")
parallel_documents = LazyViews("agreement.gold.views.parallel_documents")
parallel_document_api = LazyViews("agreement.gold.parallel_document_api")

urlpatterns: list[URLPattern] = [
    path("projects/<slug:slug>/adjudication/", rules.adjudication, name="adjudication"),
    path("projects/<slug:slug>/adjudication/try/", rules.dry_run, name="adjudication-try"),
    path("projects/<slug:slug>/adjudication/make/", rules.create, name="adjudication-make"),
    path("projects/<slug:slug>/adjudication/jobs/<int:pk>/", jobs.job, name="gold-job"),
    path("projects/<slug:slug>/adjudication/versions/<int:number>/", rules.version, name="gold-version"),
    path("projects/<slug:slug>/adjudication/pairs/<int:pk>/rules/", rules.rules, name="adjudication-rules"),
    path("projects/<slug:slug>/adjudication/pairs/<int:pk>/exclude/", rules.exclude, name="adjudication-exclude"),
    path("projects/<slug:slug>/adjudication/manual/", manual.queue, name="manual-adjudication"),
    path("projects/<slug:slug>/adjudication/manual/open/", manual.open_draft, name="manual-adjudication-open"),
    path("projects/<slug:slug>/adjudication/manual/close/", manual.close_draft, name="manual-adjudication-close"),
    path("projects/<slug:slug>/adjudication/manual/next/", manual.next_pair, name="manual-adjudication-next"),
    path("projects/<slug:slug>/adjudication/manual/<int:pk>/", manual.pair, name="manual-adjudication-pair"),
    path(
        "projects/<slug:slug>/adjudication/manual/<int:pk>/reset/",
        manual.reset,
        name="manual-adjudication-reset",
    ),
    path("projects/<slug:slug>/adjudication/manual/<int:pk>/gold/", manual.history, name="gold-history"),
    path("projects/<slug:slug>/adjudication/hand/", manual.old_address, name="manual-adjudication-old"),
    path("projects/<slug:slug>/adjudication/hand/<path:rest>", manual.old_address, name="manual-adjudication-old-page"),
    path("projects/<slug:slug>/adjudication/compare/", manual.compare, name="gold-compare"),
    path("projects/<slug:slug>/pairs/documents/", parallel_documents.documents, name="documents"),
    path("projects/<slug:slug>/pairs/documents/exclude/", parallel_documents.exclude, name="documents-exclude"),
    path("projects/<slug:slug>/qualification/pairs/<int:pk>/", qualification.pair, name="qualification-pair"),
    path("projects/<slug:slug>/adjudicated/", manual.own_list, name="adjudicated"),
    path("projects/<slug:slug>/adjudicated/<int:pk>/", manual.own_pair, name="adjudicated-pair"),
    path("api/projects/<slug:slug>/gold/versions/", versions.of_class("GoldVersionsView"), name="api-gold-versions"),
    path(
        "api/projects/<slug:slug>/gold/versions/<int:number>/pairs/",
        versions.of_class("GoldPairsView"),
        name="api-gold-pairs",
    ),
    path("api/projects/<slug:slug>/gold/dry-run/", versions.of_class("GoldDryRunView"), name="api-gold-dry-run"),
    path("api/projects/<slug:slug>/gold/compare/", versions.of_class("GoldCompareView"), name="api-gold-compare"),
    path("api/projects/<slug:slug>/gold/draft/", versions.of_class("GoldDraftView"), name="api-gold-draft"),
    path(
        "api/projects/<slug:slug>/gold/draft/close/",
        versions.of_class("GoldDraftCloseView"),
        name="api-gold-draft-close",
    ),
    path("api/projects/<slug:slug>/gold/jobs/<int:pk>/", versions.of_class("GoldJobView"), name="api-gold-job"),
    path(
        "api/projects/<slug:slug>/pairs/<int:pk>/excluded/",
        versions.of_class("ExclusionView"),
        name="api-pair-excluded",
    ),
    path("api/projects/<slug:slug>/documents/", parallel_document_api.of_class("DocumentsView"), name="api-documents"),
    path(
        "api/projects/<slug:slug>/documents/excluded/",
        parallel_document_api.of_class("DocumentsExcludedView"),
        name="api-documents-excluded",
    ),
    path("api/projects/<slug:slug>/gold/<int:pk>/", api.of_class("ManualPairView"), name="api-manual-adjudication"),
    path(
        "api/projects/<slug:slug>/gold/<int:pk>/annotation/",
        api.of_class("ManualAnnotationView"),
        name="api-manual-adjudication-annotation",
    ),
    path(
        "api/projects/<slug:slug>/gold/<int:pk>/submit/",
        api.of_class("ManualSubmitView"),
        name="api-manual-adjudication-submit",
    ),
    path(
        "api/projects/<slug:slug>/gold/<int:pk>/reopen/",
        api.of_class("ManualReopenView"),
        name="api-manual-adjudication-reopen",
    ),
]
