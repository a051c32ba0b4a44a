"""What KServe makes of us: its own server takes our models, its types take our manifest."""

import json
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import tritonclient.http as rest
import yaml
from members import with_wrong_machine_code

import ingot
from ingot.cli.serve import command
from processes import python

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples" / "kserve"
MANIFEST = EXAMPLES / "inferenceservice.yaml"

SERVER = """
import sys
path, port = sys.argv[1:]
sys.argv = sys.argv[:1]
from kserve import ModelServer
from ingot_runtime.serving import ArtifactModel, Batching
ModelServer(http_port=int(port), enable_grpc=False).start(
    [ArtifactModel("square", path, batching=Batching(16))]
)
"""


def square(x):
    return x * x


def test_kserves_own_server_takes_an_artifact(tmp_path):
    ingot.export(square, ingot.spec("n,2", "float32")).save(tmp_path / "square.ingot")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-c", SERVER, str(tmp_path / "square.ingot"), str(port)]
    with (tmp_path / "log").open("w") as log, subprocess.Popen(command, stderr=log) as process:
        try:
            with rest.InferenceServerClient(f"127.0.0.1:{port}") as client:
                _wait_for(client, process)
                x = np.array([[1, 2], [3, 4.5]], np.float32)
                tensor = rest.InferInput("x", [2, 2], "FP32")
                tensor.set_data_from_numpy(x)
                found = client.infer("square", [tensor]).as_numpy("output")
        finally:
            process.terminate()
    np.testing.assert_array_equal(found, x * x)


def _wait_for(client, process):
    end = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        try:
            if client.is_model_ready("square"):
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise AssertionError("KServe's server did not start")


NATIVE = """
import sys, numpy as np
from ingot_runtime import ArtifactError
from ingot_runtime.serving import ArtifactModel
print(ArtifactModel("m", sys.argv[1]).entry(np.full(8, 3.0))[0])
try:
    ArtifactModel("m", sys.argv[1], native=True)
except ArtifactError as error:
    print(error)
"""


def test_machine_code_runs_where_the_user_asks_for_it(tmp_path):
    path = tmp_path / "m.ingot"
    ingot.export(square, np.ones(8), name="f", native=True).save(path)
    with_wrong_machine_code(path)
    result, error = python("-c", NATIVE, path).stdout.splitlines()
    assert result == "9.0" and "the machine code of f can't be loaded (" in error


UNKNOWN = """
import json, re, sys
import kserve.models, kubernetes.client.models

def unknown(value, kind, place):
    inner = re.fullmatch(r"(?:list|List)\\[(.*)\\]", kind)
    if inner:
        return [u for i, each in enumerate(value) for u in unknown(each, inner[1], f"{place}[{i}]")]
    made = getattr(kserve.models, kind, None) or getattr(kubernetes.client.models, kind, None)
    if made is None:
        return []
    known = {json_name: made.openapi_types[name] for name, json_name in made.attribute_map.items()}
    found = [f"{place}.{name}" for name in value.keys() - known.keys()]
    for name in value.keys() & known.keys():
        found += unknown(value[name], known[name], f"{place}.{name}")
    return found

print(unknown(json.load(sys.stdin), "V1beta1InferenceService", ""))
"""


def test_the_manifest_has_fields_of_kserves_alone():
    manifest = yaml.safe_load(MANIFEST.read_text())

    def unknown(value):
        command = [sys.executable, "-W", "ignore", "-c", UNKNOWN]
        done = subprocess.run(command, input=json.dumps(value), check=True, capture_output=True,
                              text=True)  # fmt: skip
        return done.stdout.strip()

    assert unknown(manifest) == "[]"
    manifest["spec"]["predictor"]["containers"][0]["readinessProbe"]["httpGet"]["paht"] = "/"
    assert unknown(manifest) == "['.spec.predictor.containers[0].readinessProbe.httpGet.paht']"


def test_the_manifest_calls_the_server_rightly(tmp_path):
    (container,) = yaml.safe_load(MANIFEST.read_text())["spec"]["predictor"]["containers"]
    name, models, *options = container["args"]
    assert (name, models) == ("serve", "/mnt/models")
    found = command.make_context("serve", [str(tmp_path), *options]).params
    assert found["http_port"] == container["ports"][0]["containerPort"] and found["no_grpc"]
    assert found["drain_seconds"] + found["grace_seconds"] < 40
    for probe in ("readinessProbe", "livenessProbe"):
        assert container[probe]["httpGet"]["path"] in ("/v2/health/ready", "/v2/health/live")
