"""Server groups: which hosts an instance may be on, by where the others of its group are."""

from collections import Counter
from dataclasses import dataclass, field, replace

from graphplace.scheduler.request_spec import InstanceGroup

AFFINITY, ANTI_AFFINITY = "affinity", "anti-affinity"
SOFT_AFFINITY, SOFT_ANTI_AFFINITY = "soft-affinity", "soft-anti-affinity"


@dataclass
class Group:
    """A policy, how many instances each host has by now, and how many it may have by anti-affinity."""

    policy: str | None = None
    instances: Counter[str] = field(default_factory=Counter)
    most: int = 1

    @classmethod
    def of(cls, group: InstanceGroup | None) -> "Group":
        """Return the group that a request names, or one without a policy."""
        return cls() if group is None else cls(group.policy, Counter(group.hosts), group.max_server_per_host)

    def objection(self, service_host: str) -> str | None:
        """Return why one more instance may not be on *service_host*, None if it may."""
        if self.policy == AFFINITY and self.instances and not self.instances[service_host]:
            return "are not where the others of the group are (affinity)"
        if self.policy == ANTI_AFFINITY and self.instances[service_host] >= self.most:
            return f"have {'another' if self.most == 1 else self.most} of the group (anti-affinity)"
        return None

    def with_one_on(self, service_host: str) -> "Group":
        """Return the group with one more instance, on *service_host*."""
        return replace(self, instances=self.instances + Counter([service_host]))

    def without_one_on(self, service_host: str) -> "Group":
        """Return the group with one instance less on *service_host*."""
        return replace(self, instances=self.instances - Counter([service_host]))
