"""The words that a language uses with numbers, from the Unicode CLDR: months, scales, units, currencies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from babel import Locale, UnknownLocaleError
from babel.numbers import format_compact_decimal, get_currency_name, get_currency_symbol
from babel.units import format_unit

from annotation.text.tokens import base_language
from assist.methods.mismatch.word_lists import translations

CURRENCIES = ("CHF", "EUR", "USD", "GBP", "JPY", "CNY", "INR", "SEK", "NOK", "DKK", "CAD", "AUD", "RUB", "BRL", "MXN")

UNITS = (
    "concentr-percent", "concentr-permille", "duration-second", "duration-minute", "duration-hour", "duration-day",
    "duration-week", "duration-month", "duration-year", "length-millimeter", "length-centimeter", "length-meter",
    "length-kilometer", "length-mile", "mass-gram", "mass-kilogram", "mass-tonne", "area-square-meter",
    "area-square-kilometer", "area-hectare", "volume-liter", "power-watt", "power-kilowatt", "power-megawatt",
    "power-gigawatt", "energy-kilowatt-hour", "temperature-celsius",
)  # fmt: skip

_COUNTS = (1, 2, 5, 11)
_MAX_SCALE_DIGITS = 13
_MARKS = re.compile("[\u200e\u200f\u061c]")


@dataclass(frozen=True)
class LocaleWords:
    """Of one language, in lower case: months by number, scale words by factor, units by their CLDR or ISO code."""

    months: dict[str, int]
    scales: dict[str, int]
    units: dict[str, str]
    twelve_hours: bool


@cache
def locale_words(language: str) -> LocaleWords:
    """The words of a language; English ones, and symbols, for a language that CLDR does not know."""
    base = base_language(language)
    try:
        locales = [Locale.parse(name) for name in ((base, "zh_Hant") if base == "zh" else (base,))]
    except (UnknownLocaleError, ValueError):
        locales = [Locale.parse("en")]
    months = {
        _plain(name).rstrip("."): number
        for locale in locales
        for context in ("format", "stand-alone")
        for width in ("wide", "abbreviated")
        for number, name in locale.months[context][width].items()
    }
    # A month that is written as a number ("5月") is read by the pattern of dates, not by its name.
    named = {name: number for name, number in months.items() if not any(letter.isdigit() for letter in name)}
    scales = {
        word: 10**power
        for power, name in ((3, "thousand"), (6, "million"), (9, "billion"))
        for word in translations(name, language)
    }
    for locale in locales:
        scales.update(_scales(locale))
    units = {word: unit for locale in locales for word, unit in _units(locale)}
    return LocaleWords(named, scales, units, "a" in locales[0].time_formats["short"].pattern)


def _scales(locale: Locale) -> Iterator[tuple[str, int]]:
    """'million' -> 1,000,000 and its like; single Latin letters are left to units."""
    for form in ("short", "long"):
        if form not in locale.compact_decimal_formats:
            continue
        for power in range(3, _MAX_SCALE_DIGITS):
            for count in _COUNTS:
                shown = _plain(format_compact_decimal(count * 10**power, locale=locale, format_type=form))
                digits = re.match(r"[^\W\d]*\s*(\d+)", shown)
                word = re.sub(r"[\d\s]+", "", shown, count=1).strip()
                if digits and word and (len(word) > 1 or not word.isascii()):
                    factor = count * 10**power // int(digits[1])
                    # CLDR's examples are rounded (1.1 million as "1 million"): use the power of ten.
                    yield word.rstrip("."), 10 ** (len(str(factor)) - 1)


def _units(locale: Locale) -> Iterator[tuple[str, str]]:
    for unit in UNITS:
        for length in ("long", "short"):
            for count in _COUNTS:
                shown = _plain(format_unit(count, unit, length=length, locale=locale))
                word = re.sub(r"^[\d.,٫٬]+\s*|\s*[\d.,٫٬]+$", "", shown).strip().rstrip(".")
                # A single letter ('m', 'J') has too many meanings; if CLDR has none, it gives the code itself.
                if word and not (len(word) == 1 and word.isalpha() and word.isascii()) and word != unit:
                    yield word, unit
    for currency in CURRENCIES:
        for count in _COUNTS:
            yield _plain(get_currency_name(currency, count=count, locale=locale)), currency
        yield _plain(get_currency_symbol(currency, locale=locale)), currency
        yield currency.lower(), currency


def _plain(text: str) -> str:
    """Lower case, plain spaces, no direction marks."""
    return re.sub(r"\s+", " ", _MARKS.sub("", text)).strip().lower()
