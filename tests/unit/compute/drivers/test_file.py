"""What the file driver makes of a file, and what it says of mistakes."""

from pathlib import Path

import pytest

from graphplace.compute.drivers import driver_named
from graphplace.compute.errors import ReshapeNeeded
from graphplace.compute.provider_tree import ProviderTree
from graphplace.compute.reading import Allocations
from graphplace.errors import BadRequestError

HOST, GPU = "9f0f9d6e-6b3c-4d1a-8f2e-0a1b2c3d4e5f", "9f0f9d6e-6b3c-4d1a-8f2e-0a1b2c3d4e60"
GPUS = f"""
version: 1
providers:
- name: '{{host}}'
  inventories: {{VCPU: {{total: 8, allocation_ratio: 4.0}}}}
- name: '{{host}}_gpu1'
  parent: '{{host}}_gpus'
  uuid: {GPU.upper()}
  inventories: {{VGPU: {{total: 4}}}}
  traits: [CUSTOM_FAST]
- name: '{{host}}_gpus'
  parent: '{{host}}'
"""


@pytest.fixture
def tree() -> ProviderTree:
    found = ProviderTree()
    found.new_root("box", HOST)
    found.new_child("box_port", HOST)
    found.new_root("pool", "9f0f9d6e-6b3c-4d1a-8f2e-0a1b2c3d4e61")
    return found


def bring(tree: ProviderTree, folder: Path, text: str, allocations: Allocations | None = None) -> None:
    """Let the driver bring the tree to a file."""
    path = folder / "box.yaml"
    path.write_text(text)
    driver_named("file", {"path": str(path)}).update_provider_tree(tree, "box", allocations)


def test_a_host_with_a_gpu(tree: ProviderTree, tmp_path: Path) -> None:
    tree.update_traits("box", ["CUSTOM_OLD"])
    bring(tree, tmp_path, GPUS)

    assert [one.name for one in tree] == ["box", "box_gpus", "box_gpu1", "pool"], "all else below the host is gone"
    gpu = tree.data("box_gpu1")
    assert (gpu.uuid, gpu.inventory["VGPU"]["total"], gpu.traits) == (GPU, 4, {"CUSTOM_FAST"})
    assert tree.data("box").traits == {"CUSTOM_OLD"}, "what the file does not mention stays"
    assert tree.data("box").inventory["VCPU"]["allocation_ratio"] == 4.0


def test_uuids_are_written_in_one_way(tree: ProviderTree, tmp_path: Path) -> None:
    bring(tree, tmp_path, GPUS.replace("traits: [CUSTOM_FAST]", f"aggregates: [{HOST.upper()}]"))

    assert tree.data("box_gpu1").aggregates == {HOST}


def test_others_are_kept(tree: ProviderTree, tmp_path: Path) -> None:
    bring(tree, tmp_path, f"{GPUS}\nothers: keep")

    assert tree.exists("box_port")


def test_providers_move_in_the_tree(tree: ProviderTree, tmp_path: Path) -> None:
    bring(tree, tmp_path, GPUS)
    bring(tree, tmp_path, GPUS.replace("parent: '{host}_gpus'", "parent: '{host}'"))

    assert tree.data("box_gpu1").parent_uuid == HOST


def test_vgpus_go_to_the_gpus_and_back(tree: ProviderTree, tmp_path: Path) -> None:
    flat = "version: 1\nproviders: [{name: '{host}', inventories: {VCPU: {total: 8}, VGPU: {total: 4}}}]"
    bring(tree, tmp_path, flat)
    allocations: Allocations = {"a": {"allocations": {HOST: {"resources": {"VCPU": 1, "VGPU": 2}}}}}
    with pytest.raises(ReshapeNeeded, match="VGPU of box move"):
        bring(tree, tmp_path, GPUS)

    bring(tree, tmp_path, GPUS, allocations)
    assert allocations["a"]["allocations"] == {HOST: {"resources": {"VCPU": 1}}, GPU: {"resources": {"VGPU": 2}}}

    with pytest.raises(ReshapeNeeded, match="VGPU of box move"):
        bring(tree, tmp_path, flat)
    bring(tree, tmp_path, flat, allocations)
    assert allocations["a"]["allocations"] == {HOST: {"resources": {"VCPU": 1, "VGPU": 2}}}
    assert [one.name for one in tree] == ["box", "pool"]


