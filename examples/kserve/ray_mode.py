"""KServe's Ray mode: KServe's own server passes requests on to replicas that Ray keeps.

pip install 'ingot[serve]' 'ray[serve]'
python examples/kserve/ray_mode.py digits demo-output/models/digits.ingot --http_port 8080
"""

from __future__ import annotations

import sys

from kserve import ModelServer
from kserve.ray import RayModel
from ray import serve

from ingot_runtime.serving import ArtifactModel


@serve.deployment(num_replicas=2, ray_actor_options={"num_cpus": 1})
class Replica(ArtifactModel):
    """An artifact in a process of Ray's; each replica joins the requests that it gets."""


if __name__ == "__main__":
    name, path = sys.argv[1:3]
    handle = serve.run(Replica.bind(name, path), name=name, route_prefix=None)
    model = RayModel(name, handle)
    model.ready = True
    ModelServer().start([model])
