"""A compiled program as its users have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ingot_runtime import buffers, clients, pjrt
from ingot_runtime.errors import IngotError
from ingot_runtime.program import Check, Program, Signature

if TYPE_CHECKING:
    from ingot.calls import Call
    from ingot.syntax.guards import Guards


def devices() -> list[Any]:
    """The devices that programs can be compiled for: `ingot.jit(f, device=...)`."""
    return list(clients.client().local_devices())


class Compiled(Program):
    """An executable for one signature; what `Lowered.compile` gives.

    It is called as the function is, with arguments of the signature that it was lowered for.
    """

    def __init__(
        self,
        signature: Signature,
        executable: pjrt.Executable,
        checks: list[Check],
        guards: Guards,
        precise: Callable[[], Program] | None,
        call: Call | None = None,
        written_cost: Callable[[], pjrt.Cost] | None = None,
    ) -> None:
        super().__init__(signature, executable, checks, precise)
        self.executable = executable
        #: They hold where the program is what the function does.
        self.guards = guards
        #: When it was called last, as its owner counts calls.
        self.last_call = 0
        #: The leaves of the arguments whose values belong to its key.
        self.static: frozenset[int] = frozenset()
        #: What `direct_calls` knows of it.
        self.direct: Any = None
        self._call = call
        self._written_cost = written_cost

    def __repr__(self) -> str:
        return f"Compiled({self._call} on {self.executable.device.platform})"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Raises:
        TypeError: the arguments have another signature, or are on another device.
        IngotError: what the function reads besides its arguments has changed.
        Exception: what the function raises.
        """
        assert self._call is not None, "users have what `lower` gave"
        leaves, given = self._call.taken(args, kwargs)
        device = buffers.device_among(leaves)
        if device not in (None, self.executable.device):
            raise TypeError(f"{self} is called with an array on {device}")
        if self.guards.failed() >= 0:
            raise IngotError(f"{self} is no longer what it says: {self.guards.reason()}")
        return self.call_leaves(leaves, device is not None, given)

    def cost(self) -> pjrt.Cost:
        """What XLA takes a call to cost."""
        found = self.executable.cost()
        if found is not None:
            return found
        assert self._written_cost is not None, "users have what `lower` gave"
        return self._written_cost()

    def memory(self) -> pjrt.Memory:
        """The bytes that a call takes: arguments, results, and what is kept in between."""
        return self.executable.memory()
