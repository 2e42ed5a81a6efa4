"""The errors a user can cause, each with a message that says what to do."""


class PralignError(Exception):
    """Something in the user's input or environment stops the work; the message is meant for people.

    Example:
        >>> import pralign
        >>> try:
        ...     pralign.read_alignments("no-such-file")
        ... except PralignError as error:
        ...     print(error)
        no-such-file: cannot read: No such file or directory
    """


class InputError(PralignError):
    """A file, a line or a value that cannot be used as it is.

    Example:
        >>> import pralign
        >>> try:
        ...     pralign.Alignment.of("0-0 and 1-1")
        ... except InputError as error:
        ...     print(error)
        found 'and'; expected links like 0-0, 0?1 or 0-0:0.5
    """


class OutputError(PralignError):
    """A result that cannot be written where it should go.

    Example:
        >>> import pralign
        >>> try:
        ...     pralign.phrases.write_phrases([("a", "un")], ["0-0"], "no-such-folder/table.gz")
        ... except OutputError as error:
        ...     print(error)
        no-such-folder/table.gz: the directory no-such-folder does not exist
    """


class UsageError(PralignError, ValueError):
    """Settings that cannot be, or do not go together.

    Example:
        >>> import pralign
        >>> try:
        ...     pralign.Aligner(model="ibm9")
        ... except UsageError as error:
        ...     print(error)
        there is no model 'ibm9'; there are ibm1, ibm2, hmm, fhmm, ibm3, ibm4
    """


class ModelError(PralignError):
    """A saved model that is missing, damaged or of another version.

    Example:
        >>> import pralign
        >>> try:
        ...     pralign.Aligner.load("no-such-model")
        ... except ModelError as error:
        ...     print(error)
        no-such-model: there is no model here: no such directory
    """


class WorkError(PralignError):
    """Work that failed again and again, wherever it was done.

    Example:
        >>> try:
        ...     raise WorkError("aligning shard 3 has failed three times")
        ... except PralignError as error:
        ...     print(error)
        aligning shard 3 has failed three times
    """
