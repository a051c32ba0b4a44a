"""Rows a second of an artifact's `BatchPredictor`: in this process, under Dask, under Ray Data.

The model is that of `examples/engines`, on rows of 16 numbers that lie in memory. The engines use
two processes with one thread each; rows are in their hands before the time starts, and results are
collected. The three take turns in one run; Ray is left out if it is not installed.
"""

from __future__ import annotations

import importlib.util
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import dask.array
import numpy as np
from dask.distributed import Client, LocalCluster

import ingot_runtime

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples" / "engines"))
import model

ROWS, BATCH, ROUNDS = 400_000, 8192, 5


def in_this_process(predictor: ingot_runtime.BatchPredictor, features: np.ndarray) -> Callable:
    return lambda: predictor(features)


def with_dask(
    predictor: ingot_runtime.BatchPredictor, features: np.ndarray, stack: ExitStack
) -> Callable:
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    stack.enter_context(Client(stack.enter_context(cluster)))
    chunks = dask.array.from_array(features, chunks=(BATCH, -1)).persist()
    scores = chunks.map_blocks(predictor, drop_axis=1, dtype=np.float64, meta=np.empty(0))
    return lambda: scores.compute()


def with_ray(
    predictor: ingot_runtime.BatchPredictor, features: np.ndarray, stack: ExitStack
) -> Callable:
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    stack.callback(ray.shutdown)
    ray.data.DataContext.get_current().execution_options.preserve_order = True
    data = ray.data.from_numpy([features[i : i + BATCH] for i in range(0, ROWS, BATCH)])
    scores = data.map_batches(predictor, batch_size=BATCH)
    return lambda: scores.take_batch(ROWS)["output"]


def main() -> None:
    features = model.rows(ROWS)
    wanted = model.score(features)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        path = model.export(Path(folder))
        plain = ingot_runtime.BatchPredictor(path, batch_size=BATCH)
        # Ray names the column of an array "data".
        columns = ingot_runtime.BatchPredictor(path, columns={"x": "data"}, batch_size=BATCH)
        calls = {
            "one process": in_this_process(plain, features),
            "Dask": with_dask(plain, features, stack),
        }
        if importlib.util.find_spec("ray"):
            calls["Ray Data"] = with_ray(columns, features, stack)
        seconds: dict[str, list[float]] = {name: [] for name in calls}
        for _ in range(ROUNDS + 1):
            for name, call in calls.items():
                start = time.perf_counter()
                found = call()
                seconds[name].append(time.perf_counter() - start)
                np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-14)
    rates = {name: ROWS / statistics.median(times[1:]) for name, times in seconds.items()}
    for name, rate in rates.items():
        row = {"benchmark": "engines", "engine": name, "rows_per_second": round(rate)}
        print(json.dumps(row | {"times_one_process": round(rate / rates["one process"], 3)}))


if __name__ == "__main__":
    main()
