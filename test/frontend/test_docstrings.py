"""The docstrings of public names: their examples run, and give what they show."""

import doctest
import inspect

import numpy as np
import pytest

import ingot
import ingot_runtime
from ingot import debug, distributed, tree

NAMES = {
    **{f"ingot.{name}": getattr(ingot, name) for name in ingot.__all__},
    **{f"ingot.debug.{name}": getattr(debug, name) for name in ("callback", "trap_nans")},
    **{f"ingot.distributed.{name}": getattr(distributed, name) for name in distributed.__all__},
    **{f"ingot.tree.{name}": getattr(tree, name) for name in tree.__all__},
    **{f"ingot_runtime.{name}": getattr(ingot_runtime, name) for name in ingot_runtime.__all__},
}
#: Their docstrings say all: the exceptions are those of CompileError's example, or rare.
WITHOUT_EXAMPLE = {
    "ingot.debug", "ingot.ArtifactError", "ingot.DTypeError", "ingot.IngotError",
    "ingot.ShapeError", "ingot.UnsupportedError", "ingot.tree.Structure",
    "ingot_runtime.ArtifactError",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_examples_run(name, tmp_path, monkeypatch):
    """Each public docstring has an example, and it gives what it shows."""
    monkeypatch.chdir(tmp_path)
    names = {"ingot": ingot, "ingot_runtime": ingot_runtime, "np": np}
    text = inspect.getdoc(NAMES[name])
    example = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    assert bool(example.examples) == (name not in WITHOUT_EXAMPLE)
    found = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=found.append)
    assert not found, "".join(found)
