"""Settings of pre-labelling methods and of adjudication rules.

A subclass of :class:`Settings` declares each setting once: its type, default, title, meaning and bounds. Forms
(`annotation/forms/settings.py`), `--set NAME=VALUE`, the API and its document are derived from it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, ValidationInfo, field_validator

from annotation import strict_json
from annotation.number_parsing import MAX_INTEGER, parse_decimal, parse_integer
from annotation.phrases import Phrase, PhraseError

_NAME = re.compile(r"[A-Za-z0-9{][A-Za-z0-9._{}-]{0,95}")
"""A part of a name on a hub, or of a pattern of names ('opus-mt-{source}-{target}'): no separator, no '.' or '..'."""

MAX_TEXT_LENGTH = 1000
"""Characters of a text; names of models, addresses and lists of names are shorter."""
MAX_LONG_TEXT_LENGTH = 20_000
"""Characters of a text of several lines."""
SWITCH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
"""The texts that mean yes and no."""


class JsonText(str):
    """A text in JSON, where "50" is not a number and "yes" is not true; in forms and `--set` all are texts."""


def json_settings(values: Mapping[str, object]) -> dict[str, object]:
    """Settings that came as JSON, so that their texts are taken for nothing else."""
    return {name: JsonText(value) if isinstance(value, str) else value for name, value in values.items()}


class SettingError(PhraseError):
    """A setting that does not exist, or an invalid value; the phrase says which, and what is allowed.

    `setting` is its name where a form shows the error beside its field, else ''.
    """

    def __init__(self, phrase: Phrase, setting: str = "") -> None:
        super().__init__(phrase)
        self.setting = setting


def setting(
    default: Any,
    title: str,
    help: str,
    low: float | None = None,
    high: float | None = None,
    *,
    name_parts: int | None = None,
    long: bool = False,
    pattern: str | None = None,
) -> Any:
    """A field of :class:`Settings`: its default, its title in forms, its meaning, and the inclusive bounds of its
    value.

    The field's type is bool, int, float, str, Literal, dict[str, str] or dict[str, float], or one of them or None. A
    value without a lower bound has no upper one. `name_parts`: the value names something on a hub or on the server's
    disk; over the web, it must be a name of at most this many parts (`owner/name` has two), never a path. `long`: it is
    a text of several lines. `pattern`: what a text must match as a whole; `help` lists examples of it.
    """
    more: dict[str, JsonValue] = {} if name_parts is None else {"x-name-parts": name_parts}
    if long:
        more["x-long"] = True
    whole_text = None if pattern is None else f"^(?:{pattern})$"
    return Field(default, title=title, description=help, ge=low, le=high, pattern=whole_text, json_schema_extra=more)


def device_setting() -> Any:
    """The setting `device`. Only a worker knows whether it has a GPU; a malformed name is refused everywhere."""
    return setting("auto", "Device", "auto, cpu, cuda, cuda:1", pattern=r"auto|cpu|cuda(?::[0-9]{1,2})?")


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting as forms and messages need it. `kind` is its type in JSON schema, 'choice' if it has `choices`."""

    title: str
    help: str
    kind: str
    optional: bool
    choices: tuple[str, ...]
    low: float | None
    high: float | None
    name_parts: int | None = None
    numbers: bool = False
    """Of an object: whether its values are numbers, not texts."""
    long: bool = False
    lists_examples_in_help: bool = False
    """Whether a text must be like those that `help` lists."""

    @property
    def allowed(self) -> Phrase:
        """Its allowed values."""
        kind = self._plain
        return Phrase("%(allowed)s, or none", {"allowed": kind}) if self.optional else kind

    @property
    def _plain(self) -> Phrase:
        bounds = {
            name: format(Decimal(f"{value:.15g}"), "f")
            for name, value in (("low", self.low), ("high", self.high))
            if value is not None
        }
        match self.kind, len(bounds):
            case "choice", _:
                return Phrase("one of %(choices)s", {"choices": ", ".join(self.choices)})
            case "integer", 0:
                return Phrase("a whole number")
            case "integer", 1:
                return Phrase("a whole number of at least %(low)s", bounds)
            case "integer", _:
                return Phrase("a whole number from %(low)s to %(high)s", bounds)
            case "number", 0:
                return Phrase("a number")
            case "number", 1:
                return Phrase("a number of at least %(low)s", bounds)
            case "number", _:
                return Phrase("a number from %(low)s to %(high)s", bounds)
            case "boolean", _:
                return Phrase("yes or no")
            case "object", _:
                return Phrase("a JSON object of numbers") if self.numbers else Phrase("a JSON object of strings")
        return (
            Phrase("one of %(choices)s", {"choices": self.help}) if self.lists_examples_in_help else Phrase("a string")
        )

    @property
    def max_length(self) -> int:
        """How many characters a text may have."""
        return MAX_LONG_TEXT_LENGTH if self.long else MAX_TEXT_LENGTH

    def parse_text(self, text: str) -> Any:
        """The value of a text from a command line or a form. Raises ValueError."""
        if self.optional and text.lower() in ("", "none"):
            return None
        match self.kind:
            case "integer":
                return parse_integer(text, -MAX_INTEGER)
            case "number":
                return parse_decimal(text)
            case "boolean":
                return SWITCH.get(text.lower(), text)
            case "object":
                return strict_json.loads(text)
        return text


