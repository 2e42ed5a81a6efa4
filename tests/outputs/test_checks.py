"""What may not be written is found before work begins."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from pralign.errors import OutputError
from pralign.outputs import check_directory, check_writable

NOBODY = 65534

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="only the superuser becomes somebody else"
)


@pytest.fixture
def folder():
    """A folder that everybody reaches, with things that nobody may change."""
    folder = Path(tempfile.mkdtemp())
    for name in ("mine", "read-only", "old"):
        (folder / name).mkdir()
    (folder / "mine" / "old").mkdir()
    (folder / "mine" / "file").write_text("x")
    for path in (folder, *folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
        path.chmod(0o755)
    for path in (folder / "read-only", folder / "mine" / "old", folder / "mine" / "file"):
        path.chmod(0o555)
    yield folder
    shutil.rmtree(folder)


def message_for_nobody(check, path):
    """What a check says to somebody who is not the superuser; nothing if it has nothing to say."""
    ear, mouth = os.pipe()
    process = os.fork()
    if process == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        try:
            check(path)
        except OutputError as error:
            os.write(mouth, str(error).encode())
        except BaseException as error:
            os.write(mouth, f"traceback: {error!r}".encode())
        finally:
            os._exit(0)
    os.waitpid(process, 0)
    os.close(mouth)
    with os.fdopen(ear) as stream:
        return stream.read()


def test_what_may_be_written(folder):
    assert message_for_nobody(check_writable, folder / "mine" / "new") == ""
    assert message_for_nobody(check_directory, folder / "mine" / "new") == ""
    assert sorted(path.name for path in (folder / "mine").iterdir()) == ["file", "old"]


@pytest.mark.parametrize("check", [check_writable, check_directory])
def test_a_directory_that_may_only_be_read(folder, check):
    place = folder / "read-only" / "new"
    assert message_for_nobody(check, place) == f"{place}: no permission to write in {folder}/read-only"


@pytest.mark.parametrize(("check", "name"), [(check_writable, "file"), (check_directory, "old")])
def test_an_old_result_that_may_only_be_read(folder, check, name):
    place = folder / "mine" / name
    assert message_for_nobody(check, place) == f"{place}: no permission to write here: it may only be read"
