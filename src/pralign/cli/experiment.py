"""``pralign experiment``: texts, systems and tables as a file says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pralign.cli import options
from pralign.cli.console import note, tell
from pralign.cli.log import log_file, open_log
from pralign.cli.path_checks import check_paths
from pralign.cli.progress import progress_shown
from pralign.errors import OutputError, UsageError
from pralign.outputs import check_writable, open_output, together
from pralign.text.files import reason

if TYPE_CHECKING:
    from pralign.experiments import ExperimentResults, ExperimentRun

FilesArgument = Annotated[
    list[Path], typer.Argument(metavar="FILE", help="What to do: one or more files in TOML.", show_default=False)
]
DataOption = Annotated[
    Path,
    typer.Option(
        "--data", metavar="DIR", help="The folder that names of data files begin in.", show_default="this folder"
    ),
]
FolderOption = Annotated[
    Path,
    typer.Option(
        "-o",
        "--output",
        metavar="DIR",
        help="Where results go, each experiment's into a folder of its own, and where what is done is kept.",
    ),
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Say what would be done, and what is done already, and do nothing.")
]
PairsOption = Annotated[
    int | None,
    typer.Option(
        "--pairs", min=1, help="At most so many training pairs, to try it out.", show_default="as the file says"
    ),
]
PageOption = Annotated[
    Path | None,
    typer.Option(
        "--page",
        metavar="FILE",
        help="Also write all tables of all experiments as one page of Markdown, with its figures beside it.",
        show_default=False,
    ),
]


_HEADING = (
    "# What came out",
    "",
    "Figures of experiments, beside those that were published. Scores and shares are in percent. A dash stands where",
    "there is no figure. This page is made by `pralign experiment --page`.",
    "",
)


def experiment(
    files: FilesArgument,
    data: DataOption = Path(),
    output: FolderOption = Path("experiments"),
    dry_run: DryRunOption = False,
    pairs: PairsOption = None,
    page: PageOption = None,
    threads: options.ThreadsOption = None,
    memory: options.MemoryOption = None,
    log_json: options.LogOption = None,
    timestamps: options.TimestampsOption = False,
    quiet: options.QuietOption = False,
) -> None:
    """Run experiments: train and align with all systems of a file, evaluate and compare them, and write what came out.

    What is done is kept, and the same command goes on where it was ended. A file can name other programs to run, so
    read a file from somebody else before you run it.
    """
    from pralign.experiments import ExperimentRun, Resources, outline, read_experiment

    check_paths([*files], [page, log_file(log_json)])
    experiments = [read_experiment(file) for file in files]
    names = [each.name for each in experiments]
    if len(set(names)) < len(names):
        raise UsageError(f"results go into folders named after the files, and two are called {_twice(names)}")
    if not data.is_dir():
        raise UsageError(f"--data {data}: is no directory; name the folder that has the data")
    log = open_log(log_json)
    with progress_shown(quiet, log) as listener:
        resources = Resources(threads, memory)
        runs = [ExperimentRun(each, data, output, pairs, resources, listener, dry_run) for each in experiments]
        for run in runs:
            run.check()
        if dry_run:
            tell("\n".join(line for run in runs for line in outline(run)))
            return
        check_writable(page)
        _make(output)
        done = [_done(run, output) for run in runs]
    if page is not None:
        _write_page(done, page)


def _done(run: ExperimentRun, output: Path) -> ExperimentResults:
    """Run an experiment to its end, and write its results."""
    from pralign.experiments import ExperimentResults

    run.run(note)
    results = ExperimentResults(run)
    folder = output / run.experiment.name
    _make(folder)
    results.write(folder)
    run.forget()
    note(f"{folder / 'report.html'}: open it in a browser; the tables are in {folder / 'tables.md'}")
    return results


def _write_page(done: Sequence[ExperimentResults], page: Path) -> None:
    """Write all tables of some experiments as one page, with a folder of figures beside it."""
    figures = page.with_name(page.stem if page.suffix else f"{page.name}-figures")
    if any(chart for results in done for chart in results.charts):
        _make(figures)
    lines = [*_HEADING]
    for results in done:
        lines += results.markdown(f"{figures.name}/{results.run.experiment.name}-")
    with together():
        for results in done:
            for chart in (chart for charts in results.charts for chart in charts):
                with open_output(figures / f"{results.run.experiment.name}-{chart.key}.svg") as stream:
                    stream.write(chart.svg(alone=True) + "\n")
        with open_output(page) as stream:
            stream.write("\n".join(lines).rstrip() + "\n")


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot make this folder: {reason(error)}") from error


def _twice(names: Sequence[str]) -> str:
    return next(name for name in names if names.count(name) > 1)
