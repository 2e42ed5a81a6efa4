"""What settings stand for: the estimator, the constraint, the schedule, the decoder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from pralign.constraints import Constraint, describe_constraint, make_constraint, restore_constraint
from pralign.decoding.decoder import METHODS, SOFT_UNION, Decoder, Thresholds
from pralign.decoding.methods import DecodingMethod
from pralign.decoding.threshold import THRESHOLD_RULES, ThresholdRule
from pralign.errors import UsageError
from pralign.models import get_model
from pralign.models.estimators import Estimator, make_estimator
from pralign.models.relatives import Relatives
from pralign.settings import Settings, setting_fields
from pralign.signature import Signature
from pralign.text.forms import Forms, read_forms
from pralign.text.normalisation import Normalisation
from pralign.text.tokenizers import Tokenization
from pralign.text.vocabulary import Vocabulary
from pralign.training.schedule import Schedule, default_schedule, format_schedule, parse_schedule


@dataclass(frozen=True)
class Recipe:
    """The objects that settings stand for. To make one checks that the settings go together.

    Attributes:
        settings: The settings.
        constraint: What posteriors are projected onto, if onto anything.
    """

    settings: Settings
    constraint: Constraint | None

    @classmethod
    def of(cls, settings: Settings) -> Recipe:
        """The recipe of some settings.

        Raises:
            UsageError: A name is not known, or settings do not go together.
        """
        recipe = cls(settings, make_constraint(settings.constraint, settings.tolerance, settings.slack))
        recipe.schedule()
        get_model(settings.model)
        if settings.project_at_decode and recipe.constraint is None:
            raise UsageError("without a constraint there is nothing to project onto at decode time")
        recipe.decoder(Thresholds.all(0.5))
        _ = recipe.estimator, recipe.normalisation, recipe.tokenization  # complain of what cannot be
        return recipe

    @cached_property
    def estimator(self) -> Estimator:
        """How probabilities follow from counts."""
        return make_estimator(self.settings.estimator, smoothing=self.settings.smoothing, alpha=self.settings.alpha)

    @cached_property
    def tokenization(self) -> Tokenization:
        """How sentences are cut into words."""
        return Tokenization.of(self.settings.tokenize)

    @cached_property
    def normalisation(self) -> Normalisation:
        """How words are made comparable."""
        return Normalisation(self.settings.lowercase, self.settings.prefix, self.settings.suffix)

    def relatives(self, source: Vocabulary, target: Vocabulary) -> Relatives | None:
        """How much the words of a text lean on their relatives, if they do.

        Raises:
            InputError: A file of forms cannot be used.
        """
        if not self.settings.relatives:
            return None
        listed = [read_forms(path, self.normalisation) for path in self.settings.form_files]
        sides = (listed[0], listed[-1]) if listed else (None, None)
        return Relatives(self.settings.relatives, Forms(source.words, sides[0]), Forms(target.words, sides[1]))

    def schedule(self, judged: bool = False) -> Schedule:
        """The stages of training; with labelled pairs to stop by, the last number is an upper bound."""
        settings = self.settings
        if settings.iterations is None:
            return default_schedule(settings.model, self.constraint is not None, judged)
        text = settings.iterations if isinstance(settings.iterations, str) else format_schedule(settings.iterations)
        return parse_schedule(text, settings.model)

    @property
    def facts(self) -> frozenset[str]:
        """What is known of a run before it begins, by which the kernels that it will need are told."""
        settings = self.settings
        constraint = "none" if self.constraint is None else self.constraint.name
        named = {"estimator": settings.estimator, "constraint": constraint, "decode": settings.decode}
        weighed = (name for name in ("lookalikes", "relatives") if getattr(settings, name))
        models = (f"model={model}" for model, _ in self.schedule())
        return frozenset([*models, *weighed, *(f"{name}={value}" for name, value in named.items())])

    # Decoding

    @property
    def method(self) -> DecodingMethod:
        """The way to choose links."""
        return METHODS[self.settings.decode]

    @property
    def symmetrize(self) -> str:
        """How two directions become one."""
        return self.settings.symmetrize or self.method.default_symmetrizer

    @property
    def threshold_rule(self) -> ThresholdRule | None:
        """How thresholds are set without labels, if they are not given."""
        return THRESHOLD_RULES[self.settings.threshold] if isinstance(self.settings.threshold, str) else None

    @property
    def thresholds(self) -> Thresholds | None:
        """The thresholds, if they do not depend on text."""
        threshold = self.settings.threshold
        if isinstance(threshold, str):
            return None
        return Thresholds.all(self.method.default_threshold if threshold is None else threshold)

    def decoder(self, thresholds: Thresholds) -> Decoder:
        """What chooses the links."""
        return Decoder(self.settings.decode, self.symmetrize, thresholds)

    @property
    def projection_is_open(self) -> bool:
        """Whether labelled pairs decide if posteriors are projected when text is aligned."""
        return self.settings.project_at_decode is None and self.constraint is not None

    @property
    def projects_at_decode(self) -> bool:
        """Whether posteriors are projected when text is aligned, where labelled pairs do not decide."""
        if self.settings.project_at_decode is None:
            return self.constraint is not None and self.constraint.at_decode
        return self.settings.project_at_decode

    @property
    def decoding_constraint(self) -> Constraint | None:
        """What posteriors are projected onto when text is aligned."""
        return self.constraint if self.projects_at_decode else None

    def changed(self, **values: Any) -> Recipe:
        """The same recipe with other settings for decoding."""
        return replace(self, settings=self.settings.changed(**values))

    def learned(self, **values: Any) -> Recipe:
        """The same recipe with other settings for decoding that labelled pairs have decided, and nobody has given."""
        return replace(self, settings=replace(self.settings, **values))

    # Telling others

    def signature(self, schedule: Schedule, thresholds: Thresholds | None) -> Signature:
        """What produces alignments, in one line."""
        settings, constraint = self.settings, self.constraint
        threshold = None
        if thresholds is not None and self.method.has_threshold and thresholds.mean > 0:
            forward, reverse, mean = (f"{value:.4g}" for value in thresholds)
            directions = forward if forward == reverse else f"{forward}/{reverse}"
            threshold = mean if self.symmetrize == SOFT_UNION else directions
        return Signature.of(
            preset=settings.preset,
            model=settings.model,
            iterations=format_schedule(schedule),
            decode=settings.decode,
            threshold=threshold,
            symmetrize=self.symmetrize,
            tokenize=None if self.tokenization.by_spaces else settings.tokenize,
            lowercase=settings.lowercase,
            prefix=settings.prefix,
            suffix=settings.suffix,
            max_length=settings.max_length,
            estimator=settings.estimator,
            smoothing=settings.smoothing or None,
            alpha=f"{settings.alpha:g}" if self.estimator.has_prior else None,
            lookalikes=f"{settings.lookalikes:g}" if settings.lookalikes else None,
            relatives=f"{settings.relatives:g}" if settings.relatives else None,
            forms=len(settings.form_files) or None,
            priors=len(settings.priors) or None,
            classes=settings.classes if get_model(settings.model).needs_classes else None,
            pegging=settings.pegging or None,
            constraint="none" if constraint is None else constraint.name,
            tolerance=constraint and f"{constraint.tolerance:g}",
            slack=constraint and f"{constraint.slack:g}",
            constraint_from=settings.constraint_from if constraint and settings.constraint_from > 1 else None,
            projected=constraint and self.projects_at_decode,
        )

    def as_saved(self, schedule: Schedule, thresholds: Thresholds | None) -> dict[str, Any]:
        """Everything that is saved with a model, in words and numbers; :meth:`from_saved` makes the recipe again."""
        saved = {each.name: getattr(self.settings, each.name) for each in setting_fields()}
        saved |= {
            "iterations": format_schedule(schedule),
            "prior": self.settings.priors,
            "forms": self.settings.form_files,
            "symmetrize": self.symmetrize,
            "project_at_decode": self.projects_at_decode,
            "thresholds": thresholds,
            "given": sorted(self.settings.given),
        }
        return saved if self.constraint is None else saved | describe_constraint(self.constraint)

    @classmethod
    def from_saved(
        cls, saved: Mapping[str, Any], constraint: str | Constraint | None = None, **changes: Any
    ) -> tuple[Recipe, Thresholds | None]:
        """The recipe of a saved model, with its thresholds; ``changes`` are other settings for decoding.

        A constraint that can't be made from its name has to be given again.
        """
        values = restore_constraint(saved, constraint)
        thresholds, given = values.pop("thresholds"), values.pop("given")
        if changes.get("decode", values["decode"]) != values["decode"]:
            values |= {"symmetrize": None, "threshold": None}
            thresholds = None
        if "threshold" in changes:
            thresholds = None
        origins = {each.name: "given" if each.name in given else "default" for each in setting_fields()}
        settings = Settings(**values, origins=origins).changed(**changes)  # type: ignore[arg-type]
        settings.check()
        return cls.of(settings), None if thresholds is None else Thresholds(*thresholds)
