"""`ingot.vmap`: what a Python loop over the items and np.stack give."""

import copy

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

import ingot
from ingot_runtime.trees import flatten, rebuild
from oracle import quiet

RNG = np.random.default_rng(0)
X = RNG.normal(size=(5, 6))
Y = RNG.normal(size=(5, 6))
S = np.array([0.5, 7.0, -3.0, 100.0, 1.0])
I = np.array([0, 3, 5, 1, 3])  # noqa: E741
Q = RNG.normal(size=(5, 3, 3))


def looped(f, in_axes, args):
    """The results of the items, stacked along the first axis."""
    size = next(a.shape[axis] for a, axis in zip(args, in_axes) if axis is not None)
    results = []
    for lane in range(size):
        items = [
            np.take(a, lane, axis) if axis is not None else a for a, axis in zip(args, in_axes)
        ]
        leaves = []
        structure = flatten(f(*copy.deepcopy(items)), leaves)
        results.append(leaves)
    return rebuild(structure, [np.stack(leaf) for leaf in zip(*results)])


def check_items(f, *args, in_axes=None):
    in_axes = in_axes or (0,) * len(args)
    saved = [np.copy(a) for a in args]
    with quiet():
        expected, result = [], []
        wanted = flatten(looped(f, in_axes, args), expected)
        assert flatten(ingot.vmap(f, in_axes)(*args), result) == wanted
    for mine, theirs in zip(result, expected):
        assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape)
        np.testing.assert_allclose(mine, theirs, rtol=1e-11, atol=1e-13)
    for now, before in zip(args, saved):
        np.testing.assert_array_equal(now, before)


# Programs.


def branch(x):
    if x.sum() > 0:
        return np.sqrt(x.sum())
    return -x[0]


def one_sided(x):
    y = x * 2
    if x[0] > x[1]:
        y = y + 1
    return y


def nested_branches(s):
    if s > 0:
        if s > 50:
            return s - 50
        return s * 2
    return 0.0


def branch_updates(x):
    a = np.zeros(6)
    if x[0] > 0:
        a[2] = x[1]
    else:
        a[3:5] = x[2:4]
    return a


def both_update(x):
    a = x.copy()
    if x[0] > 0:
        a[0] = 10
        a[1:3] += a[0]
    else:
        a[0] = 20
        a[4] = a[0] * 2
    return a


def update_then_branch(x):
    a = np.zeros(6)
    b = a.copy()
    b[1] = x[0]
    return b if x[0] > 0 else a


def running(x):
    total = 0.0
    for i in range(6):
        total = total * 0.5 + x[i]
    return total


def over_rows(q):
    out = np.zeros(3)
    for row in q:
        out += row * row.sum()
    return out


def counted_by_item(n, x):
    s = 0.0
    for k in range(n):
        s += x[k]
    return s


def counted_down(n):
    s = 0
    for k in range(n, -2, -2):
        s = s * 2 + k
    return s


def range_by_items(n, x):
    a = np.zeros(6)
    for k in range(n, 6):
        a[k] = x[k] * k
    return a


def triangle(n):
    a = np.zeros((6, 6))
    for i in range(n):
        for j in range(i):
            a[i, j] = i * 10 + j
    return a


def halving(s):
    n = 0
    while s > 1:
        s = s / 2
        n += 1
    return s, n


def collatz(n):
    steps = 0
    k = n + 1
    while k != 1:
        k = 3 * k + 1 if k % 2 else k // 2
        steps += 1
    return steps


def newton(s):
    y = abs(s)
    x = y + 1.0
    while abs(x * x - y) > 1e-9:
        x = 0.5 * (x + y / x)
    return x


def while_updates(x):
    a = x.copy()
    i = 0
    while i < 6 and a[i] < 1:
        a[i] = -a[i]
        i += 1
    return a, i


def while_in_branch(s):
    n = 0
    if s > 2:
        while s > 2:
            s = s * 0.7
            n += 1
    return s, n


def branch_in_while(s):
    a = np.zeros(4)
    i = 0
    while i < 4:
        if s > i:
            a[i] = s
            s -= 1
        i += 1
    return a, s


def while_in_for(x):
    out = np.zeros(6)
    for i in range(6):
        v = abs(x[i])
        while v > 0.1:
            v = v / 3
        out[i] = v
    return out


def for_in_while(s):
    total = 0.0
    k = 0
    while k * k < s:
        for j in range(3):
            total += k * j
        k += 1
    return total


