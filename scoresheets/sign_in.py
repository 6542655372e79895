"""How the sign-in library meets this site: which names it takes, what it says, how it finds an account."""

from __future__ import annotations

import logging
from smtplib import SMTPException
from typing import Any

import segno
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoresheets import preferences
from scoresheets.models import User
from scoresheets.models.usernames import tidy_username, username_key, validate_username

logger = logging.getLogger(__name__)

USERNAME_VALIDATORS = [validate_username]
WRONG = gettext_lazy("Name or password is wrong.")


#: What a mail says was changed, by the name the library gives the change.
NOTICES = {
    "account/email/password_changed": gettext_lazy("Your password was changed."),
    "account/email/password_reset": gettext_lazy("Your password was changed."),
    "account/email/password_set": gettext_lazy("A password was set for your account."),
    "account/email/email_changed": gettext_lazy("Another email address was set for your account."),
    "mfa/email/totp_activated": gettext_lazy("An app for codes was set up for your account."),
    "mfa/email/totp_deactivated": gettext_lazy("The app for codes was removed from your account."),
    "mfa/email/webauthn_added": gettext_lazy("A passkey was added to your account."),
    "mfa/email/webauthn_removed": gettext_lazy("A passkey was removed from your account."),
    "mfa/email/recovery_codes_generated": gettext_lazy("New recovery codes were made for your account."),
}


class AccountBackend(AuthenticationBackend):
    """Finds an account by the key of its name: not every database knows the case of every letter."""

    def _authenticate_by_username(self, username: str, password: str) -> User | None:
        user = User.objects.filter(username_key=username_key(username)).first() if username else None
        return self._check_password(user, password)


class AccountAdapter(DefaultAccountAdapter):
    """Names as `models.usernames` wants them, sentences as this site speaks, and mail that holds nobody up."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": gettext_lazy("This account is closed."),
        "duplicate_email": gettext_lazy("This is your address already."),
        "email_password_mismatch": WRONG,
        "username_password_mismatch": WRONG,
        "enter_current_password": gettext_lazy("This is not your password."),
        "incorrect_password": gettext_lazy("This is not your password."),
        "invalid_login": WRONG,
        "invalid_password_reset": gettext_lazy("This link no longer works."),
        "too_many_login_attempts": gettext_lazy("Too many attempts. Wait five minutes, then try again."),
        "username_taken": gettext_lazy("This name is taken."),
        "same_as_current": gettext_lazy("This is your address already."),
        "rate_limited": gettext_lazy("Too many attempts. Wait a few minutes, then try again."),
    }

    def new_user(self, request: HttpRequest) -> User:
        """Return an account that begins with what was chosen on this device."""
        return User(language=preferences.device_language(request), theme=preferences.device_theme(request))

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name as it is stored. Raises `ValidationError` if it may not be one, or is taken."""
        name: str = super().clean_username(tidy_username(username), shallow=True)
        if not shallow and User.objects.filter(username_key=username_key(name)).exists():
            raise self.validation_error("username_taken")
        return name

    def send_notification_mail(
        self, template_prefix: str, user: Any, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Tell a confirmed address, and no other one, what was changed."""
        what = NOTICES.get(template_prefix)
        address = EmailAddress.objects.filter(user=user, primary=True, verified=True).first()
        to = email or (address.email if address else None)
        if what and to:
            link = self.request.build_absolute_uri(reverse("account"))
            self.send_mail("account/email/notice", to, {"what": what, "account_url": link})

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail; a mail server in trouble is for the log, not for whoever signs up."""
        try:
            super().send_mail(template_prefix, email, {"product_name": settings.PRODUCT_NAME, **context})
        except (SMTPException, OSError):
            logger.exception("A mail could not be sent (%s)", template_prefix)

    def get_email_verification_redirect_url(self, email_address: Any) -> str:
        return reverse("account" if self.request.user.is_authenticated else "account_login")

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Return the ways to show again who one is, the usual one first, in this site's words."""
        words = {
            "reauthenticate": _("With your password"),
            "mfa_reauthenticate": _("With a code"),
            "mfa_reauthenticate:webauthn": _("With a passkey"),
        }
        return [{**way, "description": words[way["id"]]} for way in super().get_reauthentication_methods(user)]


class SecondFactorAdapter(DefaultMFAAdapter):
    """Second factors are named after the account, never after its address; the code to scan has no style of its own."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": gettext_lazy("This code is not right, or no longer valid."),
        "cannot_generate_recovery_codes": gettext_lazy("Recovery codes come with an app or a passkey."),
    }

    def _get_user_identifier(self, user: User) -> str:
        return user.username

    def _get_site_name(self) -> str:
        return self.get_totp_issuer()

    def build_totp_svg(self, url: str) -> str:
        code = segno.make(url, error="m", micro=False)
        return code.svg_inline(scale=4, border=2, svgclass="qr", lineclass=None, omitsize=True)

    def generate_authenticator_name(self, user: User, type: str) -> str:
        count = Authenticator.objects.filter(user=user, type=type).count()
        return _("Passkey") if count == 0 else _("Passkey %(number)s") % {"number": count + 1}
