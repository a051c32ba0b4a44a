"""What all tests share: fixtures, levels, floors of sweeps, and what messages never show."""

import copy
import inspect
import math
import os
import zlib
from typing import Any

os.environ.setdefault("INGOT_PLATFORM", "cpu")
# Programs for a mesh need several devices; all others run on the first one.
os.environ["INGOT_CPU_DEVICES"] = "4"
# Tests compile what they test; those of the cache have folders of their own.
os.environ["INGOT_CACHE_DIR"] = ""

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

import ingot
import level
from internals import is_shown, wrong_with
from oracle import assert_same, quiet
from sources import namespace_of
from sweeps import Sweep, summed

settings.register_profile(
    "ingot",
    max_examples=level.pick(5, 25, 400),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ingot")


# Fixtures.


@pytest.fixture(autouse=True)
def same_random_numbers(request):
    """What a module's RNG gives in a test does not depend on which tests ran before."""
    if rng := getattr(request.module, "RNG", None):
        seed = zlib.crc32(request.node.nodeid.encode())
        rng.bit_generator.state = np.random.default_rng(seed).bit_generator.state


@pytest.fixture
def check():
    """check(f, *args): the compiled function gives and changes what the plain one does, twice."""

    def run(f: Any, *args: Any, rtol: float = 1e-12, **options: Any) -> Any:
        plain, compiled, again = (copy.deepcopy(args) for _ in range(3))
        with quiet():
            expected = f(*plain)
        jitted = ingot.jit(f, **options)
        actual = jitted(*compiled)
        assert_same(actual, expected, rtol)
        assert_same(compiled, plain, rtol)
        # Calls after the first one may be made without Python.
        assert_same(jitted(*again), expected, rtol)
        assert_same(again, plain, rtol)
        return actual

    return run


@pytest.fixture
def compile_text(tmp_path):
    """compile_text(source): the names that a program defines, from a file of its own."""
    return lambda source: namespace_of(source, tmp_path)


@pytest.fixture
def compilations(monkeypatch):
    """A list that grows by one with each compilation."""
    made = []
    compile_ = ingot.Lowered.compile
    monkeypatch.setattr(ingot.Lowered, "compile", lambda *args: made.append(1) or compile_(*args))
    return made


@pytest.fixture
def sweep(request):
    """Counts the cases of a sweep, for the floor of the test's marker (see sweeps.py)."""
    made = Sweep(request.node.get_closest_marker("floor").args[0])
    yield made
    name = f"{request.path.name}::{request.node.originalname}"
    # Plain containers, which go from a worker to the process that was started.
    counts = {part: dict(each) for part, each in made.counts.items()}
    request.node.user_properties.append(("sweep", (name, made.floor, counts)))


# Levels.

#: Of a file in `make quick`: the functions of tests, the cases where it has fewer functions, and those
#: of a test of which each case is another program.
QUICK_FUNCTIONS, QUICK_CASES, QUICK_PROGRAMS = 7, 5, 2
#: Whether this is the run without native kernels, after one with them.
AGAIN = os.environ.get("INGOT_NATIVE") == "0"


def pytest_collection_modifyitems(config, items):
    """Leave out what is not of the level; begin with what is slow."""
    left_out = [item for item in items if not _is_of_level(item)]
    if level.LEVEL == "quick":
        left_out += _beyond_quick([item for item in items if item not in set(left_out)])
    if left_out:
        config.hook.pytest_deselected(items=left_out)
    gone = set(left_out)
    items[:] = [item for item in items if item not in gone]
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def _is_of_level(item):
    if level.LEVEL == "nightly":
        return True
    if item.get_closest_marker("nightly") or (AGAIN and item.get_closest_marker("once")):
        return False
    return level.LEVEL != "quick" or not item.get_closest_marker("slow")


def _beyond_quick(items):
    """Of the tests of each file, all but a few and those marked `quick`."""
    files = {}
    for item in items:
        if not item.get_closest_marker("quick"):
            functions = files.setdefault(item.path, {})
            functions.setdefault(item.originalname, []).append(item)
    for functions in files.values():
        # What functions test differs more than their cases do.
        chosen = _spread(list(functions.values()), QUICK_FUNCTIONS)
        cases = math.ceil(QUICK_CASES / len(chosen))
        kept = {
            case
            for tests in chosen
            for case in _spread(tests, max(cases, QUICK_PROGRAMS * _is_of_programs(tests[0])))
        }
        yield from (test for tests in functions.values() for test in tests if test not in kept)


def _is_of_programs(item):
    """Whether each case of a test is a program of its own."""
    callspec = getattr(item, "callspec", None)
    return callspec is not None and any(map(inspect.isfunction, callspec.params.values()))


def _spread(all_, count):
    """So many, if there are, at equal distances."""
    count = min(count, len(all_))
    return [all_[i * len(all_) // count] for i in range(count)]


# Floors. The reports of all workers come to the process that was started.

_sweeps = []


def pytest_runtest_logreport(report):
    if report.when == "teardown":
        _sweeps.extend(value for name, value in report.user_properties if name == "sweep")


def pytest_sessionfinish(session):
    if not _is_worker(session.config) and any(total.is_too_low for total in summed(_sweeps)):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    if _is_worker(config):
        return
    for total in summed(_sweeps):
        color = {"red": True} if total.is_too_low else {}
        terminalreporter.write_line(f"{'BELOW THE FLOOR ' * total.is_too_low}{total}", **color)


def _is_worker(config):
    return hasattr(config, "workerinput")


# Messages.

_errors = []


def _watch(kind):
    make = kind.__init__

    def watched(self, *args, **kwargs):
        make(self, *args, **kwargs)
        _errors.append(self)

    kind.__init__ = watched


_watch(ingot.IngotError)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """No error that a test sees shows the compiler, or points into it."""
    _errors.clear()
    try:
        result = yield
        wrong = [each for e in _errors if is_shown(e.__traceback__) for each in wrong_with(e)]
    finally:
        _errors.clear()
    if wrong:
        pytest.fail("\n".join(dict.fromkeys(wrong)), pytrace=False)
    return result
