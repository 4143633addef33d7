"""What random requests are made of: a few words that meet again and again."""

from cloud import uuid_of

NEWEST = 39
PROVIDERS = tuple(uuid_of(f"p{number}") for number in range(10))
CLASSES = ("VCPU", "MEMORY_MB", "DISK_GB", "SRIOV_NET_VF", "CUSTOM_FOO", "CUSTOM_BAR")
SHARES = "MISC_SHARES_VIA_AGGREGATE"
TRAITS = ("HW_CPU_X86_AVX", "HW_NUMA_ROOT", "CUSTOM_ONE", "CUSTOM_TWO")
AGGREGATES = tuple(uuid_of(name) for name in "ABC")
CONSUMERS = tuple(uuid_of(f"c{number}") for number in range(8))
PROJECTS = ("project", "other")
USERS = ("user", "someone")
TYPES = ("INSTANCE", "MIGRATION")
NOBODY = uuid_of("nobody")
NAMES = {uuid_of(name): name for name in (*(f"p{number}" for number in range(len(PROVIDERS))), *"ABC", "nobody")}
