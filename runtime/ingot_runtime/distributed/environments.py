"""What the environment says about a job: its coordinator, this process's rank, and the number of
processes.

`ingot launch`, Open MPI, Slurm and Kubernetes set different variables. Open MPI comes before Slurm:
`mpirun` inside a Slurm job leaves Slurm's variables as they are for its own daemons.
"""

from __future__ import annotations

import re
import socket
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ingot_runtime.errors import IngotError

COORDINATOR, RANK, PROCESSES = "INGOT_COORDINATOR", "INGOT_RANK", "INGOT_PROCESSES"
#: The ports that jobs without a port of their own are spread over.
FIRST_PORT, PORTS = 61440, 4096

Variables = Mapping[str, str]


@dataclass(frozen=True)
class Place:
    """A process's place in a job; None is what is not known.

    Attributes:
        coordinator: "host:port".
        rank: the number of this process, from 0.
        size: the number of processes.
    """

    coordinator: str | None = None
    rank: int | None = None
    size: int | None = None


def place(given: Place, variables: Variables) -> tuple[str, int, int]:
    """The coordinator, the rank and the number of processes.

    Each is taken from the first that knows it: what the caller gives, the variables of Ingot, and
    those of the first scheduler that has set any.

    Args:
        given: what the caller gives.
        variables: the environment variables.

    Raises:
        IngotError: one of them is not known, or is not possible.
    """
    scheduled = next((place for read in SCHEDULERS if (place := read(variables))), Place())
    sources = (given, _of_ingot(variables), scheduled)
    known: list[Any] = []
    for field, variable in (("coordinator", COORDINATOR), ("rank", RANK), ("size", PROCESSES)):
        values = (getattr(source, field) for source in sources)
        known.append(next((value for value in values if value is not None), None))
        if known[-1] is None:
            word = {"size": "number of processes"}.get(field, field)
            raise IngotError(
                f"ingot.distributed.init does not know the {word}: start the program with "
                f"`ingot launch`, set {variable}, or give it to init"
            )
    coordinator, rank, size = known
    if not 0 <= rank < size:
        raise IngotError(f"the rank {rank} is not one of {size} processes, which count from 0")
    split_address(coordinator)
    return coordinator, rank, size


def split_address(address: str) -> tuple[str, int]:
    """The host and port of "host:port" or "[host]:port".

    Raises:
        IngotError: it is neither.
    """
    host, _, port = address.rpartition(":")
    if not (host and port.isascii() and port.isdigit() and int(port) < 1 << 16):
        raise IngotError(f"the coordinator {address!r} is not an address such as 10.0.0.1:9876")
    return host.removeprefix("[").removesuffix("]"), int(port)


def _number(variables: Variables, name: str) -> int | None:
    text = variables.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit()):
        raise IngotError(f"the environment variable {name} is {text!r}, which is no number")
    return int(text)


def _port(job: str) -> int:
    """A port that depends on the name of the job, so that two jobs seldom have the same one."""
    return FIRST_PORT + zlib.crc32(job.encode()) % PORTS


def _of_ingot(variables: Variables) -> Place:
    return Place(
        variables.get(COORDINATOR), _number(variables, RANK), _number(variables, PROCESSES)
    )


def _of_open_mpi(variables: Variables) -> Place | None:
    if "OMPI_COMM_WORLD_RANK" not in variables:
        return None
    rank, size = (_number(variables, f"OMPI_COMM_WORLD_{name}") for name in ("RANK", "SIZE"))
    job, _, addresses = variables.get("OMPI_MCA_orte_hnp_uri", "").partition(";")
    # Such as 1531576320.0;tcp://10.96.0.1,10.148.0.1:34911 or ...;tcp6://[fe80::1,fe80::2]:43370
    host = re.match(r"tcp6?://\[?([^],]+?)(?:[],]|:\d+$)", addresses)
    if host:
        shown = f"[{host[1]}]" if ":" in host[1] else host[1]
        return Place(f"{shown}:{_port(job)}", rank, size)
    # Open MPI 5 does not say where it was started.
    if size is not None and _number(variables, "OMPI_COMM_WORLD_LOCAL_SIZE") == size:
        return Place(f"127.0.0.1:{_port(variables.get('PMIX_NAMESPACE', ''))}", rank, size)
    return Place(None, rank, size)


def _of_slurm(variables: Variables) -> Place | None:
    if "SLURM_PROCID" not in variables or "SLURM_JOB_ID" not in variables:
        return None
    size = _number(variables, "SLURM_STEP_NUM_TASKS") or _number(variables, "SLURM_NTASKS")
    nodes = variables.get("SLURM_STEP_NODELIST") or variables.get("SLURM_JOB_NODELIST")
    job = f"{variables['SLURM_JOB_ID']}.{variables.get('SLURM_STEP_ID', '')}"
    host = _first_node(nodes) if nodes else None
    return Place(host and f"{host}:{_port(job)}", _number(variables, "SLURM_PROCID"), size)


def _first_node(nodes: str) -> str:
    """The first host of a list of Slurm's, such as `node[001-015,020]-ib,login`."""
    first = re.sub(r"\[([^],-]+)[^]]*\]", r"\1", nodes)
    return first.partition(",")[0]


def _of_kubernetes(variables: Variables) -> Place | None:
    """The pods of an indexed job, as JobSet makes them: the pod with index 0 has the coordinator.

    A pod's name is that of its job and its index, and JobSet's service gives it a DNS name.
    """
    if "JOB_COMPLETION_INDEX" not in variables or "KUBERNETES_SERVICE_HOST" not in variables:
        return None
    rank = _number(variables, "JOB_COMPLETION_INDEX")
    name, dot, domain = socket.getfqdn().partition(".")
    job, _, index = name.rpartition("-")
    # A pod without a subdomain has no DNS name.
    host = f"{job}-0{dot}{domain}" if job and dot and index == str(rank) else None
    return Place(host and f"{host}:{_port(f'{job}.{domain}')}", rank)


#: The schedulers in the order in which they are asked; None says that it has not started this
#: process.
SCHEDULERS: tuple[Callable[[Variables], Place | None], ...] = (
    _of_open_mpi, _of_slurm, _of_kubernetes
)  # fmt: skip
