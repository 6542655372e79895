"""The addresses of the site."""

from django.urls import include, path

from scoresheets import admin
from wizard_site.health import healthz

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("api/v1/", include("scoresheets.api.urls")),
    path("", include("scoresheets.urls")),
    path("admin/", admin.site.urls),
    path("account/", include("allauth.account.urls")),
    path("account/2fa/", include("allauth.mfa.urls")),
    path("account/sessions/", include("allauth.usersessions.urls")),
]

handler400 = "wizard_site.errors.bad_request"
handler403 = "wizard_site.errors.permission_denied"
handler404 = "wizard_site.errors.not_found"
handler500 = "wizard_site.errors.server_error"
