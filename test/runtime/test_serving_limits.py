"""What clients may hold of the server: connections, time, memory, and its attention."""

import http.client
import json
import os
import socket
import threading
import time

import grpc
import numpy as np
import pytest
from tritonclient.grpc import service_pb2 as messages
from tritonclient.grpc.service_pb2_grpc import GRPCInferenceServiceStub

import ingot
from ingot_runtime.serving.limits import InFlight, TooManyBytes
from server import Server

pytestmark = pytest.mark.slow
PATH = "/v2/models/dense/infer"
W = np.linspace(-1, 1, 12).reshape(4, 3)


def dense(x):
    return x @ W


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    ingot.export(dense, ingot.spec("n,4")).save(folder / "dense.ingot")
    options = (
        "--max-request-mib", "40", "--max-in-flight-mib", "80", "--max-connections", "40",
        "--receive-seconds", "1.5", "--max-batch", "1024",
    )  # fmt: skip
    with Server(folder, tmp_path_factory.mktemp("work"), *options) as running:
        yield running


def body(count=1, **changes):
    rows = np.arange(4.0 * count).reshape(count, 4)
    tensor = {"name": "x", "shape": [count, 4], "datatype": "FP64", "data": rows.tolist()}
    return json.dumps({"inputs": [tensor], **changes}).encode()


def post(server, content):
    connection = http.client.HTTPConnection("127.0.0.1", server.http_port, timeout=60)
    connection.request("POST", PATH, content)
    answer = connection.getresponse()
    found = answer.status, json.loads(answer.read())
    connection.close()
    return found


def opened(server, text=b""):
    made = socket.create_connection(("127.0.0.1", server.http_port), timeout=20)
    made.sendall(text)
    return made


def said(connection):
    """What the server sends until it closes the connection."""
    found = b""
    try:
        while data := connection.recv(1 << 16):
            found += data
    except ConnectionResetError:
        pass
    return found


def head(length):
    return b"POST %b HTTP/1.1\r\nhost: a\r\ncontent-length: %d\r\n\r\n" % (PATH.encode(), length)


def errors(server):
    return [str(line)[-3000:] for line in server.log() if line["level"] in ("warning", "error")]


@pytest.mark.parametrize("sent", [b"", b"POST /v2/models", head(1000), head(1000) + b"{"])
def test_a_request_must_arrive_in_time(server, sent):
    start = time.monotonic()
    with opened(server, sent) as connection:
        assert said(connection).startswith(b"HTTP/1.1 408")
    assert 1 < time.monotonic() - start < 10


def test_a_trickle_is_no_progress(server):
    with opened(server, head(1000)) as connection:
        end = time.monotonic() + 15
        try:
            while time.monotonic() < end:
                connection.sendall(b" ")
                time.sleep(0.1)
            raise AssertionError("it is still open")
        except (BrokenPipeError, ConnectionResetError):
            pass


def test_the_second_request_of_a_connection_must_arrive_in_time(server):
    content = body()
    with opened(server, head(len(content)) + content) as connection:
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 200")
        connection.sendall(b"POST /v2/mod")
        assert b"HTTP/1.1 408" in said(connection)


def test_an_endless_head_is_refused(server):
    with opened(server, b"GET / HTTP/1.1\r\n") as connection:
        try:
            for i in range(4000):
                connection.sendall(b"x-%d: %b\r\n" % (i, b"y" * 100))
        except (BrokenPipeError, ConnectionResetError):
            pass
        assert b"HTTP/1.1 200" not in said(connection)
    assert post(server, body())[0] == 200


def test_idle_connections_make_room(server):
    """200 connections stay open; who has a request is answered."""
    idle = [opened(server, b"POST /v2" if i % 2 else b"") for i in range(200)]
    start = time.monotonic()
    for _ in range(5):
        assert post(server, body())[0] == 200
    assert time.monotonic() - start < 5
    for each in idle:
        each.close()
    assert not errors(server)


