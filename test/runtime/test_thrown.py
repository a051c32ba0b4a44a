"""Exceptions as data: their form in JSON, and checks of artifacts of older formats."""

import json
import math

import numpy as np
import pytest

from ingot_runtime import old_checks, thrown
from ingot_runtime.effects import Values
from ingot_runtime.manifest import check_from_json, check_to_json
from ingot_runtime.program import Check, failure_of
from ingot_runtime.thrown import Constant, Container, Text, Thrown, Value

PLACE = {"filename": "f.py", "line": 3, "column": 5, "excerpt": ""}
INNER = Thrown("KeyError", (Constant("k"),))
ERRORS = [
    Thrown("ValueError", ()),
    Thrown("ValueError", tuple(map(Constant, ("a", 1, None, True, 2**80, b"x", 1 - 2j, -0.0)))),
    Thrown("ValueError", (Constant(math.inf), Constant(np.float32(0.1)), Constant(np.int8(-3)))),
    Thrown("ValueError", (Value(0, "number"), Value(1, "scalar"), Value(2, "array"))),
    Thrown("ValueError", (Text("{} {:.2f} {{}}", (0, 1)), Container("dict", ()))),
    Thrown("ValueError", (Container("tuple", (Container("list", (Value(0, "number"),)),)),)),
    Thrown("ValueError", (INNER,), INNER, INNER, True),
    Thrown("ValueError", (), None, INNER, True),
    Thrown("ValueError", (), INNER, None, True),
]
VALUES = (np.array(3), np.array(0.5), np.arange(3))


@pytest.mark.parametrize("error", ERRORS)
def test_as_json(error):
    check = Check("ValueError", "text", **PLACE, number=4, raised=error)
    again = check_from_json(json.loads(json.dumps(check_to_json(check))))
    assert repr(again) == repr(check)
    made, other = (each.failure(VALUES) for each in (check, again))
    assert repr(made.args) == repr(other.args) and made.__notes__ == ["  at f.py:3:5"]
    assert (made.__cause__ is made.__context__) == (other.__cause__ is other.__context__)


@pytest.mark.parametrize(
    "data",
    [
        ["raised", "ValueError", [], None, None, 1],
        ["raised", 3, [], None, None, False],
        ["raised", "ValueError", [], ["constant", 1], None, False],
        ["raised", "ValueError", [["object", 1]], None, None, False],
        ["raised", "ValueError", [["constant", [1]]], None, None, False],
        ["raised", "ValueError", [["value", -1, "number"]], None, None, False],
        ["raised", "ValueError", [["value", 0, "other"]], None, None, False],
        ["raised", "ValueError", [["text", "{0.__class__}", [0]]], None, None, False],
        ["raised", "ValueError", [["text", "{:{}}", [0, 1]]], None, None, False],
        ["raised", "ValueError", [["element", "O", "00"]], None, None, False],
        ["raised", "ValueError", [["element", "<i4", "00"]], None, None, False],
        ["constant", 1],
        [],
    ],
)
def test_malformed(data):
    with pytest.raises((ValueError, TypeError, LookupError)):
        check_from_json(
            {
                "exception": "ValueError",
                "message": "",
                **PLACE,
                "assumption": "",
                "number": 0,
                "raised": data,
            }
        )


def test_arguments_of_older_formats():
    check = check_from_json({"exception": "ValueError", "message": "\1\0('a', 2)", **PLACE})
    assert check.failure().args == ("a", 2)
    for message in ("\1\0(", "\1\0'a'"):
        with pytest.raises(ValueError):
            check_from_json({"exception": "ValueError", "message": message, **PLACE})


def test_texts_of_older_formats():
    check = check_from_json({"exception": "ValueError", "message": "\0" + "7", **PLACE})
    number, text = old_checks.number_of("\0" + "7\0x is {:.1f}")
    (status,) = Values(number, text)(np.int32(0), np.float64(2.5))
    assert failure_of([check], int(status), thrown.NONE).args == ("x is 2.5",)
    assert old_checks.number_of("x is {}") is None


def test_plain_texts_are_no_marks_today():
    check = Check("ValueError", "\1\0('a', 2)", **PLACE)
    assert check_from_json(check_to_json(check)).failure().args == ("\1\0('a', 2)",)
