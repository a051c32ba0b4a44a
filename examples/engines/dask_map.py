"""Mass inference with Dask: an artifact mapped over the chunks of an array by two processes."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import dask.array
import numpy as np
from dask.distributed import Client, LocalCluster

import model
from ingot_runtime import BatchPredictor


def main(count: int) -> None:
    features = model.rows(count)
    with (
        tempfile.TemporaryDirectory() as folder,
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        predictor = BatchPredictor(model.export(Path(folder)), batch_size=4096)
        chunks = dask.array.from_array(features, chunks=(8192, -1))
        scores = chunks.map_blocks(predictor, drop_axis=1, dtype=np.float64)
        start = time.perf_counter()
        found = scores.compute()
        seconds = time.perf_counter() - start
    np.testing.assert_allclose(found, model.score(features), rtol=1e-12, atol=1e-14)
    print(f"Dask: {count} rows right, {count / seconds:.0f} rows/s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