def test_a_card_that_is_exchanged_is_no_move(tree: ProviderTree, tmp_path: Path) -> None:
    bring(tree, tmp_path, GPUS)
    bring(tree, tmp_path, GPUS.replace("gpu1", "gpu2").replace(GPU.upper(), GPU.replace("60", "70")))

    assert not tree.exists("box_gpu1")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("version: 1", "version: 2", "$.version: 2 is not one of [1]"),
        ("total: 4", "total: -4", "$.providers[1].inventories.VGPU.total: -4 is less than the minimum of 1"),
        ("total: 4", "totl: 4", "$.providers[1].inventories.VGPU: 'total' is a required property"),
        ("total: 4", "total: 4, totl: 4", "'totl' was unexpected"),
        ("total: 4", "total: 2026-01-01", "'2026-01-01' is not of type 'integer'"),
        ("CUSTOM_FAST", "custom fast", "'custom fast' does not match"),
        (GPU.upper(), "'no'", "'no' is not a 'uuid'"),
        ("version: 1", "1: 2", "This says more than JSON can: Dict key must be str"),
        ("version: 1", "version: [", "This is neither YAML nor JSON: "),
        (GPUS, "[" * 3000, "This is neither YAML nor JSON: maximum recursion depth exceeded"),
        ("{VGPU: {total: 4}}", "{VGPU: {total: 4}, VGPU: {total: 8}}", "'VGPU' is there twice"),
        (GPUS, "[1, 2]", "$: [1, 2] is not of type 'object'"),
        (GPUS, "", "$: None is not of type 'object'"),
        ("version: 1", "others: forget\nversion: 1", "'forget' is not one of ['remove', 'keep']"),
        ("name: '{host}_gpu1'", "name: '{host}_gpus'", "The provider box_gpus is there twice."),
        ("parent: '{host}_gpus'", "parent: chassis", "The parent chassis of the provider box_gpu1 is not among"),
        ("  parent: '{host}_gpus'\n", "", "The provider box_gpu1 has no parent; only the host, box, has none."),
        (
            "name: '{host}'\n",
            "name: '{host}'\n  parent: '{host}_gpu1'\n",
            "The host box has to be one",
        ),
        ("parent: '{host}'", "parent: '{host}_gpu1'", "Providers are their own ancestors: box_gpu"),
        (
            "name: '{host}_gpus'\n  parent",
            "name: pool\n  parent",
            "The parent box_gpus of the provider box_gpu1",
        ),
        ("{host}_gpu1", "pool", "The provider pool cannot be made: pool is that of another provider."),
        (GPU.upper(), HOST, f"The provider box_gpu1 cannot be made: {HOST} is that of another provider."),
    ],
)
def test_mistakes(tree: ProviderTree, tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GPUS
    with pytest.raises(BadRequestError) as refused:
        bring(tree, tmp_path, GPUS.replace(old, new))
    assert message in str(refused.value)
    assert str(refused.value).startswith(f"{tmp_path}/box.yaml: ")


def test_another_uuid_than_the_provider_has(tree: ProviderTree, tmp_path: Path) -> None:
    bring(tree, tmp_path, GPUS)
    with pytest.raises(BadRequestError, match=f"box_gpu1 has the uuid {GPU} already, not {HOST}"):
        bring(tree, tmp_path, GPUS.replace(GPU.upper(), HOST))


def test_a_file_that_is_not_there(tree: ProviderTree) -> None:
    with pytest.raises(BadRequestError, match=r"/nowhere.yaml: The file cannot be read: No such file"):
        driver_named("file", {"path": "/nowhere.yaml"}).update_provider_tree(tree, "box")
