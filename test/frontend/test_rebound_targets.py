"""The target of a loop that its body binds anew: to another number, or to what is no number."""

import numpy as np
import pytest
from plain import Programs, same_for

programs = Programs()
STEPS = np.arange(15.0, 71.0, 5.0)
#: Arguments that leave the loops early, late and not at all.
CASES = [np.array([limit, switch]) for limit in (0.0, 33.0, 70.0, 99.0) for switch in (1.0, 4.0)]


@programs(*CASES)
def another_structure_and_break(x):
    for t in range(15, 71, 5):
        if x[0] <= t:
            break
        if t == 70:
            t = "more"
            break
    return t


@programs(*CASES)
def another_structure_of_a_row(x):
    for t in STEPS:
        if x[0] <= t:
            t = "less"
        elif x[1] > 3:
            t = np.ones(2)
            break
    return t


@programs(*CASES)
def another_structure_and_continue(x):
    for t in range(15, 71, 5):
        if x[0] <= t:
            t = None
            continue
        t = t + 1
    return t


@programs(*CASES)
def several_structures_and_else(x):
    for t in range(15, 71, 5):
        if x[0] <= t:
            t = 2.5
            break
        if x[1] > 3:
            t = [1]
            break
    else:
        t = "none"
    return t


@programs(*CASES)
def targets_of_pairs(x):
    for i, t in enumerate(STEPS):
        if x[0] <= t:
            t = [i]
            break
    return i, t


@programs(*CASES)
def loops_in_loops(x):
    for t in range(15, 71, 5):
        for s in range(10, 30):
            if x[0] <= s + t:
                s = None
                break
    return t, s


@programs(*CASES)
def caught(x):
    for t in range(15, 71, 5):
        try:
            if x[0] < t:
                raise ValueError
        except ValueError:
            t = "caught"
            break
    return t


@programs(*CASES)
def left_by_return(x):
    for t in range(15, 71, 5):
        if x[0] <= t:
            return t, "returned"
    return t


@programs(*CASES)
def another_number(x):
    for t in range(15, 71, 5):
        t = t * x[1]
        if x[0] < t:
            break
    return t


@programs(*[(x, n) for x in CASES for n in (1, 20)])
def a_length_that_is_an_argument(x, n):
    t = "before"
    for t in range(n):
        if x[0] <= t:
            t = "less"
            break
    return t


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)
