"""Those tests of the tracker and of reshapes that other services write to, with the real Placement at the other end."""

from compute.test_reshapes import live, test_there_and_back
from compute.test_resource_tracker import (
    flat,
    test_a_claim_during_a_reshape_moves_along,
    test_a_failed_update_is_fatal_at_startup,
    test_a_node_that_needs_no_reshape,
    test_a_release_during_a_reshape,
    test_a_reshape_that_fails_is_fatal,
    test_a_service_that_crashes_before_any_write_starts_again,
    test_somebody_is_quicker_at_any_write,
    test_the_sequence_of_the_specification,
)

__all__ = [
    "flat",
    "live",
    "test_a_claim_during_a_reshape_moves_along",
    "test_a_failed_update_is_fatal_at_startup",
    "test_a_node_that_needs_no_reshape",
    "test_a_release_during_a_reshape",
    "test_a_reshape_that_fails_is_fatal",
    "test_a_service_that_crashes_before_any_write_starts_again",
    "test_somebody_is_quicker_at_any_write",
    "test_the_sequence_of_the_specification",
    "test_there_and_back",
]
