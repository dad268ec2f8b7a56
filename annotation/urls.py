"""URLs of annotation: pages, and the workspace's JSON."""

from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, URLResolver, path

from annotation.api import guidelines as guideline_api
from annotation.api import imports as import_api
from annotation.api import scheme as scheme_api
from annotation.api import workspace as api
from annotation.views import (
    account,
    glossary,
    guidelines,
    home,
    imports,
    pairs,
    passwords,
    people,
    person,
    plan,
    projects,
    retests,
    scheme,
    workspace,
)
from annotation.views.lazy_views import LazyViews

invitations = LazyViews("annotation.views.invitations")
openid = LazyViews("annotation.views.openid")
time = LazyViews("annotation.views.time")
tokens = LazyViews("annotation.views.tokens")
plan_api = LazyViews("annotation.api.plans")
project_api = LazyViews("annotation.api.projects")
lifecycle = LazyViews("annotation.views.lifecycle")
audit = LazyViews("annotation.views.audit")
qualification = LazyViews("annotation.views.qualification")
qualification_api = LazyViews("annotation.api.qualification")
lifecycle_api = LazyViews("annotation.api.lifecycle")
people_api = LazyViews("annotation.api.people")
time_api = LazyViews("annotation.api.time")
monitor_api = LazyViews("annotation.api.monitor")
message_api = LazyViews("annotation.api.messages")
threads = LazyViews("annotation.views.threads")
glossary_api = LazyViews("annotation.api.glossary")
settings_api = LazyViews("annotation.api.settings")
webhooks = LazyViews("annotation.views.webhooks")
webhook_api = LazyViews("annotation.api.webhooks")

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("healthz", home.healthz, name="healthz"),
    path("login/", account.LoginView.as_view(), name="login"),
    path("login/done/", account.logged_in, name="logged-in"),
    path("login/reset/", passwords.ResetView.as_view(), name="password-reset"),
    path("login/reset/sent/", passwords.SentView.as_view(), name="password-reset-sent"),
    path("login/reset/done/", passwords.DoneView.as_view(), name="password-reset-done"),
    path("login/reset/<str:uidb64>/<str:token>/", passwords.NewPasswordView.as_view(), name="password-reset-new"),
    path("login/openid/", openid.start, name="openid"),
    path("login/openid/callback/", openid.callback, name="openid-callback"),
    path("login/openid/new/", openid.new, name="openid-new"),
    path("account/openid/", openid.linked_account, name="openid-account"),
    path("join/", invitations.join, name="join"),
    path("join/<str:token>/", invitations.join_link, name="join-link"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("account/", account.account, name="account"),
    path("account/tokens/", tokens.tokens, name="tokens"),
    path("projects/new/", projects.create, name="project-new"),
    path("projects/<slug:slug>/", projects.overview, name="project"),
    path("projects/<slug:slug>/settings/", projects.settings, name="project-settings"),
    path("projects/<slug:slug>/duplicate/", lifecycle.duplicate, name="project-duplicate"),
    path("projects/<slug:slug>/archive/", lifecycle.archive, name="project-archive"),
    path("projects/<slug:slug>/changes/", audit.changes, name="project-changes"),
    path("projects/<slug:slug>/changes/changes.csv", audit.table, name="project-changes-csv"),
    path("projects/<slug:slug>/delete/", lifecycle.delete, name="project-delete"),
    path("projects/<slug:slug>/webhooks/", webhooks.webhooks, name="webhooks"),
    path("projects/<slug:slug>/webhooks/<int:pk>/", webhooks.webhook, name="webhook"),
    path("projects/<slug:slug>/webhooks/<int:pk>/act/", webhooks.act, name="webhook-act"),
    path("projects/<slug:slug>/webhooks/<int:pk>/delete/", webhooks.delete, name="webhook-delete"),
    path(
        "projects/<slug:slug>/webhooks/<int:pk>/deliveries/<int:delivery>/resend/",
        webhooks.resend,
        name="webhook-resend",
    ),
    path("projects/<slug:slug>/scheme/", scheme.scheme, name="project-scheme"),
    path("projects/<slug:slug>/scheme/preview/", scheme.preview, name="project-scheme-preview"),
    path("projects/<slug:slug>/scheme/export/", scheme.export, name="project-scheme-export"),
    path("projects/<slug:slug>/import/", imports.upload, name="import"),
    path("projects/<slug:slug>/import/<int:pk>/", imports.result, name="import-result"),
    path("projects/<slug:slug>/import/<int:pk>/start/", imports.start, name="import-start"),
    path("projects/<slug:slug>/import/<int:pk>/recheck/", imports.recheck, name="import-recheck"),
    path("projects/<slug:slug>/import/samples/<str:name>", imports.sample, name="import-sample"),
    path("projects/<slug:slug>/import/<int:pk>/cancel/", imports.cancel, name="import-cancel"),
    path("projects/<slug:slug>/plan/", plan.plan, name="plan"),
    path("projects/<slug:slug>/plan/change/", plan.plan_change, name="plan-change"),
    path("projects/<slug:slug>/plan/again/", retests.retests, name="plan-again"),
    path("projects/<slug:slug>/people/", people.people, name="people"),
    path("projects/<slug:slug>/people/invitations/", invitations.invitations, name="invitations"),
    path("projects/<slug:slug>/people/invitations/<int:pk>/revoke/", invitations.revoke, name="invitation-revoke"),
    path("projects/<slug:slug>/people/invitations/<int:pk>/renew/", invitations.renew, name="invitation-renew"),
    path("projects/<slug:slug>/time/", time.time, name="time"),
    path("projects/<slug:slug>/time/timesheet.csv", time.timesheet, name="timesheet"),
    path("projects/<slug:slug>/people/<int:pk>/", person.person, name="person"),
    path("projects/<slug:slug>/qualification/", qualification.qualification, name="qualification"),
    path("projects/<slug:slug>/qualification/rule/", qualification.rule, name="qualification-rule"),
    path("projects/<slug:slug>/qualification/people/<int:pk>/", qualification.person, name="qualification-person"),
    path("projects/<slug:slug>/pairs/", pairs.pairs, name="pairs"),
    path("projects/<slug:slug>/pairs/<int:pk>/", pairs.pair, name="pair"),
    path("projects/<slug:slug>/messages/", threads.threads, name="threads"),
    path("projects/<slug:slug>/messages/<int:pk>/", threads.thread, name="thread"),
    path("projects/<slug:slug>/guidelines/", guidelines.guidelines, name="guidelines"),
    path("projects/<slug:slug>/guidelines/edit/", guidelines.edit, name="guidelines-edit"),
    path("projects/<slug:slug>/guidelines/reopen/", guidelines.reopen, name="guidelines-reopen"),
    path("projects/<slug:slug>/glossary/", glossary.glossary, name="glossary"),
    path("projects/<slug:slug>/glossary/upload/", glossary.upload, name="glossary-upload"),
    path("projects/<slug:slug>/glossary/<int:pk>/", glossary.entry, name="glossary-entry"),
    path("projects/<slug:slug>/glossary/<int:pk>/delete/", glossary.delete, name="glossary-delete"),
    path("projects/<slug:slug>/glossary/restore/", glossary.restore, name="glossary-restore"),
    path(
        "projects/<slug:slug>/glossary/<str:term_language>/<str:translation_language>.tsv",
        glossary.download,
        {"ending": "tsv"},
        name="glossary-download",
    ),
    path(
        "projects/<slug:slug>/glossary/<str:term_language>/<str:translation_language>.tbx",
        glossary.download,
        {"ending": "tbx"},
        name="glossary-download-tbx",
    ),
    path("projects/<slug:slug>/work/", workspace.next_pair, name="work-next"),
    path("projects/<slug:slug>/work/worker.js", workspace.worker, name="work-worker"),
    path("projects/<slug:slug>/work/<int:pk>/", workspace.workspace, name="work"),
    path("api/assignments/<int:pk>/", api.AssignmentView.as_view(), name="api-assignment"),
    path("api/assignments/<int:pk>/annotation/", api.AnnotationView.as_view(), name="api-annotation"),
    path("api/assignments/<int:pk>/submit/", api.SubmitView.as_view(), name="api-submit"),
    path("api/assignments/<int:pk>/reopen/", api.ReopenView.as_view(), name="api-reopen"),
    path("api/preferences/", api.PreferencesView.as_view(), name="api-preferences"),
    path("api/projects/", project_api.of_class("ProjectsView"), name="api-projects"),
    path("api/projects/<slug:slug>/", project_api.of_class("ProjectView"), name="api-project"),
    path("api/projects/<slug:slug>/pairs/", project_api.of_class("PairsView"), name="api-pairs"),
    path("api/projects/<slug:slug>/pairs/<int:pk>/", project_api.of_class("PairView"), name="api-pair"),
    path("api/projects/<slug:slug>/plan/", plan_api.of_class("PlanView"), name="api-plan"),
    path("api/projects/<slug:slug>/plan/change/", plan_api.of_class("PlanChangeView"), name="api-plan-change"),
    path("api/projects/<slug:slug>/plan/again/", plan_api.of_class("RetestsView"), name="api-plan-again"),
    path("api/projects/<slug:slug>/settings/", settings_api.of_class("SettingsView"), name="api-project-settings"),
    path("api/projects/<slug:slug>/glossary/", glossary_api.of_class("GlossaryView"), name="api-glossary"),
    path(
        "api/projects/<slug:slug>/glossary/<int:pk>/",
        glossary_api.of_class("GlossaryEntryView"),
        name="api-glossary-entry",
    ),
    path(
        "api/projects/<slug:slug>/glossary/upload/",
        glossary_api.of_class("GlossaryUploadView"),
        name="api-glossary-upload",
    ),
    path(
        "api/projects/<slug:slug>/glossary/restore/",
        glossary_api.of_class("GlossaryRestoreView"),
        name="api-glossary-restore",
    ),
    path("api/projects/<slug:slug>/scheme/", scheme_api.SchemeView.as_view(), name="api-scheme"),
    path("api/projects/<slug:slug>/guidelines/", guideline_api.GuidelinesView.as_view(), name="api-guidelines"),
    path(
        "api/projects/<slug:slug>/guidelines/reopen/",
        guideline_api.ReopenOutdatedView.as_view(),
        name="api-guidelines-reopen",
    ),
    path("api/projects/<slug:slug>/imports/", import_api.ImportsView.as_view(), name="api-imports"),
    path("api/projects/<slug:slug>/imports/<int:pk>/", import_api.ImportView.as_view(), name="api-import"),
    path(
        "api/projects/<slug:slug>/imports/<int:pk>/start/",
        import_api.ImportStartView.as_view(),
        name="api-import-start",
    ),
    path(
        "api/projects/<slug:slug>/imports/<int:pk>/cancel/",
        import_api.ImportCancelView.as_view(),
        name="api-import-cancel",
    ),
    path("api/projects/<slug:slug>/people/", people_api.of_class("PeopleView"), name="api-people"),
    path("api/projects/<slug:slug>/people/<int:pk>/", people_api.of_class("PersonView"), name="api-person"),
    path(
        "api/projects/<slug:slug>/people/<int:pk>/access/", people_api.of_class("AccessView"), name="api-person-access"
    ),
    path(
        "api/projects/<slug:slug>/people/<int:pk>/replace/",
        people_api.of_class("ReplaceView"),
        name="api-person-replace",
    ),
    path(
        "api/projects/<slug:slug>/people/<int:pk>/password-link/",
        people_api.of_class("PasswordLinkView"),
        name="api-person-password-link",
    ),
    path("api/projects/<slug:slug>/people/<int:pk>/share/", people_api.of_class("ShareView"), name="api-person-share"),
    path("api/projects/<slug:slug>/people/<int:pk>/rate/", time_api.of_class("RateView"), name="api-person-rate"),
    path(
        "api/projects/<slug:slug>/people/<int:pk>/time/",
        time_api.of_class("CorrectionView"),
        name="api-person-time",
    ),
    path("api/projects/<slug:slug>/time/", time_api.of_class("TimeView"), name="api-time"),
    path("api/projects/<slug:slug>/monitor/", monitor_api.of_class("MonitorView"), name="api-monitor"),
    path("api/projects/<slug:slug>/monitor/<int:pk>/", monitor_api.of_class("ReviewView"), name="api-monitor-review"),
    path("api/projects/<slug:slug>/messages/", message_api.of_class("ThreadsView"), name="api-threads"),
    path("api/projects/<slug:slug>/messages/<int:pk>/", message_api.of_class("ThreadView"), name="api-thread"),
    path(
        "api/projects/<slug:slug>/messages/<int:pk>/resolved/",
        message_api.of_class("ThreadResolvedView"),
        name="api-thread-resolved",
    ),
    path(
        "api/projects/<slug:slug>/messages/<int:pk>/read/",
        message_api.of_class("ThreadReadView"),
        name="api-thread-read",
    ),
    path(
        "api/projects/<slug:slug>/qualification/",
        qualification_api.of_class("QualificationView"),
        name="api-qualification",
    ),
    path(
        "api/projects/<slug:slug>/qualification/rule/",
        qualification_api.of_class("RuleView"),
        name="api-qualification-rule",
    ),
    path(
        "api/projects/<slug:slug>/qualification/people/<int:pk>/",
        qualification_api.of_class("DecisionView"),
        name="api-qualification-person",
    ),
    path("api/projects/<slug:slug>/invitations/", people_api.of_class("InvitationsView"), name="api-invitations"),
    path(
        "api/projects/<slug:slug>/invitations/<int:pk>/", people_api.of_class("InvitationView"), name="api-invitation"
    ),
    path(
        "api/projects/<slug:slug>/invitations/<int:pk>/renew/",
        people_api.of_class("InvitationRenewView"),
        name="api-invitation-renew",
    ),
    path("api/projects/<slug:slug>/checklist/", lifecycle_api.of_class("ChecklistView"), name="api-checklist"),
    path("api/projects/<slug:slug>/archived/", lifecycle_api.of_class("ArchivedView"), name="api-project-archived"),
    path("api/projects/<slug:slug>/duplicate/", lifecycle_api.of_class("DuplicateView"), name="api-project-duplicate"),
    path("api/projects/<slug:slug>/changes/", lifecycle_api.of_class("ChangesView"), name="api-project-changes"),
    path("api/projects/<slug:slug>/delete/", lifecycle_api.of_class("DeleteView"), name="api-project-delete"),
    path("api/projects/<slug:slug>/webhooks/", webhook_api.of_class("WebhooksView"), name="api-webhooks"),
    path("api/projects/<slug:slug>/webhooks/<int:pk>/", webhook_api.of_class("WebhookView"), name="api-webhook"),
    path(
        "api/projects/<slug:slug>/webhooks/<int:pk>/secret/",
        webhook_api.of_class("SecretView"),
        name="api-webhook-secret",
    ),
    path("api/projects/<slug:slug>/webhooks/<int:pk>/test/", webhook_api.of_class("TestView"), name="api-webhook-test"),
    path(
        "api/projects/<slug:slug>/webhooks/<int:pk>/resend/",
        webhook_api.of_class("ResendFailedView"),
        name="api-webhook-resend-failed",
    ),
    path(
        "api/projects/<slug:slug>/webhooks/<int:pk>/deliveries/",
        webhook_api.of_class("DeliveriesView"),
        name="api-webhook-deliveries",
    ),
    path(
        "api/projects/<slug:slug>/webhooks/<int:pk>/deliveries/<int:delivery>/resend/",
        webhook_api.of_class("ResendView"),
        name="api-webhook-resend",
    ),
    path("api/projects/<slug:slug>/next/", api.NextView.as_view(), name="api-next"),
]
