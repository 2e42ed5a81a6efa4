"""Directories that keep the state of training, so that a run that was ended can go on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pralign import __version__
from pralign.errors import OutputError, UsageError
from pralign.store import DirectoryStore
from pralign.text.bitext import Pair, Sentence
from pralign.text.files import reason

_FILE = "checkpoint.json"
_LARGEST = 16_000_000  # bytes; what is larger is cut off, and so is damaged
_FORMAT = {"format": "pralign checkpoint", "format_version": 1}


@dataclass
class TextDigest:
    """Tells whether two texts are the same, while they are read."""

    _hash: Any = field(default_factory=lambda: hashlib.blake2b(digest_size=16))
    _pairs: int = 0

    def reading(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """Yield the pairs, looking at each."""
        for source, target in pairs:
            text = f"{_plain(source)}\x1e{_plain(target)}\x1d"
            self._hash.update(text.encode("utf-8", "surrogatepass"))
            self._pairs += 1
            yield source, target

    @property
    def result(self) -> str:
        """What the text that was read is known by."""
        return f"{self._pairs} pairs, {self._hash.hexdigest()}"

    @classmethod
    def of(cls, pairs: Iterable[Pair]) -> str:
        """What a text is known by."""
        digest = cls()
        for _ in digest.reading(pairs):
            pass
        return digest.result


def _plain(sentence: Sentence) -> str:
    return sentence if isinstance(sentence, str) else "\x1f".join(sentence)


class Checkpoint:
    """A directory that belongs to one run: its store, and what it was started with."""

    def __init__(self, directory: str | Path, run: dict[str, Any]) -> None:
        """Open a checkpoint, or begin one.

        Args:
            directory: Where it is or is to be.
            run: What the run is about, in words and numbers; that of a checkpoint that is gone on from must be equal.

        Raises:
            UsageError: The directory belongs to another run.
            OutputError: It holds something else, or cannot be written to.
        """
        self.store = DirectoryStore(directory, durable=True)
        self._directory = self.store.folder
        self._run = run
        try:
            if self._directory.has(_FILE):
                with self._directory.open(_FILE) as stream:
                    self._compare(json.loads(stream.read(_LARGEST).decode("utf-8")))
            else:
                self._begin()
            self._directory.delete_partial()
        except OSError as error:
            raise OutputError(f"{directory}: cannot keep a checkpoint here: {reason(error)}") from error
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            if isinstance(error, UsageError):
                raise
            raise OutputError(f"{directory}: {_FILE} is damaged; delete the directory to start again") from error

    def _begin(self) -> None:
        if self._directory.names():
            raise self._foreign()
        self._directory.make()
        self._write(None)

    def _write(self, digest: str | None) -> None:
        content = {**_FORMAT, "pralign_version": __version__, "run": self._run, "text": digest}
        text = json.dumps(content, indent=1) + "\n"  # in ASCII, since names of files may be no text
        self._directory.write(_FILE, lambda stream: stream.write(text.encode("ascii")))

    def _foreign(self) -> OutputError:
        return OutputError(f"{self._directory}: this directory holds something that is not a checkpoint")

    def _compare(self, content: dict[str, Any]) -> None:
        if content.get("format") != _FORMAT["format"]:
            raise self._foreign()
        if {name: content.get(name) for name in _FORMAT} != _FORMAT or content["pralign_version"] != __version__:
            raise UsageError(
                f"{self._directory}: this checkpoint was written by another version of pralign, "
                f"{content.get('pralign_version')}; go on with that one, or delete the directory to start again"
            )
        before, now = content["run"], json.loads(json.dumps(self._run))
        names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
        if names:
            told = ", ".join(f"{name} was {before.get(name)} and is {now.get(name)}" for name in names)
            raise UsageError(
                f"{self._directory}: this is the checkpoint of another run: {told}; name another directory, or "
                "delete this one to start again"
            )
        self.text = content["text"]

    text: str | None = None

    def remember_text(self, digest: str) -> None:
        """Write down which text the run reads, when it has been read whole and is in the store."""
        self._write(digest)
        self.text = digest

    def check_text(self, digest: str) -> None:
        """Complain of another text than the one that the checkpoint began with.

        Raises:
            UsageError: It is another.
        """
        if digest != self.text:
            raise UsageError(
                f"{self._directory}: this is the checkpoint of a run on another text ({self.text}; now {digest}); "
                "name another directory, or delete this one to start again"
            )

    def clear(self) -> None:
        """Forget everything but what the run is about."""
        for name in self.store.names():
            self.store.delete(name)

    def remove(self) -> None:
        """Remove the directory, unless it holds something else too: its run has come to its end.

        If the program is ended meanwhile, what is left is the checkpoint of a run that has read nothing yet.
        """
        with suppress(OSError):
            self._write(None)
            self.clear()
            self._directory.delete_partial()
            self._directory.delete(_FILE)
            self._directory.remove()
