"""``pralign label``: a page to align sentence pairs by hand."""

from __future__ import annotations

import os
import secrets
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pralign.cli import options
from pralign.cli.console import note, tell
from pralign.cli.generative import generative_model
from pralign.cli.languages import languages_of, parse_languages
from pralign.cli.looks import looked_at
from pralign.cli.page import side_names
from pralign.cli.path_checks import check_paths
from pralign.cli.text_options import TextOptions, with_text_options
from pralign.errors import InputError, PralignError, UsageError
from pralign.outputs import check_writable
from pralign.text.bitext import Pair
from pralign.text.tokenizers import SPACES
from pralign.text.tokens import words_of

if TYPE_CHECKING:
    from pralign.aligner import Aligner
    from pralign.labelling.desk import Desk
    from pralign.labelling.session import LabellingSession
    from pralign.labelling.settling import Settling

GoldOption = Annotated[
    Path,
    typer.Option(
        "--gold",
        metavar="FILE",
        help="Where labels are kept; if the file is there, labelling goes on.",
    ),
]
ModelOption = Annotated[
    Path | None,
    typer.Option("--model", metavar="DIR", help="A saved model, for proposals.", show_default="train one on SRC TGT"),
]
PortOption = Annotated[
    int | None, typer.Option("--port", metavar="N", help="The port of the page.", show_default="any that is free")
]
OrderOption = Annotated[
    str,
    typer.Option("--order", metavar="best|file", help="Pairs that teach most first, or one after the other."),
]
RandomOption = Annotated[
    int | None,
    typer.Option(
        "--random",
        metavar="N",
        min=1,
        help="First label so many pairs drawn at random, as a test set that nothing is learned from.",
        show_default=False,
    ),
]
TestOption = Annotated[
    bool,
    typer.Option("--test", help="All pairs are a test set: nothing is proposed, and nothing is learned from them."),
]
SettleOption = Annotated[
    tuple[Path, Path] | None,
    typer.Option(
        "--settle",
        metavar="A.gold B.gold",
        help="Show where two annotators differ, and keep what is settled in --gold.",
        show_default=False,
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="What pairs are drawn with.")]
BrowserOption = Annotated[
    bool, typer.Option("--browser/--no-browser", help="Whether to open the page, or only say where it is.")
]
LanguagesOption = Annotated[
    str | None,
    typer.Option(
        "--languages",
        metavar="SRC,TGT",
        help="Codes of the languages, such as en,he.",
        show_default="by the endings of the files",
    ),
]

# The journal has every answer at once; the gold file may lag behind by so many seconds.
_GOLD_EVERY = 2.0


@with_text_options
def label(
    source: options.SourceFile,
    target: options.TargetFile = None,
    gold: GoldOption = Path("hand.gold"),
    model: ModelOption = None,
    port: PortOption = None,
    order: OrderOption = "best",
    random: RandomOption = None,
    test: TestOption = False,
    settle: SettleOption = None,
    seed: SeedOption = 0,
    browser: BrowserOption = True,
    languages: LanguagesOption = None,
    threads: options.ThreadsOption = None,
    quiet: options.QuietOption = False,
    *,
    text: TextOptions,
) -> None:
    """Align sentence pairs by hand, in a page that proposes links, asks for what it doubts, and learns.

    The page is served on this machine only. Every answer is on disk before the page says so; Ctrl-C ends labelling,
    and the same command goes on.
    """
    from pralign.labelling.session import LabellingSession
    from pralign.serving.packages import check_packages
    from pralign.serving.runner import check_port

    check_packages()
    if order not in ("best", "file"):
        raise UsageError(f"--order is best or file, not {order}")
    if settle is not None and random is not None:
        raise UsageError("--settle and --random are two kinds of work; do one after the other")
    if test and (settle is not None or random is not None):
        raise UsageError("--test makes a test set of all pairs; leave out --random and --settle")
    if settle is not None and settle[0] == settle[1]:
        raise UsageError(f"--settle takes the files of two annotators, not {settle[0]} twice")
    spoken = parse_languages(languages) or languages_of(side_names(source, target)) or (None, None)
    check_paths((source, target, model, *(settle or ())), (gold,))
    check_writable(gold)
    check_port(port)
    bitext = looked_at(text.open(source, target), strict=False)
    tokenize = text.tokenize or _tokenize_of(model)
    pairs = list(bitext.tokenized(tokenize))
    if not any(source and target for source, target in pairs):
        raise InputError(f"{bitext.name}: there is no pair to label")
    drawn = None if random is None else _drawn(pairs, random, seed)
    session = LabellingSession(pairs, gold, port)
    try:
        settling = None if settle is None else _settling(settle, session)
        if drawn is not None:
            _take_test(session, drawn)
        if test:
            _make_test(session)
        manner = {"tokenize": tokenize, "threads": threads}
        generative = generative_model(model, bitext.tokenized(tokenize), manner, quiet)
        names = side_names(source, target, text.columns)
        desk = _desk(session, generative, settling, seed)
        desk.title, desk.languages, desk.order = f"{names[0]}, {names[1]}", spoken, order
        _serve(desk, port, browser)
    finally:
        session.close()


