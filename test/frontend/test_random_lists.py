"""Random programs of lists whose length is dynamic, against Python: values and exceptions.

They append under conditions, take items away, slice, join, sort and filter. Gradients of what they
compute are compared with differences.
"""

import random

import numpy as np
import pytest
from plain import same_or_refused

import ingot
from level import pick
from sources import namespace_of

TESTS = ["x[i] > 0", "x[i] > s", "len({a}) < 4", "i % 3 != 1", "{a} and {a}[-1] > 0", "x[i] in {a}"]
ITEMS = ["float(x[i])", "s", "-1.5", "float(x[i]) * 2", "{b}[0] if {b} else 0.5", "float(i)"]
CHANGES = [
    "{a}.append({v})", "{a}.append({v})", "{a}.append({v})", "{a}.append({v})", "{a}.pop()",
    "{a}.pop(0)", "{a}[0] = {v}", "{a}[-1] += 1.0", "del {a}[-1]", "{a}.insert(1, {v})",
    "{a} += [{v}]", "{a} = {a}[:5] + [{v}]", "{a} = {a}[::-1]", "{a}.reverse()", "{a}.sort()",
    "{a} = sorted({a}, reverse=True)", "{a}.extend({b}[:2])", "{a} = {b}[1:4]", "{a} = list({b})",
    "s += sum({a}, 0.0)", "s += max({a}, default=2.0)", "s += float(np.sum({a}))", "{a}.remove({b}[0])",
    "{a} = [w * 2 for w in {b} if w > s][:6]", "{a}.pop(len({a}) // 2)", "s += {a}.count({v})", "{a} = {b}", "{a}, {b} = {b}, {a}",
    "s += {a}.index({v})", "{a}[1:3] = {b}[:2]", "{a}[i // 2 :] = {b}[-1:]", "{a} = {b}[i // 3 : 5]", "{a} = {a} + {b}[-2:]", "s += len({a})", "break", "continue",
]  # fmt: skip
RESULTS = [
    "len({a})", "sum({a}, 0.0)", "{a}[1]", "{a}[-2:]", "max({a}) - min({a})", "np.array({a})",
    "[w for w in {a} if w > 0]", "any(w > 1 for w in {a})", "all(w < 9 for w in {a} if w != 0.5)",
    "np.mean({a} + [1.0])", "sorted({a})", "1.5 in {a}", "list(zip({a}, {b}))[0] if {a} and {b} else (0.0, 0.0)",
    "sum((u * w for u, w in zip({a}, {b})), 0.0)", "[i for i, w in enumerate({a}) if w > s]",
    "[(i, w) for i, w in enumerate({a}) if w > 0]", "x[[i for i in range(9) if x[i] > s]]",
    "{a}[:]", "{a}.index(max({a}))", "sum(w for w in {a} if w < 1) + 0.0", "bool({a})",
]  # fmt: skip
X = np.round(np.random.default_rng(3).normal(size=9), 3)


def program(rng):
    def filled(text):
        names = rng.sample("ab", 2)
        value = rng.choice(ITEMS).replace("{b}", "a")
        return text.format(a=names[0], b=names[1], v=value)

    lines = ["a, b, s = [], [0.5, -0.25], 0.25", "for i in range(len(x)):"]
    for _ in range(rng.randint(1, 4)):
        test, change = filled(rng.choice(TESTS)), filled(rng.choice(CHANGES))
        lines += [f"    if {test}:", f"        {change}"]
        if rng.random() < 0.3:
            lines += ["    else:", f"        {filled(rng.choice(CHANGES))}"]
    for _ in range(rng.randint(0, 2)):
        change = filled(rng.choice(CHANGES))
        if change not in ("break", "continue"):
            lines += ["i = 2", change]
    values = ", ".join(filled(rng.choice(RESULTS)) for _ in range(3))
    body = "\n    ".join(lines)
    return f"""
def f(x):
    {body}
    return a, b, s, {values}

def loss(x):
    {body}
    return s + sum(w * w for w in a) + sum(w ** 3 for w in b)
"""


def check_gradient(loss, text, x):
    """Against differences, where a small change of x changes no condition."""
    direction = np.random.default_rng(2).normal(size=9)
    with np.errstate(all="ignore"):
        ends = [[loss(x + step * direction) for step in (-h, 0.0, h)] for h in (1e-6, 2e-6)]
    slopes = [(end[2] - end[0]) / (2 * h) for end, h in zip(ends, (1e-6, 2e-6), strict=True)]
    if not np.allclose(*slopes, rtol=1e-5, atol=1e-5):
        return
    try:
        found = ingot.grad(loss)(x) @ direction
    except ingot.CompileError as error:
        pytest.skip(str(error).splitlines()[0])
    assert np.allclose(found, slopes[0], rtol=1e-4, atol=1e-4), f"{text}: {found}, {slopes}"


@pytest.mark.parametrize("seed", range(pick(8, 40, 1000)))
def test_random_lists(seed, tmp_path):
    text = program(random.Random(seed))
    names = namespace_of(text, tmp_path)
    first = same_or_refused(names["f"], X, others=[(-X,), (X * 0 + 1.0,), (X[::-1].copy(),)])
    if isinstance(first.error, ingot.CompileError):
        pytest.skip(str(first.error).splitlines()[0])
    if first.error is None and "sort" not in text:
        check_gradient(names["loss"], text, X)
