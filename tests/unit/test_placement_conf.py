"""The ini file: graphplace's section, and Placement's own options."""

from pathlib import Path

import pytest

from graphplace.errors import SettingsError
from graphplace.settings import CONFIG_VARIABLE, PREFIX, Settings, ignored_options

PLACEMENT = """
[DEFAULT]
debug = true

[api]
auth_strategy = keystone

[placement]
incomplete_consumer_project_id = %p1%
allocation_conflict_retry_count = 3

[oslo_middleware]
enable_proxy_headers_parsing = True

[oslo_policy]
policy_dirs = a
policy_dirs = b

[placement_database]
connection = mysql+pymysql://user@db/placement
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A file of Placement."""
    file = tmp_path / "placement.conf"
    file.write_text(PLACEMENT)
    return file


def load(config: Path, **environ: str) -> Settings:
    return Settings.load({CONFIG_VARIABLE: str(config)} | {PREFIX + name: value for name, value in environ.items()})


def test_options_of_placement_count(config: Path) -> None:
    found = load(config)

    assert found.config == config
    assert found.auth_strategy == "keystone"
    assert found.incomplete_consumer_project_id == "%p1%"
    assert found.proxy_headers is True


def test_those_without_effect_are_named(config: Path) -> None:
    assert ignored_options(load(config)) == [
        "[placement] allocation_conflict_retry_count",
        "[placement_database] connection",
    ]
    assert ignored_options(Settings()) == []


def test_the_own_section_comes_before_placements_and_the_environment_before_both(config: Path) -> None:
    config.write_text(PLACEMENT + "[graphplace]\nauth_strategy = noauth2\nproxy_headers = off\n")

    assert load(config).auth_strategy == "noauth2"
    assert load(config).proxy_headers is False
    assert load(config, PROXY_HEADERS="yes").proxy_headers is True


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("auth_strategy = none", "auth_strategy must be keystone or noauth2, not 'none'"),
        ("policy = everybody", "policy must be oslo or admin, not 'everybody'"),
        ("colour = red", "Unknown settings colour"),
    ],
)
def test_what_cannot_be_used_is_refused(config: Path, line: str, told: str) -> None:
    config.write_text(f"[graphplace]\n{line}\n")

    with pytest.raises(SettingsError, match=told):
        load(config)


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="No such file"):
        load(tmp_path / "none.conf")


def test_novas_options_of_its_scheduler_count(tmp_path: Path) -> None:
    file = tmp_path / "nova.conf"
    file.write_text(
        "[DEFAULT]\ndefault_availability_zone = east\n"
        "[scheduler]\nlimit_tenants_to_placement_aggregate = true\nplacement_aggregate_required_for_tenants = false\n"
    )

    assert load(file) == Settings(
        config=file,
        scheduler_default_availability_zone="east",
        scheduler_limit_tenants_to_placement_aggregate=True,
    )
