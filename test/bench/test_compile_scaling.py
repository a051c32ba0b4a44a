"""The time of compiling grows with the number of statements, and not with its square."""

import importlib.util
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.once]


def benchmark():
    path = Path(__file__).parents[2] / "bench" / "compile_scaling.py"
    spec = importlib.util.spec_from_file_location("compile_scaling", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("kind", ["function", "branch", "loop"])
def test_four_times_as_many_statements_take_about_four_times_as_long(kind):
    """CPU time, of all threads, in a process of its own. With its square it would be 16 times."""
    measured = benchmark().measured
    least, most = (measured(kind, n)["cpu"] for n in (600, 2400))
    assert most < 6 * least, (least, most)
