"""Tokens: what an account lets a program do in its name."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoresheets.models.games import NAME_LENGTH
from scoresheets.models.people import Club, User
from scoresheets.models.written_out import read_joined

#: How a token's secret begins: secret scanners and people know it by that.
PREFIX = "tfr_"
#: How many characters follow the prefix.
SECRET_LENGTH = 40
#: How many characters of a secret, the prefix included, are kept and shown to tell tokens apart.
SHOWN_LENGTH = 10

_OF_ACCOUNT = ("id", "username", "language", "is_active")


class TokenQuerySet(models.QuerySet["Token"]):
    def usable(self) -> TokenQuerySet:
        """Return the tokens that open the API now: neither revoked nor expired."""
        return self.filter(Q(expires_at__isnull=True) | Q(expires_at__gt=timezone.now()), revoked_at__isnull=True)


class Token(models.Model):
    """Lets a program act in the name of an account, within a scope, in one of its clubs or in all.

    Only the secret's hash is stored, and its first characters (`shown`). `expires_at` is None where it is valid until
    revoked. `last_used_at` lags behind by some minutes.
    """

    class Scope(models.TextChoices):
        """The most that is done with it: what members may see, what scorers may do, what owners may do."""

        READ = "read", _("read")
        RECORD = "record", _("keep score")
        MANAGE = "manage", _("manage")

        def reaches(self, least: str) -> bool:
            """Say whether this scope allows what the scope `least` does."""
            scopes = list(type(self))
            return scopes.index(self) >= scopes.index(type(self)(least))

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=NAME_LENGTH)
    scope = models.CharField(max_length=8, choices=Scope.choices)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, blank=True, related_name="tokens")
    secret_hash = models.CharField(max_length=64)
    shown = models.CharField(max_length=SHOWN_LENGTH)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = TokenQuerySet.as_manager()

    class Meta:
        ordering = ("user", "-created_at", "-pk")
        constraints = (
            models.UniqueConstraint(fields=["secret_hash"], name="token_secret_is_unique"),
            models.CheckConstraint(name="token_has_a_name", condition=~Q(name="")),
            models.CheckConstraint(name="token_scope_is_known", condition=Q(scope__in=["read", "record", "manage"])),
            models.CheckConstraint(
                name="token_expires_after_it_is_made",
                condition=Q(expires_at__isnull=True) | Q(expires_at__gt=F("created_at")),
            ),
        )

    def __str__(self) -> str:
        return f"{self.name} ({self.shown}…)"

    @classmethod
    def of_secret_hash(cls, secret_hash: str) -> Token | None:
        """Return the token with this hash, if there is one (1 statement).

        Of its account only the name, the language and whether it is active are there.
        """
        source = (
            "scoresheets_token JOIN scoresheets_user account ON account.id = scoresheets_token.user_id"
            " WHERE scoresheets_token.secret_hash = %s"
        )
        # Values are taken in the order of the model's fields, whatever that of the names.
        known = [name for name in (field.attname for field in User._meta.concrete_fields) if name in _OF_ACCOUNT]
        of_account = "".join(f", account.{name}" for name in known)
        for token, values in read_joined(cls, of_account, source, [secret_hash]):
            token.user = User.from_db(token._state.db, known, values)
            return token
        return None

    @property
    def is_usable(self) -> bool:
        """Whether it opens the API now."""
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > timezone.now())
