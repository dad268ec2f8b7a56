"""Addresses of pre-labelling."""

from django.urls import URLPattern, URLResolver, path

from annotation.views.lazy_views import LazyViews

api, views = LazyViews("assist.runs.api"), LazyViews("assist.runs.views")
comparison_api = LazyViews("assist.encoder_comparisons.api")
comparison_views = LazyViews("assist.encoder_comparisons.views")
mining_api = LazyViews("assist.mining_requests.api")
llm_page = LazyViews("assist.runs.prompt_views")
mining_views = LazyViews("assist.mining_requests.views")
item_api, item_views = LazyViews("assist.item_requests.api"), LazyViews("assist.item_requests.views")

urlpatterns: list[URLPattern | URLResolver] = [
    path("projects/<slug:slug>/mining/", mining_views.mining, name="mining"),
    path("projects/<slug:slug>/mining/<int:pk>/", mining_views.result, name="mining-result"),
    path("projects/<slug:slug>/mining/<int:pk>/import/", mining_views.start, name="mining-import"),
    path("projects/<slug:slug>/mining/<int:pk>/cancel/", mining_views.cancel, name="mining-cancel"),
    path("api/projects/<slug:slug>/mining/", mining_api.of_class("MiningJobsView"), name="api-minings"),
    path("api/projects/<slug:slug>/mining/<int:pk>/", mining_api.of_class("MiningView"), name="api-mining"),
    path(
        "api/projects/<slug:slug>/mining/<int:pk>/import/",
        mining_api.of_class("MiningImportView"),
        name="api-mining-import",
    ),
    path(
        "api/projects/<slug:slug>/mining/<int:pk>/cancel/",
        mining_api.of_class("MiningCancelView"),
        name="api-mining-cancel",
    ),
    path("projects/<slug:slug>/encoders/", comparison_views.encoders, name="encoders"),
    path("projects/<slug:slug>/encoders/<int:pk>/", comparison_views.result, name="encoders-result"),
    path("projects/<slug:slug>/encoders/<int:pk>/encoders.json", comparison_views.as_json, name="encoders-json"),
    path("projects/<slug:slug>/encoders/<int:pk>/encoders.csv", comparison_views.as_csv, name="encoders-csv"),
    path("projects/<slug:slug>/encoders/<int:pk>/cancel/", comparison_views.cancel, name="encoders-cancel"),
    path("projects/<slug:slug>/encoders/<int:pk>/retry/", comparison_views.retry, name="encoders-retry"),
    path("api/projects/<slug:slug>/encoders/", comparison_api.of_class("ComparisonsView"), name="api-encoders"),
    path(
        "api/projects/<slug:slug>/encoders/<int:pk>/",
        comparison_api.of_class("ComparisonView"),
        name="api-encoders-result",
    ),
    path(
        "api/projects/<slug:slug>/encoders/<int:pk>/cancel/",
        comparison_api.of_class("ComparisonCancelView"),
        name="api-encoders-cancel",
    ),
    path(
        "api/projects/<slug:slug>/encoders/<int:pk>/retry/",
        comparison_api.of_class("ComparisonRetryView"),
        name="api-encoders-retry",
    ),
    path("projects/<slug:slug>/items/", item_views.items, name="items"),
    path("projects/<slug:slug>/items/<int:pk>/", item_views.result, name="items-result"),
    path("projects/<slug:slug>/items/<int:pk>/start/", item_views.start, name="items-start"),
    path("projects/<slug:slug>/items/<int:pk>/cancel/", item_views.cancel, name="items-cancel"),
    path("projects/<slug:slug>/items/<int:pk>/retry/", item_views.retry, name="items-retry"),
    path("api/projects/<slug:slug>/items/", item_api.of_class("GenerationJobsView"), name="api-items"),
    path("api/projects/<slug:slug>/items/<int:pk>/", item_api.of_class("GenerationJobView"), name="api-items-result"),
    path("api/projects/<slug:slug>/items/<int:pk>/start/", item_api.of_class("StartView"), name="api-items-start"),
    path("api/projects/<slug:slug>/items/<int:pk>/cancel/", item_api.of_class("CancelView"), name="api-items-cancel"),
    path("api/projects/<slug:slug>/items/<int:pk>/retry/", item_api.of_class("RetryView"), name="api-items-retry"),
    path("projects/<slug:slug>/prelabels/", views.prelabels, name="prelabels"),
    path("projects/<slug:slug>/prelabels/runs/", views.runs, name="prelabels-runs"),
    path("projects/<slug:slug>/prelabels/method/", views.method, name="prelabels-method"),
    path("projects/<slug:slug>/prelabels/word-lists/", views.word_lists, name="prelabels-word-lists"),
    path("projects/<slug:slug>/prelabels/prompt/", llm_page.prompt, name="prelabels-prompt"),
    path("projects/<slug:slug>/prelabels/automatic/", views.automatic, name="prelabels-automatic"),
    path("projects/<slug:slug>/prelabels/<slug:run>/", views.run, name="prelabels-run"),
    path("projects/<slug:slug>/prelabels/<slug:run>/<slug:action>/", views.act, name="prelabels-act"),
    path("api/projects/<slug:slug>/runs/", api.of_class("RunsView"), name="api-runs"),
    path("api/projects/<slug:slug>/prelabelling/", api.of_class("AutomaticView"), name="api-automatic"),
    path("api/projects/<slug:slug>/runs/<slug:run>/", api.of_class("RunView"), name="api-run"),
    path("api/projects/<slug:slug>/runs/<slug:run>/<slug:action>/", api.of_class("RunActionView"), name="api-run-act"),
]
