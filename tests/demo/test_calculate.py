"""The calculator: it calculates, refuses what is none of its business, and is quick whatever it gets."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.demo._calculate import CalculationError, calculate
from tests.costs import instructions

VALUES = {
    "2 + 3 * 4": 14,
    "(2 + 3) * 4": 20,
    "10 / 4": 2.5,
    "10 / 5": 2,
    "7 % 3": 1,
    "-7 // 2": -4,
    "2 ^ 3 ^ 2": 512,
    "-2 ^ 2": -4,
    "2 ** -1": 0.5,
    "--3": 3,
    "2 × 3 ÷ 4": 1.5,
    "0.1 + 0.2": 0.3,
    ".5 + 1e2": 100.5,
    "1/3": 0.333333333333,
    "sin(30)": 0.5,
    "cos(60)": 0.5,
    "tan(45)": 1,
    "sqrt(16)": 4,
    "abs(-3)": 3,
    "log(e)": 1,
    "log(100, 10)": 2,
    "exp(0)": 1,
    "round(2.567, 2)": 2.57,
    "round(2.6)": 3,
    "pi": 3.14159265359,
    "SQRT(PI*0+9)": 3,
    "2^64": 2**64,
}


@pytest.mark.parametrize("expression", VALUES)
def test_an_expression_has_its_value(expression):
    value = calculate(expression)
    assert value == VALUES[expression] and type(value) is type(VALUES[expression])


REFUSED = {
    "": "missing at the end",
    "2 +": "missing at the end",
    "(1": "not closed",
    "1 2": "not expected",
    "1)": "not expected",
    "* 2": "not expected",
    "x": "not known",
    "sin 30": "in brackets",
    "sin(1, 2)": "at most 1",
    "sin()": "not expected",
    "1 / 0": "division by zero",
    "1 // 0": "division by zero",
    "1 % 0": "division by zero",
    "0 ^ -1": "division by zero",
    "sqrt(-1)": "not a real number",
    "log(0)": "not a real number",
    "(-8) ^ 0.5": "not a real number",
    "tan(90)": "no value",
    "9 ^ 9 ^ 9": "too large",
    "exp(1000)": "too large",
    "1e308 * 10": "too large",
    "1e999": "too large",
    "10 ** 400": "too large",
    "round(1, -1000000000)": "-15 to 15",
    "round(1, 0.5)": "-15 to 15",
    "(" * 150: "nested deeper",
    "-" * 150 + "1": "nested deeper",
    "1" * 201: "longer than 200",
    "__import__('os')": "cannot be calculated",
    "e.real": "cannot be calculated",
    "[1]": "cannot be calculated",
    "1;2": "cannot be calculated",
    "lambda": "not known",
    "1 if 1": "not expected",
    "'a' * 9": "cannot be calculated",
    "open(1)": "not known",
    "e" * 100: "not known",
    "²": "cannot be calculated",
    "1_0": "cannot be calculated",
}


@pytest.mark.parametrize("expression", REFUSED)
def test_what_cannot_be_calculated_says_why(expression):
    with pytest.raises(CalculationError, match=REFUSED[expression]):
        calculate(expression)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=210), st.text("0123456789.eE+-*/%^(), sincoqrtlgabpxd", max_size=200)))
def test_any_text_is_calculated_or_refused_at_once(expression):
    def calculated():
        try:
            value = calculate(expression)
        except CalculationError as problem:
            assert str(problem)
        else:
            assert isinstance(value, (int, float)) and math.isfinite(value)

    assert instructions(calculated) < 100_000  # 35,000 for a hundred sums
