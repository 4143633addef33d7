"""A program that lets Nova's client make the changes on the service that PLACEMENT_ENDPOINT names.

It prints which of them were refused, as JSON.
"""

import json
import os

from nova import monkey_patch

monkey_patch.patch()  # every program of Nova does that before it imports more of it

from keystoneauth1.adapter import Adapter  # noqa: E402
from keystoneauth1.session import Session  # noqa: E402
from keystoneauth1.token_endpoint import Token  # noqa: E402
from nova import context, exception, objects  # noqa: E402
from nova.scheduler.client.report import SchedulerReportClient  # noqa: E402
from same_change import make_all  # noqa: E402

objects.register_all()
endpoint = Token(os.environ["PLACEMENT_ENDPOINT"], "admin")
placement = Adapter(Session(endpoint), service_type="placement", raise_exc=False)
admin = context.get_admin_context()
refused = make_all(
    lambda: SchedulerReportClient(placement),
    admin,
    lambda client, host: client.get_allocations_for_provider_tree(admin, host),
    exception.ResourceProviderUpdateFailed,
    exception.ReshapeFailed,
    exception.InventoryInUse,
)
print(json.dumps(refused))  # what it is for
