"""Settings from the environment: how their texts are read, and what is refused."""

from pathlib import Path

import pytest

from graphplace.errors import SettingsError
from graphplace.settings import Settings


def test_texts_become_values() -> None:
    settings = Settings.load(
        {
            "GRAPHPLACE_NEO4J_PORT": "7687",
            "GRAPHPLACE_ALLOCATION_CANDIDATES_GENERATION_STRATEGY": "depth-first",
            "GRAPHPLACE_MAX_ALLOCATION_CANDIDATES": "1000",
            "GRAPHPLACE_RANDOMIZE_ALLOCATION_CANDIDATES": "True",
            "GRAPHPLACE_ALLOCATION_CANDIDATES_TIMEOUT": "2.5",
        }
    )
    assert settings == Settings(
        neo4j_port=7687,
        allocation_candidates_generation_strategy="depth-first",
        max_allocation_candidates=1000,
        randomize_allocation_candidates=True,
        allocation_candidates_timeout=2.5,
    )


def test_what_placement_is_told_about_candidates_holds_here(tmp_path: Path) -> None:
    file = tmp_path / "placement.conf"
    file.write_text("[placement]\nmax_allocation_candidates = 7\nrandomize_allocation_candidates = true\n")
    settings = Settings.load({"GRAPHPLACE_CONFIG": str(file)})
    assert (settings.max_allocation_candidates, settings.randomize_allocation_candidates) == (7, True)


@pytest.mark.parametrize(
    ("variable", "text", "accepted"),
    [
        ("NEO4J_PORT", "many", "a whole number"),
        ("ALLOCATION_CANDIDATES_TIMEOUT", "soon", "a number"),
        ("ALLOCATION_CANDIDATES_TIMEOUT", "-1", "a number of seconds from 0 up"),
        ("ALLOCATION_CANDIDATES_TIMEOUT", "nan", "a number of seconds from 0 up"),
        ("REMEMBERED_PROVIDERS", "-1", "a number from 0 up"),
        ("ALLOCATION_CANDIDATES_GENERATION_STRATEGY", "random", "breadth-first or depth-first"),
        ("RANDOMIZE_ALLOCATION_CANDIDATES", "perhaps", "true or false"),
        ("METRICS_AUTH", "nobody", "api or token or open"),
        ("LOG_FORMAT", "xml", "logfmt or json"),
    ],
)
def test_a_bad_value_is_refused_by_name(variable: str, text: str, accepted: str) -> None:
    with pytest.raises(SettingsError, match=f"{variable.lower()} must be {accepted}, not .?{text}"):
        Settings.load({f"GRAPHPLACE_{variable}": text})


def test_metrics_for_who_has_a_token_need_one() -> None:
    with pytest.raises(SettingsError, match="metrics_token"):
        Settings.load({"GRAPHPLACE_METRICS_AUTH": "token"})
