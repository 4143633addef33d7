from pathlib import Path

import pytest
from cloud import uuid_of
from examples import candidate, read_examples, read_guide, read_text

TEXT = """\
# Two hosts.
== Shared storage

cn1  VCPU:4  @A
  nic1  SRIOV_NET_VF:4
ss1  DISK_GB:10  MISC_SHARES_VIA_AGGREGATE  @A

GET resources=VCPU:1,DISK_GB:5&member_of=<A>
    &resources1=SRIOV_NET_VF:1
    &resources2=SRIOV_NET_VF:2
=> 1 candidate
   cn1 VCPU:1 + ss1 DISK_GB:5 + 1=nic1 SRIOV_NET_VF:1 + 2=nic1 SRIOV_NET_VF:2
   summaries: cn1 nic1 ss1

# Nothing.
GET resources=VCPU:1&limit=-1
=> 400 placement.undefined_code
"""


def test_a_file_of_examples_is_read() -> None:
    [example] = read_text(TEXT)
    assert example.title == "Shared storage"
    assert [provider.name for provider in example.cloud] == ["cn1", "nic1", "ss1"]
    (query, answer), (_, refusal) = example.queries
    assert query == (
        f"resources=VCPU:1,DISK_GB:5&member_of={uuid_of('A')}&resources1=SRIOV_NET_VF:1&resources2=SRIOV_NET_VF:2"
    )
    [found] = answer.candidates or ()
    assert found.allocations == {("cn1", "VCPU", 1), ("ss1", "DISK_GB", 5), ("nic1", "SRIOV_NET_VF", 3)}
    assert found.mappings == {("", "cn1"), ("", "ss1"), ("1", "nic1"), ("2", "nic1")}
    assert answer.summaries == {"cn1", "nic1", "ss1"}
    assert refusal.error == "placement.undefined_code"


def test_candidates_are_equal_whatever_the_order_of_the_groups() -> None:
    parts = [("", "cn1", [("VCPU", 1)]), ("1", "nic1", [("SRIOV_NET_VF", 1)])]
    assert candidate(parts) == candidate(reversed(parts))


def test_an_answer_that_contradicts_its_list_is_refused() -> None:
    with pytest.raises(ValueError, match="are not => 2 candidates"):
        list(read_text(TEXT.replace("=> 1 candidate", "=> 2 candidates")))


def test_every_example_is_readable() -> None:
    tests = Path(__file__).parents[1]
    examples = read_examples(tests / "specs") + read_guide(tests.parent / "docs" / "extensions.md")
    assert len({example.title for example in examples}) == len(examples) > 10
