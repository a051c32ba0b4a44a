"""Kernels to differentiate, in plain NumPy and ported to JAX.

Each function returns one number. Its gradient is with respect to its first argument, an array.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def seidel_2d(a, steps):
    a = a.copy()
    n = a.shape[0]
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                a[i, j] = (
                    a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1] + a[i, j - 1] + a[i, j]
                    + a[i, j + 1] + a[i + 1, j - 1] + a[i + 1, j] + a[i + 1, j + 1]
                ) / 9.0  # fmt: skip
    return np.sum(a * a)


def seidel_2d_jax(a, steps):
    n = a.shape[0]

    def cell(i, j, a):
        part = lax.dynamic_slice(a, (i - 1, j - 1), (3, 3))
        return a.at[i, j].set(jnp.sum(part) / 9.0)

    def row(i, a):
        return lax.fori_loop(1, n - 1, lambda j, a: cell(i, j, a), a)

    a = lax.fori_loop(0, steps, lambda _, a: lax.fori_loop(1, n - 1, row, a), a)
    return jnp.sum(a * a)


def adi(u, steps):
    n = u.shape[0]
    v, p, q = np.zeros_like(u), np.zeros_like(u), np.zeros_like(u)
    a, b, c = -0.2, 1.4, -0.2
    u = u.copy()
    for _ in range(steps):
        v[0, 1:-1] = 1.0
        p[1:-1, 0] = 0.0
        q[1:-1, 0] = v[0, 1:-1]
        for j in range(1, n - 1):
            p[1:-1, j] = -c / (a * p[1:-1, j - 1] + b)
            q[1:-1, j] = (
                0.1 * u[j, :-2] + 0.8 * u[j, 1:-1] + 0.1 * u[j, 2:] - a * q[1:-1, j - 1]
            ) / (a * p[1:-1, j - 1] + b)
        v[n - 1, 1:-1] = 1.0
        for j in range(n - 2, 0, -1):
            v[j, 1:-1] = p[1:-1, j] * v[j + 1, 1:-1] + q[1:-1, j]
        u[1:-1, 0] = 1.0
        p[1:-1, 0] = 0.0
        q[1:-1, 0] = u[1:-1, 0]
        for j in range(1, n - 1):
            p[1:-1, j] = -c / (a * p[1:-1, j - 1] + b)
            q[1:-1, j] = (
                0.1 * v[:-2, j] + 0.8 * v[1:-1, j] + 0.1 * v[2:, j] - a * q[1:-1, j - 1]
            ) / (a * p[1:-1, j - 1] + b)
        u[1:-1, n - 1] = 1.0
        for j in range(n - 2, 0, -1):
            u[1:-1, j] = p[1:-1, j] * u[1:-1, j + 1] + q[1:-1, j]
    return np.sum(u * u)


def adi_jax(u, steps):
    n = u.shape[0]
    a, b, c = -0.2, 1.4, -0.2

    def step(_, carry):
        u, v, p, q = carry
        v = v.at[0, 1:-1].set(1.0)
        p = p.at[1:-1, 0].set(0.0)
        q = q.at[1:-1, 0].set(v[0, 1:-1])

        def down(j, pq):
            p, q = pq
            d = a * p[1:-1, j - 1] + b
            right = 0.1 * u[j, :-2] + 0.8 * u[j, 1:-1] + 0.1 * u[j, 2:] - a * q[1:-1, j - 1]
            return p.at[1:-1, j].set(-c / d), q.at[1:-1, j].set(right / d)

        p, q = lax.fori_loop(1, n - 1, down, (p, q))
        v = v.at[n - 1, 1:-1].set(1.0)

        def up(k, v):
            j = n - 2 - k
            return v.at[j, 1:-1].set(p[1:-1, j] * v[j + 1, 1:-1] + q[1:-1, j])

        v = lax.fori_loop(0, n - 2, up, v)
        u = u.at[1:-1, 0].set(1.0)
        p = p.at[1:-1, 0].set(0.0)
        q = q.at[1:-1, 0].set(u[1:-1, 0])

        def across(j, pq):
            p, q = pq
            d = a * p[1:-1, j - 1] + b
            right = 0.1 * v[:-2, j] + 0.8 * v[1:-1, j] + 0.1 * v[2:, j] - a * q[1:-1, j - 1]
            return p.at[1:-1, j].set(-c / d), q.at[1:-1, j].set(right / d)

        p, q = lax.fori_loop(1, n - 1, across, (p, q))
        u = u.at[1:-1, n - 1].set(1.0)

        def back(k, u):
            j = n - 2 - k
            return u.at[1:-1, j].set(p[1:-1, j] * u[1:-1, j + 1] + q[1:-1, j])

        return lax.fori_loop(0, n - 2, back, u), v, p, q

    zeros = jnp.zeros_like(u)
    u = lax.fori_loop(0, steps, step, (u, zeros, zeros, zeros))[0]
    return jnp.sum(u * u)


def deriche(x, alpha):
    k = (1 - np.exp(-alpha)) ** 2 / (1 + 2 * alpha * np.exp(-alpha) - np.exp(2 * alpha))
    a1, a2 = k, k * np.exp(-alpha) * (alpha - 1)
    b1, b2 = 2.0 ** (-alpha), -np.exp(-2 * alpha)
    y = np.zeros_like(x)
    for i in range(2, x.shape[1]):
        y[:, i] = a1 * x[:, i] + a2 * x[:, i - 1] + b1 * y[:, i - 1] + b2 * y[:, i - 2]
    z = np.zeros_like(x)
    for i in range(x.shape[1] - 3, -1, -1):
        z[:, i] = a1 * x[:, i + 1] + a2 * x[:, i + 2] + b1 * z[:, i + 1] + b2 * z[:, i + 2]
    w = np.tanh(y + z)
    for i in range(2, x.shape[0]):
        w[i] = a1 * w[i] + a2 * w[i - 1] + b1 * w[i - 1] * w[i - 2]
    return np.sum(w * w)


def deriche_jax(x, alpha):
    k = (1 - jnp.exp(-alpha)) ** 2 / (1 + 2 * alpha * jnp.exp(-alpha) - jnp.exp(2 * alpha))
    a1, a2 = k, k * jnp.exp(-alpha) * (alpha - 1)
    b1, b2 = 2.0 ** (-alpha), -jnp.exp(-2 * alpha)
    rows, columns = x.shape

    def right(i, y):
        return y.at[:, i].set(a1 * x[:, i] + a2 * x[:, i - 1] + b1 * y[:, i - 1] + b2 * y[:, i - 2])

    def left(n, z):
        i = columns - 3 - n
        return z.at[:, i].set(
            a1 * x[:, i + 1] + a2 * x[:, i + 2] + b1 * z[:, i + 1] + b2 * z[:, i + 2]
        )

    def down(i, w):
        return w.at[i].set(a1 * w[i] + a2 * w[i - 1] + b1 * w[i - 1] * w[i - 2])

    y = lax.fori_loop(2, columns, right, jnp.zeros_like(x))
    z = lax.fori_loop(0, columns - 2, left, jnp.zeros_like(x))
    w = lax.fori_loop(2, rows, down, jnp.tanh(y + z))
    return jnp.sum(w * w)


def gramschmidt(a):
    a = a.copy()
    n = a.shape[1]
    q, r = np.zeros_like(a), np.zeros((n, n))
    for k in range(n):
        r[k, k] = np.sqrt(a[:, k] @ a[:, k])
        q[:, k] = a[:, k] / r[k, k]
        for j in range(k + 1, n):
            r[k, j] = q[:, k] @ a[:, j]
            a[:, j] -= q[:, k] * r[k, j]
    return np.sum(np.sin(q)) + np.sum(r)


def gramschmidt_jax(a):
    n = a.shape[1]

    def column(k, carry):
        a, q, r = carry
        r = r.at[k, k].set(jnp.sqrt(a[:, k] @ a[:, k]))
        q = q.at[:, k].set(a[:, k] / r[k, k])

        def other(j, ar):
            a, r = ar
            part = jnp.where(j > k, q[:, k] @ a[:, j], r[k, j])
            r = r.at[k, j].set(part)
            return a.at[:, j].add(jnp.where(j > k, -q[:, k] * part, 0.0)), r

        a, r = lax.fori_loop(0, n, other, (a, r))
        return a, q, r

    _, q, r = lax.fori_loop(0, n, column, (a, jnp.zeros_like(a), jnp.zeros((n, n))))
    return jnp.sum(jnp.sin(q)) + jnp.sum(r)


def floyd_warshall(path):
    path = path.copy()
    for k in range(path.shape[0]):
        for i in range(path.shape[0]):
            path[i] = np.minimum(path[i], path[i, k] + path[k])
    return np.sum(path * path)


def floyd_warshall_jax(path):
    n = path.shape[0]

    def row(k, i, path):
        return path.at[i].set(jnp.minimum(path[i], path[i, k] + path[k]))

    def through(k, path):
        return lax.fori_loop(0, n, lambda i, path: row(k, i, path), path)

    path = lax.fori_loop(0, n, through, path)
    return jnp.sum(path * path)


def vadv(w, u):
    c, d = np.zeros_like(u), np.zeros_like(u)
    levels = u.shape[2]
    c[:, :, 0] = w[:, :, 0] / (1 + w[:, :, 0])
    d[:, :, 0] = u[:, :, 0] / (1 + w[:, :, 0])
    for k in range(1, levels):
        a = -0.25 * w[:, :, k]
        b = 1.0 / (1.5 - a * c[:, :, k - 1])
        c[:, :, k] = 0.25 * w[:, :, k] * b
        d[:, :, k] = (u[:, :, k] - a * d[:, :, k - 1]) * b
    x = np.zeros_like(u)
    x[:, :, levels - 1] = d[:, :, levels - 1]
    for k in range(levels - 2, -1, -1):
        x[:, :, k] = d[:, :, k] - c[:, :, k] * x[:, :, k + 1]
    return np.sum(x * x)


def vadv_jax(w, u):
    levels = u.shape[2]
    c, d = jnp.zeros_like(u), jnp.zeros_like(u)
    c = c.at[:, :, 0].set(w[:, :, 0] / (1 + w[:, :, 0]))
    d = d.at[:, :, 0].set(u[:, :, 0] / (1 + w[:, :, 0]))

    def down(k, cd):
        c, d = cd
        a = -0.25 * w[:, :, k]
        b = 1.0 / (1.5 - a * c[:, :, k - 1])
        c = c.at[:, :, k].set(0.25 * w[:, :, k] * b)
        return c, d.at[:, :, k].set((u[:, :, k] - a * d[:, :, k - 1]) * b)

    c, d = lax.fori_loop(1, levels, down, (c, d))
    x = jnp.zeros_like(u).at[:, :, levels - 1].set(d[:, :, levels - 1])

    def up(n, x):
        k = levels - 2 - n
        return x.at[:, :, k].set(d[:, :, k] - c[:, :, k] * x[:, :, k + 1])

    x = lax.fori_loop(0, levels - 1, up, x)
    return jnp.sum(x * x)


def alignment(score):
    """A table of best sums, as of nussinov or of sequence alignment."""
    n = score.shape[0]
    table = np.zeros((n + 1, n + 1))
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            match = table[i - 1, j - 1] + score[i - 1, j - 1]
            gap = max(table[i - 1, j], table[i, j - 1]) - 0.3
            table[i, j] = max(match, gap, 0.0)
    return np.sum(table)


def alignment_jax(score):
    n = score.shape[0]

    def cell(i, j, table):
        match = table[i - 1, j - 1] + score[i - 1, j - 1]
        gap = jnp.maximum(table[i - 1, j], table[i, j - 1]) - 0.3
        return table.at[i, j].set(jnp.maximum(jnp.maximum(match, gap), 0.0))

    def row(i, table):
        return lax.fori_loop(1, n + 1, lambda j, table: cell(i, j, table), table)

    return jnp.sum(lax.fori_loop(1, n + 1, row, jnp.zeros((n + 1, n + 1))))


def recurrence(x):
    y = x.copy()
    for i in range(2, x.shape[0]):
        y[i] = np.tanh(y[i - 1] * y[i] + 0.3 * y[i - 2])
    return np.sum(y)


def recurrence_jax(x):
    def step(i, y):
        return y.at[i].set(jnp.tanh(y[i - 1] * y[i] + 0.3 * y[i - 2]))

    return jnp.sum(lax.fori_loop(2, x.shape[0], step, x))


def jacobi_2d(a, steps):
    a = a.copy()
    b = a.copy()
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.2 * (
            a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        )
        a[1:-1, 1:-1] = 0.2 * (
            b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1]
        )
    return np.sum(a * a)


def jacobi_2d_jax(a, steps):
    def half(a, b):
        return b.at[1:-1, 1:-1].set(
            0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        )

    def step(_, ab):
        a, b = ab
        b = half(a, b)
        return half(b, a), b

    a, _ = lax.fori_loop(0, steps, step, (a, a))
    return jnp.sum(a * a)


def mlp(w, x, v):
    return np.sum(np.log1p(np.exp(np.tanh(np.tanh(x @ w) @ v))))


def mlp_jax(w, x, v):
    return jnp.sum(jnp.log1p(jnp.exp(jnp.tanh(jnp.tanh(x @ w) @ v))))


def covariance(x):
    x = x - np.mean(x, axis=0)
    return np.sum(np.tanh(x.T @ x / len(x)))


def covariance_jax(x):
    x = x - jnp.mean(x, axis=0)
    return jnp.sum(jnp.tanh(x.T @ x / len(x)))


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    p = e / np.sum(e, axis=-1, keepdims=True)
    return np.sum(p * p)


def softmax_jax(x):
    e = jnp.exp(x - jnp.max(x, axis=-1, keepdims=True))
    p = e / jnp.sum(e, axis=-1, keepdims=True)
    return jnp.sum(p * p)


def rnn(w, x):
    h = np.zeros((x.shape[1], w.shape[0]))
    for t in range(x.shape[0]):
        h = np.tanh(h @ w + x[t])
    return np.sum(h * h)


def rnn_jax(w, x):
    def step(t, h):
        return jnp.tanh(h @ w + x[t])

    h = lax.fori_loop(0, x.shape[0], step, jnp.zeros((x.shape[1], w.shape[0])))
    return jnp.sum(h * h)


def kalman(y, f, h, q, r):
    x, p, loss = np.zeros(f.shape[0]), np.eye(f.shape[0]), 0.0
    for t in range(y.shape[0]):
        x, p = f @ x, f @ p @ f.T + q
        s = h @ p @ h.T + r
        error = y[t] - h @ x
        gain = p @ h.T @ np.linalg.inv(s)
        loss = loss + error @ np.linalg.solve(s, error) + np.linalg.slogdet(s)[1]
        x, p = x + gain @ error, p - gain @ h @ p
    return loss


def kalman_jax(y, f, h, q, r):
    def step(t, carried):
        x, p, loss = carried
        x, p = f @ x, f @ p @ f.T + q
        s = h @ p @ h.T + r
        error = y[t] - h @ x
        gain = p @ h.T @ jnp.linalg.inv(s)
        loss = loss + error @ jnp.linalg.solve(s, error) + jnp.linalg.slogdet(s)[1]
        return x + gain @ error, p - gain @ h @ p, loss

    return lax.fori_loop(0, y.shape[0], step, (jnp.zeros(f.shape[0]), jnp.eye(f.shape[0]), 0.0))[2]


def split_steps(psi, potential, n):
    k = 2 * np.pi * np.fft.fftfreq(psi.shape[0])
    half, kinetic = np.exp(-0.05j * potential), np.exp(-0.05j * k * k)
    wave = psi + 0j
    for _ in range(n):
        wave = half * np.fft.ifft(kinetic * np.fft.fft(half * wave))
    return np.sum(np.abs(wave) ** 2 * potential)


def split_steps_jax(psi, potential, n):
    k = 2 * np.pi * jnp.fft.fftfreq(psi.shape[0])
    half, kinetic = jnp.exp(-0.05j * potential), jnp.exp(-0.05j * k * k)

    def step(_, wave):
        return half * jnp.fft.ifft(kinetic * jnp.fft.fft(half * wave))

    wave = lax.fori_loop(0, n, step, psi + 0j)
    return jnp.sum(jnp.abs(wave) ** 2 * potential)


def arguments(name: str) -> tuple:
    """The arguments of a kernel: arrays, then numbers that are known when it is compiled."""
    rng = np.random.default_rng(0)
    return {
        "seidel_2d": lambda: (rng.random((48, 48)), 6),
        "adi": lambda: (rng.random((100, 100)), 20),
        "deriche": lambda: (rng.random((200, 200)), 0.25),
        "gramschmidt": lambda: (rng.random((60, 50)),),
        "floyd_warshall": lambda: (rng.random((80, 80)),),
        "vadv": lambda: (rng.random((50, 50, 60)), rng.random((50, 50, 60))),
        "alignment": lambda: (rng.normal(size=(80, 80)),),
        "recurrence": lambda: (rng.random(10_000),),
        "jacobi_2d": lambda: (rng.random((150, 150)), 50),
        "mlp": lambda: (rng.normal(size=(200, 300)) / 20, rng.normal(size=(500, 200)),
                        rng.normal(size=(300, 10)) / 20),
        "covariance": lambda: (rng.normal(size=(600, 500)),),
        "softmax": lambda: (rng.normal(size=(16, 8, 64, 64)),),
        "rnn": lambda: (rng.normal(size=(64, 64)) / 10, rng.normal(size=(50, 32, 64))),
        "kalman": lambda: (rng.normal(size=(1000, 2)), np.eye(4) + 0.1 * np.eye(4, k=2),
                           np.eye(2, 4), 0.01 * np.eye(4), 0.1 * np.eye(2)),
        "split_steps": lambda: (rng.normal(size=512), rng.normal(size=512), 100),
    }[name]()  # fmt: skip


#: Loops over arrays that they update in place.
UPDATES = ["seidel_2d", "adi", "deriche", "gramschmidt", "floyd_warshall", "vadv", "alignment",
           "recurrence"]  # fmt: skip
OTHERS = ["jacobi_2d", "mlp", "covariance", "softmax", "rnn", "kalman", "split_steps"]


def jax_gradient(name: str, args: tuple):
    """JAX's value and gradient, compiled; numbers that count are known to it."""
    static = tuple(i for i, arg in enumerate(args) if isinstance(arg, int))
    return jax.jit(jax.value_and_grad(globals()[name + "_jax"]), static_argnums=static)
