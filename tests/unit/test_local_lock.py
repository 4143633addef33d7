"""The lock file that is shipped."""

import re

from graphplace.graph.local import jars


def test_it_names_both_roots_in_one_version() -> None:
    versions = {jar.artifact: jar.version for jar in jars.locked_jars()}
    assert versions["neo4j"] == versions["neo4j-bolt"] == jars.neo4j_version()


def test_every_line_is_whole() -> None:
    for jar in jars.locked_jars():
        assert jar.group
        assert jar.size > 0
        assert re.fullmatch("[0-9a-f]{64}", jar.sha256), jar.coordinate


def test_no_two_jars_share_a_file_name() -> None:
    names = [jar.file_name for jar in jars.locked_jars()]
    assert len(names) == len(set(names))
