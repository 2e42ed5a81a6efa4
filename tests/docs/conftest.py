from __future__ import annotations

import shutil
import sys

import pytest

from docs.shell import Programs


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """The programs of pralign, for examples."""
    if shutil.which("bash") is None or sys.platform == "win32":
        pytest.skip("examples are for bash")
    made = Programs(tmp_path_factory.mktemp("programs"))
    yield made
    made.stop()
