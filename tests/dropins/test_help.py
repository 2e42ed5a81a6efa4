"""Help of the drop-ins: at once, and with every option."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pralign.dropins.linking import NAMES


@pytest.mark.parametrize("module", sorted(set(NAMES.values())))
def test_help_never_needs_the_compiler(module):
    program = (
        "import sys\n"
        f"sys.argv = ['it', '--help']\nfrom pralign.dropins.{module} import main\n"
        "try:\n    main()\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    assert "-i" in done.stdout
    assert not {"numba", "scipy"} & set(done.stderr.split())
