"""Programs of several processes, which `ingot launch` or a cluster's scheduler starts.

`init` joins the processes. The devices of a mesh are then those of all of them, and every process
runs the same program, in the same order. If one of them dies, the others raise an `IngotError` that
names it. See docs/distributed.md.

Example:
    >>> ingot.distributed.rank(), ingot.distributed.size()
    (0, 1)
"""

from ingot_runtime.distributed import barrier, init, rank, size

__all__ = ["barrier", "init", "rank", "size"]
