"""What each version of the API changed: the tables that routes, bodies, queries and views ask.

A client names the version that it was written for and gets the API as that version has it, so what later versions
added or changed stays away from it. Nothing else in the application compares versions.
"""

from enum import Enum


class Change(Enum):
    """One change to the API: ``since`` is the minor number of the version that made it, ``words`` say what it is."""

    def __init__(self, since: int, words: str) -> None:
        self.since = since
        self.words = words


class Feature(Change):
    """One change that Placement made."""

    PROVIDERS = 0, "Resource providers, their inventories and usages, and the allocations of consumers."
    AGGREGATES = 1, "GET and PUT /resource_providers/{uuid}/aggregates, with a link to it in providers."
    RESOURCE_CLASSES = 2, "/resource_classes and /resource_classes/{name}."
    PROVIDERS_BY_AGGREGATE = 3, "GET /resource_providers takes member_of."
    PROVIDERS_BY_RESOURCES = 4, "GET /resource_providers takes resources."
    ALL_INVENTORIES_DELETED = 5, "DELETE /resource_providers/{uuid}/inventories."
    TRAITS = 6, "/traits, /traits/{name} and /resource_providers/{uuid}/traits, with a link to it in providers."
    RESOURCE_CLASS_ENSURED = 7, "PUT /resource_classes/{name} creates the class if need be. Before, it renamed one."
    OWNERS = 8, "PUT /allocations/{uuid} requires project_id and user_id."
    PROJECT_USAGES = 9, "GET /usages."
    CANDIDATES = 10, "GET /allocation_candidates."
    ALLOCATIONS_LINKED = 11, "Providers have a link to their allocations."
    ALLOCATIONS_BY_PROVIDER = 12, "What is allocated is an object with providers as keys. Before, it was a list."
    OWNERS_SHOWN = 12, "GET /allocations/{uuid} tells project_id and user_id."
    CLAIMS_TOGETHER = 13, "POST /allocations."
    TREES = 14, "Providers have a parent and a root, and GET /resource_providers takes in_tree."
    CACHE_HEADERS = 15, "What is read has last-modified, and cache-control: no-cache."
    LIMIT = 16, "GET /allocation_candidates takes limit."
    CANDIDATES_BY_TRAITS = 17, "GET /allocation_candidates takes required."
    TRAITS_SUMMARISED = 17, "Provider summaries have traits."
    PROVIDERS_BY_TRAITS = 18, "GET /resource_providers takes required."
    AGGREGATES_WITH_GENERATION = 19, "A provider's aggregates have its generation, which PUT checks and raises."
    PROVIDER_ON_CREATION = 20, "POST /resource_providers answers 200 with the provider. Before, 201 with nothing."
    CANDIDATES_BY_AGGREGATE = 21, "GET /allocation_candidates takes member_of."
    FORBIDDEN_TRAITS = 22, "required takes !TRAIT."
    ERROR_CODES = 23, "Errors have a code."
    MEMBER_OF_REPEATED = 24, "member_of may be repeated."
    SUFFIXED_GROUPS = 25, "GET /allocation_candidates takes groups with a number as suffix, and group_policy."
    ALL_RESERVED = 26, "The reserved amount of an inventory may be its total."
    ALL_CLASSES_SUMMARISED = 27, "Provider summaries have all resource classes. Before, those of the request."
    CONSUMER_GENERATIONS = 28, "Allocations have a consumer's generation, which writes check. PUT may claim nothing."
    NESTED_CANDIDATES = 29, "A candidate may use several providers of a tree, and summaries have parent and root."
    RESHAPER = 30, "POST /reshaper."
    CANDIDATES_IN_TREE = 31, "GET /allocation_candidates takes in_tree."
    FORBIDDEN_AGGREGATES = 32, "member_of takes !AGGREGATE and !in:."
    NAMED_SUFFIXES = 33, "A group's suffix may be a name. Before, it was a number."
    MAPPINGS = 34, "Allocation requests tell which providers are of which group, and claims may say it, too."
    ROOT_REQUIRED = 35, "GET /allocation_candidates takes root_required."
    SAME_SUBTREE = 36, "GET /allocation_candidates takes same_subtree, and groups named in it without resources."
    REPARENTING = 37, "PUT /resource_providers/{uuid} may change a parent, or take it away. Before, only set one."
    CONSUMER_TYPES = 38, "Claims require consumer_type. Allocations and usages tell it, and count consumers."
    ANY_TRAITS = 39, "required takes in:A,B and may be repeated. Before, the last of several counted."


class Extension(Change):
    """One thing that Placement does not have, for clients that ask for it by naming a version of graphplace, too."""

    ROOT_MEMBER_OF = 0, "GET /allocation_candidates takes root_member_of."
    ISOLATE = 0, "GET /allocation_candidates takes isolate."
    EXCLUDED_GROUPS = 0, "same_subtree takes !SUFFIX."
    CAN_SPLIT = 0, "GET /allocation_candidates takes can_split."
    POLICY_OPTIONAL = 0, "Several groups with suffixes need no group_policy."
    UNSUFFIXED_RESOURCELESS = 0, "The group without a suffix may be without resources."
    EXPLAIN = 0, "GET /allocation_candidates/explain."
    RESHAPE_PREVIEW = 0, "POST /reshaper/preview."
    TREE = 0, "GET /resource_providers/{uuid}/tree."
    WHAT_IF = 0, "POST /allocation_candidates/what-if and /allocation_candidates/explain."
