"""The client as nova-compute and nova-scheduler make it, without the rest of Nova."""

from pathlib import Path

import pytest
from nova import monkey_patch

monkey_patch.patch()  # every program of Nova does that before it imports more of it

from nova import conf, context, objects  # noqa: E402
from nova.scheduler.client.report import SchedulerReportClient  # noqa: E402

objects.register_all()


@pytest.fixture(autouse=True)
def _nova(configuration: Path) -> None:
    conf.CONF([], project="nova", default_config_files=[str(configuration)])


@pytest.fixture
def client() -> SchedulerReportClient:
    """A client that has seen nothing yet."""
    return SchedulerReportClient()


@pytest.fixture
def admin() -> context.RequestContext:
    """What Nova hands to each method of the client."""
    return context.get_admin_context()
