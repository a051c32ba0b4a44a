"""A job of Dask or Ray of which the first batch kills its process: `python engine_job.py dask|ray`."""

import os
import signal
import sys
import tempfile
from pathlib import Path

import numpy as np

import model
from ingot_runtime import BatchPredictor

ROWS, CHUNK = 20_000, 1000


class KilledOnce:
    """A predictor that kills its process at the first batch of all."""

    def __init__(self, predictor, marker):
        self.predictor, self.marker = predictor, marker

    def __call__(self, batch):
        try:
            os.close(os.open(self.marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return self.predictor(batch)
        os.kill(os.getpid(), signal.SIGKILL)


def with_dask(predictor, features):
    import dask.array
    from dask.distributed import Client, LocalCluster

    options = {"threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
    with LocalCluster(n_workers=2, **options) as cluster, Client(cluster):
        chunks = dask.array.from_array(features, chunks=(CHUNK, -1))
        return chunks.map_blocks(
            predictor, drop_axis=1, dtype=np.float64, meta=np.empty(0)
        ).compute()


def with_ray(predictor, features):
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    data = ray.data.from_numpy([features[i : i + CHUNK] for i in range(0, ROWS, CHUNK)])
    # Ray names the column "data".
    predictor.predictor.columns, predictor.predictor.keep = {"x": "data"}, ("data",)
    found = data.map_batches(predictor, batch_size=CHUNK).take_batch(ROWS)
    ray.shutdown()
    place = {row.tobytes(): number for number, row in enumerate(features)}
    order = np.argsort([place[row.tobytes()] for row in found["data"]])
    return found["output"][order]


def main(engine):
    features = model.rows(ROWS)
    with tempfile.TemporaryDirectory() as folder:
        marker = os.path.join(folder, "killed")
        predictor = KilledOnce(BatchPredictor(model.export(Path(folder))), marker)
        found = {"dask": with_dask, "ray": with_ray}[engine](predictor, features)
        assert os.path.exists(marker)
    np.testing.assert_allclose(found, model.score(features), rtol=1e-12, atol=1e-14)
    print("all rows")


if __name__ == "__main__":
    main(sys.argv[1])
