"""Damaged and hostile artifacts: an ArtifactError, or the right answer; never anything else."""

import io
import json
import zipfile

import numpy as np
import pytest

import ingot
from ingot_runtime import ArtifactError
from ingot_runtime.container import write
from level import pick

W = np.arange(12.0).reshape(4, 3)


def dense(x):
    return x @ W


@pytest.fixture(scope="module")
def artifact(tmp_path_factory):
    path = tmp_path_factory.mktemp("artifact") / "m.ingot"
    ingot.export(dense, ingot.spec("n,4")).save(path)
    return path.read_bytes()


def outcome(path):
    """Whether the artifact is accepted; what else than ArtifactError is raised gets out."""
    try:
        loaded = ingot.load(path)
    except ArtifactError as error:
        assert str(path) in str(error)
        return False
    assert [leaf.name for leaf in loaded.entry("dense").arguments] == ["x"]
    return True


def test_mutations(artifact, tmp_path):
    rng = np.random.default_rng(0)
    path, tried, accepted = tmp_path / "m.ingot", pick(150, 1500, 15_000), 0
    for _ in range(tried):
        data = bytearray(artifact)
        kind = rng.integers(4)
        place, size = int(rng.integers(len(data))), int(rng.integers(1, 40))
        if kind == 0:
            data[place] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            del data[place:]
        elif kind == 2:
            data[place : place + size] = rng.bytes(size)
        else:
            del data[place : place + size]
        path.write_bytes(data)
        accepted += outcome(path)
    # A bit of a time stamp, or one of the padding, changes nothing.
    print(f"{tried} mutations, {accepted} accepted")
    assert 0 < accepted < tried / 7
    assert [p.name for p in tmp_path.iterdir()] == ["m.ingot"]


def rebuilt(artifact, tmp_path, change):
    """The artifact with its manifest changed and all hashes right again."""
    with zipfile.ZipFile(io.BytesIO(artifact)) as file:
        members = {name: file.read(name) for name in file.namelist()}
    manifest = json.loads(members.pop("manifest.json"))
    change(manifest, members)
    write(tmp_path / "m.ingot", manifest, members)
    return tmp_path / "m.ingot"


def places_in(value, path=()):
    yield path
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in items:
            yield from places_in(each, (*path, key))


def test_manifests_of_another_form(artifact, tmp_path):
    with zipfile.ZipFile(io.BytesIO(artifact)) as file:
        manifest = json.loads(file.read("manifest.json"))
    entry = manifest["entry_points"]
    paths = [("entry_points", *path) for path in places_in(entry)] + [
        ("weights",),
        ("weights", "W"),
    ]
    refused = accepted = 0
    for path in paths:
        for value in (None, -1, "x", [], {}, [[]], 1e9):

            def change(manifest, members):
                inner = manifest
                for key in path[:-1]:
                    inner = inner[key]
                inner[path[-1]] = value

            made = rebuilt(artifact, tmp_path, change)
            try:
                loaded = ingot.load(made)
                for point in loaded.entry_points.values():
                    assert point.arguments is not None
                accepted += 1
            except ArtifactError:
                refused += 1
    print(f"{refused + accepted} manifests, {refused} refused, {accepted} accepted")
    assert refused > 0.8 * (refused + accepted) and accepted > 0


def raw(tmp_path, *members, compression=zipfile.ZIP_STORED):
    path = tmp_path / "m.ingot"
    with zipfile.ZipFile(path, "w", compression) as file:
        for name, data in members:
            file.writestr(name, data)
    return path


FORMAT = json.dumps({"format": 1, "members": {}, "entry_points": {}})


@pytest.mark.parametrize(
    "members, message",
    [
        ([("../evil", b"x"), ("manifest.json", FORMAT)], "forbidden name"),
        ([("/etc/evil", b"x"), ("manifest.json", FORMAT)], "forbidden name"),
        ([("a\\b", b"x"), ("manifest.json", FORMAT)], "forbidden name"),
        ([("extra", b"x"), ("manifest.json", FORMAT)], "not in manifest.json"),
        ([("other", b"x")], "no manifest.json"),
        ([("manifest.json", b"{")], "is no JSON"),
        ([("manifest.json", b"[" * 100_000)], "is no JSON"),
        ([("manifest.json", b'{"format": 99}')], "format 99, this version of Ingot reads up to 5"),
        ([("manifest.json", b'{"format": "1"}')], "names no format"),
        ([("manifest.json", b'{"format": 1}')], "lists no members"),
        ([("manifest.json", b'{"format": 1, "members": {"a": {}}}')], "no member a"),
        ([("manifest.json", b'{"format": 1, "members": {}}')], "no entry points"),
    ],
)
def test_hostile_files(tmp_path, members, message):
    with pytest.raises(ArtifactError, match=message):
        ingot.load(raw(tmp_path, *members))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_duplicated_members(tmp_path):
    with pytest.raises(ArtifactError, match="two members have the name"):
        ingot.load(raw(tmp_path, ("manifest.json", FORMAT), ("manifest.json", FORMAT)))