def test_an_answer_must_be_read(server):
    """A client that reads nothing of a large answer is cut off."""
    content = body(150_000)

    def sockets():
        return len(os.listdir(f"/proc/{server.process.pid}/fd"))

    def wait_for(count):
        end = time.monotonic() + 60
        while sockets() != count:
            assert time.monotonic() < end
            time.sleep(0.05)

    before = sockets()
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", server.http_port))
        connection.sendall(head(len(content)) + content)
        wait_for(before + 1)
        wait_for(before)
    assert post(server, body())[0] == 200
    assert not errors(server)


def test_half_sent_bodies_do_not_fill_the_memory(server):
    before = server.resident()
    held = []
    for _ in range(12):
        connection = opened(server, head(39 << 20))
        connection.settimeout(1)
        held.append(connection)
        try:
            connection.sendall(b" " * (30 << 20))
        except OSError:
            pass  # It is refused, or no longer read.
    assert post(server, body())[0] == 200
    assert server.resident() - before < 250
    for each in held:
        each.close()
    assert not errors(server)


def test_large_requests_are_refused_before_small_ones():
    held = InFlight(100)
    held.take("a", 40)
    held.take("b", 10)
    with pytest.raises(TooManyBytes):
        held.take("a", 1)
    held.take("b", 10)
    held.take("c", 10)
    held.release("a")
    held.take("c", 15)
    held.release("b")
    held.release("c")
    held.take("d", 50)


def test_a_large_request_does_not_keep_small_ones_waiting(server):
    large = body(250_000)
    assert len(large) > 9 << 20
    found = []
    thread = threading.Thread(target=lambda: found.append(post(server, large)))
    begun = time.monotonic()
    thread.start()
    waited = []
    while thread.is_alive():
        start = time.monotonic()
        assert post(server, body())[0] == 200
        waited.append(time.monotonic() - start)
    thread.join()
    took = time.monotonic() - begun
    status, answer = found[0]
    assert status == 200
    made = np.array(answer["outputs"][0]["data"]).reshape(-1, 3)
    np.testing.assert_allclose(made, dense(np.arange(1e6).reshape(-1, 4)), rtol=1e-9)
    # They are not answered one after the large one, however slow the machine is.
    assert len(waited) > 10 and max(waited) < max(1.0, took * 0.6), (max(waited), took)


def test_a_client_that_goes_away_is_no_error(server):
    count = len(server.log())
    for sent in (head(1000) + b"{", head(len(body())) + body()):
        opened(server, sent).close()
    end = time.monotonic() + 20
    while sum(line["message"] == f"POST {PATH}" for line in server.log()[count:]) < 2:
        assert time.monotonic() < end
        time.sleep(0.05)
    statuses = [line["status"] for line in server.log()[count:] if "status" in line]
    assert 499 in statuses
    assert not errors(server)


@pytest.mark.parametrize("name", [{"a": 1}, 3, [1], True])
def test_an_id_is_a_text(server, name):
    status, answer = post(server, body(id=name))
    assert status == 400 and "wrong type" in answer["error"]
    assert post(server, body(id="mine"))[1]["id"] == "mine"
    assert post(server, body(id=None))[0] == 200


def bytes_call(channel, name="ModelInfer"):
    return channel.unary_unary(f"/inference.GRPCInferenceService/{name}")


@pytest.mark.parametrize("content", [b"\xff\xff\xff", b"\x0a\xff", b"{}", b"\x0a\x02\xff\xfe"])
def test_grpc_bytes_that_are_no_message(server, content):
    with grpc.insecure_channel(server.grpc) as channel:
        with pytest.raises(grpc.RpcError) as caught:
            bytes_call(channel)(content)
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        request = messages.ModelInferRequest(model_name="dense")
        request.inputs.add(name="x", datatype="FP64", shape=[1, 4])
        request.raw_input_contents.append(np.arange(4.0).tobytes())
        (found,) = GRPCInferenceServiceStub(channel).ModelInfer(request).raw_output_contents
        np.testing.assert_allclose(np.frombuffer(found), dense(np.arange(4.0)))
    assert not errors(server)
