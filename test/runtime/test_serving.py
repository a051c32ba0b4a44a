"""The model server, driven by a client that is not ours: tritonclient, over HTTP and gRPC."""

import datetime
import http.client
import json
import subprocess
import sys
import time

import grpc
import numpy as np
import pytest
import tritonclient.grpc as rpc
import tritonclient.http as rest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from members import with_wrong_machine_code
from tritonclient.grpc import service_pb2 as messages
from tritonclient.grpc.service_pb2_grpc import GRPCInferenceServiceStub
from tritonclient.utils import InferenceServerException, np_to_triton_dtype

import ingot
from server import Server

pytestmark = pytest.mark.slow

W = np.linspace(-1, 1, 12).reshape(4, 3)


def dense(x):
    return x @ W


def centered(x):
    return x - x.mean(axis=0)


def half(x, k):
    assert np.all(x > 0), "negative"
    return {"half": x / 2 * k, "k": k + 1, "name": "halves"}


def bump(a, i):
    a[i] += 1
    return a.sum()


def turned(z, w):
    return z * w, z.real


def mixed(b, h, u):
    return ~b, h * 2, u + 1


def chosen(x, w):
    return {"rows": x[:, w > 0], "places": np.flatnonzero(w)}


def positive(z):
    return z[z.real > 0]


FUNCTIONS = {
    "dense": (dense, [ingot.spec("n,4")]),
    "centered": (centered, [ingot.spec("n,4")]),
    "half": (half, [ingot.spec("n", "float32"), 2]),
    "bump": (bump, [ingot.spec(5), 1]),
    "chosen": (chosen, [ingot.spec("n,4"), ingot.spec(4)]),
    "positive": (positive, [ingot.spec("n", "complex64")]),
    "turned": (turned, [ingot.spec("n", "complex128"), 1j]),
    "mixed": (mixed, [ingot.spec("n", "bool"), ingot.spec("n", "float16"), ingot.spec("n", "u1")]),
}


def write(folder):
    for name, (function, arguments) in FUNCTIONS.items():
        ingot.export(function, *arguments).save(folder / f"{name}.ingot")
    several = ingot.Artifact()
    several.add(dense, ingot.spec("n,4"))
    several.add(centered, ingot.spec("n,4"))
    (folder / "several").mkdir()
    several.save(folder / "several" / "2.ingot")
    ingot.export(dense, ingot.spec("n,4"), name="dense").save(folder / "several" / "10.ingot")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    write(folder)
    with Server(folder, tmp_path_factory.mktemp("work"), "--max-request-mib", "1") as running:
        yield running


@pytest.fixture(params=["http", "grpc"])
def client(request, server):
    module, place = (rest, server.http) if request.param == "http" else (rpc, server.grpc)
    with module.InferenceServerClient(place) as made:
        made.module = module
        yield made


def inputs_of(client, arrays, binary=True):
    found = []
    for name, array in arrays.items():
        array = np.asarray(array)
        tensor = client.module.InferInput(name, list(array.shape), np_to_triton_dtype(array.dtype))
        options = {} if client.module is rpc else {"binary_data": binary}
        tensor.set_data_from_numpy(array, **options)
        found.append(tensor)
    return found


def infer(client, model, arrays, binary=True, **options):
    if client.module is rest and not binary:
        options.setdefault("outputs", [])
    return client.infer(model, inputs_of(client, arrays, binary), **options)


def failure(client, model, arrays, **options):
    """The status of a request that must fail, and its message."""
    with pytest.raises(InferenceServerException) as caught:
        infer(client, model, arrays, **options)
    return caught.value.status(), caught.value.message()


BAD = ("400", "StatusCode.INVALID_ARGUMENT")
MISSING = ("404", "StatusCode.NOT_FOUND")


def test_health(client):
    assert client.is_server_live() and client.is_server_ready()
    assert client.is_model_ready("dense")
    assert client.is_model_ready("several", "10")


def test_server_metadata(client):
    found = client.get_server_metadata()
    found = found if isinstance(found, dict) else {"name": found.name, "version": found.version}
    assert (found["name"], found["version"]) == ("ingot", ingot.__version__)