def _tokenize_of(model: Path | None) -> str:
    """How the text that a model was trained on was cut into words."""
    if model is None:
        return SPACES
    from pralign.aligner import Aligner

    return Aligner.load(model, 1).settings.tokenize


def _settling(golds: tuple[Path, Path], session: LabellingSession) -> Settling:
    from pralign.labelling.settling import Settling
    from pralign.text.files import display_name

    read = [session.read(path) for path in golds]
    names = [display_name(path.name) for path in golds]
    if names[0] == names[1]:
        names = [display_name(path) for path in golds]
    settling = Settling((names[0], names[1]), (read[0], read[1]))
    settling.take_agreed(session)
    left = len(settling.open_in(session))
    note(f"{len(settling.agreed)} pairs are alike in both and taken over; {left} are to be settled")
    if settling.single:
        note(f"{len(settling.single)} pairs that only one of the two has labelled are left out")
    return settling


def _drawn(pairs: Sequence[Pair], count: int, seed: int) -> list[int]:
    """Draw a test set."""
    from pralign.labelling.candidates import FEWEST_WORDS, MOST_WORDS, drawn

    found = drawn(lambda pair: (words_of(pairs[pair][0]), words_of(pairs[pair][1])), len(pairs), seed, count + 1)
    if len(found) <= count:
        raise UsageError(
            f"--random {count}: the text has {len(found)} different pairs of {FEWEST_WORDS} to {MOST_WORDS} words a "
            "side, and some have to be left to learn from; ask for fewer"
        )
    return found[:count]


def _take_test(session: LabellingSession, drawn: Sequence[int]) -> None:
    """Take over a test set, unless there is one; it stays as it is, or scores would not be of what was drawn."""
    if not session.test:
        session.draw_test(drawn)
    elif len(session.test) != len(drawn):
        raise UsageError(
            f"{session.gold} has a random test set of {len(session.test)} pairs already; leave --random out to go "
            "on with it, or begin another gold"
        )


def _make_test(session: LabellingSession) -> None:
    """Make a test set of all pairs, in their order, unless it is one already."""
    pairs = [pair for pair in range(len(session.pairs)) if all(session.words(pair))]
    if session.test != frozenset(pairs):
        if session.test or session.labelled():
            raise UsageError(
                f"{session.gold} was not begun with --test, so its labels may follow proposals; begin another gold"
            )
        session.draw_test(pairs)


def _desk(session: LabellingSession, model: Aligner, settling: Settling | None, seed: int) -> Desk:
    """Everything that answers the page."""
    from pralign.engine import ThreadEngine
    from pralign.kernels.preparing import prepare
    from pralign.labelling.candidates import CandidatePool
    from pralign.labelling.desk import Desk
    from pralign.labelling.finishing import Finish
    from pralign.labelling.learning import Learning
    from pralign.labelling.proposing import Proposer

    prepare({"match"}, ThreadEngine(model.threads).workers)
    pool = CandidatePool(session.words, len(session.pairs), seed + 1)
    learning = Learning(session, pool, Proposer.of(model, session.pairs))
    learning.start()
    return Desk(session, learning, Finish(session, learning), "", settling=settling)


def _serve(desk: Desk, port: int | None, browser: bool) -> None:
    """Serve the page until somebody ends it, then write everything."""
    from pralign.labelling.app import label_app
    from pralign.serving.runner import run_app

    token = secrets.token_urlsafe(24)

    def ready(address: str) -> None:
        tell(f"{address}/?token={token}")
        note("label in the page at this address; Ctrl-C ends labelling")
        if browser and _has_screen():
            _open_page(f"{address}/?token={token}")

    with _gold_kept(desk):
        with suppress(KeyboardInterrupt):  # the usual way to end labelling
            run_app(label_app(desk, token), port, ready)
        desk.learning.stop()
    _describe(desk.finish())


@contextmanager
def _gold_kept(desk: Desk) -> Iterator[None]:
    """Bring the gold file up to date again and again."""
    ended = threading.Event()

    def work() -> None:
        complained = False
        while not ended.wait(_GOLD_EVERY):
            try:
                desk.session.write()
                desk.learning.look()  # somebody may have changed the gold
                complained = False
            except PralignError as error:
                if not complained:
                    note(f"{error}; every answer is in the journal, and writing is tried again")
                complained = True

    thread = threading.Thread(target=work, name="gold", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _has_screen() -> bool:
    """Whether a browser would have somewhere to be seen; without, some systems start one in the terminal."""
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _open_page(address: str) -> None:
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _describe(finish: dict[str, Any]) -> None:
    for path in finish["files"]:
        note(f"labels: {path}")
    if finish["model"] is not None:
        note(f"what they teach: {finish['model']}")
        note(f"to use it: {finish['command']}")
