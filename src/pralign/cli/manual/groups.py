"""Which group of the help each option is in, and in which order: groups and options that are used most come first.

An option stands here by its longest name or, where commands mean different things by it, as ``command --option``.
"""

from __future__ import annotations

from collections.abc import Iterable

OTHER = "Other options"
"""Where options are shown that this table does not know."""

_GROUPS: dict[str, tuple[str, ...]] = {
    "Comparing": (
        *("--system", "--gold", "--first", "report --model", "--compare", "--by", "--curve", "evaluate --alpha"),
        *("--bootstrap", "--sample", "--seed", "--pairs-to-label", "--label-count"),
    ),
    "Conversion": ("--from", "--to", "--from-base", "--to-base", "--lines", "--heuristic"),
    "Output": (
        *(
            "--output",
            "--format",
            "--units",
            "--pieces",
            "--spans",
            "--tags",
            "--complete",
            "--compatible-tags",
            "--carry",
        ),
        *("--report", "demo --copy", "--scores", "--forward", "--reverse", "--nbest", "align --sample"),
        *("align --seed", "--moses", "--moses-heuristic", "--extract", "--reordering", "phrases --max-length"),
        *("phrases --smoothing", "phrases --model", "--glue", "--max-span", "--max-symbols"),
        *("--max-nonterminals", "--min-hole", "--tight"),
        *("--line", "--svg", "--latex", "--direction", "--top", "--min-probability", "--min-count", "--null"),
        *("--best", "shortlist --first", "--vocab", "--allow-unknown", "--count", "--width", "--most"),
        *("classes --classes", "--title", "--languages", "--json", "--figures", "--man"),
    ),
    "Training": (
        *("--preset", "--model", "--iterations", "--estimator", "--alpha", "--smoothing", "--classes"),
        *("--max-length", "--learner", "--features", "--prediction", "--capacity", "--rounds", "--miss-cost"),
        "--radius",
    ),
    "Saved models": (
        "train --save",
        "--load",
        "--adapt",
        "train --from",
        "--save",
        "--compact",
        "check --model",
        "lexicon --model",
        "transfer --model",
    ),
    "Labelled pairs": (
        *("--labelled", "--validation", "--dev", "--tune", "label --gold", "label --model", "label --order"),
        *(
            "label --random",
            "--settle",
            "--test",
            "label --seed",
            "--pairs",
            "sample --model",
            "sample --random",
            "sample --seed",
        ),
    ),
    "Page": ("--port", "--browser", "label --languages"),
    "Decoding": ("--threshold", "--decode", "--symmetrize"),
    "What is known before": ("--prior", "--lookalikes", "--relatives", "--forms"),
    "Constraints": ("--constraint", "--constraint-from", "--tolerance", "--slack", "--project-at-decode"),
    "Experiments": ("--data", "--dry-run", "experiment --pairs", "--page"),
    "Text": (
        *("--layout", "--columns", "--header", "--tokenize", "--source", "--target", "--strict", "--lowercase"),
        *("--prefix", "--suffix", "--max-line"),
    ),
    "Formats": (
        *(
            "lexicon --from",
            "transfer --from",
            "shortlist --from",
            "show --format",
            "show --base",
            "report --format",
            "agreement --format",
            "--hyp-format",
            "--gold-format",
            "--compare-format",
        ),
        *("--base", "--hyp-base", "--gold-base", "--compare-base"),
    ),
    "Resources": (
        *("--threads", "--memory", "--scratch", "--checkpoint", "--pairs", "--engine", "--address"),
        *("--cache", "--port", "--max-body", "--queue"),
    ),
    OTHER: (),
    "Messages": ("--quiet", "--verbose", "--timestamps", "--log-json", "--version", "--help"),
}

_PLACES = {
    name: (number, place, group)
    for number, (group, names) in enumerate(_GROUPS.items())
    for place, name in enumerate(names)
}
_ELSEWHERE = (list(_GROUPS).index(OTHER), 0, OTHER)


def place_of(command: str, names: Iterable[str]) -> tuple[int, int, str]:
    """Where an option of a command is shown: the number of its group, its place there, and the group's title.

    Args:
        command: The command without the name of the program, such as ``align`` or ``match fit``.
        names: The option's names.

    Example:
        >>> place_of("align", ["-o", "--output"])[2], place_of("train", ["--from"])[2], place_of("any", ["--new"])[2]
        ('Output', 'Saved models', 'Other options')
    """
    names = sorted(names, key=len, reverse=True)
    own = (f"{command} {name}" for name in names)
    return next((_PLACES[name] for name in (*own, *names) if name in _PLACES), _ELSEWHERE)
