"""Who people are at the OpenID Connect provider of the site. Rows only, as in `core`."""

from __future__ import annotations

from django.db import models

from annotation.models.core import User


class Identity(models.Model):
    """An account at a provider with which its owner logs in here.

    Issuer and subject together name a person for good; e-mail addresses and names there may change, and are not stored.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="identities")
    issuer = models.CharField(max_length=300)
    subject = models.CharField(max_length=255)
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("user", "pk")
        constraints = (
            models.UniqueConstraint(fields=("issuer", "subject"), name="identity_of_one_account"),
            models.UniqueConstraint(fields=("user", "issuer"), name="identity_once_per_provider"),
        )

    def __str__(self) -> str:
        return f"{self.subject} at {self.issuer}"
