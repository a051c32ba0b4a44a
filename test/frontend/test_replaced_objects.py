"""Loops that put other objects into containers, and other arrays into these objects."""

import numpy as np
import pytest
from plain import Programs, same_for

programs = Programs()


class Item:
    def __init__(self, *values):
        self.w = np.array(values)
        self.t = self.w


class Both:
    def __init__(self, a, b):
        self.a, self.b = a, b


ZEROS, ONES, MIXED = np.zeros(20), np.ones(20), np.array([0.0, 1.0, 1.0, 0.0] * 5)
THREE = [Item(1.0, 2.0), Item(3.0, 4.0), Item(-1.0, 5.0)]


@programs(*((Both(Item(1.0), Item(2.0)), x) for x in (ZEROS, ONES, MIXED)))
def an_attribute(both, x):
    cur = both.a
    for i in range(20):
        both.b.w[0] += 1
        if x[i] > 0:
            cur.w = both.b.w
        cur = both.b
        both.b = both.a
    return cur.w[0], both.b.w[0]


@programs(*(([Item(1.0), Item(2.0)], x) for x in (ZEROS, ONES, MIXED)))
def exchanged_items(items, x):
    cur = items[0]
    for i in range(20):
        items[1].w[0] += 1
        cur.w = items[1].w if x[i] > 0 else cur.w
        cur = items[1]
        items[0], items[1] = items[1], items[0]
    return cur.w[0], items[0].w[0], items[1].w[0]


@programs(*(([{"w": np.ones(1)}, {"w": np.ones(1) * 2}], x) for x in (ZEROS, ONES, MIXED)))
def items_of_dicts(items, x):
    cur = items[0]
    for i in range(20):
        items[1]["w"][0] += 1
        cur["w"] = items[1]["w"] if x[i] > 0 else cur["w"]
        cur = items[1]
        items[1] = items[0]
    return cur["w"][0], items[1]["w"][0]


@programs((THREE, THREE[1]))
def exchanged_attributes(items, b):
    for k in range(20):
        items[k % 2] = b
        if k > 2:
            items[2].w, b.w = b.w, items[2].w
    b.w[0] = 99


@programs(*((THREE, each, ZEROS) for each in THREE))
def an_array_kept_in_the_first_iteration(items, b, x):
    for k in range(20):
        if k < 1:
            items[2].t = b.w if x[0] < 1 else items[1].w
        else:
            items[k % 2] = b
    b.w[0] = 77


@pytest.mark.parametrize("f, cases", programs)
def test_replaced_objects(f, cases):
    same_for(f, cases)
