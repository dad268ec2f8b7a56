"""Why a language model can't be asked: stored in English, shown in the reader's language."""

from __future__ import annotations

from annotation.phrases import Phrase

NO_ADDRESS = Phrase(
    "no server is set: the server administrator sets one (DIPTYCH_LLM_URL), or give the address of another that needs "
    "no key"
)
BAD_ADDRESS = Phrase("“%(address)s” is not the base address of a server, such as https://example.org/v1")
PRIVATE_ADDRESS = Phrase("addresses on this server or in its private network are not allowed here")
BAD_MODEL = Phrase("the model's name contains characters that are not allowed in a model name")
NO_MODEL = Phrase("no model is named")
NO_MODELS = Phrase("the server administrator has listed no models (DIPTYCH_LLM_MODELS)")
NOT_A_MODEL = Phrase("“%(model)s” is not among the models that the server administrator has listed: %(models)s")

RUN_LIMIT = Phrase(
    "the spending limit of %(limit)s has been reached: %(spent)s has been spent, and the next request may cost "
    "%(most)s; start a run with a higher limit: answers already received are not requested again"
)
ITEMS_LIMIT = Phrase(
    "the spending limit of %(limit)s has been reached: %(spent)s has been spent on items of this project, and the"
    " next request may cost %(most)s; raise the limit to continue: answers already received are not requested "
    "again"
)
SITE_LIMIT = Phrase(
    "this month's spending limit for the whole site has been reached; the server administrator can raise it "
    "(DIPTYCH_LLM_LIMIT)"
)
KEY_REFUSED = Phrase("%(server)s refuses the key (status %(status)s)")
NOT_FOUND = Phrase("%(server)s has no such model or address (status %(status)s): %(reason)s")
REFUSED = Phrase("%(server)s refuses the request (status %(status)s): %(reason)s")
BUSY = Phrase("%(server)s is not accepting any more requests at the moment (status %(status)s); retry the run later")
ERRORS = Phrase("%(server)s answers with errors (status %(status)s): %(reason)s")
SILENT = Phrase("%(server)s did not respond within %(seconds)s seconds")
UNREACHABLE = Phrase("%(server)s can't be reached")
PRIVATE_NAME = Phrase("%(server)s is in a private network, which is not allowed here")
NOT_AN_ANSWER = Phrase("%(server)s sent a response that could not be understood")

LEGACY_RUN_LIMIT = Phrase(
    "the spending limit of %(limit)s is reached: %(spent)s are spent, and the next request may cost %(most)s; start a "
    "run with a higher one: what was answered is not asked again"
)
LEGACY_SITE_LIMIT = Phrase(
    "this month’s spending limit of the whole site is reached; the server administrator can raise it "
    "(DIPTYCH_LLM_LIMIT)"
)
LEGACY_BUSY = Phrase("%(server)s takes no more requests now (status %(status)s); retry the run later")
LEGACY_SILENT = Phrase("%(server)s does not answer in %(seconds)s seconds")
LEGACY_NOT_AN_ANSWER = Phrase("%(server)s answers in a form that isn’t understood")
"""As older logs and failures say it."""

SENTENCES = (
    *(NO_ADDRESS, BAD_ADDRESS, PRIVATE_ADDRESS, BAD_MODEL, NO_MODEL, NO_MODELS, NOT_A_MODEL, RUN_LIMIT, SITE_LIMIT),
    ITEMS_LIMIT,
    *(KEY_REFUSED, NOT_FOUND, REFUSED, BUSY, ERRORS, SILENT, UNREACHABLE, PRIVATE_NAME, NOT_AN_ANSWER),
    *(LEGACY_RUN_LIMIT, LEGACY_SITE_LIMIT, LEGACY_BUSY, LEGACY_SILENT, LEGACY_NOT_AN_ANSWER),
)
