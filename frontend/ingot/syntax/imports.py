"""`import` in a function: modules and their attributes are read at compile time."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
import types
from collections.abc import Callable
from typing import Any

from ingot.syntax.calls import Calls
from ingot.syntax.guards import MISSING


class Imports(Calls):
    def visit_Import(self, node: ast.Import) -> None:
        self.at(node)
        for each in node.names:
            module = self._module(each.name)
            if each.asname is None:
                # `import a.b` binds a.
                name = each.name.partition(".")[0]
                self.bind(name, self._module(name))
            else:
                self.bind(each.asname, module)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.at(node)
        home = self._module("." * node.level + (node.module or ""))
        for each in node.names:
            found = self.reads.item(home.__dict__, each.name)
            if found is MISSING:
                found = self._imported(home, each.name)
            self.bind(each.asname or each.name, self.lift(found, each.name))

    def _module(self, name: str) -> Any:
        package = None
        if name.startswith("."):
            package = self._globals().get("__package__")
            name = importlib.util.resolve_name(name, package)
        self._run_import(lambda: importlib.import_module(name), name)
        return self.reads.item(sys.modules, name)

    def _imported(self, home: types.ModuleType, name: str) -> Any:
        """What `from home import name` gives of a name that the module does not have yet."""
        code = compile(f"from {home.__name__} import {name}", "<unknown>", "exec")
        names: dict[str, Any] = {}
        self._run_import(lambda: exec(code, names), name)
        is_module = names[name] is sys.modules.get(f"{home.__name__}.{name}")
        return self.reads.item(sys.modules, f"{home.__name__}.{name}") if is_module else names[name]

    def _run_import(self, run: Callable[[], Any], name: str) -> None:
        try:
            run()
        except ImportError as error:
            self.raise_now(type(error), str(error), error.args)
        except Exception as error:
            self.fail(f"the import of `{name}` raises {type(error).__name__}: {error}")

    def _globals(self) -> dict[str, Any]:
        """The variables of the module that the code is in."""
        frame = self.frame
        while frame.function is None and frame.parent is not None:
            frame = frame.parent
        return frame.function.__globals__ if frame.function is not None else {}
