"""All settings of the site; what differs between installations comes from the environment (README lists the variables).

Outside DEBUG nothing here has an unsafe default: `environment` refuses to start instead.
"""

import os
from pathlib import Path

from csp.constants import NONE, SELF

from wizard_site import environment
from wizard_site.local import BASE_DIR, data_dir

# The product

PRODUCT_NAME = "Tafelrunde"
RELEASE = environment.release(os.environ, BASE_DIR / "pyproject.toml")

# Where and how it runs

DEBUG = environment.switch(os.environ, "DEBUG", default=False)
SECRET_KEY = environment.secret_key(os.environ, debug=DEBUG)
SECRET_KEY_FALLBACKS = environment.listed(os.environ, "SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = environment.allowed_hosts(os.environ, debug=DEBUG)
HTTPS = environment.https(os.environ, ALLOWED_HOSTS, debug=DEBUG)
CSRF_TRUSTED_ORIGINS = environment.trusted_origins(os.environ, https=HTTPS)
# Only for a server behind a proxy that sets X-Forwarded-* itself and drops what a visitor sent under these names.
TRUST_PROXY = environment.switch(os.environ, "TRUST_PROXY", default=False)
DATA_DIR = data_dir()

ROOT_URLCONF = "wizard_site.urls"
WSGI_APPLICATION = "wizard_site.wsgi.application"

INSTALLED_APPS = [
    # Not the config that looks for admin modules everywhere: the site registers what it shows.
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "django_htmx",
    "template_partials",
    "csp",
    "simple_history",
    "import_export",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    # Before the package it takes db_worker from.
    "scoresheets.apps.ScoresheetsConfig",
    "django_tasks",
    "django_tasks_db",
]

MIDDLEWARE = [
    # First: a request that must become HTTPS is sent away before anything reads it.
    "django.middleware.security.SecurityMiddleware",
    # Static files are answered here and cost no session, language or database.
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Outside all that may answer by itself (redirects, refused hosts, failed CSRF checks): those answers need the
    # headers too.
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "wizard_site.headers.isolation_headers",
    # Outside whatever sets ETags or reads the body of an answer. Compressing pages that hold a CSRF token is safe:
    # Django masks the token anew each time and pads the answer by a random length.
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    # After sessions, before whatever translates.
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    # After authentication: an account brings its language along.
    "scoresheets.preferences.account_language",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "wizard_site.context.product",
                "scoresheets.context.device",
            ],
        },
    },
]

# Data

DATABASES = {"default": environment.database(os.environ, default=DATA_DIR / "tafel.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# Counters of attempts, which all processes share. Far more than are ever counted at once: a full table would be thinned
# out, and with it the counters.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}

# Background work: tasks are rows, written in the transaction that asks for them, and run by manage.py db_worker

TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}
# Whether webhooks may lead to plain HTTP and to private addresses: for trying them out, or for a site at home.
WEBHOOKS_LOCAL = environment.switch(os.environ, "WEBHOOKS_LOCAL", default=False)

# The API

REST_FRAMEWORK = {
    "EXCEPTION_HANDLER": "scoresheets.api.problems.handle",
    "DEFAULT_SCHEMA_CLASS": "scoresheets.api.schema.Schema",
    # Nobody in particular is no account of ours.
    "UNAUTHENTICATED_USER": None,
    "NUM_PROXIES": 1 if TRUST_PROXY else 0,
}
# How often may be asked in a minute: with a token (or a session), and from an address without one. 0: as often as one
# likes.
API_REQUESTS_A_MINUTE = environment.whole_number(os.environ, "API_REQUESTS_A_MINUTE", default=600)
API_REQUESTS_A_MINUTE_WITHOUT_TOKEN = environment.whole_number(
    os.environ, "API_REQUESTS_A_MINUTE_WITHOUT_TOKEN", default=120
)
SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.0",
    "TITLE": PRODUCT_NAME,
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    # The same choices are several things here, and each field says its own: nothing gives them a name in common.
    "POSTPROCESSING_HOOKS": ["scoresheets.api.schema.tidied"],
    # What may be left out of a change says so itself.
    "COMPONENT_SPLIT_PATCH": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "SORT_OPERATION_PARAMETERS": False,
    "PATH_CONVERTER_OVERRIDES": {"id": {"type": "integer", "format": "int64", "minimum": 1, "maximum": 10**18 - 1}},
}

# Accounts

