"""The page of a run: the text of page.md, where `{{name}}` becomes the figures of a benchmark."""

from __future__ import annotations

import math
import re
import statistics
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plots

Row = dict[str, Any]
#: The heading of a column, and what it shows of a row: text, a number, or None.
Column = tuple[str, Callable[[Row], Any]]

PEERS = {"numba": "Numba", "jax": "JAX", "pythran": "Pythran"}


def write(path: Path, data: dict[str, Any]) -> None:
    """Write the page and its plots, in a folder beside it that has its name."""
    text = Path(__file__).with_name("page.md").read_text()
    folder = path.with_suffix("")

    def block(match: re.Match[str]) -> str:
        name = match[1]
        if name == "machine":
            return machine(data["machine"])
        return section(name, data["benchmarks"].get(name), folder)

    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(re.sub(r"\{\{(\w+)\}\}", block, text))


def machine(about: dict[str, Any]) -> str:
    if not about:
        return "Nothing is measured."
    versions = [f"{k} {v}" for k, v in about.items() if k not in ("processor", "cores", "system")]
    return wrapped(
        f"The machine: {about['processor']}, {about['cores']} cores, {about['system']}; all on the "
        f"CPU. {', '.join(versions)}."
    )


def section(name: str, found: dict[str, Any] | None, folder: Path) -> str:
    """Command, means, table, failures and plot of a benchmark."""
    if found is None:
        return "Not measured."
    parts = [f"`{found['command']}` ({found['date']}, {found['seconds']} s)"]
    if found["status"] != "complete":
        parts.append(f"The benchmark {found['status']}; the rows before that:")
    parts += SECTIONS[name](found["rows"])
    points, label, is_ratio = POINTS.get(name, lambda _: ([], "", False))(found["rows"])
    if points and not plots.is_available():
        print(f"no plot of {name}: matplotlib is not installed", file=sys.stderr)
    elif points:
        plots.dots(folder / f"{name}.svg", points, label, is_ratio)
        parts.insert(1, f"![{label}]({folder.name}/{name}.svg)")
    return "\n\n".join(filter(None, parts))


def wrapped(text: str) -> str:
    indent = "  " if text.startswith("- ") else ""
    return textwrap.fill(text, 120, break_on_hyphens=False, subsequent_indent=indent)


def shown(value: Any) -> str:
    """A number with its significant digits."""
    if value is None:
        return "–"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, int) or value == 0 or not math.isfinite(value):
        return f"{value:,}"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{min(digits, 3)}f}"


