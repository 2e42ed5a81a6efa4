"""What is left when somebody has done labelling: a gold, what it teaches, and the command that uses both."""

from __future__ import annotations

import shlex
import threading
from typing import Any

from pralign.labelling.learning import FIRST, Learning
from pralign.labelling.session import LabellingSession
from pralign.matching import MatchingAligner
from pralign.text.files import display_name


class Finish:
    """Writes the gold file, and saves what it teaches as ``GOLD.match``."""

    def __init__(self, session: LabellingSession, learning: Learning) -> None:
        self._session, self._learning = session, learning
        self._finishing = threading.Lock()
        self._saved: MatchingAligner | None = None
        self.model = session.gold.with_name(f"{session.gold.name}.match")

    def __call__(self) -> dict[str, Any]:
        """Write everything there is now.

        Raises:
            OutputError: Something cannot be written; the journal has every answer all the same.
        """
        with self._finishing:
            self._session.write()
            if len(self._session.labelled()) >= FIRST:
                self._learning.catch_up()
                self._save()
        return self.described()

    def _save(self) -> None:
        taught = self._learning.proposer.taught
        if taught is not None and taught is not self._saved:
            taught.save(self.model)
            self._saved = taught

    def described(self) -> dict[str, Any]:
        """What the files are, and the command that uses them."""
        saved = self._saved is not None
        model = shlex.quote(display_name(self.model))
        return {
            "gold": display_name(self._session.gold),
            "files": [display_name(path) for path in self._session.files],
            "model": display_name(self.model) if saved else None,
            "command": f"pralign match align NEW.src NEW.tgt --load {model} -o new.align" if saved else None,
        }
