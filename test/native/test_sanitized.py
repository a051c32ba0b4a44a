"""The address sanitizer for kernels finds what it is for."""

import pytest
import sanitized

from processes import python

TOO_SHORT = '''
import numpy as np
import sanitized

sanitized.install()
from kernel import Kernel

DOUBLED = """
  %y = linalg.generic {indexing_maps = [#a, #a], iterator_types = ["parallel"]}
      ins(%0 : T0) outs(%1 : T1) {
  ^bb0(%v: f64, %old: f64):
    %r = arith.addf %v, %v : f64
    linalg.yield %r : f64
  } -> T1
  store 1, %y
"""
kernel = Kernel(DOUBLED, [np.ones(5000), np.ones(5000)], [0, -1])
kernel.call_at(np.ones(READ), np.ones(WRITTEN))
print("done")
'''


@pytest.mark.parametrize(
    ("read", "written", "found"),
    [(5000, 5000, None), (4990, 5000, "READ of size"), (5000, 4990, "WRITE of size")],
)
def test_an_array_that_is_too_short(tmp_path, read, written, found):
    script = tmp_path / "call.py"
    script.write_text(TOO_SHORT.replace("READ", str(read)).replace("WRITTEN", str(written)))
    support = sanitized.__file__.rpartition("/")[0]
    ran = python(script, PYTHONPATH=support, **sanitized.environment())
    if found is None:
        assert ran.stdout == "done\n", ran.stderr
        return
    assert "heap-buffer-overflow" in ran.stderr
    assert found in ran.stderr
    assert "done" not in ran.stdout