def test_model_metadata(client):
    found = client.get_model_metadata("half")
    if client.module is rpc:
        found = {
            "name": found.name, "versions": list(found.versions),
            "inputs": [[t.name, t.datatype, list(t.shape)] for t in found.inputs],
            "outputs": [[t.name, t.datatype, list(t.shape)] for t in found.outputs],
        }  # fmt: skip
    else:
        for side in ("inputs", "outputs"):
            found[side] = [[t["name"], t["datatype"], t["shape"]] for t in found[side]]
    assert (found["name"], found["versions"]) == ("half", ["1"])
    assert found["inputs"] == [["x", "FP32", [-1]], ["k", "INT64", []]]
    assert found["outputs"] == [["half", "FP32", [-1]], ["k", "INT64", []], ["name", "BYTES", []]]


@pytest.mark.parametrize("count", [1, 3, 64, 200])
def test_inference(client, count):
    x = np.random.default_rng(count).normal(size=(count, 4))
    found = infer(client, "dense", {"x": x})
    np.testing.assert_allclose(found.as_numpy("output"), dense(x), rtol=1e-12)
    # Rows depend on each other: never joined nor padded.
    found = infer(client, "centered", {"x": x})
    np.testing.assert_allclose(found.as_numpy("output"), centered(x), rtol=1e-9, atol=1e-12)


def test_scalars_and_trees(client):
    x = np.array([1, 2, 4], np.float32)
    for k in (np.array(3), np.array([3])):
        found = infer(client, "half", {"x": x, "k": k})
        np.testing.assert_array_equal(found.as_numpy("half"), x / 2 * 3)
        assert found.as_numpy("half").dtype == np.float32
        assert found.as_numpy("k") == 4
        assert found.as_numpy("name").item() == b"halves"


def test_changed_arguments_are_outputs(client):
    found = infer(client, "bump", {"a": np.zeros(5), "i": np.array(2)})
    np.testing.assert_array_equal(found.as_numpy("a"), [0, 0, 1, 0, 0])
    assert found.as_numpy("output") == 1


def test_complex_tensors_have_an_axis_of_parts(client):
    z = np.array([1 + 2j, 3 - 1j])
    parts = np.stack([z.real, z.imag], axis=-1)
    found = infer(client, "turned", {"z": parts, "w": np.array([0.0, 1.0])})
    product = found.as_numpy("output.0")
    np.testing.assert_allclose(product[..., 0] + 1j * product[..., 1], z * 1j)
    np.testing.assert_array_equal(found.as_numpy("output.1"), z.real)
    assert failure(client, "turned", {"z": z.real, "w": np.array([0.0, 1.0])})[0] in BAD


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("count", [1, 5, 70])
def test_lengths_that_calls_compute(client, count, binary):
    """Tensors are as long as the results; one model's requests are joined and padded."""
    x = np.arange(count * 4.0).reshape(count, 4)
    for w in ([1.0, 0, -1, 2], [-1.0, 0, 0, 0]):
        found, w = infer(client, "chosen", {"x": x, "w": np.array(w)}, binary), np.array(w)
        for name, expected in chosen(x, w).items():
            np.testing.assert_array_equal(found.as_numpy(name), expected, strict=True)
    z = (np.arange(count) % 5 - 2 + 1j).astype(np.complex64)
    found = infer(client, "positive", {"z": np.stack([z.real, z.imag], axis=-1)}, binary)
    expected = positive(z)
    parts = np.stack([expected.real, expected.imag], axis=-1)
    np.testing.assert_array_equal(found.as_numpy("output"), parts, strict=True)


def test_metadata_of_lengths_that_calls_compute(client):
    found = client.get_model_metadata("chosen")
    if client.module is rpc:
        shapes = [list(each.shape) for each in found.outputs]
    else:
        shapes = [each["shape"] for each in found["outputs"]]
    assert shapes == [[-1, -1], [-1]]


