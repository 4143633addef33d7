from cloud import read_cloud, write_cloud


def test_a_cloud_that_is_read_and_written_is_the_same() -> None:
    text = """\
cn1  VCPU:8(allocation_ratio=2.0,used=3)  DISK_GB:1000(reserved=100)  HW_CPU_X86_AVX  @A
  numa0  MEMORY_MB:512
    pf1  CUSTOM_PHYSNET_ONE
  pf2  SRIOV_NET_VF:4
ss1  DISK_GB:2000  MISC_SHARES_VIA_AGGREGATE  @A  @B"""
    cloud = read_cloud(text)
    assert [(provider.name, provider.parent) for provider in cloud] == [
        ("cn1", None),
        ("numa0", "cn1"),
        ("pf1", "numa0"),
        ("pf2", "cn1"),
        ("ss1", None),
    ]
    assert write_cloud(cloud) == text
