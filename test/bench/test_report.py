"""The page of the benchmarks (bench/report.py), written from made-up rows."""

import importlib.util
import json
import pathlib

import pytest

from processes import python

pytestmark = pytest.mark.once

REPORT = pathlib.Path(__file__).parent.parent.parent / "bench" / "report.py"


def benchmark(*rows, status="complete"):
    return {
        "command": "python bench/some.py",
        "date": "2026-01-02",
        "seconds": 3,
        "status": status,
        "rows": list(rows),
    }


def kernel(name, numpy, ingot, **peers):
    return {
        "benchmark": "npbench",
        "kernel": name,
        "status": "agrees",
        "first_s": 0.25,
        "numpy_ms": numpy,
        "ingot_ms": ingot,
        "speedup": numpy / ingot,
        "checks_cost": 0.0,
        "peers": peers,
    }


def written(folder, benchmarks):
    data = {
        "machine": {"processor": "Some CPU", "cores": 2, "system": "Linux", "numpy": "2.0"},
        "benchmarks": benchmarks,
    }
    (folder / "rows.json").write_text(json.dumps(data))
    done = python(
        REPORT, "--page-only", "--json", folder / "rows.json", "--page", folder / "page.md"
    )
    assert done.returncode == 0, done.stderr
    return (folder / "page.md").read_text()


ROWS = (
    kernel("slow", 1.0, 4.0, numba={"status": "agrees", "ms": 2.0, "ingot_times_faster": 0.5}),
    kernel(
        "quick",
        8.0,
        2.0,
        numba={"status": "agrees", "ms": 4.0, "ingot_times_faster": 2.0},
        jax={"status": "differs"},
    ),
    {"benchmark": "npbench", "kernel": "endless", "status": "timeout", "detail": "60 s"},
    {"benchmark": "npbench", "kernel": "crc", "status": "refused", "detail": "a length"},
)


def test_means_tables_and_failures(tmp_path):
    page = written(tmp_path, {"npbench": benchmark(*ROWS)})
    assert "Some CPU, 2 cores" in page
    assert "Against NumPy: geometric mean **1.00** of 2; the least: slow 0.25, quick 4.00" in page
    assert "Against Numba: geometric mean **1.00** of 2" in page
    assert "Against JAX" not in page.split("## Gradients")[0]
    assert "| quick | 4.00 | 8.00 | 2.00 | 4.00 | – | – | 0.250 |" in page
    assert "- timeout: endless" in page and "- refused: crc" in page
    assert "- JAX, differs: quick" in page


def test_without_rows(tmp_path):
    page = written(tmp_path, {})
    assert "{{" not in page
    # All figures but what the machine is.
    figures = (REPORT.parent / "page.md").read_text().count("{{")
    assert page.count("Not measured.") == figures - 1


def test_benchmarks_that_failed(tmp_path):
    names = (
        "npbench",
        "npbench_lengths",
        "npbench_gradients",
        "gradients",
        "batching",
        "jax_both_ways",
        "libraries",
        "elements",
        "fusion",
        "selections",
        "expressions",
        "arguments",
        "overhead",
        "lowering_time",
        "cold_start",
        "import_time",
        "artifacts",
        "serving",
        "engines",
        "strict_fp",
        "xla_options",
        "array_api",
    )
    page = written(tmp_path, {name: benchmark(status="ended with 1") for name in names})
    assert page.count("The benchmark ended with 1") == len(names)
    assert "Not measured." not in page


@pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="needs matplotlib")
def test_the_same_rows_give_the_same_plots(tmp_path):
    plots = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        page = written(tmp_path / name, {"npbench": benchmark(*ROWS)})
        assert "](page/npbench.svg)" in page
        plots.append((tmp_path / name / "page" / "npbench.svg").read_bytes())
    assert plots[0] == plots[1]
    assert b"quick" in plots[0]
