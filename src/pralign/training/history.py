"""How training went, iteration by iteration: what is left of it when the model is trained."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

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
