"""The errors a user can cause, each with a message that says what to do."""


class PralignError(Exception):
    """Something in the user's input or environment stops the work; the message is meant for people."""


class InputError(PralignError):
    """A file, a line or a value that cannot be used as it is."""


class OutputError(PralignError):
    """A result that cannot be written where it should go."""


class UsageError(PralignError, ValueError):
    """Settings that cannot be, or do not go together."""


class ModelError(PralignError):
    """A saved model that is missing, damaged or of another version."""


class WorkError(PralignError):
    """Work that failed again and again, wherever it was done."""
