"""The judge of random programs: what it calls rounding, and what not."""

import inspect
import random
import re
from pathlib import Path

import numpy as np
import pytest
from generator import kinds, mutants, mutations, recorded, refusals, ways
from generator.judge import Comparison, judge_case, sort_of, verdict
from generator.running import LINES, Excess, load, watched

import ingot


def grows_in_a_generator_that_ends_early():
    found = any(q > 1 for q in [1e300, 2.0])
    n = 0
    while n < 10 * LINES:
        n += 1
    return found


def test_programs_are_watched_to_their_end():
    """What is raised where a generator is closed is lost, and the watching with it."""
    text = inspect.getsource(grows_in_a_generator_that_ends_early)
    f = load(f"LINES = {LINES}\n{text}")[grows_in_a_generator_that_ends_early.__name__]
    with pytest.raises(Excess):
        watched(f)


def amplified(x):
    for _ in range(3):
        x = np.sin(x) * np.float32(8)
    return x


def judged(plain, compiled, *args):
    return judge_case(
        plain, compiled, lambda: tuple(np.array(a, np.float32) for a in args), Comparison(rtol=1e-6)
    )


def test_what_rounding_amplifies_agrees():
    def compiled(x):
        return amplified(x.astype(float)).astype(np.float32)

    found = judged(amplified, compiled, [1.0])
    assert compiled(np.float32([1.0])) != amplified(np.float32([1.0]))
    assert found.verdict == "agreed", found.detail


@pytest.mark.parametrize("factor", [1.001, 0.9, -1])
def test_what_rounding_does_not_explain_is_wrong(factor):
    assert judged(amplified, lambda x: amplified(x) * np.float32(factor), [1.0]).verdict == "wrong"
    assert judged(np.exp, lambda x: np.exp(x) * np.float32(factor), [1.0, 2.0]).verdict == "wrong"


def test_other_dtypes_and_objects_are_wrong_where_values_are_rounded():
    def twice(x):
        y = amplified(x)
        return [y, y]

    def compiled(x):
        y = amplified(x.astype(float)).astype(np.float32)
        return [y, y.copy()]

    assert judged(twice, compiled, [1.0]).verdict == "wrong"


# What is a refusal.

PLAIN = "value", 1


@pytest.mark.parametrize(
    "error, expected",
    [
        (ingot.UnsupportedError("x is not supported"), "refused"), (NotImplementedError("beyond"), "refused"),
        (ingot.ShapeError("no broadcast"), "false"), (ingot.DTypeError("no cast"), "false"),
        (ValueError("no"), "wrong"), (AttributeError("ops"), "crashed"),
    ],
)  # fmt: skip
def test_only_an_unsupported_error_refuses(error, expected):
    state = "refused" if isinstance(error, ingot.UnsupportedError) else "raised"
    assert verdict((state, error), PLAIN).verdict == expected


def test_what_numpy_raises_too_is_no_failure():
    for error in (ValueError("shapes"), TypeError("a cast"), IndexError("an axis")):
        assert (
            verdict(("raised", ingot.ShapeError("shapes")), ("raised", error)).verdict == "raised"
        )


def test_kinds_of_refusals():
    assert sort_of("`x1` holds 3 items\n  at u7") == "… holds N items"
    error = ingot.UnsupportedError("two arrays", page="alias")
    assert verdict(("refused", error), PLAIN).kind == "alias"


def test_the_list_of_refusals_may_only_shrink(tmp_path, monkeypatch):
    monkeypatch.setattr(refusals, "LISTED", tmp_path / "refusals.json")
    refusals.shrink("values", {"alias": 10, "yield": 2}, 1000)
    assert refusals.beyond("values", {"alias": 12}, 1000) == []
    assert len(refusals.beyond("values", {"alias": 40, "new": 1}, 1000)) == 2
    # A longer run may come to a kind that the list was too short for.
    assert refusals.beyond("values", {"new": 1}, 2000) == []
    refusals.shrink("values", {"alias": 30, "new": 5}, 1000)
    assert refusals.listed("values").shares == {"alias": 0.01}
    with pytest.raises(ValueError, match="1000"):
        refusals.shrink("values", {}, 10)


# Ways down.


def test_the_passes_that_may_be_left_out():
    root = Path(__file__).parents[2] / "passes"
    made = re.findall(r"optimize\(ingot::create(\w+)\(", (root / "Pipeline.cpp").read_text())
    (switches,) = re.findall(
        r"kernelSwitches\[\] = \{(.*?)\}", (root / "Fusion/Fusion.h").read_text(), re.S
    )
    names = {re.sub("(?<!^)(?=[A-Z])", "-", name).lower() for name in made}
    assert set(ways.PASSES) == names | set(re.findall('"(.*?)"', switches))


PROGRAM = """
import numpy as np

def f(x, n):
    for i in range(n):
        x[i] += 1
    return x.sum(), n

CASES = [lambda: (np.arange(4.0), 2), lambda: (np.ones(3), 0)]
"""


def test_all_ways_agree():
    assert ways.judge(PROGRAM).verdict == "agreed"


def test_a_way_that_differs_is_wrong(monkeypatch):
    def xla(text, namespace):
        return ways.judged(text, namespace, lambda x, n: (x.sum(), n))

    monkeypatch.setitem(ways.WAYS, "xla", xla)
    found = ways.judge(PROGRAM)
    assert found.verdict == "wrong"
    assert found.detail.startswith("xla: ")


# Mutants.


@pytest.mark.parametrize("name", mutations.MUTATIONS)
def test_a_mutant_is_a_program_that_agrees(name):
    found = None
    for seed in range(5):
        tree = mutations.ast.parse(PROGRAM)
        if mutations.MUTATIONS[name](tree, random.Random(seed)):
            found = mutations.ast.unparse(mutations.ast.fix_missing_locations(tree))
            break
    assert found, "no mutant"
    assert found != mutations.ast.unparse(mutations.ast.parse(PROGRAM))
    assert mutants.is_program(found), found
    assert kinds.KINDS["mutants"].judge(found).verdict in ("agreed", "refused"), found


def test_an_instance_with_slots_of_an_artifact():
    text = """
from test_heap_objects import Slotted

def f(x):
    return Slotted(x)

CASES = [lambda: (2.0,)]
JUDGE = 'artifact'
"""
    assert kinds.KINDS["mutants"].judge(text).verdict == "agreed"


def test_a_batch_has_an_argument_with_items():
    text = "def f(l, x):\n    return len(l)\nCASES = [lambda: ([], 1.0)]\nJUDGE = 'batch'\n"
    assert not mutants.is_program(text)


SCALE = 2.0


def uses_what_is_outside(x, by=3):
    return x * SCALE * by


def test_recorded_programs():
    text = recorded.text_of(
        uses_what_is_outside, [(np.array([1.0, 2.0]),), (np.asfortranarray(np.ones((2, 3))), 2)]
    )
    namespace = load(text)
    (first,), second = (case() for case in namespace["CASES"])
    np.testing.assert_array_equal(namespace["f"](first), [6.0, 12.0])
    assert second[0].flags.f_contiguous
    with pytest.raises(recorded.Unwritable):
        recorded.text_of(lambda x: x, [])