def test_zip_bombs(tmp_path):
    bomb = raw(tmp_path, ("manifest.json", b" " * 50_000_000), compression=zipfile.ZIP_DEFLATED)
    with pytest.raises(ArtifactError, match="compressed"):
        ingot.load(bomb)


def test_no_file_a_folder_and_an_empty_file(tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    for path in (tmp_path / "none", tmp_path, tmp_path / "empty"):
        with pytest.raises(ArtifactError, match=str(path)):
            ingot.load(path)


def test_wrong_hashes(artifact, tmp_path):
    place = artifact.index(b"StableHLO_v")
    data = bytearray(artifact)
    data[place + 40] ^= 1
    (tmp_path / "m.ingot").write_bytes(data)
    with pytest.raises(ArtifactError, match="fast.mlirbc is damaged"):
        ingot.load(tmp_path / "m.ingot")


def test_a_module_that_is_none(artifact, tmp_path):
    def change(manifest, members):
        members["entry_points/dense/fast.mlirbc"] = b"ML\xefRnonsense"

    path = rebuilt(artifact, tmp_path, change)
    with pytest.raises(ArtifactError, match="fast.mlirbc of entry point 'dense' is not one that"):
        ingot.load(path)


def sliced(x):
    """Of shape (2, 3), strides of (-6, 2) elements: rows backward, and gaps."""
    y = x + 1.0
    return y[::-1, ::2]


def repeated(x):
    """Of shape (3, 4), strides of (0, 1) elements."""
    return np.broadcast_to(x + 1.0, (3, 4))


def with_layout(path, f, x, change):
    """The result where the manifest says something else of how it lies in memory."""
    ingot.export(f, x, name="f").save(path)
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    manifest = json.loads(members.pop("manifest.json"))
    change(manifest["entry_points"]["f"]["leaves"][0]["layout"])
    write(path, manifest, members)
    return ingot.load(path)(x)


@pytest.mark.parametrize(
    "change",
    [
        {"strides": [-6]}, {"strides": [-6, 2, 1]}, {"strides": []}, {"strides": {}},
        {"strides": "62"}, {"strides": [-6, 2.0]}, {"strides": [-6, True]}, {"strides": [-6, None]},
        {"strides": [6, 2]}, {"strides": [-6, -2]}, {"strides": [2, 6]}, {"strides": [-1, 2]},
        {"strides": [-(2**46), 2]}, {"strides": [-(2**63), 2]}, {"strides": [-(2**70), 2]},
        {"strides": [-6, 2**62]}, {"strides": [-2, 1]}, {"strides": [0, 0]}, {"axes": [1, 0]},
        {"axes": [0]}, {"axes": [0, 0]}, {"axes": [0, 2]}, {"axes": [-1, 0]}, {"axes": {}},
        {"axes": None}, {"backward": []}, {"backward": [1]}, {"backward": [0, 1]},
        {"backward": [2]}, {"backward": {}}, {"backward": None}, {"writable": 1},
        {"writable": None},
    ],
    ids=str,
)  # fmt: skip
def test_layouts_that_can_not_be(tmp_path, change):
    x = np.arange(12.0).reshape(2, 6)
    with pytest.raises(ArtifactError):
        with_layout(tmp_path / "m.ingot", sliced, x, lambda layout: layout.update(change))


@pytest.mark.parametrize("field", ["axes", "backward", "strides", "writable"])
def test_layouts_without_a_field(tmp_path, field):
    with pytest.raises(ArtifactError):
        with_layout(tmp_path / "m.ingot", sliced, np.ones((2, 6)), lambda layout: layout.pop(field))


def test_layouts_of_elements_that_share_memory(tmp_path):
    path, x = tmp_path / "m.ingot", np.arange(4.0)
    np.testing.assert_array_equal(with_layout(path, repeated, x, lambda _: None), repeated(x))
    with pytest.raises(ArtifactError, match="different elements at the same address"):
        with_layout(path, repeated, x, lambda layout: layout.update(strides=[1, 1]))
    nans = np.full(4, np.nan)
    np.testing.assert_array_equal(with_layout(path, repeated, nans, lambda _: None), repeated(nans))


def test_wider_strides_are_only_another_place(tmp_path):
    x = np.arange(12.0).reshape(2, 6)
    found = with_layout(
        tmp_path / "m.ingot", sliced, x, lambda layout: layout.update(strides=[-60, 20])
    )
    np.testing.assert_array_equal(found, sliced(x))
    assert found.strides == (-480, 160)
