"""The package as users get it: a wheel, in an environment that has nothing else, without a network."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.slow


def run(*command: str | Path, **options) -> str:
    """What a program says, which must succeed and gets no network."""
    nowhere = "http://127.0.0.1:9"
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    environment |= {"http_proxy": nowhere, "https_proxy": nowhere, "PIP_NO_INDEX": "1"}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """An environment with a freshly built wheel. Dependencies are borrowed from the tests' own environment."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip"]
    run(*pip, "wheel", "--no-build-isolation", "--no-deps", "--quiet", "--wheel-dir", folder, ROOT)
    [wheel] = folder.glob("*.whl")
    place = folder / "environment"
    venv.create(place, with_pip=False)
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(*pip, "--python", python, "install", "--no-deps", "--quiet", wheel)
    packages = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    # A line of such a file is searched for modules, but files like this one in there, as of editable installs, are not.
    Path(packages, "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    return python.parent


def test_it_is_the_wheel_that_runs(installed):
    found = run(installed / "python", "-c", "import pralign; print(pralign.__file__)")
    assert Path(found.strip()).is_relative_to(installed.parent)
    assert (installed.parent / "share" / "man" / "man1" / "pralign.1").is_file()


def test_the_demo_says_how_to_go_on(installed, tmp_path):
    """Its last line is a command that works as it is."""
    said = run(installed / "pralign", "demo", cwd=tmp_path)
    label, command = said.splitlines()[-1].split(": ", 1)
    assert label == "Your own text"
    (tmp_path / "source.txt").write_text("the house\na house\nthe cat\n")
    (tmp_path / "target.txt").write_text("la maison\nune maison\nle chat\n")
    assert run(*shlex.split(command), cwd=tmp_path) == ""
    assert len((tmp_path / "links.txt").read_text().splitlines()) == 3


def test_it_runs_as_a_module(installed):
    assert run(installed / "python", "-m", "pralign", "--version").startswith("pralign ")


def test_the_drop_ins_run(installed, tmp_path):
    (tmp_path / "text").write_text("the house ||| la maison\na house ||| une maison\nthe cat ||| le chat\n")
    run(installed / "pralign-eflomal", "-i", "text", "-f", "fwd", "-r", "rev", cwd=tmp_path)
    links = run(installed / "pralign-atools", "-i", "fwd", "-j", "rev", "-c", "grow-diag-final-and", cwd=tmp_path)
    assert len(links.splitlines()) == 3
    priors = run(installed / "pralign-eflomal-makepriors", "-i", "text", "-f", "fwd", "-r", "rev", cwd=tmp_path)
    assert priors.startswith("LEX\t")
    assert "Usage" in run(installed / "pralign-fast-align", "--help")
    folder = run(installed / "pralign-eflomal", "--module-path").strip()
    assert Path(folder, "eflomal", "__init__.py").is_file()
