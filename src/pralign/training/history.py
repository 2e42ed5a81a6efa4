"""How training went, iteration by iteration: what is left of it when the model is trained."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from html import escape
from typing import Annotated, Any

from pralign.characters import escaped
from pralign.frames import to_frame
from pralign.schema.values import Bounds, read_record
from pralign.training.progress import Progress


@dataclass(frozen=True, slots=True)
class Iteration:
    """What one iteration of training found.

    The log-likelihoods are those of the model that the iteration began with, since they are found on the way. The dev
    area and the dev AER are those of the model it ended with, which has to be asked anew.

    Attributes:
        model: The model that was trained.
        iteration: The number of the iteration among those of this model, from one.
        log_likelihood: The log-likelihood of the training text, forward and reverse.
        divergence: KL(q ‖ p), the cost of projecting, as a mean over pairs; ``None`` if nothing was projected.
        dev_area: The area under the precision-recall curve of labelled pairs; ``None`` if none were asked.
        dev_aer: The lowest AER on that curve, at whatever threshold; ``None`` likewise.
        kept: Whether its model went on to the next iteration, or is the result. Training that labelled pairs have
            stopped ends with an iteration that was no better and is not kept.
    """

    model: str
    iteration: Annotated[int, Bounds(1)]
    log_likelihood: tuple[float, float]
    divergence: float | None = None
    dev_area: float | None = None
    dev_aer: float | None = None
    kept: bool = True

    @classmethod
    def of(cls, progress: Progress) -> Iteration:
        """What is left of an iteration that has ended."""
        assert progress.log_likelihood is not None
        cost, quality = progress.cost, progress.quality
        return cls(
            model=progress.model,
            iteration=progress.iteration,
            log_likelihood=progress.log_likelihood,
            divergence=None if cost is None else cost.divergence / max(cost.pairs, 1),
            dev_area=None if quality is None else quality.area,
            dev_aer=None if quality is None else quality.aer,
            kept=progress.kept is None,
        )

    def as_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return {**asdict(self), "log_likelihood": list(self.log_likelihood)}

    @classmethod
    def from_dict(cls, content: Any) -> Iteration:
        """The record that :meth:`as_dict` was made of.

        Raises:
            SchemaError: A field is missing, unknown, or of another kind.

        Example:
            >>> record = Iteration("hmm", 2, (-12.5, -13.25), dev_area=0.75, dev_aer=0.125)
            >>> Iteration.from_dict(record.as_dict()) == record
            True
        """
        return read_record(content, cls, "an iteration of the history")


class History(tuple[Iteration, ...]):
    """The iterations of a training, in order. Printed and in notebooks, it is a table, one row an iteration.

    Example:
        >>> history = History([Iteration("ibm1", 1, (-12.5, -13.25)), Iteration("hmm", 1, (-9.0, -8.75))])
        >>> print(history)
        model  iteration  log_likelihood_forward  log_likelihood_reverse  kept
        ibm1           1                 -12.500                 -13.250   yes
        hmm            1                  -9.000                  -8.750   yes
        >>> history.to_dict()["log_likelihood_forward"]
        [-12.5, -9.0]
    """

    __slots__ = ()

    def to_dict(self) -> dict[str, list[Any]]:
        """All of it as columns of plain values, one an iteration, with ``None`` for what was not asked."""
        return {
            "model": [each.model for each in self],
            "iteration": [each.iteration for each in self],
            "log_likelihood_forward": [each.log_likelihood[0] for each in self],
            "log_likelihood_reverse": [each.log_likelihood[1] for each in self],
            "divergence": [each.divergence for each in self],
            "dev_area": [each.dev_area for each in self],
            "dev_aer": [each.dev_aer for each in self],
            "kept": [each.kept for each in self],
        }

    def to_frame(self) -> Any:
        """The columns of :meth:`to_dict` as a data frame of pandas."""
        return to_frame(self.to_dict())

    def __str__(self) -> str:
        columns = [(name, list(map(escaped, values))) for name, values in self._shown().items()]
        widths = [max(map(len, (name, *values))) for name, values in columns]
        rows = [[name for name, _ in columns], *zip(*(values for _, values in columns), strict=True)]
        lines = [
            "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])
            for row in rows  # names of models at the left, numbers at the right
        ]
        return "\n".join(line.rstrip() for line in lines)

    def _repr_html_(self) -> str:
        """The table that a notebook shows."""
        columns = self._shown()
        heads = "".join(f"<th>{escape(name)}</th>" for name in columns)
        rows = ("".join(f"<td>{escape(value)}</td>" for value in row) for row in zip(*columns.values(), strict=True))
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"

    def _shown(self) -> dict[str, list[str]]:
        """The columns that hold anything, as text."""
        columns = self.to_dict()
        return {
            name: list(map(_as_text, values))
            for name, values in columns.items()
            if any(value is not None for value in values) or not values
        }


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) >= 1 else f"{value:.4f}"
    return "" if value is None else str(value)
