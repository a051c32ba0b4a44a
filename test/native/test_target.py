"""Code for a level of x86-64 in place of this machine's own processor."""

import re

import numpy as np
import pytest

import ingot
from ingot import _native
from ingot_runtime import processors, xla_options
from kernel import elementwise, text_of
from processes import python

X86 = pytest.mark.skipif(not processors.levels(), reason="the levels are those of x86-64")

#: The widest registers that code of each level has: LLVM may keep to half of those of the newest.
WIDEST = {"x86-64-v2": ["xmm"], "x86-64-v3": ["ymm"], "x86-64-v4": ["ymm", "zmm"]}
TEXT = text_of(elementwise("%r = arith.mulf %v, %v : f64"), [np.empty(1000)] * 2, "0, -1")


@X86
@pytest.mark.parametrize("level", WIDEST)
def test_code_of_each_level_can_be_read_everywhere(level):
    found = set(re.findall("[xyz]mm", _native.explain(TEXT, level)["assembly"]))
    assert max(found) in WIDEST[level]


def test_unknown_processors_are_refused():
    with pytest.raises(RuntimeError, match="LLVM knows no processor `z80`"):
        _native.explain(TEXT, "z80")


RUN = """
import numpy as np, ingot, re
from ingot_runtime import pjrt
def f(x): return np.exp(x) * x, np.sort(x)
x = np.linspace(-3, 3, 2000)
compiled = ingot.jit(f, native=True)
assert all(np.allclose(*each, rtol=1e-14) for each in zip(compiled(x), f(x)))
(kernel,) = compiled.lower(x).native().values()
print(pjrt.fingerprint())
print(" ".join(sorted(set(re.findall("[xyz]mm", kernel["assembly"])))))
"""


@X86
def test_a_process_compiles_for_the_level_that_it_is_told():
    found = {}
    for level in ["", *processors.levels()]:
        ran = python("-c", RUN, INGOT_TARGET_CPU=level)
        assert ran.returncode == 0, ran.stderr
        found[level], registers = ran.stdout.splitlines()
        assert not level or registers.split()[-1] in WIDEST[level]
    # What is kept on disk is kept for each.
    assert len(set(found.values())) == len(found)


@X86
def test_levels_that_this_processor_lacks_are_refused(monkeypatch):
    monkeypatch.setattr(processors, "features", lambda: "sse4_2 avx2")
    monkeypatch.setenv("INGOT_TARGET_CPU", "x86-64-v3")
    with pytest.raises(ValueError, match="x86-64-v3: this processor lacks cx16 .* movbe xsave"):
        processors.target.__wrapped__()
    monkeypatch.setenv("INGOT_TARGET_CPU", "z80")
    with pytest.raises(ValueError, match="z80 is none of x86-64-v2, x86-64-v3, x86-64-v4"):
        processors.target.__wrapped__()


@X86
def test_xla_compiles_for_the_level_too(monkeypatch):
    monkeypatch.setattr(processors, "target", lambda: "x86-64-v2")
    options = xla_options.for_program("module {}", ingot.devices()[0])
    assert ("xla_cpu_max_isa", "SSE4_2") in options.env_option_overrides
    assert set(xla_options.NEWEST_VECTORS) == set(processors.LEVELS)
