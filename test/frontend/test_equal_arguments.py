"""Arguments that are equal and yet differ: a program for one is not called for the other."""

import datetime
import decimal

import numpy as np
import pytest
from plain import same_for

X = np.arange(3.0)
NOON = datetime.datetime(2020, 10, 25, 12, tzinfo=datetime.UTC)
LATER = datetime.timezone(datetime.timedelta(hours=3))
EQUAL = {
    "times": (lambda t: t.hour, NOON, NOON.astimezone(LATER)),
    "repeated hours": (lambda t: t.fold, NOON.replace(tzinfo=None), NOON.replace(tzinfo=None, fold=1)),
    "zones": (str, datetime.timezone(datetime.timedelta(0), "A"), datetime.timezone(datetime.timedelta(0), "B")),
    "decimals": (str, decimal.Decimal("1.0"), decimal.Decimal("1.00")),
    "ranges": (lambda r: (r.start, r.stop), range(0, 3, 2), range(0, 4, 2)),
    "empty ranges": (lambda r: (r.start, r.stop), range(0), range(3, 1)),
    "sets": (lambda s: [type(each) for each in s], frozenset([1]), frozenset([True])),
    "sets of tuples": (lambda s: [type(each[0]) for each in s], frozenset([(1,)]), frozenset([(1.0,)])),
    "sets of times": (lambda s: [each.hour for each in s], frozenset([NOON]), frozenset([NOON.astimezone(LATER)])),
    "keys": (lambda d: [type(each) for each in d], {1: X}, {True: X}),
    "keys in tuples": (lambda d: [type(each[0]) for each in d], {(1,): X}, {(1.0,): X}),
    "keys that are times": (lambda d: [each.hour for each in d], {NOON: X}, {NOON.astimezone(LATER): X}),
    "slices": (lambda s: type(s.start), slice(1, 2), slice(1.0, 2)),
    "options": (lambda o: type(o[0]), (1, "a"), (True, "a")),
    "zeros": (lambda z: str(z), 0.0, -0.0),
}  # fmt: skip


@pytest.mark.parametrize("name", EQUAL)
def test_equal_arguments(name):
    shown, one, other = EQUAL[name]

    def f(x, given):
        print(shown(given))
        return x * 2

    same_for(f, [(X, one), (X, other), (X, one)])