def test_small_dtypes(client):
    b, h, u = np.array([True, False]), np.array([1.5, 2], np.float16), np.array([1, 255], np.uint8)
    found = infer(client, "mixed", {"b": b, "h": h, "u": u})
    for i, expected in enumerate(mixed(b, h, u)):
        actual = found.as_numpy(f"output.{i}")
        assert actual.dtype == expected.dtype
        np.testing.assert_array_equal(actual, expected)


def test_requested_outputs(client):
    wanted = [client.module.InferRequestedOutput("k")]
    x = np.ones(2, np.float32)
    found = infer(client, "half", {"x": x, "k": np.array(1)}, outputs=wanted)
    assert found.as_numpy("k") == 2 and found.as_numpy("half") is None
    wanted = [client.module.InferRequestedOutput("nothing")]
    status, text = failure(client, "half", {"x": x, "k": np.array(1)}, outputs=wanted)
    assert status in BAD and "nothing" in text and "half" in text


def test_request_ids_and_names(client):
    found = infer(client, "dense", {"x": np.zeros((1, 4))}, request_id="mine").get_response()
    found = found if isinstance(found, dict) else {"id": found.id, "model_name": found.model_name}
    assert (found["id"], found["model_name"]) == ("mine", "dense")


def test_versions(client):
    x = np.ones((2, 4))
    # Version 10 is the latest, and has one entry point; version 2 has two.
    for model, version in [("several", ""), ("several", "10"), ("several.dense", "2")]:
        found = infer(client, model, {"x": x}, model_version=version)
        np.testing.assert_allclose(found.as_numpy("output"), dense(x))
    assert failure(client, "several", {"x": x}, model_version="2")[0] in MISSING
    assert failure(client, "several", {"x": x}, model_version="../10")[0] in (*MISSING, *BAD)
    metadata = client.get_model_metadata("several", "10")
    assert "several" == (metadata.name if client.module is rpc else metadata["name"])


def test_wrong_requests(client):
    x = np.zeros((2, 4))
    cases = [
        ("nothing", {"x": x}, MISSING, "nothing"),
        ("dense", {}, BAD, "x: float64[n,4]"),
        ("dense", {"y": x}, BAD, "missing input x"),
        ("dense", {"x": x, "y": x}, BAD, "unknown input y"),
        ("dense", {"x": x.astype(np.float32)}, BAD, "FP32"),
        ("dense", {"x": x[:, :3]}, BAD, "axis 1 of x is 3"),
        ("dense", {"x": x[0]}, BAD, "axes"),
        ("dense", {"x": x[:0]}, BAD, "at least 1"),
        ("half", {"x": np.ones(2, np.float32), "k": np.array([1, 2])}, BAD, "one number"),
        ("bump", {"a": np.zeros(5), "i": np.array(7)}, BAD, "IndexError"),
        ("half", {"x": -np.ones(2, np.float32), "k": np.array(1)}, BAD, "AssertionError: negative"),
    ]
    for model, arrays, statuses, text in cases:
        status, message = failure(client, model, arrays)
        assert status in statuses and text in message, (model, status, message)
        assert "Traceback" not in message and ".py" not in message
    # The server goes on.
    np.testing.assert_array_equal(infer(client, "dense", {"x": x}).as_numpy("output"), x[:, :3])


def test_too_large(client):
    status, message = failure(client, "dense", {"x": np.zeros((2**16, 4))})
    assert status in ("413", "StatusCode.RESOURCE_EXHAUSTED")
    assert infer(client, "dense", {"x": np.zeros((1, 4))}).as_numpy("output").shape == (1, 3)


def test_json_tensors(server):
    with rest.InferenceServerClient(server.http) as client:
        client.module = rest
        x = np.arange(8.0).reshape(2, 4)
        tensors = inputs_of(client, {"x": x}, binary=False)
        wanted = [rest.InferRequestedOutput("output", binary_data=False)]
        found = client.infer("dense", tensors, outputs=wanted)
        np.testing.assert_allclose(found.as_numpy("output"), dense(x))
        assert "data" in found.get_output("output")