def check_web(settings: Settings) -> None:
    """Raises SettingError for a path: the web may only send names. The error doesn't reveal what exists."""
    for key, each in settings_by_name(type(settings)).items():
        value = getattr(settings, key)
        if each.name_parts is None or value is None:
            continue
        parts = value.split("/")
        if len(parts) > each.name_parts or not all(map(_NAME.fullmatch, parts)):
            raise SettingError(
                Phrase("Setting “%(setting)s” must be a name, such as owner/name, not a path.", {"setting": key})
            )


class Settings(BaseModel):
    """Settings, each with a default; subclasses add fields by :func:`setting`."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", allow_inf_nan=False)

    @classmethod
    def read(cls, values: Mapping[str, object]) -> Self:
        """Settings from JSON values (`json_settings`) or from texts; missing ones have their defaults.

        Raises SettingError.
        """
        try:
            return cls.model_validate(dict(values))
        except ValidationError as error:
            raise _refusal(cls, values, error) from None

    @field_validator("*", mode="before")
    @classmethod
    def _value(cls, value: object, info: ValidationInfo) -> object:
        strict_json.check(value)
        if not isinstance(value, str):
            return value
        field = settings_by_name(cls)[str(info.field_name)]
        if field.kind == "string" and len(value) > field.max_length:
            raise ValueError("too long")
        if isinstance(value, JsonText):
            if field.kind not in ("string", "choice"):
                raise ValueError("a string")
            value = str(value)
        return field.parse_text(value)


@cache
def settings_by_name(cls: type[Settings]) -> dict[str, Setting]:
    """Every setting of a model by name, in order."""
    return {name: _setting_from_schema(schema) for name, schema in cls.model_json_schema()["properties"].items()}


def _setting_from_schema(schema: Mapping[str, Any]) -> Setting:
    """The setting that a field's JSON schema describes; if it may be None, its type is one of two."""
    kinds = [each for each in schema.get("anyOf", [schema]) if each.get("type") != "null"]
    kind = kinds[0]
    choices = (kind["const"],) if "const" in kind else tuple(kind.get("enum", ()))
    return Setting(
        title=schema["title"],
        help=schema["description"],
        kind="choice" if choices else kind["type"],
        optional="anyOf" in schema,
        choices=choices,
        low=kind.get("minimum"),
        high=kind.get("maximum"),
        name_parts=schema.get("x-name-parts"),
        numbers=_numbers(kind.get("additionalProperties")),
        long=bool(schema.get("x-long")),
        lists_examples_in_help="pattern" in kind,
    )


def _numbers(values: object) -> bool:
    """Whether an object's schema says that its values are numbers; it may say nothing of them, or only that."""
    return isinstance(values, Mapping) and values.get("type") == "number"


def _refusal(cls: type[Settings], values: Mapping[str, object], error: ValidationError) -> SettingError:
    """The error in our own words: pydantic's messages are for programmers."""
    settings = settings_by_name(cls)
    unknown = sorted(name for name in values if name not in settings)
    if unknown:
        params = {"setting": strict_json.display_text(unknown[0]), "names": ", ".join(settings)}
        if not settings:
            return SettingError(Phrase("There are no settings, so “%(setting)s” can't be set.", params))
        return SettingError(Phrase("There is no setting “%(setting)s”. Available: %(names)s.", params))
    name = str(error.errors(include_url=False, include_context=False)[0]["loc"][0])
    value = values[name]
    if settings[name].kind == "string" and isinstance(value, str) and len(value) > settings[name].max_length:
        params = {"setting": name, "n": str(len(value)), "most": str(settings[name].max_length)}
        return SettingError(Phrase("Setting “%(setting)s” has %(n)s characters; at most %(most)s are allowed.", params))
    written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return SettingError(
        Phrase(
            "Setting “%(setting)s” must be %(allowed)s, not “%(value)s”.",
            {"setting": name, "allowed": settings[name].allowed, "value": strict_json.display_text(written)},
        )
    )
