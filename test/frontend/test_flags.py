"""`a.flags`: what is known of memory order, and whether an array can be stored to; bytes can't."""

import numpy as np
import pytest
from plain import refused, same

import ingot

A = np.arange(12.0).reshape(3, 4)
NAMES = (
    "C",
    "C_CONTIGUOUS",
    "CONTIGUOUS",
    "F",
    "F_CONTIGUOUS",
    "FORTRAN",
    "FNC",
    "FORC",
    "W",
    "WRITEABLE",
)
ARRAYS = {
    "c": A, "f": np.asfortranarray(A), "transposed": A.T, "every other": A[:, ::2], "row": A[1], "column": A[:, 1],
    "one column": A[:, :1], "reversed": A[::-1], "broadcast": np.broadcast_to(A[0], (2, 4)), "no axes": np.array(1.0),
    "empty": A[:0], "three axes": np.zeros((2, 1, 3)).swapaxes(0, 2), "float32": A.astype("f4"),
}  # fmt: skip


def attributes(a):
    found = a.flags
    return (
        found.c_contiguous, found.f_contiguous, found.contiguous, found.fortran, found.fnc, found.forc,
        found.writeable, [a.flags[each] for each in NAMES], np.isfortran(a),
    )  # fmt: skip


def of_what_is_made(a):
    made = (
        a + 1,
        a.T,
        a.copy(),
        a.copy("F"),
        np.zeros_like(a),
        a.reshape(-1),
        a[..., None],
        np.broadcast_to(a, (2, *a.shape)),
    )
    return [
        (each.flags.c_contiguous, each.flags.f_contiguous, each.flags.writeable) for each in made
    ]


def made_contiguous(a):
    if not a.flags["C_CONTIGUOUS"]:
        a = np.ascontiguousarray(a)
        a += 1
    return a * 2


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("f", [attributes, of_what_is_made, made_contiguous])
def test_flags(f, name):
    same(f, ARRAYS[name].copy("K") if name in ("c", "f") else ARRAYS[name])


def test_flags_of_read_only_arrays():
    a = A.copy()
    a.flags.writeable = False
    same(attributes, a)


def test_flags_of_numbers():
    same(lambda a: attributes(a[0, 0]), A)
    same(lambda a: np.isfortran(float(a[0, 0])), A)


BYTES = bytes(range(1, 9))


def from_bytes(a):
    found = np.frombuffer(BYTES, np.uint8)
    return (
        np.frombuffer(BYTES), np.frombuffer(BYTES, "u2", 2, 2), np.frombuffer(b"ACGT", dtype="i1", count=3),
        np.frombuffer("ACGT".encode(), np.uint8) - 65, found + a[0, 0], found.flags.writeable, found[2:].sum(),
    )  # fmt: skip


def stored_to_bytes(a):
    found = np.frombuffer(BYTES, np.uint8)
    found[0] = 3
    return found


@pytest.mark.parametrize(
    "f",
    [
        from_bytes, stored_to_bytes, lambda a: np.frombuffer(BYTES[:3]),
        lambda a: np.frombuffer(BYTES, np.uint8, 20), lambda a: np.frombuffer(b"", np.uint8),
    ],
)  # fmt: skip
def test_bytes_as_arrays(f):
    same(f, A)


@pytest.mark.parametrize("name", ["OWNDATA", "O", "ALIGNED", "BEHAVED", "CARRAY", "NOPE"])
def test_flags_that_are_not_known(name):
    def f(a):
        return a.flags[name]  # refused

    refused(f, A)


def own_data(a):
    return a.flags.owndata  # refused


def set_by_attribute(a):
    a.flags.writeable = False  # refused


def set_by_item(a):
    a.flags["W"] = False  # refused


def compared(a):
    return a.flags == a.T.flags  # refused


def shown(a):
    print(a.flags)  # refused


def of_either(a):
    b = a if a[0, 0] > 0 else a.copy("F")
    return b.flags.fnc  # refused


@pytest.mark.parametrize("f", [own_data, set_by_attribute, set_by_item, compared, shown, of_either])
def test_refused(f):
    refused(f, A)


def test_derivatives_and_batches():
    def f(a):
        return np.sum(made_contiguous(a) ** 2)

    np.testing.assert_allclose(ingot.grad(f)(A), 8 * A)
    np.testing.assert_allclose(ingot.vmap(made_contiguous)(A[None]), [2 * A])