def post(server, path, body, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.http_port, timeout=30)
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("POST", path, body, headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, content


def tensor(**changes):
    return {"name": "x", "shape": [1, 4], "datatype": "FP64", "data": [1, 2, 3, 4], **changes}


MALFORMED = [
    b"", b"{", b"[]", b"null", b"\xff\xfe", b"{}", b'{"inputs": null}', b'{"inputs": [1]}',
    b'{"inputs": {}}', b'{"inputs": [{}]}', b"[" * 100_000,
    *(json.dumps({"inputs": [tensor(**changes)]}).encode() for changes in [
        {"shape": [2, 4]}, {"shape": [-1, 4]}, {"shape": "1,4"}, {"shape": [1, "4"]}, {"shape": None},
        {"shape": [2**62, 2**62]}, {"shape": [1.0, 4]}, {"datatype": "FP99"}, {"datatype": 3},
        {"datatype": "BYTES"}, {"data": None}, {"data": "1234"}, {"data": [1, 2, 3, "4"]},
        {"data": [1, 2, 3, None]}, {"data": {"a": 1}}, {"data": [[1, 2], [3]]}, {"name": None},
        {"data": [True, False, True, False]}, {"parameters": {"binary_data_size": 32}},
        {"parameters": {"binary_data_size": -1}}, {"parameters": {"binary_data_size": "x"}},
        {"parameters": [1]},
    ]),
    json.dumps({"inputs": [tensor(), tensor()]}).encode(),
    json.dumps({"inputs": [tensor()], "outputs": [3]}).encode(),
    json.dumps({"inputs": [tensor()], "outputs": "output"}).encode(),
    json.dumps({"inputs": [tensor()], "parameters": 3}).encode(),
]  # fmt: skip


@pytest.mark.parametrize("body", MALFORMED, ids=range(len(MALFORMED)))
def test_malformed_requests(server, body):
    status, content = post(server, "/v2/models/dense/infer", body, Content_Type="application/json")
    assert status == 400 and json.loads(content)["error"], (status, content)


def test_malformed_lengths(server):
    body = json.dumps({"inputs": [tensor()]}).encode()
    for length in ("-1", "x", str(len(body) + 1), "1", "²"):
        path = "/v2/models/dense/infer"
        headers = {"Inference_Header_Content_Length": length.encode("latin-1", "replace")}
        assert post(server, path, body, **headers)[0] == 400
    assert post(server, "/v2/models/dense/infer", body)[0] == 200
    assert post(server, "/v2/nothing", body)[0] == 404
    assert post(server, "/v2/models", body)[0] == 405


def grpc_request(**changes):
    request = messages.ModelInferRequest(model_name="dense")
    request.inputs.add(name="x", datatype="FP64", shape=[1, 4])
    request.raw_input_contents.append(np.arange(4.0).tobytes())
    for name, value in changes.items():
        if name in ("datatype", "name"):
            setattr(request.inputs[0], name, value)
        elif name == "shape":
            request.inputs[0].shape[:] = value
        elif name == "contents":
            request.inputs[0].contents.fp64_contents[:] = value
        else:
            request.raw_input_contents[:] = value
    return request


@pytest.mark.parametrize(
    "changes",
    [
        {"raw": []}, {"raw": [b""]}, {"raw": [b"1"]}, {"raw": [bytes(32), bytes(32)]},
        {"shape": [2, 4]}, {"shape": [-1, 4]}, {"shape": [2**40, 2**40]}, {"shape": []},
        {"datatype": "FP99"}, {"datatype": ""}, {"datatype": "BYTES"}, {"datatype": "FP32"},
        {"name": ""}, {"contents": [1.0]}, {"contents": [1.0] * 3, "raw": []},
    ],
    ids=lambda changes: str(changes)[:40],
)  # fmt: skip
def test_malformed_grpc_requests(server, changes):
    with grpc.insecure_channel(server.grpc) as channel:
        stub = GRPCInferenceServiceStub(channel)
        with pytest.raises(grpc.RpcError) as caught:
            stub.ModelInfer(grpc_request(**changes))
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT, caught.value.details()
        typed = grpc_request(contents=[1, 2, 3, 4], raw=[])
        (found,) = stub.ModelInfer(typed).raw_output_contents
        np.testing.assert_allclose(np.frombuffer(found), dense(np.arange(1.0, 5)))


def test_models_are_those_of_the_folder(server):
    with grpc.insecure_channel(server.grpc) as channel:
        stub = GRPCInferenceServiceStub(channel)
        with pytest.raises(grpc.RpcError) as caught:
            stub.RepositoryModelUnload(messages.RepositoryModelUnloadRequest(model_name="dense"))
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
    assert post(server, "/v2/repository/models/dense/unload", b"")[0] == 404


def test_random_requests(server):
    """Bytes of a good request are changed: never a crash, never a status of 500."""
    x = np.arange(8.0).reshape(2, 4)
    with rest.InferenceServerClient(server.http) as client:
        client.module = rest
        body, length = rest.InferenceServerClient.generate_request_body(inputs_of(client, {"x": x}))
    random = np.random.default_rng(0)
    statuses = set()
    for _ in range(300):
        changed = bytearray(body)
        for place in random.integers(length if random.random() < 0.8 else len(body), size=2):
            changed[place] = random.integers(256)
        if random.random() < 0.2:
            changed = changed[: random.integers(len(body))]
        headers = {"Inference_Header_Content_Length": str(length)}
        statuses.add(post(server, "/v2/models/dense/infer", bytes(changed), **headers)[0])
    assert statuses == {200, 400}
    assert server.process.poll() is None


def test_chunked_requests_are_limited(server):
    def chunks():
        for _ in range(64):
            yield b" " * 2**16

    connection = http.client.HTTPConnection("127.0.0.1", server.http_port, timeout=30)
    try:
        connection.request("POST", "/v2/models/dense/infer", chunks(), encode_chunked=True,
                           headers={"Transfer-Encoding": "chunked"})  # fmt: skip
        assert connection.getresponse().status == 413
    except (BrokenPipeError, ConnectionResetError):
        pass  # It answered and closed before all was sent.
    finally:
        connection.close()


def test_metrics_and_logs(server):
    with rest.InferenceServerClient(server.http) as client:
        client.module = rest
        infer(client, "dense", {"x": np.zeros((2, 4))})
    connection = http.client.HTTPConnection("127.0.0.1", server.http_port)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    assert 'request_predict_seconds_count{model_name="dense"}' in text
    assert 'ingot_batch_items_sum{model="dense"}' in text
    lines = server.log()
    served = [line for line in lines if line["message"] == "POST /v2/models/dense/infer"]
    assert served and served[-1]["status"] == 200 and served[-1]["seconds"] < 10
    assert not [line for line in lines if line["level"] == "error"]


def test_reload(tmp_path):
    """What is replaced is served at once; what is damaged leaves the old model in place."""
    folder = tmp_path / "models"
    folder.mkdir()
    path = folder / "model.ingot"
    scales = iter([1.0, 2.0])

    def export():
        scale = np.full(1, next(scales))

        def scaled(x):
            return x * scale

        ingot.export(scaled, ingot.spec("n")).save(path)

    def wait(condition):
        end = time.monotonic() + 30
        while not condition():
            assert time.monotonic() < end
            time.sleep(0.05)

    export()
    with Server(folder, tmp_path) as server, rest.InferenceServerClient(server.http) as client:
        client.module = rest

        def answer():
            return infer(client, "model", {"x": np.ones(1)}).as_numpy("output")[0]

        assert answer() == 1
        export()
        wait(lambda: answer() == 2)
        (folder / "new").mkdir()
        (folder / "new.part").write_bytes(b"PK")
        path.rename(folder / "new" / "3.ingot")
        wait(lambda: client.is_model_ready("new", "3") and not client.is_model_ready("model"))
        damaged = bytearray((folder / "new" / "3.ingot").read_bytes())
        damaged[-200] ^= 1
        (folder / "new" / "x").write_bytes(damaged)
        (folder / "new" / "x").rename(folder / "new" / "3.ingot")
        wait(lambda: any("can't be loaded" in line["message"] for line in server.log()))
        time.sleep(0.3)
        assert infer(client, "new", {"x": np.ones(1)}).as_numpy("output")[0] == 2
        errors = [line for line in server.log() if line["level"] == "error"]
        assert len(errors) == 1 and "new/3.ingot" in errors[0]["message"]
        assert server.stop() == 0


@pytest.mark.parametrize("native", [True, False])
def test_machine_code_is_served_where_the_user_asks_for_it(tmp_path, native):
    folder = tmp_path / "models"
    folder.mkdir()
    for name, f in {"right": lambda x: x * 2.25, "wrong": lambda x: x * 3.25}.items():
        ingot.export(f, np.ones(8), name="f", native=True).save(folder / f"{name}.ingot")
    with_wrong_machine_code(folder / "wrong.ingot")
    with Server(folder, tmp_path, *["--native"] * native) as server:
        with rest.InferenceServerClient(server.http) as client:
            client.module = rest
            found = infer(client, "right", {"x": np.ones(8)}).as_numpy("output")
            np.testing.assert_array_equal(found, np.full(8, 2.25))
            assert client.is_model_ready("wrong") != native
        errors = [line["message"] for line in server.log() if line["level"] == "error"]
    assert len(errors) == native
    assert not native or "the machine code of f can't be loaded (" in errors[0]


def test_token(tmp_path):
    folder = tmp_path / "models"
    folder.mkdir()
    ingot.export(dense, ingot.spec("n,4")).save(folder / "dense.ingot")
    (tmp_path / "token").write_text("secret\n")
    with Server(folder, tmp_path, "--token-file", str(tmp_path / "token")) as server:
        for module, place in [(rest, server.http), (rpc, server.grpc)]:
            with module.InferenceServerClient(place) as client:
                client.module = module
                assert client.is_server_ready()
                for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": "secret"}):
                    status = failure(client, "dense", {"x": np.ones((1, 4))}, headers=headers)[0]
                    assert status in ("401", "StatusCode.UNAUTHENTICATED")
                good = {"authorization": "Bearer secret"}
                found = infer(client, "dense", {"x": np.ones((1, 4))}, headers=good)
                assert found.as_numpy("output").shape == (1, 3)
        assert "secret" not in json.dumps(server.log())


def certificate_for_localhost(folder):
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "c.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    pem, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    secret = key.private_bytes(serialization.Encoding.PEM, pem, plain)
    (folder / "k.pem").write_bytes(secret)
    return folder / "c.pem", folder / "k.pem"


def test_tls(tmp_path):
    folder = tmp_path / "models"
    folder.mkdir()
    ingot.export(dense, ingot.spec("n,4")).save(folder / "dense.ingot")
    certificate, key = certificate_for_localhost(tmp_path)
    options = ("--tls-cert", str(certificate), "--tls-key", str(key))
    with Server(folder, tmp_path, *options) as server:
        with rpc.InferenceServerClient(
            f"localhost:{server.grpc_port}", ssl=True, root_certificates=str(certificate)
        ) as client:
            client.module = rpc
            assert infer(client, "dense", {"x": np.ones((1, 4))}).as_numpy("output").shape == (1, 3)
        with rest.InferenceServerClient(
            f"localhost:{server.http_port}", ssl=True, ssl_options={"ca_certs": str(certificate)}
        ) as client:
            client.module = rest
            assert infer(client, "dense", {"x": np.ones((1, 4))}).as_numpy("output").shape == (1, 3)


def test_start_fails_clearly(tmp_path, server):
    folder = tmp_path / "models"
    folder.mkdir()
    for options, text in [
        ([str(folder), "--http-port", str(server.http_port)], "can't listen"),
        ([str(folder), "--http-port", "0", "--grpc-port", str(server.grpc_port)], "can't listen"),
        ([str(tmp_path / "nothing")], "does not exist"),
        ([str(folder), "--tls-key", __file__], "certificate"),
        ([str(folder), "--no-http", "--no-grpc"], "no port"),
    ]:
        found = subprocess.run([sys.executable, "-m", "ingot", "serve", *options],
                               capture_output=True, text=True, timeout=60)  # fmt: skip
        assert found.returncode in (1, 2) and text in found.stderr, found.stderr
        assert "Traceback" not in found.stderr
