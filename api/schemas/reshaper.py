"""The body of POST /reshaper."""

from graphplace.api.features import Feature

from graphplace.forms import ClaimWithGeneration, ClaimWithMappings, Reshape, ReshapedInventories, by_consumer


class ReshapeWithGeneration(ReshapedInventories):
    """All inventories of some providers, and all allocations of some consumers."""

    allocations = by_consumer(ClaimWithGeneration, required=True)


class ReshapeWithMappings(ReshapedInventories):
    """The same with mappings."""

    allocations = by_consumer(ClaimWithMappings, required=True)


RESHAPE = {
    Feature.RESHAPER: ReshapeWithGeneration,
    Feature.MAPPINGS: ReshapeWithMappings,
    # The same with the types of consumers.
    Feature.CONSUMER_TYPES: Reshape,
}
