"""The calls of a training pipeline, with the same arguments, as a program of its own.

A sample is aligned, priors are made of it (with the two directions the other way round, as there), the text is cut into
parts that a pool of processes aligns with these priors, and ``atools`` in a folder of programs combines the directions
into a compressed file. Only what it does with ``eflomal`` and ``atools`` matters; nothing here knows of pralign. What
it says goes through a package of the pipeline that it belongs to, which ``PYTHONPATH`` leads to.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from pipeline.common.logging import say

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdFile
else:
    from backports.zstd import ZstdFile


def align_part(source: Path, target: Path, forward: Path, reverse: Path, priors: Path | None = None) -> None:
    import eflomal

    with ExitStack() as stack:
        opened = None if priors is None else stack.enter_context(open(priors, encoding="utf-8"))  # noqa: PTH123
        source_input = stack.enter_context(open(source, encoding="utf-8"))  # noqa: PTH123
        target_input = stack.enter_context(open(target, encoding="utf-8"))  # noqa: PTH123
        eflomal.Aligner().align(
            source_input,
            target_input,
            links_filename_fwd=str(forward),
            links_filename_rev=str(reverse),
            priors_input=opened,
            quiet=False,
            use_gdb=False,
        )


def align_parameters(parameters: tuple[Path, Path, Path, Path, Path]) -> None:
    align_part(*parameters)


def write_priors(source: Path, target: Path, forward: Path, reverse: Path, priors: Path) -> None:
    import eflomal

    with ExitStack() as stack:
        files = [stack.enter_context(open(path, encoding="utf-8")) for path in (source, target, forward, reverse)]  # noqa: PTH123
        made = eflomal.calculate_priors(*files)
        output = stack.enter_context(open(priors, "w", encoding="utf-8"))  # noqa: PTH123
        eflomal.write_priors(output, *made)


def align_all(source: Path, target: Path, folder: Path, lines: int, priors: Path) -> tuple[Path, Path]:
    for path in (source, target):
        subprocess.check_call(["split", "--lines", str(lines), str(path), f"{path}."])
    parts = []
    for part in sorted(source.parent.glob(f"{source.name}.*")):
        names = (source, target, folder / "aln.fwd", folder / "aln.rev")
        parts.append((*(path.with_name(path.name + part.suffix) for path in names), priors))
    with multiprocessing.Pool(processes=max(1, int((os.cpu_count() or 2) / 2))) as pool:
        for _ in pool.imap(align_parameters, parts):
            pass
    joined = folder / "aln.fwd", folder / "aln.rev"
    for path in joined:
        pieces = sorted(folder.glob(f"{path.name}.*"))
        assert len(pieces) == len(parts)
        with path.open("w") as output:
            subprocess.check_call(["cat", *pieces], stdout=output)
    return joined


def symmetrize(programs: Path, forward: Path, reverse: Path, output: Path) -> None:
    with ZstdFile(output, "w") as stream:
        command = [programs / "atools", "-i", forward, "-j", reverse, "-c", "grow-diag-final-and"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, bufsize=1, encoding="utf-8") as process:
            assert process.stdout is not None
            for line in process.stdout:
                stream.write(line.encode("utf-8"))
            process.wait()
            if process.returncode != 0:
                raise subprocess.CalledProcessError(process.returncode, process.args)


def main() -> None:
    source, target, output = map(Path, sys.argv[1:4])
    folder = output.parent / "tmp"
    folder.mkdir()
    priors = output.parent / "corpus.priors"
    forward, reverse = folder / "sample.aln.fwd", folder / "sample.aln.rev"
    align_part(source, target, forward, reverse)
    write_priors(source, target, reverse, forward, priors)
    joined = align_all(source, target, folder, 33, priors)
    symmetrize(Path(os.environ["BIN"]), *joined, output)
    say("aligned")


if __name__ == "__main__":
    main()
