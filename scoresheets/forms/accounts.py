"""The sign-in library's forms in this site's words. Each field carries the class and the hints of the product."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.account import forms as account
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms as codes
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as passkeys
from django import forms
from django.utils.translation import gettext_lazy as _

from scoresheets.models.games import NAME_LENGTH
from scoresheets.models.usernames import tidy_username

PASSWORD_HELP = _("At least 10 characters. Longer is better than complicated.")
PASSKEY_NAME = _("Name of the passkey")
SHORT_NAME = {"autocomplete": "off", "maxlength": str(NAME_LENGTH)}
#: For names and codes: what a phone's keyboard would "improve".
AS_TYPED = {"autocapitalize": "none", "spellcheck": "false"}


class Worded(forms.Form):
    """A form whose fields take labels, help and attributes from `words`, `help` and `attributes`, by field."""

    words: dict[str, Any] = {}
    help: dict[str, Any] = {}
    attributes: dict[str, dict[str, str]] = {}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name, field in self.fields.items():
            field.label = self.words.get(name, field.label)
            field.help_text = self.help.get(name, "")
            field.widget.attrs.pop("placeholder", None)
            kind = "switch" if isinstance(field.widget, forms.CheckboxInput) else "input"
            field.widget.attrs |= {"class": kind, **self.attributes.get(name, {})}


class SignInForm(Worded, account.LoginForm):
    words = {"login": _("Name or email address"), "password": _("Password")}
    attributes = {"login": {**AS_TYPED, "autocomplete": "username"}}

    def clean_login(self) -> str:
        return tidy_username(super().clean_login())


class SignUpForm(Worded, account.SignupForm):
    words = {
        "username": _("Name"),
        "email": _("Email address (optional)"),
        "password1": _("Password"),
        "password2": _("Password again"),
    }
    help = {
        "username": _("What others see, and what you sign in with. Up to 40 characters."),
        "email": _("Only for a new password in case you forget yours. Without it nobody can give you one."),
        "password1": PASSWORD_HELP,
    }
    attributes = {"username": AS_TYPED}


class EmailForm(Worded, account.AddEmailForm):
    words = {"email": _("New email address")}


class ChangePasswordForm(Worded, account.ChangePasswordForm):
    words = {
        "oldpassword": _("Password until now"),
        "password1": _("New password"),
        "password2": _("New password again"),
    }
    help = {"password1": PASSWORD_HELP}


class SetPasswordForm(Worded, account.SetPasswordForm):
    words = {"password1": _("New password"), "password2": _("New password again")}
    help = {"password1": PASSWORD_HELP}


class NewPasswordForm(Worded, account.ResetPasswordKeyForm):
    words = {"password1": _("New password"), "password2": _("New password again")}
    help = {"password1": PASSWORD_HELP}


class ForgottenPasswordForm(Worded, account.ResetPasswordForm):
    words = {"email": _("Email address")}


class PasswordAgainForm(Worded, account.ReauthenticateForm):
    words = {"password": _("Password")}


class CodeForm(Worded, codes.AuthenticateForm):
    words = {"code": _("Code")}
    help = {"code": _("From your app, or one of your recovery codes.")}
    attributes = {"code": {**AS_TYPED, "inputmode": "numeric"}}


class CodeAgainForm(Worded, codes.ReauthenticateForm):
    words = {"code": _("Code")}
    help = {"code": _("From your app, or one of your recovery codes.")}
    attributes = {"code": {**AS_TYPED, "inputmode": "numeric"}}


class ActivateAppForm(Worded, totp.ActivateTOTPForm):
    words = {"code": _("Code from the app")}
    attributes = {"code": {**AS_TYPED, "inputmode": "numeric"}}


class Guarded(forms.Form):
    """A form that refuses what only looks like an answer of a passkey; the library reads it without looking first."""

    def _refusing_nonsense(self, read: Callable[[], Any]) -> Any:
        try:
            return read()
        except (ValueError, TypeError, LookupError, AttributeError):
            raise get_adapter().validation_error("incorrect_code") from None


class SecondStepPasskeyForm(Guarded, passkeys.AuthenticateWebAuthnForm):
    def clean_credential(self) -> Any:
        return self._refusing_nonsense(super().clean_credential)


class SignInPasskeyForm(Guarded, passkeys.LoginWebAuthnForm):
    def clean_credential(self) -> Any:
        return self._refusing_nonsense(super().clean_credential)


class PasskeyAgainForm(Guarded, passkeys.ReauthenticateWebAuthnForm):
    def clean_credential(self) -> Any:
        return self._refusing_nonsense(super().clean_credential)


class AddPasskeyForm(Worded, Guarded, passkeys.AddWebAuthnForm):
    words = {"name": PASSKEY_NAME, "passwordless": _("Sign in with it alone")}
    help = {"passwordless": _("No name and no password needed; your device asks for its PIN, finger or face.")}
    attributes = {"name": SHORT_NAME}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["passwordless"].initial = True

    def clean_name(self) -> str:
        """Return the name, cut short where it has to be: the device has made the passkey already."""
        return str(super().clean_name())[:NAME_LENGTH]

    def clean(self) -> Any:
        return self._refusing_nonsense(super().clean)


class RenamePasskeyForm(Worded, passkeys.EditWebAuthnForm):
    words = {"name": PASSKEY_NAME}
    attributes = {"name": SHORT_NAME}

    def clean_name(self) -> str:
        return str(self.cleaned_data["name"])[:NAME_LENGTH]


class DeletionForm(forms.Form):
    """Consent to the deletion of one's account: the box has to be ticked."""

    sure = forms.BooleanField(error_messages={"required": _("Tick the box if you really want this.")})
