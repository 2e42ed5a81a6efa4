"""``pralign classes``: which words of a text are used alike."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pralign.cli import options
from pralign.cli.console import note
from pralign.cli.log import log_file, open_log
from pralign.cli.path_checks import check_paths
from pralign.errors import InputError
from pralign.outputs import check_writable, open_output
from pralign.text.files import STANDARD_STREAM, display_name, read_lines

TextFile = Annotated[Path, typer.Argument(metavar="FILE", help="Sentences of one language; - is standard input.")]
NumberOption = Annotated[
    int | None, typer.Option("-n", "--classes", min=1, help="How many classes there may be.", show_default="50")
]
OutputOption = Annotated[
    Path | None, typer.Option("-o", "--output", help="Where to write.", show_default="standard output")
]


def classes(
    text: TextFile,
    number: NumberOption = None,
    output: OutputOption = None,
    lowercase: options.LowercaseOption = None,
    log_json: options.LogOption = None,
    timestamps: options.TimestampsOption = False,
    quiet: options.QuietOption = False,
) -> None:
    """Put words that are used alike into classes: one line (word, tab, class) for each word, frequent words first.

    Words are those that align would see. Classes are counted from 0.
    """
    from pralign.text.classes import DEFAULT_CLASSES, word_classes
    from pralign.text.corpus import Corpus
    from pralign.text.normalisation import Normalisation

    check_paths((text,), (output or Path(STANDARD_STREAM), log_file(log_json)))
    check_writable(output)
    open_log(log_json)
    # A corpus has two sides; leaving one of them empty numbers the words as for aligning.
    corpus = Corpus.build(((line, "") for line in read_lines(text)), Normalisation(lowercase=lowercase is not False))
    words = corpus.source.words
    if not words:
        raise InputError(f"{display_name(text)}: no words to put into classes: the text is empty")
    most = DEFAULT_CLASSES if number is None else number
    class_of = word_classes(corpus.texts.source, corpus.texts.source_start, len(words), most).tolist()
    with open_output(output) as stream:
        stream.writelines(f"{word}\t{c}\n" for word, c in zip(words, class_of, strict=True))
    note(f"{len(words)} words in {len(set(class_of))} classes")
