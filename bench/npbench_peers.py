"""What else runs an NPBench kernel: the ports of a checkout that belong to compilers.

Each entry of `PEERS` gives the ports to try by the suffixes of their files: what loads the
function, and compiles it where that is a step of its own. A peer that is not installed, or that
the kernel has no port for, has none.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from npbench_kernels import Kernel

#: Compiled modules of Pythran's are kept here, since g++ takes longer than all runs.
COMPILED = Path(__file__).parent.parent / "build" / "npbench-pythran"

#: What loads the ports of one kernel, by their suffixes.
Ports = dict[str, Callable[[], Callable[..., Any]]]

#: NPBench's own options, and where NumPy's matrix products come from, too.
PYTHRAN = ("-DUSE_XSIMD", "-fopenmp", "-march=native", "-ffast-math",
           "--config", "compiler.blas=scipy-openblas")  # fmt: skip


def suffixes(kernel: Kernel, module: str, *candidates: str) -> list[str]:
    """Those of the candidates that the kernel has a port for, if the module is installed."""
    if importlib.util.find_spec(module) is None:
        return []
    return [each for each in candidates if Path(f"{kernel.file}{each}.py").exists()]


def numba_ports(kernel: Kernel) -> Ports:
    """Those without Python objects: sequential, parallel, and with parallel ranges."""
    found = suffixes(kernel, "numba", "_numba_n", "_numba_np", "_numba_npr")
    return {each: functools.partial(kernel.port, each) for each in found}


def jax_ports(kernel: Kernel) -> Ports:
    """JAX's, whose results become NumPy's arrays."""

    def load() -> Callable[..., Any]:
        port = jax_port(kernel)
        import jax

        return lambda *args: jax.tree.map(np.asarray, port(*args))

    return dict.fromkeys(suffixes(kernel, "jax", "_jax"), load)


def jax_port(kernel: Kernel) -> Callable[..., Any]:
    """JAX's, compiled for its numbers if it does not compile itself."""
    import jax

    jax.config.update("jax_enable_x64", True)
    port = kernel.port("_jax")
    return port if hasattr(port, "lower") else jax.jit(port, static_argnums=numbers(kernel))


def numbers(kernel: Kernel) -> tuple[int, ...]:
    """The indices of the arguments that are no arrays."""
    return tuple(i for i, arg in enumerate(kernel.args) if not isinstance(arg, np.ndarray))


def pythran_ports(kernel: Kernel) -> Ports:
    found = suffixes(kernel, "pythran", "_pythran")
    return dict.fromkeys(found, functools.partial(pythran_port, kernel))


def pythran_port(kernel: Kernel) -> Callable[..., Any]:
    source = Path(f"{kernel.file}_pythran.py")
    made_of = repr((PYTHRAN, sys.implementation.cache_tag)).encode()
    digest = hashlib.sha256(source.read_bytes() + made_of).hexdigest()
    folder = COMPILED / f"{kernel.name}-{digest[:16]}"
    target = folder / f"{source.stem}.so"
    if not target.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as made:
            command = [sys.executable, "-m", "pythran.run", *PYTHRAN, source]
            command += ["-o", f"{made}/{source.stem}.so"]
            # In the folder of a project, setuptools would read that project's description.
            if subprocess.run(command, capture_output=True, cwd=made).returncode:
                raise RuntimeError("Pythran does not compile it")
            shutil.move(f"{made}/{source.stem}.so", target)
    spec = importlib.util.spec_from_file_location(source.stem, target)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, kernel.entry)


PEERS: dict[str, Callable[[Kernel], Ports]] = {
    "numba": numba_ports,
    "jax": jax_ports,
    "pythran": pythran_ports,
}
