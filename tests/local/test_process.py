"""The managed Neo4j as a process: who owns it, what ends it, and what survives.

Each test starts a real Neo4j, so each tells one story from start to end.
"""

import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import neo4j
import pytest
from neo4j.exceptions import AuthError
from neo4j_process import kill, start_elsewhere, wait_until_free

from graphplace.errors import LocalNeo4jError
from graphplace.graph import local
from graphplace.graph.local import LocalNeo4j
from graphplace.graph.local.folder import DataFolder
from graphplace.settings import Settings


def run(found: LocalNeo4j, text: str) -> list[list[object]]:
    with neo4j.GraphDatabase.driver(found.uri, auth=(found.user, found.password)) as driver:
        return [record.values() for record in driver.execute_query(text).records]


def must_run(settings: Settings) -> LocalNeo4j:
    found = local.running(settings)
    assert found is not None
    return found


def test_starts_answers_and_stops(local_settings: Settings) -> None:
    with local.start(local_settings, detached=False, fast_start=True) as found:
        assert run(found, "CALL dbms.components() YIELD versions, edition") == [
            [[local.status(local_settings).version], "community"]
        ]
        assert found.uri.startswith("bolt://127.0.0.1:")
        assert must_run(local_settings).uri == found.uri
        assert found.connect_to(local_settings).neo4j_uri == found.uri
        password_file = local.status(local_settings).password_file
        assert stat.S_IMODE(password_file.stat().st_mode) == 0o600
        assert password_file.read_text() == found.password
        assert found.log_file.read_text() == ""
        with pytest.raises(AuthError):
            run(replace(found, password="a guess"), "RETURN 1")
        with pytest.raises(LocalNeo4jError, match=rf"{local_settings.data_dir} is in use by process {found.pid}"):
            local.start(local_settings, detached=False)
    assert local.running(local_settings) is None
    assert not local.status(local_settings).busy
    assert local.stop(local_settings) is False


def test_ends_with_a_killed_parent_and_keeps_what_was_committed(local_settings: Settings) -> None:
    parent = start_elsewhere(local_settings)
    first = must_run(local_settings)
    run(first, "CREATE (:Kept {by: 'parent'})")
    parent.kill()
    parent.communicate()
    wait_until_free(local_settings)
    assert local.running(local_settings) is None
    with local.start(local_settings, detached=False, fast_start=True) as second:
        assert run(second, "MATCH (k:Kept) RETURN k.by") == [["parent"]]
        assert (second.uri, second.password) == (first.uri, first.password)


def test_survives_its_starter_when_detached_and_its_own_death_loses_nothing(local_settings: Settings) -> None:
    start_elsewhere(local_settings, "detached").communicate()
    found = must_run(local_settings)
    run(found, "CREATE (:Kept {by: 'child'})")
    kill(found.pid)
    wait_until_free(local_settings)
    assert local.running(local_settings) is None
    found = local.start(local_settings, detached=True, fast_start=True)
    assert run(found, "MATCH (k:Kept) RETURN k.by") == [["child"]]
    assert local.stop(local_settings) is True
    assert local.running(local_settings) is None


def test_of_two_starts_at_once_one_wins(local_settings: Settings) -> None:
    def attempt(_: int) -> LocalNeo4j | LocalNeo4jError:
        try:
            return local.start(local_settings, detached=False, fast_start=True)
        except LocalNeo4jError as error:
            return error

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(attempt, range(2)))
    (winner,) = [each for each in outcomes if isinstance(each, LocalNeo4j)]
    (loser,) = [each for each in outcomes if isinstance(each, LocalNeo4jError)]
    with winner:
        assert f"{local_settings.data_dir} is in use by a process that is starting or stopping" in str(loser)
        assert run(winner, "RETURN 1") == [[1]]


def test_a_password_that_does_not_fit_is_refused_and_a_lost_one_made_anew(local_settings: Settings) -> None:
    with local.start(local_settings, detached=False, fast_start=True) as found:
        password_file = local.status(local_settings).password_file
        password_file.unlink()
        with pytest.raises(LocalNeo4jError, match=f"{password_file} is missing"):
            local.running(local_settings)
    password_file.write_text("another")
    with pytest.raises(LocalNeo4jError, match=f"The password in {password_file} is not the one"):
        local.start(local_settings, detached=False, fast_start=True)
    assert not local.status(local_settings).busy
    password_file.unlink()
    with local.start(local_settings, detached=False, fast_start=True) as again:
        assert again.password not in (found.password, "another")
        assert run(again, "RETURN 1") == [[1]]


def test_a_foreign_neo4j_on_the_same_databases_is_named(local_settings: Settings) -> None:
    with local.start(local_settings, detached=False, fast_start=True):
        DataFolder(local_settings.data_dir).lock_file.unlink()
        with pytest.raises(LocalNeo4jError, match="Another Neo4j"):
            local.start(local_settings, detached=False, fast_start=True)
