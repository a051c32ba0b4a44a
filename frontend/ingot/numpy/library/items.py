"""Python's functions of sequences, for sequences of dynamic length."""

from ingot.numpy import primitives as prim


def listed(items):
    made = []
    for each in items:
        made.append(each)
    return made


def first(items):
    found = False
    for each in items:
        found, item = True, each
        break
    prim.require(found, "StopIteration", "")
    return item


def first_or(items, default):
    for each in items:
        default = each
        break
    return default


def kept(function, items):
    made = []
    for each in items:
        if function(each):
            made.append(each)
    return made


def total(items, start):
    for each in items:
        start = start + each
    return start


def product(items, start):
    for each in items:
        start = start * each
    return start


def any_of(items):
    found = False
    for each in items:
        if each:
            found = True
            break
    return found


def all_of(items):
    found = True
    for each in items:
        if not each:
            found = False
            break
    return found


def extremum(items, key, name, beats):
    prim.require(len(items) > 0, "ValueError", f"{name}() arg is an empty sequence")
    best = items[0]
    rank = best if key is None else key(best)
    for i in range(1, len(items)):
        each = items[i]
        value = each if key is None else key(each)
        if beats(value, rank):
            best, rank = each, value
    return best


def extremum_or(items, key, name, beats, default):
    return extremum(items, key, name, beats) if len(items) > 0 else default


def contains(items, item):
    found = False
    for each in items:
        if prim.is_equal(each, item):
            found = True
            break
    return found


def count(items, item):
    found = 0
    for each in items:
        if prim.is_equal(each, item):
            found += 1
    return found


def index_of(items, item, message):
    index = -1
    for i in range(len(items)):
        if prim.is_equal(items[i], item):
            index = i
            break
    prim.require(index >= 0, "ValueError", message)
    return index
