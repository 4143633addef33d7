"""A driver whose host has a GPU, which an older release of it had not told from the host."""

from dataclasses import dataclass, field

from cloud import uuid_of

from graphplace.compute.errors import ReshapeNeeded
from graphplace.compute.provider_tree import ProviderTree
from graphplace.compute.reading import Allocations

VCPU = {"VCPU": {"total": 8}}
VGPU = {"VGPU": {"total": 4}}
AGGREGATE = uuid_of("gpus")


def gpu_of(nodename: str) -> str:
    """The uuid of a node's GPU."""
    return uuid_of(f"{nodename} gpu")


@dataclass
class Gpus:
    """Moves VGPUs from a node to its GPU, a provider below it; ``asked`` has the nodes that it was asked about."""

    asked: list[str] = field(default_factory=list)

    def update_provider_tree(
        self, provider_tree: ProviderTree, nodename: str, allocations: Allocations | None = None
    ) -> None:
        self.asked.append(nodename)
        node, gpu = provider_tree.data(nodename), gpu_of(nodename)
        if "VGPU" in node.inventory and allocations is None:
            raise ReshapeNeeded(f"The VGPUs of {nodename} have to move to its GPU.")
        if not provider_tree.exists(gpu):
            provider_tree.new_child(f"{nodename} gpu", nodename, uuid=gpu)
        provider_tree.update_inventory(nodename, VCPU)
        provider_tree.update_inventory(gpu, VGPU)
        provider_tree.update_traits(gpu, ["HW_GPU_API_VULKAN"])
        provider_tree.update_aggregates(gpu, [AGGREGATE])
        for record in (allocations or {}).values():
            held = record["allocations"]
            amount = held.get(node.uuid, {"resources": {}})["resources"].pop("VGPU", 0)
            if amount:
                held[gpu] = {"resources": {"VGPU": amount}}
            if node.uuid in held and not held[node.uuid]["resources"]:
                del held[node.uuid]
