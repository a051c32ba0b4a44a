"""Programs for GPUs call cuSOLVER in place of LAPACK. What it computes is tested on a GPU alone:
`INGOT_PLATFORM=cuda pytest test/frontend`."""

import re

import numpy as np
import pytest

import ingot
from ingot_runtime import cusolver, stablehlo


@pytest.fixture
def replaced(monkeypatch):
    """The calls of a function's program for GPUs, which jaxlib verifies."""
    monkeypatch.setattr(cusolver, "_register", lambda: None)

    def calls_of(f, *args):
        text = ingot.jit(f).lower(*args).stablehlo()
        made = cusolver.with_cusolver(text)
        assert stablehlo.types_of(stablehlo.parse(made)) == stablehlo.types_of(
            stablehlo.parse(text)
        )
        assert "lapack" not in made
        return [line for line in made.splitlines() if "custom_call" in line]

    return calls_of


MATRICES = np.ones((2, 4, 4))


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_factors(replaced, dtype):
    def f(a, b):
        return np.linalg.solve(a, b), np.linalg.qr(a)

    found = replaced(f, MATRICES.astype(dtype), MATRICES.astype(dtype))
    names = [re.search(r"@(\w+)\(", each).group(1) for each in found]
    assert sorted(names) == ["cusolver_geqrf_ffi", "cusolver_getrf_ffi", "cusolver_orgqr_ffi"]
    assert all("backend_config = {}" in each for each in found)


@pytest.mark.parametrize("uplo, lower", [("L", "true"), ("U", "false")])
def test_eigenvalues_of_hermitian_matrices(replaced, uplo, lower):
    call, = replaced(lambda a: np.linalg.eigh(a, uplo), MATRICES)  # fmt: skip
    assert "@cusolver_syevd_ffi" in call
    assert f"backend_config = {{algorithm = 0 : ui8, lower = {lower}}}" in call


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("shape", [(5, 3), (3, 3), (3, 5), (2, 3, 5)])
def test_singular_values(replaced, shape, full):
    call, = replaced(lambda a: np.linalg.svd(a, full), np.ones(shape))  # fmt: skip
    rows, columns = shape[-2:]
    is_wide = rows < columns
    options = f"compute_uv = true, full_matrices = {str(full).lower()}"
    assert f"{{{options}, transposed = {str(is_wide).lower()}}}" in call
    # A wide matrix lies in memory as its transpose does for LAPACK, whose U comes first.
    batch, rank = "x".join(map(str, (*shape[:-2], ""))), len(shape)
    size = min(rows, columns)
    left = f"tensor<{batch}{rows}x{rows if full else size}xf64>"
    right = f"tensor<{batch}{columns if full else size}x{columns}xf64>"
    results = call.split("->")[1]
    first = right if is_wide else left
    assert results.split(", ")[2] == first
    c_order = ", ".join(map(str, reversed(range(rank))))
    assert (f"operand_layouts = [dense<[{c_order}]>" in call) == is_wide


def test_what_it_lacks_is_refused(replaced):
    with pytest.raises(RuntimeError, match="LAPACK's geev runs on the CPU only"):
        replaced(np.linalg.eig, np.ones((3, 3)))


def test_without_its_package():
    text = ingot.jit(np.linalg.inv).lower(np.eye(3)).stablehlo()
    with pytest.raises(RuntimeError, match="on a GPU need jax-cuda13-plugin"):
        cusolver.with_cusolver(text)
