"""What the syntax of a loop's body says of what the loop carries: the first guess."""

from __future__ import annotations

from dataclasses import dataclass

from ingot.syntax.carried import CARRIED, Memo
from ingot.syntax.scopes import Frame
from ingot.syntax.state import arrays_in
from ingot.syntax.types import ArrayType, type_of
from ingot.syntax.values import Array, Reference


@dataclass
class Targets:
    """What a loop's body assigns, by its syntax: names rebound by `=`, by `+=` and the like,
    names whose elements are stored to, and names that become what another name was."""

    rebound: set[str]
    augmented: set[str]
    stored: set[str]
    renamed: set[str]


def predict(memo: Memo, frame: Frame, targets: Targets) -> None:
    """The first guess, from the syntax of the body."""
    for name in sorted(targets.rebound | targets.augmented):
        value = frame.names.get(name)
        is_array = isinstance(value, Array)
        if is_array and name not in targets.rebound:
            continue
        if name not in memo.types and isinstance(value, CARRIED):
            memo.types[name] = type_of(value, runtime=True)
    memo.swapped = _exchangeable(frame, targets.renamed) if memo.permutes else ()
    objects = (Array, Reference)
    for name in targets.renamed.difference(memo.swapped):
        memo.chooses |= isinstance(frame.names.get(name), objects)
    for name in targets.augmented | targets.stored:
        if isinstance(frame.names.get(name), Array) and name not in memo.swapped:
            memo.cells.setdefault(
                (frame.path, name),
                ArrayType(frame.names[name].storage.shape, frame.names[name].dtype),
            )


def _exchangeable(frame: Frame, renamed: set[str]) -> tuple[str, ...]:
    """The renamed names whose whole arrays have no other name here, and are alike."""
    found = []
    for name in sorted(renamed):
        value = frame.names.get(name)
        if not isinstance(value, Array) or value.views or not value.writable:
            continue
        users = [
            n for n, v in frame.names.items() for a in arrays_in(v) if a.storage is value.storage
        ]
        if users == [name]:
            found.append(name)
    kinds = {type_of(frame.names[name]) for name in found}
    return tuple(found) if len(found) > 1 and len(kinds) == 1 else ()
