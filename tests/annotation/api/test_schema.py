"""The API's document is complete and generated without a warning."""

import io
import re

import pytest
import yaml
from django.core.management import call_command
from django.test import Client
from django.urls import get_resolver, reverse


def schema() -> str:
    out = io.StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=out)
    return out.getvalue()


@pytest.mark.long
def test_every_address_of_the_workspace_is_described() -> None:
    described = yaml.safe_load(schema())["paths"]
    patterns = get_resolver("annotation.urls").reverse_dict
    names = [name for name in patterns if isinstance(name, str) and name.startswith("api-")]
    addresses = {"/" + re.sub(r"%\((\w+)\)s", r"{\1}", patterns.getlist(name)[0][0][0][0]) for name in names}
    assert addresses and addresses <= {re.sub(r"\{id\}", "{pk}", path) for path in described}


@pytest.mark.django_db
def test_the_page_of_the_api_is_there() -> None:
    page = Client().get(reverse("api-docs"))
    assert page.status_code == 200
    # The policy lets no script in the page run: its one script is a file.
    assert "<script>" not in page.content.decode() and "?script=" in page.content.decode()
    assert "SwaggerUIBundle" in Client().get(reverse("api-docs"), {"script": ""}).content.decode()