def breaks(x):
    best = -1
    for i in range(6):
        if x[i] > 0.8:
            best = i
            break
    return best


def continues(x):
    s = 0.0
    for i in range(6):
        if x[i] < 0:
            continue
        s += x[i]
    return s


def returns_early(x):
    for i in range(6):
        if x[i] > 1:
            return i
    return -1


def masked_store(x):
    y = x.copy()
    y[x > 0] = 0
    y[y < -1] *= 2
    return y


def reads_at(i, x):
    return x[i]


def reads_rows(i, q):
    return q[i % 3], q[:, i % 3]


def reads_slices(i, x):
    j = int(i) % 4
    return x[j : j + 2]


def gathers(q, i):
    k = np.array([0, 1, 2, 0]) + i * 0
    return q[k], q[k % 3, (k + i) % 3]


def stores_at(i, x, s):
    a = x.copy()
    a[i] = s
    a[i // 2] += 1
    return a


def stores_slices(i, x):
    a = np.zeros(8)
    j = int(i) % 3
    a[j : j + 6] = x
    a[j : j + 6] *= 2
    return a


def scatters(i, x):
    a = np.zeros(6)
    np.add.at(a, np.array([0, 1, 1]) + i // 3, x[:3])
    return a


def swaps(i, x):
    a = x.copy()
    j = (i + 1) % 6
    a[i], a[j] = a[j], a[i]
    return a


def sorts(x):
    return np.sort(x), np.argsort(x), np.median(x)


def insertion(x):
    a = x.copy()
    for i in range(1, 6):
        j = i
        while j > 0 and a[j - 1] > a[j]:
            a[j - 1], a[j] = a[j], a[j - 1]
            j -= 1
    return a


def bisect(x, s):
    a = np.sort(x)
    low, high = 0, 6
    while low < high:
        middle = (low + high) // 2
        if a[middle] < s:
            low = middle + 1
        else:
            high = middle
    return low


def solves(q, x):
    a = q @ q.T + np.eye(3)
    return np.linalg.solve(a, x[:3]), np.linalg.det(a), np.linalg.eigvalsh(a)


def powers(q):
    p = np.eye(3)
    for _ in range(4):
        p = p @ q / np.linalg.norm(q)
    return p


def fixed_outside(x):
    w = np.linspace(0, 1, 6)
    return (x * w).sum() + w[2]


def scan(x):
    s = np.zeros(6)
    s[0] = x[0]
    for i in range(1, 6):
        s[i] = 0.9 * s[i - 1] + x[i] * (s[i - 1] > 0)
    return s


def transforms(x):
    return np.abs(np.fft.fft(x)), np.cumsum(x), np.convolve(x, [1.0, 2.0])


def pads(x, s):
    return np.pad(x, (1, 2), constant_values=s)


def trees(x, s):
    return {"a": x * s, "b": (s, [x[0]])}


def queue(x):
    a = np.zeros(6)
    head = 0
    for i in range(6):
        if x[i] > 0 and head < 3:
            a[head] = x[i]
            head += 1
    return a, head


PROGRAMS = [
    (branch, (X,)), (one_sided, (X,)), (nested_branches, (S,)), (branch_updates, (X,)),
    (both_update, (X,)), (update_then_branch, (X,)), (running, (X,)), (over_rows, (Q,)),
    (counted_by_item, (I, X)), (counted_down, (I,)), (range_by_items, (I, X)), (triangle, (I,)),
    (halving, (S,)), (collatz, (I,)), (newton, (S,)), (while_updates, (X,)),
    (while_in_branch, (S,)), (branch_in_while, (S,)), (while_in_for, (X,)), (for_in_while, (S,)),
    (breaks, (X,)), (continues, (X,)), (returns_early, (X,)), (masked_store, (X,)),
    (reads_at, (I, X)), (reads_rows, (I, Q)), (reads_slices, (I, X)), (gathers, (Q, I)),
    (stores_at, (I, X, S)), (stores_slices, (I, X)), (scatters, (I, X)), (swaps, (I, X)),
    (sorts, (X,)), (insertion, (X,)), (bisect, (X, S)), (solves, (Q, X)), (powers, (Q,)),
    (fixed_outside, (X,)), (scan, (X,)), (transforms, (X,)), (pads, (X, S)), (trees, (X, S)),
    (queue, (X,)),
]  # fmt: skip


@pytest.mark.parametrize("f, args", PROGRAMS, ids=lambda each: getattr(each, "__name__", ""))
def test_programs(f, args):
    check_items(f, *args)


@pytest.mark.parametrize(
    "f, args",
    [(f, args) for f, args in PROGRAMS if len(args) > 1],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_arguments_that_are_the_same_for_all(f, args):
    for fixed in range(len(args)):
        axes = tuple(None if i == fixed else 0 for i in range(len(args)))
        check_items(f, *[a[0] if i == fixed else a for i, a in enumerate(args)], in_axes=axes)


@given(st.data())
def test_axes(data):
    """Any axes, of arguments and results."""
    shape = data.draw(st.lists(st.integers(1, 3), min_size=0, max_size=2))
    rank = len(shape) + 1
    axes = st.integers(-rank, rank - 1)
    first, second, out = (data.draw(axes) for _ in range(3))
    x, y = RNG.normal(size=(4, *shape)), RNG.normal(size=(4, *shape))
    args = np.moveaxis(x, 0, first), np.moveaxis(y, 0, second)
    result = ingot.vmap(np_products, (first, second), (out, 0))(*args)
    np.testing.assert_allclose(result[0], np.moveaxis(x * y + 1, 0, out))
    np.testing.assert_allclose(result[1], (x - y).reshape(4, -1).sum(1))


def np_products(a, b):
    return a * b + 1, np.sum(a - b)


def test_trees_of_axes():
    def model(weights, x, scale=2.0):
        return {"y": x @ weights["w"] * scale, "b": weights["b"]}

    weights = {"w": RNG.normal(size=(6, 2)), "b": np.arange(5.0)}
    mapped = ingot.vmap(model, ({"w": None, "b": 0}, 0, None), {"y": -1, "b": 0})
    result = mapped(weights, X, 3.0)
    np.testing.assert_allclose(result["y"], (X @ weights["w"] * 3.0).T)
    np.testing.assert_array_equal(result["b"], np.arange(5.0))
    by_name = ingot.vmap(model, ({"w": None, "b": 0}, 0))(weights, X, scale=S)
    np.testing.assert_allclose(by_name["y"], X @ weights["w"] * S[:, None])


def test_results_that_are_the_same_for_all():
    def f(x, w):
        return x + w, w * 2, 3, None

    result = ingot.vmap(f, (0, None), (0, None, 0, None))(X, S[0])
    np.testing.assert_array_equal(result[0], X + S[0])
    assert result[1] == 1.0
    np.testing.assert_array_equal(result[2], np.full(5, 3))
    assert result[3] is None


def test_nested():
    def distance(a, b):
        return np.sqrt(np.sum((a - b) ** 2))

    pairs = ingot.vmap(ingot.vmap(distance, (None, 0)), (0, None))(X, Y)
    np.testing.assert_allclose(pairs, np.linalg.norm(X[:, None] - Y[None], axis=-1))

    def until(x, n):
        while x > 1:
            x = x / n
        return x

    table = ingot.vmap(ingot.vmap(until, (None, 0)), (0, None))(S, np.array([2.0, 3.0]))
    np.testing.assert_allclose(table, [[until(s, n) for n in (2.0, 3.0)] for s in S])


def test_in_compiled_code():
    def rows(x, w):
        scaled = ingot.vmap(lambda row, s: row * w + s, in_axes=(0, None))(x, w[0])
        return scaled.sum(axis=1)

    np.testing.assert_allclose(ingot.jit(rows)(X, X[0]), (X * X[0] + X[0, 0]).sum(1))

    def of_named(x):
        return ingot.vmap(branch)(x)

    np.testing.assert_allclose(ingot.jit(of_named)(X), [branch(x) for x in X])


def test_prints_and_checks(capfd):
    def f(x):
        if x > 0:
            print("x =", x)
        assert x < 200
        return 10.0 / x

    ingot.vmap(f)(S)
    assert capfd.readouterr().out.split() == "x = 0.5 x = 7.0 x = 100.0 x = 1.0".split()
    with pytest.raises(AssertionError):
        ingot.vmap(f)(S * 3)


def test_a_side_that_is_not_taken_raises_nothing():
    def f(i, x):
        if i < 6:
            return x[i]
        return 0.0

    items = np.array([1, 9, 5, 6, 0])
    result = ingot.vmap(f)(items, X)
    np.testing.assert_array_equal(result, [f(i, x) for i, x in zip(items, X)])
    with pytest.raises(IndexError):
        ingot.vmap(reads_at)(items, X)


def test_names_in_the_ir():
    text = ingot.vmap(ingot.grad(lambda x: np.sum(x**2))).lower(X).ir()
    assert 'ingot.vmap "lambda"' in text
    assert 'vjp "lambda"' in text
    assert 'ingot.vmap "branch"' in ingot.vmap(branch).lower(X).ir()


def test_updates_stay_updates():
    """An element update of a lane does not copy the lane's array."""
    text = ingot.vmap(while_updates).lower(X).ir(after="expand-transformations")
    body = text[text.index("} do {") :]
    assert "ingot.scatter set" in body
    assert "-> tensor<5x6xf64>" not in [
        line for line in body.splitlines() if "ingot.select" in line
    ]


# Composition with derivatives.


def test_per_example_gradients():
    def loss(w, x):
        return np.sum(np.tanh(x @ w) ** 2)

    w = RNG.normal(size=(6, 3))
    found = ingot.vmap(ingot.grad(loss), (None, 0))(w, X)
    np.testing.assert_allclose(found, [ingot.grad(loss)(w, x) for x in X], rtol=1e-12)
    total = ingot.grad(lambda w: np.sum(ingot.vmap(loss, (None, 0))(w, X)))(w)
    np.testing.assert_allclose(total, found.sum(0), rtol=1e-12)


def test_hessian_vector_products():
    def f(x):
        return np.sum(np.sin(x) * x[::-1] ** 2)

    def product(x, v):
        return ingot.jvp(ingot.grad(f), (x,), (v,))[1]

    found = ingot.vmap(product)(X, Y)
    np.testing.assert_allclose(found, [ingot.hessian(f)(x) @ y for x, y in zip(X, Y)], rtol=1e-10)


def test_directions_of_batches_of_batches():
    def f(x):
        return np.sum(np.sin(x) * x[::-1])

    def along(x, v):
        return ingot.jvp(f, (x,), (v,))[1]

    found = ingot.vmap(ingot.vmap(along, (None, 0)), (0, None))(X, Y)
    slopes = [ingot.grad(f)(x) for x in X]
    np.testing.assert_allclose(found, [[slope @ y for y in Y] for slope in slopes], rtol=1e-10)


def test_gradients_of_batched_loops():
    def f(s):
        y = abs(s)
        x = y + 1.0
        while abs(x * x - y) > 1e-12:
            x = 0.5 * (x + y / x)
        return x

    expected = 0.5 / np.sqrt(np.abs(S)) * np.sign(S)
    np.testing.assert_allclose(ingot.vmap(ingot.grad(f))(S), expected, rtol=1e-6)
    total = ingot.grad(lambda s: np.sum(ingot.vmap(f)(s)))
    np.testing.assert_allclose(total(S), expected, rtol=1e-6)


def test_custom_rules():
    @ingot.custom_jvp
    def tripled(x, y):
        return x * y

    @tripled.defjvp
    def _(primals, tangents):
        (x, y), (dx, dy) = primals, tangents
        return tripled(x, y), 3 * dx * y + 3 * dy * x

    @ingot.custom_vjp
    def clipped(x, y):
        return x * y

    clipped.defvjp(lambda x, y: (x * y, (x, y)), lambda kept, t: (t * kept[1] * 2, t * kept[0] * 5))

    for f, by_x, by_y in ((tripled, 3, 3), (clipped, 2, 5)):

        def plain(x, y, f=f):
            return f(x, y)

        gradients = ingot.vmap(ingot.grad(plain, (0, 1)), (0, None))(S, 2.0)
        np.testing.assert_allclose(gradients[0], np.full(5, by_x * 2.0))
        np.testing.assert_allclose(gradients[1], by_y * S)
        total = ingot.grad(lambda x, y, g=plain: np.sum(ingot.vmap(g, (0, None))(x, y)), (0, 1))
        np.testing.assert_allclose(total(S, 2.0)[0], np.full(5, by_x * 2.0))
        np.testing.assert_allclose(total(S, 2.0)[1], by_y * S.sum())


def test_checkpoint():
    def f(x):
        return np.sum(ingot.checkpoint(np_chain)(x))

    np.testing.assert_allclose(
        ingot.vmap(ingot.grad(f))(X), [ingot.grad(f)(x) for x in X], rtol=1e-12
    )
    total = ingot.grad(lambda x: np.sum(ingot.vmap(f)(x)))(X)
    np.testing.assert_allclose(total, [ingot.grad(f)(x) for x in X], rtol=1e-12)


def np_chain(x):
    return np.sin(np.cos(x) * x)


# Errors.


def failure(f, *args, **axes):
    with pytest.raises(ingot.CompileError) as caught:
        ingot.vmap(f, **axes)(*args)
    text = str(caught.value)
    assert __file__ in text
    return text


def test_errors():
    text = failure(reads_at, I, X, in_axes=(0, 0, 0))
    assert "in_axes has 3 entries for 2 positional arguments" in text
    assert "give one for each" in text
    text = failure(reads_at, I, X, in_axes=(0, "x"))
    assert "in_axes holds 'x', which is no axis" in text
    text = failure(reads_at, I, X, in_axes=(0, 2))
    assert "in_axes maps `x`, which has 2 axes, along axis 2" in text
    assert "axes are from -2 to 1" in text
    text = failure(reads_at, I, X[:4])
    assert "`i` has 5 items along axis 0, but `x` has 4 along axis 0" in text
    text = failure(reads_at, 3, X)
    assert "in_axes maps `i`, which is a run-time int, along axis 0" in text
    assert "give None for it in in_axes" in text
    text = failure(reads_at, I[:0], X[:0])
    assert "`i` has no items along axis 0" in text
    text = failure(reads_at, I, X, in_axes=None)
    assert "no argument to map" in text
    text = failure(trees, X, S, in_axes=({"a": 0}, 0))
    assert "in_axes is not structured as the values" in text
    text = failure(running, X, out_axes=2)
    assert "out_axes has axis 2 for a result of 1 axes" in text
    text = failure(running, X, out_axes=None)
    assert "out_axes None differs between the items" in text
    text = failure(trees, X, S, out_axes=(0, 0))
    assert "out_axes is not structured as the values" in text


def test_static_arguments_that_are_not_hashable():
    with pytest.raises(ingot.UnsupportedError) as caught:
        ingot.vmap(lambda x, h: x, (0, None))(X, bytearray(b"a"))
    assert "the argument `h` is a bytearray, which has no hash" in str(caught.value)
    assert "pass arrays, numbers, strings" in str(caught.value)
    assert caught.value.filename == __file__


class Linear:
    __hash__ = None

    def __init__(self, w, b):
        self.w, self.b = w, b

    def __call__(self, x):
        return np.sum(x * self.w) + self.b


def test_containers_and_instances():
    params = {"w": X + 1, "b": [X[:, 0]]}
    result = ingot.vmap(lambda p, x: {"a": p["w"] * x, "b": [p["b"][0]]})(params, X)
    np.testing.assert_allclose(result["a"], (X + 1) * X)
    np.testing.assert_array_equal(result["b"][0], X[:, 0])
    shared = {"w": X[0], "b": X[:, 0]}
    result = ingot.vmap(lambda p, x: np.sum(p["w"] * x) + p["b"], ({"w": None, "b": 0}, 0))(
        shared, X
    )
    np.testing.assert_allclose(result, X @ X[0] + X[:, 0])
    model = Linear(X[0], 0.5)
    result = ingot.vmap(lambda m, x: m(x), (None, 0))(model, X)
    np.testing.assert_allclose(result, X @ X[0] + 0.5)
    made = ingot.vmap(lambda x: Linear(x, x[0]))(X)
    assert type(made) is Linear
    np.testing.assert_array_equal(made.w, X)
    np.testing.assert_array_equal(made.b, X[:, 0])


def test_stores_to_arrays_from_outside():
    outside = np.zeros(6)

    def f(x):
        outside[0] = x[0]
        return x

    assert "vmapped stores to an array from outside" in failure(f, X)


def test_exported_with_any_number_of_items(tmp_path):
    ingot.export(ingot.vmap(reads_at), ingot.spec("n", "int64"), ingot.spec("n,6")).save(
        tmp_path / "f.ingot"
    )
    loaded = ingot.load(tmp_path / "f.ingot")
    for n in (5, 1, 3):
        np.testing.assert_array_equal(loaded(I[:n], X[:n]), X[np.arange(n), I[:n]])


def stored_through_a_reshape(a):
    a.reshape(-1)[1] -= 3
    return a


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("order", ["C", "F", "K"])
def test_items_lie_in_memory_as_those_of_the_batch(axis, order):
    def batch():
        made = np.arange(24.0).reshape(2, 3, 4)
        return made[::-1, :, ::2] if order == "K" else made.copy(order)

    items = np.moveaxis(batch(), axis, 0)
    expected = np.stack([stored_through_a_reshape(item) for item in items])
    actual = ingot.vmap(stored_through_a_reshape, axis)(batch())
    np.testing.assert_array_equal(actual, expected)
