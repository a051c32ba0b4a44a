"""Mass inference with Ray Data: an artifact mapped over the batches of a dataset."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import ray

import model
from ingot_runtime import BatchPredictor


def main(count: int) -> None:
    features = model.rows(count)
    keys = np.arange(count)
    with tempfile.TemporaryDirectory() as folder:
        # Ray names a dataset's columns "data", and what it is joined with "data_1".
        predictor = BatchPredictor(
            model.export(Path(folder)), columns={"x": "data"}, keep=["data_1"], batch_size=4096
        )
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        data, numbers = (
            ray.data.from_numpy([each[i : i + 8192] for i in range(0, count, 8192)])
            for each in (features, keys)
        )
        data = data.zip(numbers)
        start = time.perf_counter()
        found = data.map_batches(predictor, batch_size=8192).take_batch(count)
        seconds = time.perf_counter() - start
        ray.shutdown()
    order = np.argsort(found["data_1"])
    np.testing.assert_array_equal(found["data_1"][order], keys)
    scores = found["output"][order]
    np.testing.assert_allclose(scores, model.score(features), rtol=1e-12, atol=1e-14)
    print(f"Ray Data: {count} rows right, {count / seconds:.0f} rows/s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
