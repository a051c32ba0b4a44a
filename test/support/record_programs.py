"""A plugin of pytest that writes what tests call as programs, for `test/fuzz/mutants.py`.

`pytest -p record_programs --record DIR [--record-module NAME]` runs the tests that use the fixture `check`, plain,
and writes each function with its arguments to a file of the folder, as it does for the functions
of the lists of `plain.Programs`. With a module (and those inside of it), such as that of a foreign
package, the first calls of its functions in any tests are written instead.
"""

import copy
import functools
import itertools
import sys
import types
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "fuzz"))
from generator.recorded import Unwritable, text_of

#: Calls of one function that are written.
CALLS = 3


def pytest_addoption(parser):
    parser.addoption("--record", metavar="DIR", help="where programs are written")
    parser.addoption("--record-module", metavar="NAME", help="whose functions are recorded")


def pytest_configure(config):
    if config.getoption("record"):
        config.pluginmanager.register(Recorder(config), "recorder")


class Recorder:
    def __init__(self, config):
        self.folder = Path(config.getoption("record"))
        self.folder.mkdir(parents=True, exist_ok=True)
        self.module = config.getoption("record_module")
        self.numbers = itertools.count()

    def write(self, f, cases):
        try:
            text = text_of(f, cases)
        except Unwritable:
            return
        name = f"{f.__module__}-{f.__name__}-{next(self.numbers)}.py"
        (self.folder / name).write_text(text)

    def check(self, f, *args, **options):
        """As the fixture, but plain; other tolerances and options are left out."""
        if not options:
            self.write(f, [args])
        return f(*copy.deepcopy(args))

    @pytest.hookimpl(tryfirst=True)
    def pytest_fixture_setup(self, fixturedef, request):
        if fixturedef.argname != "check" or self.module:
            return None
        fixturedef.cached_result = (self.check, fixturedef.cache_key(request), None)
        return self.check

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        if self.module:
            self.watch()
            return
        # Lists that modules make, each with what plain.programs has put into it.
        from plain import Programs

        modules = {item.module for item in items}
        for each in (
            v for module in modules for v in vars(module).values() if isinstance(v, Programs)
        ):
            for param in each:
                self.write(*param.values)
        items[:] = [item for item in items if "check" in item.fixturenames]

    def watch(self):
        """Replace the functions of the module wherever they have a name."""
        inside = f"{self.module}."
        found = {}
        for name, module in list(sys.modules.items()):
            if name == self.module or name.startswith(inside):
                own = [v for v in vars(module).values() if getattr(v, "__module__", "") == name]
                found.update((id(v), v) for v in own if isinstance(v, types.FunctionType))
        watched = {key: self.watched(f) for key, f in found.items()}
        for module in list(sys.modules.values()):
            for name, value in list(getattr(module, "__dict__", {}).items()):
                if id(value) in watched and found[id(value)] is value:
                    setattr(module, name, watched[id(value)])

    def watched(self, f):
        left = CALLS

        @functools.wraps(f)
        def call(*args, **kwargs):
            nonlocal left
            if left and not kwargs:
                left -= 1
                self.write(f, [args])
            return f(*args, **kwargs)

        return call
