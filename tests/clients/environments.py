"""Placement's clients as they are on PyPI, each with a virtual environment of its own.

The environments are made once, below .venv-clients/ at the top of the checkout, and made again when what is to be in
them changes. The versions are those of constraints.txt, which holds for all of them.
"""

import os
import subprocess
import venv
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
CONSTRAINTS = HERE / "constraints.txt"
# What runs in the environments of the clients, and sees nothing of graphplace.
INSIDE = HERE / "inside"
ENVIRONMENTS = HERE.parents[1] / ".venv-clients"


@dataclass(frozen=True)
class Client:
    """A client: the packages in its environment, the folder of its cases, and the tests that it ships itself.

    ``suite`` names the modules of its package that test it with a real Placement, ``suite_size`` how many tests they
    hold, and ``suite_logs_in`` whether they find the service through a cloud, as users do. ``variables`` are for the
    environment of all its processes.
    """

    name: str
    packages: tuple[str, ...]
    cases: str
    suite: tuple[str, ...] = ()
    suite_size: int = 0
    suite_logs_in: bool = False
    variables: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return self.name


def _modules(package: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{package}.test_{name}" for name in names)


CLIENTS = (
    Client(
        "osc-placement",
        ("osc-placement", "python-openstackclient", "pytest", "fixtures", "oslotest"),
        cases="openstack_command",
        suite=_modules(
            "osc_placement.tests.functional",
            *("aggregate", "allocation", "allocation_candidate", "inventory", "plugin"),
            *("resource_class", "resource_provider", "trait", "usage"),
        ),
        suite_size=160,
    ),
    Client(
        "openstacksdk",
        ("openstacksdk", "pytest", "fixtures", "oslotest", "requests-mock"),
        cases="openstack_sdk",
        suite=_modules(
            "openstack.tests.functional.placement.v1",
            *("allocation", "allocation_candidate", "resource_provider", "resource_provider_allocation"),
            *("resource_provider_inventory", "resource_provider_trait", "usage"),
        ),
        suite_size=8,
        suite_logs_in=True,
        # Whoever its suite acts as is whom the OS_ variables name. A test of it is not ended when it takes long.
        variables=(
            ("OS_TEST_TIMEOUT", "0"),
            ("OS_CLOUD", "envvars"),
            ("OPENSTACKSDK_DEMO_CLOUD", "envvars"),
            ("OPENSTACKSDK_DEMO_CLOUD_ALT", "envvars"),
            ("OPENSTACKSDK_OPERATOR_CLOUD", "envvars"),
            ("OPENSTACKSDK_SYSTEM_ADMIN_CLOUD", "envvars"),
        ),
    ),
    Client("neutron-lib", ("neutron-lib", "pytest"), cases="neutron_client"),
    Client(
        "nova",
        ("nova", "pytest", "fixtures", "oslotest", "ddt", "wsgi_intercept"),
        cases="report_client",
        suite=_modules("nova.tests.functional", "report_client"),
        suite_size=18,
        # Threads of its own kind would replace the select module under what is loaded already.
        variables=(("OS_NOVA_DISABLE_EVENTLET_PATCHING", "1"),),
    ),
)


def installed(client: Client) -> Path:
    """Return the folder of the environment of *client*, made if need be.

    Raises subprocess.CalledProcessError when its packages cannot be installed.
    """
    folder = ENVIRONMENTS / client.name
    stamp = folder / ".installed"
    wanted = "\n".join([*client.packages, CONSTRAINTS.read_text()])
    if not stamp.exists() or stamp.read_text() != wanted:
        venv.create(folder, clear=True, with_pip=True)
        # Most of what is installed is never imported, so it is compiled on import only. Nothing is built.
        options = ["--quiet", "--no-compile", "--only-binary=:all:", f"--constraint={CONSTRAINTS}"]
        subprocess.run([folder / "bin" / "pip", "install", *options, *client.packages], check=True)  # noqa: S603  # made here
        stamp.write_text(wanted)
    return folder


def run(client: Client, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the arguments *command* in the environment of *client*, inside/ importable; return what it wrote.

    *variables* are added to the process's own, of which those that configure OpenStack clients are left out.
    """
    folder = installed(client)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("OS_")}
    path = {"PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(INSIDE)}
    return subprocess.run(  # noqa: S603  # made here
        [folder / "bin" / "python", *command],
        cwd=INSIDE,
        env=inherited | path | dict(client.variables) | variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
