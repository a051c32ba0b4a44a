"""`sys.modules`: each question has a guard of its own, and imports of other modules compile nothing again."""

import sys
import types

import numpy as np
import pytest
from plain import refused

import ingot
from processes import python

X = np.arange(3.0)


def asked(x):
    return x if "made_for_asking" in sys.modules else x * 2


def got(x):
    found = sys.modules.get("made_for_asking")
    return x * 2 if found is None else x * found.value


def taken(x):
    try:
        return x * sys.modules["made_for_asking"].value
    except KeyError:
        return x * 2


def asked_by_method(x):
    return x if sys.modules.__contains__("made_for_asking") else x * 2


def asked_not(x):
    name = "made_for_" + "asking"
    return x if name not in sys.modules else x * 3


@pytest.mark.parametrize("f", [asked, got, taken, asked_by_method, asked_not])
def test_a_module_that_comes_and_goes(f, monkeypatch, compilations):
    j = ingot.jit(f)
    module = types.ModuleType("made_for_asking")
    module.value = 7.0

    def same():
        np.testing.assert_array_equal(j(X), f(X))

    same()
    monkeypatch.setitem(sys.modules, "another_made_for_asking", types.ModuleType("another"))
    same()
    assert len(compilations) == 1
    monkeypatch.setitem(sys.modules, "made_for_asking", module)
    same()
    module.value = 9.0
    same()
    monkeypatch.delitem(sys.modules, "made_for_asking")
    same()


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x * len(sys.modules),
        lambda x: [x for _ in sys.modules],
        lambda x: sys.modules.pop("made_for_asking", None),
        lambda x: list(sys.modules.keys()),
        lambda x: x if sys.modules else x * 2,
    ],
    ids=["len", "iteration", "pop", "keys", "bool"],
)
def test_other_uses_are_refused(f):
    refused(f, X)


def store(x):
    sys.modules["made_for_asking"] = None
    return x


def test_stores_are_refused():
    refused(store, X)
    assert "made_for_asking" not in sys.modules


def test_another_process_does_not_import_what_it_asks_for(tmp_path):
    (tmp_path / "helpers.py").write_text(
        "import sys\ndef f(x):\n    return x if 'colorsys' in sys.modules else x * 2\n"
    )
    text = "import sys, ingot, helpers, numpy as np; print(ingot.jit(helpers.f)(np.ones(1)), 'colorsys' in sys.modules)"
    runs = [
        python(
            "-c", first + text, INGOT_CACHE_DIR=str(tmp_path / "cache"), PYTHONPATH=str(tmp_path)
        )
        for first in ("import colorsys; ", "", "", "import colorsys; ")
    ]
    assert [each.stdout for each in runs] == [
        "[1.] True\n",
        "[2.] False\n",
        "[2.] False\n",
        "[1.] True\n",
    ]
