"""The server under load, and when it is stopped or killed in the middle of it."""

import http.client
import json
import signal
import threading
import time

import numpy as np
import pytest
import tritonclient.grpc as rpc
import tritonclient.http as rest

import ingot
import ingot_runtime
from level import pick
from server import Server

pytestmark = pytest.mark.slow
SECONDS = pick(3, 5, 60)
W = np.random.default_rng(0).normal(size=(16, 8))


def network(x):
    return np.tanh(x @ W)


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "models"
    made.mkdir()
    ingot.export(network, ingot.spec("n,16")).save(made / "network.ingot")
    return made


class Client(threading.Thread):
    """Sends requests of random sizes until it is told to stop, and checks every answer.

    Args:
        http, grpc: the server's addresses; odd clients speak gRPC.
    """

    def __init__(self, seed, http, grpc, stop):
        super().__init__()
        self._seed, self._places, self._stop_at = seed, (http, grpc), stop
        self.answered, self.failures, self.wrong = 0, [], []

    def run(self):
        module = (rest, rpc)[self._seed % 2]
        random = np.random.default_rng(self._seed)
        with module.InferenceServerClient(self._places[self._seed % 2]) as client:
            while not self._stop_at.is_set():
                self._request(module, client, random)

    def _request(self, module, client, random):
        x = random.normal(size=(random.integers(1, 150), 16))
        tensor = module.InferInput("x", list(x.shape), "FP64")
        tensor.set_data_from_numpy(x)
        try:
            found = client.infer("network", [tensor]).as_numpy("output")
        except Exception as error:
            # Of many kinds, by client library and moment.
            self.failures.append(error)
            time.sleep(0.05)
            return
        self.answered += 1
        if found.shape != (len(x), 8) or not np.allclose(found, network(x), rtol=1e-9, atol=1e-12):
            self.wrong.append(
                np.abs(found - network(x)).max() if found.shape == (len(x), 8) else "shape"
            )


def wait_for(condition):
    """Wait until a condition holds: machines are slow at times."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def clients_of(server, stop):
    made = [Client(seed, server.http, server.grpc, stop) for seed in range(8)]
    for client in made:
        client.start()
    return made


def test_load(folder, tmp_path):
    """8 clients: no error, no wrong answer, and memory stays where it was."""
    stop = threading.Event()
    with Server(folder, tmp_path) as server:
        clients = clients_of(server, stop)
        time.sleep(SECONDS / 3)
        before = server.resident()
        time.sleep(SECONDS * 2 / 3)
        after = server.resident()
        stop.set()
        for client in clients:
            client.join()
        assert not [line for line in server.log() if line["level"] in ("warning", "error")]
    assert not [failure for client in clients for failure in client.failures]
    assert not [wrong for client in clients for wrong in client.wrong]
    assert min(client.answered for client in clients) > SECONDS
    assert after < before * 1.05 + 5, f"{before:.0f} MiB became {after:.0f} MiB"


def test_kill_and_restart(folder, tmp_path):
    """Clients get errors while there is no server, and answers as soon as there is one again."""
    stop = threading.Event()
    artifact = (folder / "network.ingot").read_bytes()
    with Server(folder, tmp_path) as server:
        clients = clients_of(server, stop)
        wait_for(lambda: all(client.answered for client in clients))
        server.stop(signal.SIGKILL)
        time.sleep(0.3)
        answered = [client.answered for client in clients]
    ports = ("--http-port", str(server.http_port), "--grpc-port", str(server.grpc_port))
    with Server(folder, tmp_path, *ports) as again:
        wait_for(lambda: all(c.answered > before for c, before in zip(clients, answered)))
        stop.set()
        for client in clients:
            client.join()
        assert not [line for line in again.log() if line["level"] in ("warning", "error")]
    assert all(client.failures for client in clients)
    assert not [wrong for client in clients for wrong in client.wrong]
    assert (folder / "network.ingot").read_bytes() == artifact
    x = np.ones((3, 16))
    np.testing.assert_allclose(ingot_runtime.load(folder / "network.ingot")(x), network(x), 1e-9)


def slow(x, steps):
    for _ in range(steps):
        x = np.cos(x)
    return x


def test_no_request_is_lost_by_sigterm(folder, tmp_path):
    """What is in flight is answered, however long it takes, and who goes on is told to leave."""
    ingot.export(slow, ingot.spec(1000), 1).save(folder / "slow.ingot")
    rows = [1.0] * 32
    short = {"inputs": [{"name": "x", "shape": [2, 16], "datatype": "FP64", "data": rows}]}
    long = {
        "inputs": [
            {"name": "x", "shape": [1000], "datatype": "FP64", "data": [1.0] * 1000},
            {"name": "steps", "shape": [], "datatype": "INT64", "data": [400_000]},
        ]
    }
    statuses, lost = [], []

    def client(port, model, body):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            while True:
                connection.request("POST", f"/v2/models/{model}/infer", json.dumps(body))
                answer = connection.getresponse()
                answer.read()
                statuses.append(answer.status)
                if answer.getheader("connection") == "close":
                    return
        except Exception as error:
            lost.append(error)

    with Server(folder, tmp_path) as server:
        requests = [("network", short)] * 8 + [("slow", long)]
        threads = [
            threading.Thread(target=client, args=[server.http_port, *each]) for each in requests
        ]
        for thread in threads:
            thread.start()
        wait_for(lambda: len(statuses) > 50)
        with rest.InferenceServerClient(server.http) as other:
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.1)
            assert other.is_server_live() and not other.is_server_ready()
        for thread in threads[:-1]:
            thread.join()
        assert server.process.poll() is None, "it has not waited for the slow request"
        assert server.process.wait(60) == 0
        threads[-1].join()
    assert not lost
    assert set(statuses) == {200}
