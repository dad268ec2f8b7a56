"""Logging in by OpenID Connect: what the site's owner set, and what is asked of the provider.

`options` reads the environment and imports nothing. `provider` and `adapter` rest on django-allauth, which is installed
and imported only where `DIPTYCH_OPENID_ISSUER` is set; `flow` is what the pages (`annotation.views.openid`) call.
"""
