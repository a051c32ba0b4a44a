"""Programs that another process compiled do what those compiled here do."""

import pytest
import test_control_flow
import test_heap
import test_heap_arguments
import test_heap_dicts
import test_heap_growing
import test_heap_identity
import test_heap_loops
import test_heap_objects
import test_heap_order
import test_refusals
import test_strings
from plain import same_for

from level import sample

MODULES = (
    test_heap_identity, test_heap_arguments, test_heap_loops, test_heap_objects, test_heap,
    test_heap_dicts, test_heap_growing, test_heap_order, test_control_flow, test_refusals,
    test_strings,
)  # fmt: skip
PROGRAMS = [param for module in MODULES for param in module.programs]


@pytest.mark.parametrize("f, cases", sample(PROGRAMS, 4))
def test_programs(f, cases, tmp_path, monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", str(tmp_path))
    same_for(f, cases)
    # What was compiled is on disk now, for another function of the same source.
    same_for(f, cases)
