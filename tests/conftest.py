"""What the whole suite needs before it begins."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile all kernels at once, on all processors, where tests would do so one by one; for the whole suite only."""
    config = session.config
    is_whole = config.args == config.getini("testpaths") or config.args == [str(config.rootpath / "tests")]
    if is_whole and not hasattr(config, "workerinput") and not config.option.collectonly:
        subprocess.run([sys.executable, "-m", "pralign", "warm-up", "-q"], check=False)


@pytest.fixture(scope="session")
def piece_models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Models that cut words into pieces, by name: their files."""
    from piece_models import train_all

    return train_all(tmp_path_factory.mktemp("pieces"))
