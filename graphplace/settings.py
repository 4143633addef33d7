"""Every setting of graphplace: one typed object, read from the environment and, below that, an ini file.

The environment variable of a setting is its name in capitals behind ``GRAPHPLACE_``; in the ini file that
``GRAPHPLACE_CONFIG`` names, it is the plain name in the section ``[graphplace]``. The file may be Placement's own: of
its options those count that mean the same here. docs/settings.md lists them all.
"""

import configparser
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

import platformdirs

from graphplace.errors import SettingsError

PREFIX = "GRAPHPLACE_"
CONFIG_VARIABLE = PREFIX + "CONFIG"
SECTION = "graphplace"
KEYSTONE, NOAUTH2 = "keystone", "noauth2"
OSLO, ADMIN = "oslo", "admin"
API, TOKEN, OPEN = "api", "token", "open"
LOGFMT, JSON = "logfmt", "json"
BREADTH_FIRST, DEPTH_FIRST = "breadth-first", "depth-first"
CHOICES = {
    "auth_strategy": (KEYSTONE, NOAUTH2),
    "policy": (OSLO, ADMIN),
    "metrics_auth": (API, TOKEN, OPEN),
    "log_format": (LOGFMT, JSON),
    "allocation_candidates_generation_strategy": (BREADTH_FIRST, DEPTH_FIRST),
}
NUMBERS: dict[object, tuple[Callable[[str], float], str]] = {
    int: (int, "a whole number"),
    float: (float, "a number"),
}
SWITCHES = configparser.ConfigParser.BOOLEAN_STATES
# Options of Placement, by section and name, and what they are called here.
PLACEMENT_OPTIONS = {
    ("DEFAULT", "auth_strategy"): "auth_strategy",
    ("api", "auth_strategy"): "auth_strategy",
    ("cors", "allowed_origin"): "cors_allowed_origin",
    ("placement", "allocation_candidates_generation_strategy"): "allocation_candidates_generation_strategy",
    ("placement", "max_allocation_candidates"): "max_allocation_candidates",
    ("placement", "randomize_allocation_candidates"): "randomize_allocation_candidates",
    ("oslo_middleware", "enable_proxy_headers_parsing"): "proxy_headers",
    ("placement", "incomplete_consumer_project_id"): "incomplete_consumer_project_id",
    ("placement", "incomplete_consumer_user_id"): "incomplete_consumer_user_id",
} | {
    # Of Nova's file.
    (section, option): f"scheduler_{option}"
    for section, options in {
        "DEFAULT": ("default_availability_zone",),
        "scheduler": (
            "limit_tenants_to_placement_aggregate",
            "query_placement_for_availability_zone",
            "query_placement_for_image_type_support",
            "query_placement_for_routed_network_aggregates",
            "image_metadata_prefilter",
            "enable_isolated_aggregate_filtering",
            "max_attempts",
            "max_placement_results",
        ),
        "filter_scheduler": (
            "host_subset_size",
            "cpu_weight_multiplier",
            "ram_weight_multiplier",
            "disk_weight_multiplier",
            "soft_affinity_weight_multiplier",
            "soft_anti_affinity_weight_multiplier",
        ),
    }.items()
    for option in options
}
# The sections of Placement's own; what else stands in them is named as ignored. Others are for libraries to read.
OWN_SECTIONS = ("api", "placement", "placement_database", "workarounds")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of one process; build it with :meth:`load`.

    ``neo4j_uri`` is a Bolt URI (``neo4j://``, ``neo4j+s://``, ``bolt://`` ...); None means the managed local
    Neo4j, whose data lives under ``data_dir`` and whose program files live under ``cache_dir``. The managed one
    listens on ``neo4j_port`` of the loopback interface (0: a free port is chosen at each start), and its JVM
    has a heap of ``neo4j_heap`` (a number with the unit m or g).

    ``auth_strategy`` is ``keystone`` or ``noauth2``, which believes tokens as they come; None is noauth2, but only
    where others cannot reach. ``policy`` is ``oslo``, which is Placement's rules and the default with keystone, or
    ``admin``, which lets the role admin do everything. Pages of ``cors_allowed_origin`` may use the API. With
    ``proxy_headers`` the proxy in front says in X-Forwarded headers what the client asked for; without a proxy the
    client could. The API is served below ``path_prefix``, such as ``/placement``, too. What is claimed below version
    1.8, where clients do not say for whom, is for the ``incomplete_consumer`` project and user.

    Metrics are for who may list providers (``api``), for who brings ``metrics_token`` as a bearer token (``token``), or
    for everybody (``open``). Logs are lines of ``key=value`` (``logfmt``) or JSON; with ``access_log`` there is one for
    each request.

    The next are about requests for candidates, named and meant as in Placement: whether every tree gives one
    candidate before any gives a second or the first tree gives all of its own first, how many candidates there are at
    the most for any request (-1: no limit), and whether they come in random order. Beside them is for how many seconds
    such a request may be worked on (0: for any time), and for how many seconds an explanation of one has taken when it
    looks for no further changes that would give candidates. A process remembers the summaries of so many
    ``remembered_providers``, which are about 1.5 KB each (0: of none).

    Those that begin with ``scheduler_`` are for whoever selects hosts (:mod:`graphplace.scheduler`), and are named and
    meant as in Nova, if Nova has them. ``scheduler_request_filters`` are the filters to run, all of graphplace's own if
    it is empty; the switches after it are one for each of those. Nova says the opposite of
    ``scheduler_allow_tenants_without_placement_aggregate``. Of the first ``scheduler_max_placement_results`` candidates
    the best ``scheduler_max_attempts`` hosts are selected for an instance, by weights that the multipliers are of; any
    of the best ``scheduler_host_subset_size`` comes first.
    """

    config: Path | None = None
    neo4j_uri: str | None = None
    neo4j_user: str = "neo4j"
    neo4j_password: str = field(default="", repr=False)
    neo4j_database: str = "neo4j"
    neo4j_port: int = 0
    neo4j_heap: str = "1g"
    data_dir: Path = Path(platformdirs.user_data_dir("graphplace"))
    cache_dir: Path = Path(platformdirs.user_cache_dir("graphplace"))
    auth_strategy: str | None = None
    policy: str | None = None
    cors_allowed_origin: tuple[str, ...] = ()
    proxy_headers: bool = False
    path_prefix: str = ""
    incomplete_consumer_project_id: str = "00000000-0000-0000-0000-000000000000"
    incomplete_consumer_user_id: str = "00000000-0000-0000-0000-000000000000"
    metrics_auth: str = API
    metrics_token: str = field(default="", repr=False)
    log_format: str = LOGFMT
    access_log: bool = False
    allocation_candidates_generation_strategy: str = BREADTH_FIRST
    max_allocation_candidates: int = -1
    randomize_allocation_candidates: bool = False
    allocation_candidates_timeout: float = 30
    explain_changes_timeout: float = 1.5
    remembered_providers: int = 100_000
    scheduler_request_filters: tuple[str, ...] = ()
    scheduler_limit_tenants_to_placement_aggregate: bool = False
    scheduler_allow_tenants_without_placement_aggregate: bool = False
    scheduler_query_placement_for_availability_zone: bool = True
    scheduler_default_availability_zone: str = "nova"
    scheduler_query_placement_for_image_type_support: bool = False
    scheduler_image_metadata_prefilter: bool = False
    scheduler_require_capabilities: bool = True
    scheduler_request_accelerators: bool = True
    scheduler_request_port_resources: bool = True
    scheduler_query_placement_for_routed_network_aggregates: bool = False
    scheduler_forbid_disabled_computes: bool = True
    scheduler_enable_isolated_aggregate_filtering: bool = False
    scheduler_max_attempts: int = 3
    scheduler_max_placement_results: int = 300
    scheduler_host_subset_size: int = 1
    scheduler_cpu_weight_multiplier: float = 1.0
    scheduler_ram_weight_multiplier: float = 1.0
    scheduler_disk_weight_multiplier: float = 1.0
    scheduler_soft_affinity_weight_multiplier: float = 1.0
    scheduler_soft_anti_affinity_weight_multiplier: float = 1.0

    def __post_init__(self) -> None:
        for name in ("allocation_candidates_timeout", "explain_changes_timeout"):
            if not 0 <= (seconds := getattr(self, name)) < float("inf"):
                raise SettingsError(f"The setting {name} must be a number of seconds from 0 up, not {seconds}.")
        if self.remembered_providers < 0:
            raise SettingsError(
                f"The setting remembered_providers must be a number from 0 up, not {self.remembered_providers}."
            )
        if self.metrics_auth == TOKEN and not self.metrics_token:
            raise SettingsError("The setting metrics_auth is token: set metrics_token, too.")
        for name in ("scheduler_max_attempts", "scheduler_max_placement_results", "scheduler_host_subset_size"):
            if (number := getattr(self, name)) < 1:
                raise SettingsError(f"The setting {name} must be a whole number from 1 up, not {number}.")

    @classmethod
    def load(cls, environ: Mapping[str, str] | None = None) -> "Settings":
        """Read the settings from *environ* (default: the process's own), then from the ini file it names.

        Raises SettingsError for an unknown setting, or an ini file that is missing or cannot be parsed.
        """
        environ = os.environ if environ is None else environ
        known = {field.name: field.type for field in fields(cls)}
        given = _from_file(environ.get(CONFIG_VARIABLE))
        given |= {name: environ[PREFIX + name.upper()] for name in known if PREFIX + name.upper() in environ}
        if unknown := sorted(given.keys() - known.keys()):
            raise SettingsError(f"Unknown settings {', '.join(unknown)}; known are {', '.join(sorted(known))}.")
        values = {name: _parsed(name, known[name], text) for name, text in given.items()}
        return cls(**values)  # type: ignore[arg-type]  # every value has the type of its field, by _parsed


def _parsed(name: str, kind: object, text: str) -> str | float | Path | tuple[str, ...]:
    if name in CHOICES and text not in CHOICES[name]:
        raise SettingsError(f"The setting {name} must be {' or '.join(CHOICES[name])}, not {text!r}.")
    if kind in {Path, Path | None}:
        return Path(text)
    if kind == tuple[str, ...]:
        return tuple(item.strip() for item in text.split(",") if item.strip())
    if kind is bool:
        if text.lower() not in SWITCHES:
            raise SettingsError(f"The setting {name} must be true or false, not {text!r}.")
        return SWITCHES[text.lower()]
    if kind not in NUMBERS:
        return text
    number, words = NUMBERS[kind]
    try:
        return number(text)
    except ValueError:
        raise SettingsError(f"The setting {name} must be {words}, not {text!r}.") from None


def ignored_options(settings: Settings) -> list[str]:
    """Return the options of Placement in the ini file of *settings* that do not count here, as ``[section] name``."""
    if settings.config is None:
        return []
    parser = _read(str(settings.config))
    return [
        f"[{section}] {name}"
        for section in OWN_SECTIONS
        if parser.has_section(section)
        for name in parser[section]
        if (section, name) not in PLACEMENT_OPTIONS
    ]


def _from_file(name: str | None) -> dict[str, str]:
    if name is None:
        return {}
    parser = _read(name)
    given = {
        setting: parser.get(*option) for option, setting in PLACEMENT_OPTIONS.items() if parser.has_option(*option)
    }
    return given | (dict(parser[SECTION]) if parser.has_section(SECTION) else {})


def _read(name: str) -> configparser.ConfigParser:
    # As in oslo.config, [DEFAULT] is a section like others, and an option may stand twice.
    parser = configparser.ConfigParser(interpolation=None, default_section="", strict=False)
    try:
        with Path(name).open() as file:
            parser.read_file(file)
    except OSError as error:
        raise SettingsError(f"Cannot read {CONFIG_VARIABLE}={name}: {error.strerror}.") from error
    except configparser.Error as error:
        raise SettingsError(f"Cannot read {CONFIG_VARIABLE}={name}: {error}.") from error
    return parser
