"""What scripts do with the Python module ``eflomal``, whichever it is: run by ``dropins.py`` with one and the other.

    python eflomal_calls.py SOURCE TARGET FOLDER

Links of the whole text (``all.fwd``, ``all.rev``); priors of them; links of its two halves with these priors, one after
the other (``parts.fwd``, ``parts.rev``); and scores, with these priors, of the first 1,000 pairs and of the same with
the target sides of others (``scores.fwd``, ``scores.rev``). It uses the standard library and eflomal, nothing else.
"""

from __future__ import annotations

import sys
from pathlib import Path

import eflomal

SCORED = 1000


def main(source: Path, target: Path, folder: Path) -> None:
    texts = [path.read_text(encoding="utf-8").split("\n")[:-1] for path in (source, target)]
    files = [str(folder / f"all.{way}") for way in ("fwd", "rev")]
    eflomal.Aligner().align(*texts, links_filename_fwd=files[0], links_filename_rev=files[1])
    links = [Path(file).read_text(encoding="utf-8").split("\n")[:-1] for file in files]
    priors = folder / "priors"
    with priors.open("w", encoding="utf-8") as stream:
        # The two directions the other way round, as in the pipeline that is measured here.
        eflomal.write_priors(stream, *eflomal.calculate_priors(*texts, links[1], links[0]))
    align_parts(texts, priors, folder)
    score(texts, priors, folder)


def align_parts(texts: list[list[str]], priors: Path, folder: Path) -> None:
    half = len(texts[0]) // 2
    joined = {"fwd": "", "rev": ""}
    for part in (slice(None, half), slice(half, None)):
        files = {way: folder / f"part.{way}" for way in joined}
        with priors.open(encoding="utf-8") as stream:
            eflomal.Aligner().align(
                *(side[part] for side in texts),
                links_filename_fwd=str(files["fwd"]),
                links_filename_rev=str(files["rev"]),
                priors_input=stream,
            )
        joined = {way: text + files[way].read_text(encoding="utf-8") for way, text in joined.items()}
    for way, text in joined.items():
        (folder / f"parts.{way}").write_text(text, encoding="utf-8")


def score(texts: list[list[str]], priors: Path, folder: Path) -> None:
    kept = [pair for pair in zip(*texts, strict=True) if all(pair)][:SCORED]
    source, target = (list(side) for side in zip(*kept, strict=True))
    with priors.open(encoding="utf-8") as stream:
        eflomal.Aligner().align(
            source * 2,
            target + target[37:] + target[:37],
            scores_filename_fwd=str(folder / "scores.fwd"),
            scores_filename_rev=str(folder / "scores.rev"),
            priors_input=stream,
        )


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
