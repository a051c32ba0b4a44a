"""`import` in a function: modules and their attributes are read at compile time."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
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
            if found is MISSING and hasattr(home, "__path__"):
                found = self._module(f"{home.__name__}.{each.name}")
            if found is MISSING:
                found = self.compute(getattr, home, each.name)
            self.bind(each.asname or each.name, self.lift(found, each.name))

    def _module(self, name: str) -> Any:
        package = None
        if name.startswith("."):
            package = self._globals().get("__package__")
            name = importlib.util.resolve_name(name, package)
        try:
            importlib.import_module(name)
        except ImportError as error:
            self.raise_now(type(error), str(error))
        except Exception as error:
            self.fail(f"the import of `{name}` raises {type(error).__name__}: {error}")
        return self.reads.item(sys.modules, name)

    def _globals(self) -> dict[str, Any]:
        """The variables of the module that the code is in."""
        frame = self.frame
        while frame.function is None and frame.parent is not None:
            frame = frame.parent
        return frame.function.__globals__ if frame.function is not None else {}