def table(columns: list[Column], rows: list[Row]) -> str:
    if not rows:
        return ""
    lines = [[heading for heading, _ in columns], ["---"] * len(columns)]
    lines += [[shown(get(row)) for _, get in columns] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def key(name: str) -> Callable[[Row], Any]:
    return lambda row: row.get(name)


def quotient(above: str, below: str) -> Callable[[Row], float | None]:
    return lambda row: row[above] / row[below] if row.get(above) and row.get(below) else None


def peer(name: str, what: str) -> Callable[[Row], Any]:
    """A figure of a peer, or the reason why there is none."""
    return lambda row: row.get("peers", {}).get(name, {}).get(what)


def mean(what: str, rows: list[Row], get: Callable[[Row], Any], name: str, worst: int = 5) -> str:
    """A sentence with the geometric mean of a ratio, and the rows where it is least."""
    found = {row[name]: value for row in rows if (value := get(row))}
    if not found:
        return ""
    order = sorted(found, key=found.__getitem__)[:worst]
    least = ", ".join(f"{each} {found[each]:.2f}" for each in order)
    average = statistics.geometric_mean(found.values())
    slower = sum(value < 1 / 1.1 for value in found.values())
    return wrapped(
        f"{what}: geometric mean **{average:.2f}** of {len(found)}; the least: {least}; slower by "
        f"more than 1.1: {slower}."
    )


def failures(rows: list[Row], good: str) -> str:
    """A line for each status other than the good one, with its kernels."""
    kinds: dict[str, list[str]] = {}
    for row in rows:
        if row["status"] != good:
            kinds.setdefault(row["status"], []).append(row["kernel"])
    return bullets(kinds)


def unmatched(rows: list[Row]) -> str:
    """A line for each way in which ports have no speed."""
    kinds: dict[str, list[str]] = {}
    for row in rows:
        for name, about in row.get("peers", {}).items():
            if "ms" not in about:
                kinds.setdefault(f"{PEERS[name]}, {about['status']}", []).append(row["kernel"])
    return bullets(kinds)


def bullets(kinds: dict[str, list[str]]) -> str:
    return "\n".join(wrapped(f"- {k}: {', '.join(names)}") for k, names in sorted(kinds.items()))


def npbench(rows: list[Row]) -> list[str]:
    good = sorted((r for r in rows if r["status"] == "agrees"), key=lambda r: r["speedup"])
    means = [mean("Against NumPy", good, key("speedup"), "kernel")]
    means += [
        mean(f"Against {PEERS[each]}", good, peer(each, "ingot_times_faster"), "kernel")
        for each in PEERS
    ]
    columns: list[Column] = [
        ("kernel", key("kernel")), ("speed", key("speedup")), ("NumPy, ms", key("numpy_ms")),
        ("Ingot, ms", key("ingot_ms")),
        *((f"{title}, ms", peer(each, "ms")) for each, title in PEERS.items()),
        ("first call, s", key("first_s")),
    ]  # fmt: skip
    return [*means, table(columns, good), failures(rows, "agrees"), unmatched(good), checks(good)]


def checks(rows: list[Row]) -> str:
    """The cost of run-time checks, for programs that have some."""
    found = [1 + row["checks_cost"] for row in rows if row["checks_cost"]]
    if not found:
        return ""
    cost = statistics.geometric_mean(found) - 1
    return f"Run-time checks cost {cost:+.1%} in the {len(found)} kernels that have some."


def npbench_gradients(rows: list[Row]) -> list[str]:
    ratio = peer("jax", "ingot_times_faster")
    good = sorted((r for r in rows if r["status"] == "right"), key=lambda r: ratio(r) or math.inf)
    columns: list[Column] = [
        ("kernel", key("kernel")), ("by", key("by")), ("against JAX", ratio),
        ("Ingot, ms", key("gradient_ms")), ("JAX, ms", peer("jax", "ms")), ("cost", key("cost")),
        ("first call, s", key("first_s")),
    ]  # fmt: skip
    return [
        mean("Against JAX", good, ratio, "kernel"), table(columns, good),
        failures(rows, "right"), unmatched(good),
    ]  # fmt: skip


def gradients(rows: list[Row]) -> list[str]:
    columns: list[Column] = [
        ("kernel", key("kernel")), ("against JAX", key("times_faster")),
        ("Ingot, ms", key("ingot_ms")), ("JAX, ms", key("jax_ms")),
        ("cost", key("times_the_kernel")),
    ]  # fmt: skip
    updates = [row for row in rows if row["is_update"]]
    others = [row for row in rows if not row["is_update"]]
    return [
        mean("Loops over updated arrays", updates, key("times_faster"), "kernel", 3),
        mean("The others", others, key("times_faster"), "kernel", 3),
        table(columns, rows),
    ]


def cases(name: str, *columns: Column) -> Callable[[list[Row]], list[str]]:
    """A table with a row for each case, and the mean of each ratio among its columns."""

    def parts(rows: list[Row]) -> list[str]:
        ratios = [(title, get) for title, get in columns if title.startswith("against ")]
        means = [mean(f"A{title[1:]}", rows, get, name, 3) for title, get in ratios]
        return [*means, table([(name, key(name)), *columns], rows)]

    return parts


def expressions(rows: list[Row]) -> list[str]:
    """The mean of all, and a table of the least."""
    against = quotient("numpy_ms", "ingot_ms")
    least = sorted(rows, key=lambda row: against(row) or 0)[:25]
    columns: list[Column] = [
        ("expression", lambda row: f"`{row['expression']}`"), ("NumPy, ms", key("numpy_ms")),
        ("Ingot, ms", key("ingot_ms")), ("against NumPy", against),
    ]  # fmt: skip
    return [mean("Against NumPy", rows, against, "expression"), table(columns, least)]


def listing(rows: list[Row]) -> list[str]:
    """Single figures, one a line."""
    found = {k: v for row in rows for k, v in row.items() if k != "benchmark"}
    columns: list[Column] = [("figure", key("name")), ("", key("value"))]
    return [table(columns, [{"name": spoken(k), "value": v} for k, v in found.items()])]


def spoken(name: str) -> str:
    """A readable form of names such as `ingot_filled_ms`."""
    name = re.sub(r"_(ms|us)$", r", \1", name)
    return name.replace("_", " ")


def lowering_time(rows: list[Row]) -> list[str]:
    if not rows:
        return []
    (row,) = rows
    programs = [{"program": k, **v} for k, v in row.items() if isinstance(v, dict)]
    columns: list[Column] = [
        ("program", key("program")), ("Ingot, ms", key("ingot_ms")), ("JAX, ms", key("jax_ms")),
        ("ratio", key("ratio")),
    ]  # fmt: skip
    return [f"Geometric mean: **{row['ratio']}**.", table(columns, programs)]


def extreme(what: str) -> Callable[[Row], str]:
    """The program where an option is best or worst, and its time over the default's."""
    return lambda row: ", ".join(f"{name} {shown(value)}" for name, value in row[what].items())


def array_api(rows: list[Row]) -> list[str]:
    columns: list[Column] = [
        ("namespace", key("namespace")), ("passes", key("passes")), ("of", key("tests")),
        ("jax.numpy passes, this does not", lambda row: len(row["only_jax_passes"])),
    ]  # fmt: skip
    return [table(columns, rows)]


SECTIONS: dict[str, Callable[[list[Row]], list[str]]] = {
    "npbench": npbench,
    "npbench_lengths": npbench,
    "npbench_gradients": npbench_gradients,
    "gradients": gradients,
    "batching": cases(
        "case", ("against JAX", key("times_faster")), ("Ingot, ms", key("ingot_ms")),
        ("JAX, ms", key("jax_ms")),
    ),
    "jax_both_ways": cases(
        "case", ("Ingot, us", key("ingot_us")), ("JAX, us", key("jax_us")),
        ("Ingot's over JAX's", key("times")),
    ),
    "elements": cases(
        "function", ("NumPy", key("numpy_ns")), ("Ingot", key("ingot_ns")), ("XLA", key("xla_ns")),
        ("against NumPy", quotient("numpy_ns", "ingot_ns")),
    ),
    "fusion": cases(
        "case", ("NumPy, ms", key("numpy_ms")), ("Ingot, ms", key("ingot_ms")),
        ("XLA, ms", key("xla_ms")), ("against NumPy", quotient("numpy_ms", "ingot_ms")),
        ("against XLA", quotient("xla_ms", "ingot_ms")),
    ),
    "selections": cases(
        "program", ("NumPy, ms", key("numpy_ms")), ("Ingot, ms", key("ingot_ms")),
        ("against NumPy", quotient("numpy_ms", "ingot_ms")),
    ),
    "expressions": expressions,
    "libraries": cases(
        "case", ("NumPy", key("numpy_ms")), ("Ingot", key("ingot_ms")), ("XLA", key("xla_ms")),
        ("against NumPy", quotient("numpy_ms", "ingot_ms")),
        ("against XLA", quotient("xla_ms", "ingot_ms")),
    ),
    "arguments": cases(
        "function", ("size", key("size")), ("NumPy", key("numpy_us")), ("XLA", key("by_xla_us")),
        ("Ingot", key("unaligned_us")), ("Ingot, aligned", key("aligned_us")),
        ("NumPy's over Ingot's", quotient("numpy_us", "unaligned_us")),
    ),
    "overhead": listing,
    "lowering_time": lowering_time,
    "cold_start": listing,
    "import_time": listing,
    "artifacts": listing,
    "serving": listing,
    "engines": cases(
        "engine", ("rows a second", key("rows_per_second")),
        ("times one process", key("times_one_process")),
    ),
    "strict_fp": cases(
        "program", ("default, ms", key("plain_ms")), ("strict, times", key("strict_times")),
        ("compilation, times", key("compile_times")),
    ),
    "xla_options": cases(
        "option", ("compilation, times", key("compile")), ("call, times", key("run")),
        ("best", extreme("best")), ("worst", extreme("worst")),
    ),
    "array_api": array_api,
}  # fmt: skip


def _speeds(rows: list[Row]) -> tuple[plots.Points, str, bool]:
    good = sorted((r for r in rows if r["status"] == "agrees"), key=lambda r: r["speedup"])
    points: plots.Points = []
    for row in good:
        times = {"Ingot": row["ingot_ms"]}
        times |= {PEERS[k]: about["ms"] for k, about in row["peers"].items() if "ms" in about}
        points.append((row["kernel"], {way: row["numpy_ms"] / ms for way, ms in times.items()}))
    return points, "NPBench, preset S: speed over NumPy", True


def _against_jax(rows: list[Row]) -> tuple[plots.Points, str, bool]:
    ratios = [(row["kernel"], peer("jax", "ingot_times_faster")(row)) for row in rows]
    found = sorted((each for each in ratios if each[1]), key=lambda each: each[1])
    return [(name, {"Ingot": value}) for name, value in found], "gradients: speed over JAX", True


def _loops(rows: list[Row]) -> tuple[plots.Points, str, bool]:
    found = sorted(rows, key=lambda row: row["times_faster"])
    points = [(row["kernel"], {"Ingot": row["times_faster"]}) for row in found]
    return points, "gradients of loops: speed over JAX", True


def _cold(rows: list[Row]) -> tuple[plots.Points, str, bool]:
    row = next((row for row in rows if row["benchmark"] == "cold_start"), None)
    if row is None:
        return [], "", False
    points: plots.Points = [
        ("cache off or empty", {"Ingot": row["ingot_empty_ms"], "JAX": row["jax_ms"]}),
        ("cache filled", {"Ingot": row["ingot_filled_ms"], "JAX": row["jax_filled_ms"]}),
    ]
    return points, "cold start: milliseconds to the first result", False


POINTS: dict[str, Callable[[list[Row]], tuple[plots.Points, str, bool]]] = {
    "npbench": _speeds,
    "npbench_lengths": _speeds,
    "npbench_gradients": _against_jax,
    "gradients": _loops,
    "cold_start": _cold,
}
