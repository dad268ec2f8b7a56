"""URLs of annotation: pages, and the workspace's JSON."""

from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, URLResolver, path

from annotation import api
from annotation.views import (
    account,
    glossary,
    guidelines,
    home,
    imports,
    pairs,
    people,
    plan,
    projects,
    retests,
    workspace,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("healthz", home.healthz, name="healthz"),
    path("login/", account.LoginView.as_view(), name="login"),
    path("login/done/", account.logged_in, name="logged-in"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("account/", account.account, name="account"),
    path("projects/new/", projects.create, name="project-new"),
    path("projects/<slug:slug>/", projects.overview, name="project"),
    path("projects/<slug:slug>/settings/", projects.settings, name="project-settings"),
    path("projects/<slug:slug>/import/", imports.upload, name="import"),
    path("projects/<slug:slug>/import/<int:pk>/", imports.result, name="import-result"),
    path("projects/<slug:slug>/import/<int:pk>/start/", imports.start, name="import-start"),
    path("projects/<slug:slug>/import/<int:pk>/cancel/", imports.cancel, name="import-cancel"),
    path("projects/<slug:slug>/plan/", plan.plan, name="plan"),
    path("projects/<slug:slug>/plan/again/", retests.retests, name="plan-again"),
    path("projects/<slug:slug>/people/", people.people, name="people"),
    path("projects/<slug:slug>/people/<int:pk>/", people.person, name="person"),
    path("projects/<slug:slug>/pairs/", pairs.pairs, name="pairs"),
    path("projects/<slug:slug>/pairs/<int:pk>/", pairs.pair, name="pair"),
    path("projects/<slug:slug>/guidelines/", guidelines.guidelines, name="guidelines"),
    path("projects/<slug:slug>/guidelines/edit/", guidelines.edit, name="guidelines-edit"),
    path("projects/<slug:slug>/glossary/", glossary.glossary, name="glossary"),
    path("projects/<slug:slug>/glossary/upload/", glossary.upload, name="glossary-upload"),
    path("projects/<slug:slug>/glossary/<int:pk>/", glossary.entry, name="glossary-entry"),
    path("projects/<slug:slug>/glossary/<int:pk>/delete/", glossary.delete, name="glossary-delete"),
    path(
        "projects/<slug:slug>/glossary/<str:term_language>/<str:translation_language>.tsv",
        glossary.download,
        name="glossary-download",
    ),
    path("projects/<slug:slug>/work/", workspace.next_pair, name="work-next"),
    path("projects/<slug:slug>/work/<int:pk>/", workspace.workspace, name="work"),
    path("api/assignments/<int:pk>/", api.AssignmentView.as_view(), name="api-assignment"),
    path("api/assignments/<int:pk>/annotation/", api.AnnotationView.as_view(), name="api-annotation"),
    path("api/assignments/<int:pk>/submit/", api.SubmitView.as_view(), name="api-submit"),
    path("api/assignments/<int:pk>/reopen/", api.ReopenView.as_view(), name="api-reopen"),
    path("api/preferences/", api.PreferencesView.as_view(), name="api-preferences"),
    path("api/projects/<slug:slug>/glossary/", api.GlossaryView.as_view(), name="api-glossary"),
    path("api/projects/<slug:slug>/glossary/<int:pk>/", api.GlossaryEntryView.as_view(), name="api-glossary-entry"),
    path("api/projects/<slug:slug>/next/", api.NextView.as_view(), name="api-next"),
]
