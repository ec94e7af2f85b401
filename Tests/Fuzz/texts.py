"""The text that each property has, said a second time and another way than the library does it."""

import base64
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from atoms import READS


class NoText(Exception):
    """A value that has no text."""


def text_of_number(number):
    number = float(number)
    if number != number or number in (float("inf"), float("-inf")):
        raise NoText
    if 2.0**53 < abs(number) < 1e16:  # Swift's exponents begin earlier than Python's
        sign, digits = "-" * (number < 0), repr(abs(number)).removesuffix(".0")
        return f"{sign}{digits[0]}.{digits[1:].rstrip('0') or '0'}e+15"
    return repr(number)


def text_of_moment(seconds):
    if not abs(float(seconds)) < 1e15:
        raise NoText
    milliseconds = round((Fraction(seconds) + 978_307_200) * 1000)
    days, rest = divmod(milliseconds, 86_400_000)
    if not -719_528 <= days < 2_932_897:
        raise NoText
    # 400 years have 146,097 days; datetime has no year 0.
    moment = datetime(1970, 1, 1) + timedelta(days=days % 146_097)
    year = moment.year + days // 146_097 * 400
    moment += timedelta(milliseconds=rest)
    fraction = f".{rest % 1000:03}" if rest % 1000 else ""
    return f"{year:04}-{moment:%m-%dT%H:%M:%S}{fraction}Z"


def one_text(name, values):
    """The text of a property; None if it has none."""
    value = values[READS.get(name, name)]
    if value is None:
        return None
    if name == "flag":
        return "true" if value else "false"
    if name in ("number", "single"):
        return text_of_number(value)
    if name == "decimal":
        if value == "nan":
            raise NoText
        return format(Decimal(value), "f")
    if name == "day":
        return text_of_moment(value)[:10]
    if name in ("moment", "maybeMoment"):
        return text_of_moment(value)
    if name == "basic":
        if ":" in value[0] or any(c < " " or c == "\x7f" for c in "".join(value)):
            raise NoText
        return "Basic " + base64.b64encode(":".join(value).encode()).decode()
    if name == "bearer":
        if not value or any(not "!" <= c <= "~" for c in value):
            raise NoText
        return "Bearer " + value
    return str(value)


def text_in_url(name, values):
    """The text of a property in a path, a query or a form, which have no credentials."""
    if name in ("basic", "bearer"):
        raise NoText
    return one_text(name, values)


def several_texts(name, values):
    if name == "text as segments":
        return values["text"].split("/") if values["text"] else []
    if name == "numbers":
        return [text_of_number(number) for number in values[name]]
    return [text for text in values[name] if text is not None]
