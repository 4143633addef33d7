"""The client as Neutron makes it."""

from pathlib import Path

import pytest
from keystoneauth1 import loading
from neutron_lib.placement.client import PlacementAPIClient
from oslo_config import cfg


@pytest.fixture
def conf(configuration: Path) -> cfg.ConfigOpts:
    """The configuration of Neutron's server, as far as it is about Placement."""
    conf = cfg.ConfigOpts()
    conf.register_opts([cfg.StrOpt("region_name"), cfg.StrOpt("endpoint_type", default="public")], group="placement")
    loading.register_session_conf_options(conf, "placement")
    loading.register_auth_conf_options(conf, "placement")
    conf([], default_config_files=[str(configuration)])
    return conf


@pytest.fixture
def client(conf: cfg.ConfigOpts) -> PlacementAPIClient:
    """The client at the microversion that it chooses by itself."""
    return PlacementAPIClient(conf)
