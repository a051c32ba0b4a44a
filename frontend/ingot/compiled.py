"""`Compiled`: an executable for one signature, and `devices`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ingot.checks import ASSUMPTIONS, Assumption
from ingot.writers import changing
from ingot_runtime import buffers, clients, pjrt
from ingot_runtime.errors import IngotError
from ingot_runtime.program import Check, Executable, Program, Signature
from ingot_runtime.spmd import MeshExecutable

if TYPE_CHECKING:
    from ingot.calls import Call
    from ingot.syntax.guards import Guards
    from ingot_runtime.kernels import Library


def devices() -> list[Any]:
    """The devices that programs can be compiled for, see `device` of `ingot.jit`.

    Returns:
        A list of PJRT devices; each has `platform`, such as "cpu" or "cuda", and `id`.

    Example:
        >>> def double(x):
        ...     return 2 * x
        >>> ingot.jit(double, device=ingot.devices()[0])(np.ones(2))
        array([2., 2.])
    """
    return list(clients.client().local_devices())


class Compiled(Program):
    """An executable for one signature; `Lowered.compile` returns it.

    Call it as the function itself, with arguments of the signature that it was lowered for.

    Example:
        >>> def double(x):
        ...     return 2 * x
        >>> compiled = ingot.jit(double).lower(np.ones(2)).compile()
        >>> compiled(np.array([1.0, 4.0]))
        array([2., 8.])
    """

    def __init__(
        self,
        signature: Signature,
        executable: Executable,
        checks: list[Check],
        guards: Guards,
        precise: Callable[[], Program] | None,
        call: Call | None = None,
        written_cost: Callable[[], pjrt.Cost] | None = None,
        libraries: tuple[Library, ...] = (),
    ) -> None:
        super().__init__(signature, executable, checks, precise)
        self.executable = executable
        #: The native kernels that it calls.
        self.libraries = libraries
        #: Conditions on what the function reads besides its arguments; while they hold, the
        #: program computes what the function does.
        self.guards = guards
        #: The number of its latest call, as its owner counts calls.
        self.last_call = 0
        #: The argument leaf indices whose values are part of its key.
        self.static: frozenset[int] = frozenset()
        #: The state that `direct_calls` keeps for it.
        self.direct: Any = None
        #: The assumptions that it does without, and those without which no program can be made.
        self.dropped: frozenset[Assumption] = frozenset()
        self.needed: frozenset[Assumption] = frozenset()
        #: Whether calls change objects besides their results, and must do so one after the other.
        #: A callback may wait for other threads.
        self.is_writer = bool(signature.changes or signature.mutated) and not executable.calls_back
        self._call = call
        self._written_cost = written_cost

    @property
    def kernels(self) -> tuple[str, ...]:
        """The names of the native kernels that it calls."""
        return tuple(each.name for each in self.libraries)

    def failed_assumption(self, error: Exception) -> Assumption | None:
        """What a call failed on that the source does not require, if the call may be made again by
        a program without this assumption."""
        check = getattr(error, "check", None)
        has_effects = self.signature.prints or self.executable.calls_back
        if check is None or has_effects:
            return None
        found = ASSUMPTIONS.get(check.assumption)
        return None if found in self.dropped | self.needed else found

    def __repr__(self) -> str:
        return f"Compiled({self._call} on {self.executable.device.platform})"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the program.

        Raises:
            TypeError: the arguments have another signature, or are on another device.
            IngotError: a value that the function reads besides its arguments has changed.
            Exception: any exception that the function raises.
        """
        assert self._call is not None, "users have what `lower` gave"
        leaves, given = self._call.taken(args, kwargs)
        if not self.is_writer:
            return self._called(leaves, given)
        with changing(self.written(leaves, given)):
            # Another thread may have changed what the leaves are from.
            return self._called(*self._call.taken(args, kwargs))

    def _called(self, leaves: list[Any], given: Any) -> Any:
        device = buffers.device_among(leaves)
        if device not in (None, self.executable.device):
            raise TypeError(f"{self} is called with an array on {device}")
        if self.guards.failed() >= 0:
            raise IngotError(f"{self} is out of date: {self.guards.reason()}")
        return self.call_leaves(leaves, device is not None, given)

    def cost(self) -> pjrt.Cost:
        """XLA's estimate of the cost of a call.

        Returns:
            A `Cost` with `flops`, the operations on floats, and `bytes`, those that are read and
            written. One iteration of each loop is counted.
        """
        found = self.executable.cost()
        if found is not None:
            return found
        assert self._written_cost is not None, "users have what `lower` gave"
        return self._written_cost()

    def collectives(self) -> dict[str, int]:
        """The collective operations by which the devices of a mesh exchange values.

        Returns:
            The number of each kind that each call runs, such as `{"all-reduce": 1}`. An operation
            in a loop counts once, and those in branches are left out. Empty for a program on one
            device.
        """
        if isinstance(self.executable, MeshExecutable):
            return self.executable.collectives()
        return {}

    def memory(self) -> pjrt.Memory:
        """The memory of a call, in bytes.

        Returns:
            A `Memory` with `arguments`, `results` and `temporary`.
        """
        return self.executable.memory()
