"""Names that a loop binds to one of a few objects: the loop carries an index of the object.

An example is `a, b = b, a` under a condition. The objects stay as they are, and the index of each
name tells at run time which object it refers to. So a store through the name changes that object,
and every alias of it sees the change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from ingot._core import Value
from ingot.dtypes import INT
from ingot.syntax.cells import Cell, Storage
from ingot.syntax.leaves import reference_to
from ingot.syntax.paths import Path, cells_by_path
from ingot.syntax.scopes import Name
from ingot.syntax.slots import INDEX_TYPE, Slot
from ingot.syntax.values import Array, Reference, Scalar

if TYPE_CHECKING:
    from ingot.syntax.carried import Carried

#: The objects that each name may refer to, by their paths.
Choices = dict[str, tuple[Path, ...]]


def reference(cell: Cell) -> Any:
    return Array(cell, cell.shape) if isinstance(cell, Storage) else reference_to(cell)


def is_whole(value: Any) -> bool:
    """Whether a value is an object, not a view of one."""
    if isinstance(value, Array):
        return value.is_whole
    return isinstance(value, Reference)


def _sources(value: Any, headers: dict[Cell, str], first: int) -> set[Cell | str] | None:
    """The older objects that a name may refer to at the end of an iteration, or None.

    An object that another name referred to at the start is given as that name.
    """
    if not is_whole(value):
        return None
    found: set[Cell | str] = set()
    stack = [value.cell]
    while stack:
        cell = stack.pop()
        if cell.number < first:
            found.add(cell)
        elif cell in headers:
            found.add(headers[cell])
        elif cell.chosen is not None:
            stack += [end for end, _ in cell.chosen]
        else:
            return None
    return found


def discover(loop: Carried, ends: dict[Name, Any]) -> Choices:
    """The names that refer, after each iteration, to objects from before the loop."""
    started: dict[str, Any] = {
        name: value
        for name, value in loop.start.items()
        if isinstance(name, str) and is_whole(value) and is_whole(loop.entry.get(name))
    }
    headers = {value.cell: name for name, value in started.items()}
    found: dict[str, set[Cell | str]] = {}
    for name in started:
        sources = _sources(ends.get(name), headers, loop.first)
        if sources is not None:
            found[name] = sources
    # A name qualifies only if all names that it is bound to qualify.
    while lost := {
        n for n, s in found.items() if any(isinstance(x, str) and x not in found for x in s)
    }:
        for name in lost:
            del found[name]
    return {
        name: _paths_of(loop, _closure(name, found, loop.entry))
        for name, sources in found.items()
        if sources != {name} and sources != {loop.entry[name].cell}
    }


def _closure(name: str, found: dict[str, set[Cell | str]], entry: dict[Name, Any]) -> list[Cell]:
    """All objects that a name may refer to, oldest first."""
    names, cells = {name}, {entry[name].cell}
    stack = [name]
    while stack:
        for source in found.get(stack.pop(), ()):
            if isinstance(source, Cell):
                cells.add(source)
            elif source not in names:
                names.add(source)
                cells.add(entry[source].cell)
                stack.append(source)
    return sorted(cells, key=lambda cell: cell.number)


def _paths_of(loop: Carried, cells: list[Cell]) -> tuple[Path, ...]:
    paths = [loop.path_to(cell) for cell in cells]
    return tuple(path for path in paths if path is not None)


class Chosen:
    """The choices of one attempt at a loop."""

    def __init__(self, loop: Carried, choices: Choices) -> None:
        self._loop, self._ev = loop, loop.state
        #: The index of the object that each name refers to.
        self._indices: dict[str, Slot] = {}
        found = cells_by_path(loop.state) if choices else {}
        # At another entry of the loop a name may be a view of what was an object.
        self.candidates = {
            name: [found[path] for path in paths if path in found]
            for name, paths in choices.items()
            if is_whole(loop.entry.get(name))
        }
        #: All objects that names may be bound to again in a later iteration.
        self.objects = {cell for cells in self.candidates.values() for cell in cells}
        self._headers: dict[Cell, str] = {}

    def enter(self) -> None:
        """Carry the indices.

        Raises:
            UnsupportedError: a name refers to an object that no path of an earlier attempt finds.
        """
        for name in self.candidates:
            index = self._index_of(self._loop.entry[name].cell, name)
            if index is None:
                self._refuse(name)
            self._indices[name] = self._loop.carry(index, INDEX_TYPE)

    def bind(self) -> None:
        """Bind each name to the object that its index selects.

        Raises:
            UnsupportedError: the objects have different types.
        """
        frame = self._ev.frame
        for name, cells in self.candidates.items():
            index = self._indices[name].value
            value = self._ev.chosen_object(index, [reference(cell) for cell in cells])
            if not is_whole(value):
                # Objects of different types are no object with aliases.
                self._refuse(name)
            frame.names[name] = value
            self._headers[value.cell] = name

    def _refuse(self, name: str) -> NoReturn:
        self._ev.fail(
            f"which object `{name}` is here depends on what happens at run time",
            "give each object one name, and choose among values by np.where",
        )

    def end(self, ends: dict[Name, Any]) -> bool:
        """Note the indices at the end of an iteration; False if a name has another object."""
        for name in self.candidates:
            value: Any = ends.get(name)
            index = self._index_of(value.cell, name) if is_whole(value) else None
            if index is None:
                return False
            self._indices[name].ends = (index,)
        return True

    def _index_of(self, cell: Cell, name: str) -> Any:
        cells = self.candidates[name]
        if cell in cells:
            return cells.index(cell)
        if cell in self._headers:
            other = self._headers[cell]
            index = self._indices[other].value
            return self._translated(index, self.candidates[other], cells)
        if cell.chosen is None:
            return None
        (first, taken), (second, _) = cell.chosen
        ends = [self._index_of(each, name) for each in (first, second)]
        if any(each is None for each in ends):
            return None
        return self._select(taken(), ends)

    def _translated(self, index: Any, of: list[Cell], to: list[Cell]) -> Any:
        """An index into the candidates `of`, translated to an index into `to`."""
        if of == to:
            return index
        if any(cell not in to for cell in of):
            return None
        if isinstance(index, int):
            return to.index(of[index])
        ops = self._ev.ops
        result: Any = to.index(of[0])
        for i, cell in enumerate(of[1:], 1):
            is_this = ops.compare("eq", index.value, ops.constant(i, INT), INT)
            result = self._select(is_this, [to.index(cell), result])
        return result

    def _select(self, test: Value, ends: list[Any]) -> Scalar:
        ops = self._ev.ops
        sides = [
            each.value if isinstance(each, Scalar) else ops.constant(each, INT) for each in ends
        ]
        return Scalar(ops.select(test, *sides), INT, int)
