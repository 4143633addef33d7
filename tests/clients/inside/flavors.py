"""Extra specs of flavors, and the queries for candidates that they stand for.

Both Nova and graphplace are asked, each in an environment of its own.
"""

# The flavor that has them.
PLAIN = {"vcpus": 2, "memory_mb": 512, "root_gb": 10}

# As Nova documents them.
FLAVORS: dict[str, tuple[dict[str, str], str]] = {
    "fields of the flavor": ({}, "resources=VCPU:2,MEMORY_MB:512,DISK_GB:10"),
    "an amount of its own": ({"resources:VCPU": "4"}, "resources=VCPU:4,MEMORY_MB:512,DISK_GB:10"),
    "a further class": ({"resources:VGPU": "1"}, "resources=VCPU:2,MEMORY_MB:512,DISK_GB:10,VGPU:1"),
    "0 removes": (
        {
            "resources:CUSTOM_BAREMETAL": "1",
            "resources:VCPU": "0",
            "resources:MEMORY_MB": "0",
            "resources:DISK_GB": "0",
        },
        "resources=CUSTOM_BAREMETAL:1",
    ),
    "PCPU stands in for VCPU": ({"resources:PCPU": "2"}, "resources=PCPU:2,MEMORY_MB:512,DISK_GB:10"),
    "a required and a forbidden trait": (
        {"trait:HW_CPU_X86_AVX2": "required", "trait:CUSTOM_SLOW": "forbidden"},
        "resources=VCPU:2,MEMORY_MB:512,DISK_GB:10&required=HW_CPU_X86_AVX2,!CUSTOM_SLOW",
    ),
    "numbered groups": (
        {
            "resources1:VGPU": "1",
            "trait1:CUSTOM_BIG": "required",
            "resources2:VGPU": "1",
            "trait2:CUSTOM_BIG": "forbidden",
            "group_policy": "isolate",
        },
        (
            "resources=VCPU:2,MEMORY_MB:512,DISK_GB:10&resources1=VGPU:1&required1=CUSTOM_BIG"
            "&resources2=VGPU:1&required2=!CUSTOM_BIG&group_policy=isolate"
        ),
    ),
    "what is in groups with names replaces the flavor's": (
        {
            "resources_NUMA0:VCPU": "1",
            "resources_NUMA0:MEMORY_MB": "256",
            "resources_NUMA1:VCPU": "1",
            "resources_NUMA1:MEMORY_MB": "256",
            "group_policy": "none",
        },
        (
            "resources=DISK_GB:10&resources_NUMA0=VCPU:1,MEMORY_MB:256&resources_NUMA1=VCPU:1,MEMORY_MB:256"
            "&group_policy=none"
        ),
    ),
    "dedicated": ({"hw:cpu_policy": "dedicated"}, "resources=PCPU:2,MEMORY_MB:512,DISK_GB:10"),
    "shared": ({"hw:cpu_policy": "shared"}, "resources=VCPU:2,MEMORY_MB:512,DISK_GB:10"),
    "dedicated, and a processor for the emulator": (
        {"hw:cpu_policy": "dedicated", "hw:emulator_threads_policy": "isolate"},
        "resources=PCPU:3,MEMORY_MB:512,DISK_GB:10",
    ),
    "mixed": (
        {"hw:cpu_policy": "mixed", "hw:cpu_dedicated_mask": "1"},
        "resources=VCPU:1,PCPU:1,MEMORY_MB:512,DISK_GB:10",
    ),
    "mixed, all but some": (
        {"hw:cpu_policy": "mixed", "hw:cpu_dedicated_mask": "^0"},
        "resources=VCPU:1,PCPU:1,MEMORY_MB:512,DISK_GB:10",
    ),
    "mixed by realtime": (
        {"hw:cpu_policy": "mixed", "hw:cpu_realtime": "yes", "hw:cpu_realtime_mask": "^0"},
        "resources=VCPU:1,PCPU:1,MEMORY_MB:512,DISK_GB:10",
    ),
    "threads of one's own": (
        {"hw:cpu_policy": "dedicated", "hw:cpu_thread_policy": "isolate"},
        "resources=PCPU:2,MEMORY_MB:512,DISK_GB:10&required=!HW_CPU_HYPERTHREADING",
    ),
    "threads that are siblings": (
        {"hw:cpu_policy": "dedicated", "hw:cpu_thread_policy": "require"},
        "resources=PCPU:2,MEMORY_MB:512,DISK_GB:10&required=HW_CPU_HYPERTHREADING",
    ),
    "threads as they come": (
        {"hw:cpu_policy": "dedicated", "hw:cpu_thread_policy": "prefer"},
        "resources=PCPU:2,MEMORY_MB:512,DISK_GB:10",
    ),
    "persistent memory": (
        {"hw:pmem": "6GB, 16GB,6GB"},
        "resources=VCPU:2,MEMORY_MB:512,DISK_GB:10,CUSTOM_PMEM_NAMESPACE_6GB:2,CUSTOM_PMEM_NAMESPACE_16GB:1",
    ),
    "keys that say nothing of resources": (
        {"quota:cpu_shares": "10", "hw:numa_nodes": "2", "aggregate_instance_extra_specs:ssd": "true"},
        "resources=VCPU:2,MEMORY_MB:512,DISK_GB:10",
    ),
    "encrypted memory": (
        {"hw:mem_encryption": "True"},
        "resources=VCPU:2,MEMORY_MB:512,DISK_GB:10,MEM_ENCRYPTION_CONTEXT:1&required=HW_CPU_X86_AMD_SEV",
    ),
    "encrypted memory of another kind": (
        {"hw:mem_encryption": "True", "hw:mem_encryption_model": "amd-sev-es"},
        "resources=VCPU:2,MEMORY_MB:512,DISK_GB:10,MEM_ENCRYPTION_CONTEXT:1&required=HW_CPU_X86_AMD_SEV_ES",
    ),
}

# What only graphplace has an extra spec for: in Nova, ports alone may tie groups to a subtree.
OWN: dict[str, tuple[dict[str, str], str]] = {
    "a group that only a subtree ties": (
        {
            "resources_VF:SRIOV_NET_VF": "1",
            "trait_NIC:CUSTOM_FAST": "required",
            "same_subtree": "_VF,_NIC",
            "group_policy": "none",
        },
        (
            "resources=VCPU:2,MEMORY_MB:512,DISK_GB:10&resources_VF=SRIOV_NET_VF:1&required_NIC=CUSTOM_FAST"
            "&same_subtree=_VF,_NIC&group_policy=none"
        ),
    ),
}