AUTH_USER_MODEL = "scoresheets.User"
AUTHENTICATION_BACKENDS = ["scoresheets.sign_in.AccountBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "start"
LOGOUT_REDIRECT_URL = "start"
SESSION_COOKIE_AGE = 60 * 24 * 3600

# An account is a name and a password. An address is optional, and its confirmation holds nobody up.
ACCOUNT_ADAPTER = "scoresheets.sign_in.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_USERNAME_MIN_LENGTH = 1
ACCOUNT_USERNAME_VALIDATORS = "scoresheets.sign_in.USERNAME_VALIDATORS"
ACCOUNT_FORMS = {
    "login": "scoresheets.forms.accounts.SignInForm",
    "signup": "scoresheets.forms.accounts.SignUpForm",
    "add_email": "scoresheets.forms.accounts.EmailForm",
    "change_password": "scoresheets.forms.accounts.ChangePasswordForm",
    "set_password": "scoresheets.forms.accounts.SetPasswordForm",
    "reset_password": "scoresheets.forms.accounts.ForgottenPasswordForm",
    "reset_password_from_key": "scoresheets.forms.accounts.NewPasswordForm",
    "reauthenticate": "scoresheets.forms.accounts.PasswordAgainForm",
}
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = f"{PRODUCT_NAME}: "
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
# Signing up with somebody's address, and asking for its password, answer the same whether there is an account or not.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60
ACCOUNT_REAUTHENTICATION_METHODS = {"password", "mfa"}

MFA_ADAPTER = "scoresheets.sign_in.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = PRODUCT_NAME
# A phone's clock may be off by half a minute.
MFA_TOTP_TOLERANCE = 1
# Addresses are optional, so a second factor cannot depend on one.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_FORMS = {
    "authenticate": "scoresheets.forms.accounts.CodeForm",
    "reauthenticate": "scoresheets.forms.accounts.CodeAgainForm",
    "activate_totp": "scoresheets.forms.accounts.ActivateAppForm",
    "authenticate_webauthn": "scoresheets.forms.accounts.SecondStepPasskeyForm",
    "reauthenticate_webauthn": "scoresheets.forms.accounts.PasskeyAgainForm",
    "login_webauthn": "scoresheets.forms.accounts.SignInPasskeyForm",
    "add_webauthn": "scoresheets.forms.accounts.AddPasskeyForm",
    "edit_webauthn": "scoresheets.forms.accounts.RenamePasskeyForm",
}

# Mail

MAIL_IS_SENT, MAIL = environment.mail(os.environ)
globals().update(MAIL)
# A mail server that does not answer must not keep a page waiting for long.
EMAIL_TIMEOUT = 10

# The admin site

# What was recorded is put right by recording it, never by putting an old row back.
SIMPLE_HISTORY_REVERT_DISABLED = True

# Languages and time

LANGUAGE_CODE = "en"
LANGUAGES = [("de", "Deutsch"), ("en", "English")]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
LOCALE_PATHS = [BASE_DIR / "scoresheets" / "locale"]
FORMAT_MODULE_PATH = ["scoresheets.formats"]
USE_TZ = True
TIME_ZONE = os.environ.get("TIME_ZONE") or "Europe/Berlin"

# Static files

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT") or BASE_DIR / "staticfiles")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "wizard_site.storage.StaticFilesStorage"},
}
# Only the names with a hash are linked, so only they are kept: half the files, and each may be cached for ever.
WHITENOISE_KEEP_ONLY_HASHED_FILES = True

# Security

if TRUST_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    # Attempts are counted for each visitor's address, not for the proxy's.
    ALLAUTH_TRUSTED_PROXY_COUNT = 1

SECURE_SSL_REDIRECT = HTTPS
# Whatever asks whether the site is alive asks the server directly, without the proxy.
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = environment.whole_number(os.environ, "HSTS_SECONDS", default=365 * 24 * 3600) if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = environment.switch(os.environ, "HSTS_SUBDOMAINS", default=False)
# W005, W021: what happens to other names under the same domain, and browsers' preload lists, is for the domain's owner
# to decide, not for one site under it.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
# Pages carry the token in their forms; no script needs the cookie.
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "wizard_site.errors.csrf_failure"
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
# Other sites learn nothing. Not "no-referrer": browsers then send "Origin: null" with forms, which the CSRF check
# has to refuse.
SECURE_REFERRER_POLICY = "same-origin"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}

# The largest form (a whole sheet of 20 rounds and 6 seats) stays well below both.
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
DATA_UPLOAD_MAX_NUMBER_FILES = 5

# Logs go to standard error, without the secrets of links

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "plain_refusals": {"()": "wizard_site.logs.PlainRefusals"},
        "scrub_links": {"()": "wizard_site.logs.ScrubLinks"},
    },
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "plain", "filters": ["plain_refusals", "scrub_links"]}
    },
    "root": {"handlers": ["stderr"], "level": os.environ.get("LOG_LEVEL") or "INFO"},
    "loggers": {
        # Django's own handlers would print without the filter.
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": [], "level": "INFO", "propagate": True},
        # They would tell of each task that began and ended, and of each stop of the worker.
        "django_tasks": {"level": "ERROR"},
        "django_tasks_db": {"level": "ERROR"},
    },
}
