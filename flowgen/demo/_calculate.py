"""Arithmetic on a text, as a pocket calculator does it: angles in degrees, `log` natural, no names but those below.

Refuses whatever would take long or grow large; a refusal is a `CalculationError` with one plain sentence.
The text is read by a parser of its own: nothing of it ever reaches Python's compiler.
"""

import math
import re
from collections.abc import Callable

Number = int | float

LENGTH = 200  # characters
NESTING = 40  # brackets and signs inside each other
EXACT = 10**30  # integers above are counted on as floats

_TOKEN = re.compile(
    r"""\s* (?: (?: \d+\.?\d* | \.\d+ ) (?: [eE][+-]?\d+ )?   # a number
           | [A-Za-z]+                                      # a name
           | \*\* | // | [-+*/%^(),] )                       # a sign or a bracket""",
    re.ASCII | re.VERBOSE,
)
_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-"})
_CONSTANTS = {"pi": math.pi, "e": math.e}


class CalculationError(ValueError):
    """Why the expression has no value."""


def calculate(expression: str) -> Number:
    """The value of an expression such as `2 + 3 * 4`, `sin(30)` or `sqrt(16) ^ 2`."""
    if len(expression) > LENGTH:
        raise CalculationError(f"the expression is longer than {LENGTH} characters")
    reader = _Reader(_tokens(expression.translate(_SIGNS)))
    value = reader.sum()
    if reader.token is not None:
        raise _unexpected(reader.token)
    return _rounded(value)


def _tokens(text: str) -> list[str]:
    tokens, at = [], 0
    while text[at:].strip():
        found = _TOKEN.match(text, at)
        if not found:
            raise CalculationError(f'"{text[at:].strip()[0]}" cannot be calculated with')
        tokens.append(found[0].strip())
        at = found.end()
    return tokens


class _Reader:
    """Reads tokens by precedence: sum, product, sign, power, atom."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = 0

    @property
    def token(self) -> str | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def took(self, *words: str) -> str | None:
        token = self.token
        if token not in words:
            return None
        self.at += 1
        return token

    def sum(self) -> Number:
        value = self.product()
        while sign := self.took("+", "-"):
            value = _kept(value + self.product() if sign == "+" else value - self.product())
        return value

    def product(self) -> Number:
        value = self.signed()
        while sign := self.took("*", "/", "//", "%"):
            value = _kept(_PRODUCTS[sign](value, self.signed()))
        return value

    def signed(self) -> Number:
        sign = self.took("+", "-")
        if sign is None:
            return self.power()
        value = self.deeper(self.signed)
        return -value if sign == "-" else value

    def power(self) -> Number:
        base = self.atom()
        return _power(base, self.deeper(self.signed)) if self.took("^", "**") else base

    def atom(self) -> Number:
        token = self.token
        if token is None:
            raise CalculationError("something is missing at the end")
        self.at += 1
        if token == "(":
            return self.closed(self.deeper(self.sum))
        if token[0].isdigit() or token[0] == ".":
            return _number(token)
        if token[0].isalpha():
            return self.named(token.lower())
        raise _unexpected(token)

    def named(self, name: str) -> Number:
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if name not in _FUNCTIONS:
            raise CalculationError(f'"{name}" is not known; known are {", ".join([*_FUNCTIONS, *_CONSTANTS])}')
        if not self.took("("):
            raise CalculationError(f'"{name}" needs its number in brackets')
        return _applied(name, self.arguments())

    def arguments(self) -> list[Number]:
        values = [self.deeper(self.sum)]
        while self.took(","):
            values.append(self.deeper(self.sum))
        self.closed(0)
        return values

    def closed(self, value: Number) -> Number:
        if not self.took(")"):
            raise CalculationError("a bracket is not closed")
        return value

    def deeper(self, read: Callable[[], Number]) -> Number:
        self.depth += 1
        if self.depth > NESTING:
            raise CalculationError(f"brackets and signs are nested deeper than {NESTING}")
        value = read()
        self.depth -= 1
        return value


def _unexpected(token: str) -> CalculationError:
    return CalculationError(f'"{token}" is not expected there')


def _number(token: str) -> Number:
    return _kept(int(token) if token.isdecimal() else float(token))


def _kept(value: Number | complex) -> Number:
    if isinstance(value, complex):
        raise CalculationError("the result is not a real number")
    if isinstance(value, int):
        return value if abs(value) < EXACT else float(value)
    if not math.isfinite(value):
        raise CalculationError("the result is too large")
    return value


def _divided(left: Number, right: Number) -> Number:
    exact = isinstance(left, int) and isinstance(right, int) and right != 0 and left % right == 0
    return left // right if exact else left / right


_PRODUCTS: dict[str, Callable[[Number, Number], Number]] = {
    "*": lambda left, right: left * right,
    "/": lambda left, right: _guarded(_divided, left, right),
    "//": lambda left, right: _guarded(lambda a, b: a // b, left, right),
    "%": lambda left, right: _guarded(lambda a, b: a % b, left, right),
}


def _power(base: Number, exponent: Number) -> Number:
    exact = isinstance(base, int) and isinstance(exponent, int) and 0 <= exponent <= 64
    return _kept(base**exponent if exact else _guarded(lambda a, b: float(a) ** b, base, exponent))


def _guarded(operation: Callable[..., Number], *values: Number) -> Number:
    try:
        return operation(*values)
    except CalculationError:
        raise
    except ZeroDivisionError:
        raise CalculationError("division by zero") from None
    except OverflowError:
        raise CalculationError("the result is too large") from None
    except ValueError:
        raise CalculationError("the result is not a real number") from None


_FUNCTIONS: dict[str, tuple[Callable[..., Number], int]] = {
    "sin": (lambda angle: math.sin(math.radians(angle)), 1),
    "cos": (lambda angle: math.cos(math.radians(angle)), 1),
    "tan": (lambda angle: _tangent(angle), 1),
    "sqrt": (math.sqrt, 1),
    "abs": (abs, 1),
    "round": (lambda value, places=0: _to_places(value, places), 2),
    "log": (math.log, 2),
    "exp": (math.exp, 1),
}


def _to_places(value: Number, places: Number) -> Number:
    if places not in range(-15, 16):
        raise CalculationError("round takes -15 to 15 places")
    return round(value, int(places)) if places else round(value)


def _tangent(angle: Number) -> float:
    if angle % 180 == 90:
        raise CalculationError(f"tan({angle}) has no value")
    return math.tan(math.radians(angle))


def _applied(name: str, values: list[Number]) -> Number:
    function, most = _FUNCTIONS[name]
    if len(values) > most:
        raise CalculationError(f'"{name}" takes at most {most} number{"s" if most > 1 else ""}')
    return _kept(_guarded(function, *values))


def _rounded(value: Number) -> Number:
    """Twelve digits: binary fractions show as people expect (`sin(30)` = 0.5)."""
    if isinstance(value, int):
        return value
    short = float(format(value, ".12g"))
    return int(short) if short.is_integer() and abs(short) < 10**15 else short
