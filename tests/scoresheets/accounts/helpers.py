"""Accounts for tests, and devices that have signed in through the door."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value, yield_hotp_counters_from_time
from allauth.mfa.webauthn.internal.auth import WebAuthn
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

from scoresheets.models import User
from tests.scoresheets.pages import Element

PASSWORD = "correct horse battery"
TOTP_SECRET = "JBSWY3DPEHPK3PXP"


def make_account(name: str = "Annika", **fields: Any) -> User:
    """Return a new account with the `PASSWORD` of all tests."""
    return User.objects.create_user(name, password=PASSWORD, **fields)


def sign_in(client: Client, login: str = "Annika", password: str = PASSWORD, **sent: str) -> Any:
    """Send the sign-in form and return its answer."""
    return client.post("/account/login/", {"login": login, "password": password, **sent})


def device_of(user: User, *, sure: bool = False, **options: Any) -> Client:
    """Return a device that is signed in; `sure` of it, if the password was given again just now."""
    client = Client(**options)
    assert sign_in(client, user.username).status_code == 302
    if sure:
        assert client.post("/account/reauthenticate/", {"password": PASSWORD}).status_code == 302
    return client


def errors_at(page: Element, field: str) -> str:
    """Return the sentences beside a field, which has to be marked as wrong and described by them; "" without any."""
    control, errors = page.one(id=f"id_{field}"), page.all(id=f"id_{field}_error")
    assert (control.attrs.get("aria-invalid") == "true") == bool(errors)
    if not errors:
        return ""
    assert f"id_{field}_error" in control["aria-describedby"].split()
    return errors[0].text


def add_passkey(user: User, name: str = "Phone") -> Any:
    """Give the account a passkey, as a device would have made it; its private key is thrown away."""
    key = ES256.from_cryptography_key(ec.generate_private_key(ec.SECP256R1()).public_key())
    made = AttestedCredentialData.create(Aaguid.NONE, secrets.token_bytes(16), key)
    flags = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV | AuthenticatorData.FLAG.AT
    attested = AuthenticatorData.create(hashlib.sha256(b"testserver").digest(), flags, 0, made)
    name_of_key = websafe_encode(made.credential_id)
    credential = {
        "id": name_of_key,
        "rawId": name_of_key,
        "type": "public-key",
        "response": {
            "clientDataJSON": websafe_encode(
                CollectedClientData.create("webauthn.create", b"challenge", "https://testserver")
            ),
            "attestationObject": websafe_encode(AttestationObject.create("none", attested, {})),
        },
        "clientExtensionResults": {"credProps": {"rk": True}},
    }
    return WebAuthn.add(user, name, credential).instance


def add_app(user: User) -> list[str]:
    """Give the account an app for codes; return its recovery codes."""
    TOTP.activate(user, TOTP_SECRET)
    return RecoveryCodes.activate(user).get_unused_codes()


def code_of_app() -> str:
    """Return the code that the app shows now."""
    before, now, after = yield_hotp_counters_from_time()
    assert (before + 1, after - 1) == (now, now)
    return format_hotp_value(hotp_value(TOTP_SECRET, now))
