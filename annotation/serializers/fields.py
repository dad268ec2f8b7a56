"""Fields of requests that take values of one JSON type: "1" is no number, 1 is no string, and "yes" is not true."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.settings_model import json_settings


class StrictInteger(serializers.IntegerField):
    """A whole number."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)


class StrictText(serializers.CharField):
    """A string."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class StrictBoolean(serializers.BooleanField):
    """true or false."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class StrictSettings(serializers.DictField):
    """Settings by name, each of the type that its model says: a number is not a text, and null means none."""

    def to_internal_value(self, data: Any) -> dict[str, object]:
        return json_settings(super().to_internal_value(data))
