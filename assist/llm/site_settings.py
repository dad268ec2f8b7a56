"""What the site's owner set for language models, from the deployment's settings."""

from __future__ import annotations

from django.conf import settings

from assist.methods.language_models.site import Price, Site, site_from


def llm_site() -> Site:
    """The server of the site, its models and limits."""
    return Site(
        url=settings.LLM_URL,
        key=settings.LLM_KEY,
        models={name: Price(*prices) for name, prices in settings.LLM_MODELS.items()},
        limit=settings.LLM_LIMIT,
        rate=max(1, settings.LLM_RATE),
        private=settings.PRIVATE_ADDRESSES,
        seconds=settings.LLM_SECONDS,
    )


site_from(llm_site)
