"""A look at a machine of a cluster, before any work is sent there.

It is sent as code, not by name, since the package may be missing there; so it must not use anything of this module.
"""

from __future__ import annotations


def probe(version: str, path: str | None) -> str | None:
    """What keeps this machine from working, if anything does; ``path`` is a file that it has to see."""
    import os
    import platform

    here = platform.node()
    try:
        import pralign
    except ImportError as error:
        return f"{here} has no pralign ({error}); install pralign[ray] {version} there"
    if pralign.__version__ != version:
        return f"{here} has pralign {pralign.__version__}, not {version}; install the same version everywhere"
    if path is None:
        return None
    folder = os.path.dirname(path)  # noqa: PTH120
    if not os.path.isfile(path):  # noqa: PTH113
        return f"{here} does not see {folder}; name a directory that all machines see by --run"
    if not os.access(folder, os.W_OK):
        return f"{here} cannot write to {folder}; give it permission, or name another directory by --run"
    return None
