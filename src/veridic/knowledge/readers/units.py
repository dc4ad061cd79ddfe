"""Units that stand in the name of a column and not beside its values: `Weight (kg)`, `Price EUR`."""

import re
import unicodedata

_CURRENCIES = frozenset(
    "AED AFN AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP "
    "CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF "
    "IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD "
    "MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB "
    "RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TRY TTD TWD TZS UAH UGX USD UYU "
    "UZS VED VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW".split()
)
"""ISO 4217, without two that are words in capitals (ALL, TOP)."""

_SYMBOL = re.compile(r"[^\W\d_]{1,3}[23²³]?|[a-zµ]{1,2}[A-Z][a-z]?|.?[%‰°].*")
"""A unit's symbol: few letters, as in kg, kWh, mmHg and m², or a sign, as in °C."""
_MEASURE = re.compile(
    r"[kMGTPmcdµ](?:Wh?|Hz|B|Pa|bar|V|m[23²³]?|g|[lL])|m[23²³]|Hz|Wh|dB|mA|ms|[kMGT]bit/s|km/h|m/s|%|‰|°\w?"
)
"""Symbols that are taken for a unit without brackets too; one letter alone may be anything."""
_BRACKETED = re.compile(r"(.*\S)\s*[(\[]([^()\[\]]+)[)\]]")
_TRAILING = re.compile(r"(.*?[^\W\d_])(?:,?\s+in|,)?\s+(\S+)")
_BARE = re.compile(r"[-−+±~≈<>≤≥]?\s?\d[\d.,'’\u00a0 ]*(?:\s*(?:[-–—/x×]|to)\s*[-−+]?\d[\d.,]*)?")
_PLURAL = re.compile(r"[a-z]{3,}s")
_MONEY = frozenset("pounds euros dollars francs crowns kroner yen rupees pence cents".split())
_COUNTED = frozenset(
    "seconds minutes hours days weeks months years metres meters kilometres kilometers miles feet inches grams kilos "
    "kilograms tonnes litres liters degrees knots volts watts amps bytes".split()
)
_QUANTITY = re.compile(
    r"\b(?:duration|time|length|width|height|depth|weight|mass|distance|range|age|period|interval|delay|timeout|speed"
    r"|temperature|volume|capacity|power|voltage|size|load)$",
    re.IGNORECASE,
)
"""A column's name that lacks nothing but its unit: of `working days` the days are what is counted."""


def with_unit(name: str, value: str) -> tuple[str, str]:
    """A column's name and a value of it, the unit moved from the name to the value where that is a bare number."""
    if not _BARE.fullmatch(value):
        return name, value
    if (found := _BRACKETED.fullmatch(name)) and _is_unit(told := found[2].strip().removeprefix("in ")):
        return found[1], _beside(value, told)
    if (found := _TRAILING.fullmatch(name)) and _stands_alone(found[2], behind=found[1]):
        return found[1], _beside(value, found[2])
    return name, value


def spelt(name: str) -> str:
    """A column's name as it is said: `price_gbp` is price GBP."""
    if "_" not in name or " " in name:
        return name
    words = name.strip("_").split("_")
    if words[-1].upper() in _CURRENCIES:
        words[-1] = words[-1].upper()
    return " ".join(filter(None, words)) or name


def _is_unit(text: str) -> bool:
    """Whether what stands in brackets is a unit: symbols, an amount of money, or things that are counted."""
    parts = re.split(r"[\s/·]+", text)
    money = parts[0] in _CURRENCIES or _is_sign(parts[0]) or parts[0] == "per"
    symbols = all(map(_SYMBOL.fullmatch, parts)) and " " not in text
    return money or symbols or any(_PLURAL.fullmatch(part) or _MEASURE.fullmatch(part) for part in parts)


def _stands_alone(text: str, *, behind: str) -> bool:
    """Whether a text is a unit without brackets too; things that are counted are one behind a quantity."""
    money = text in _CURRENCIES or text in _MONEY or _is_sign(text)
    return money or bool(_MEASURE.fullmatch(text)) or (text in _COUNTED and bool(_QUANTITY.search(behind)))


def _is_sign(text: str) -> bool:
    """Whether a text is the sign of a currency."""
    return len(text) == 1 and unicodedata.category(text) == "Sc"


def _beside(value: str, unit: str) -> str:
    return f"{unit}{value}" if _is_sign(unit) else f"{value} {unit}"
