"""Make everything in this folder anew: python docs/gallery/make.py.

The figure needs pdflatex and pdftoppm, the screenshot Chromium; what cannot be made here stays as it is.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pralign import sample

HERE = Path(__file__).parent
PAIR = "31"
SESSION = [
    "pralign align everyday.en everyday.fr --format scored -o links.txt --quiet",
    "head -n 3 links.txt",
    f"pralign show everyday.en everyday.fr links.txt --gold everyday.gold --line {PAIR}",
    "pralign align everyday.en everyday.fr --model ibm1 -o ibm1.txt --quiet",
    "pralign evaluate ibm1.txt everyday.gold --first --compare links.txt",
    "pralign report everyday.en everyday.fr --system ibm1=ibm1.txt --system all=links.txt --gold everyday.gold --first",
]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in (sample.SOURCE, sample.TARGET, sample.GOLD):
            shutil.copy(path, folder)
        make_cast(folder)
        run("pralign demo --report report.html", folder)
        shutil.copy(folder / "report.html", HERE)
        make_figure(folder)
        make_screenshots(folder)


def run(command: str, folder: Path) -> str:
    """What a command prints, on both channels."""
    words = shlex.split(command)
    if words[0] == "pralign":
        words[:1] = [sys.executable, "-m", "pralign"]
    done = subprocess.run(
        words, cwd=folder, check=True, text=True, encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    return done.stdout


def make_cast(folder: Path) -> None:
    """A session at the terminal, as text."""
    cast = "\n".join(f"$ {command}\n{run(command, folder)}" for command in SESSION)
    (HERE / "session.txt").write_text(cast, encoding="utf-8")


def make_figure(folder: Path) -> None:
    """The matrix of a pair for a paper, as source and as a picture."""
    show = f"pralign show everyday.en everyday.fr links.txt --gold everyday.gold --line {PAIR}"
    run(f"{show} --latex -o figure.tex", folder)
    run(f"{show} --svg -o figure.svg", folder)
    for name in ("figure.tex", "figure.svg"):
        shutil.copy(folder / name, HERE)
    if missing := [tool for tool in ("pdflatex", "pdftoppm") if shutil.which(tool) is None]:
        print(f"no {' and no '.join(missing)}: figure.png stays as it is", file=sys.stderr)
        return
    run("pdflatex -interaction=batchmode figure.tex", folder)
    run("pdftoppm -r 160 -png -singlefile figure.pdf figure", folder)
    shutil.copy(folder / "figure.png", HERE)


def make_screenshots(folder: Path) -> None:
    """The beginning of the report, a word looked up, and two systems without a gold."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("no chromium: pictures of the report stay as they are", file=sys.stderr)
        return
    systems = "--system ibm1=ibm1.txt --system all=links.txt"
    run(f"pralign report everyday.en everyday.fr {systems} -o plain.html --quiet", folder)
    shots = {
        "report": ("report.html", "summary", "1100,540"),
        "words": ("plain.html", "words", "960,600"),
        "comparison": ("plain.html", "comparison", "960,920"),
    }
    for name, (page, part, size) in shots.items():
        only = folder / f"only-{name}.html"
        only.write_text(_opened((folder / page).read_text(encoding="utf-8"), part), encoding="utf-8")
        flags = f"--headless=new --no-sandbox --disable-gpu --hide-scrollbars --window-size={size}"
        run(f"{chromium} {flags} --screenshot={name}.png {shlex.quote(only.resolve().as_uri())}", folder)
        shutil.copy(folder / f"{name}.png", HERE)


def _opened(page: str, part: str) -> str:
    """A copy of a page for a picture: one of its parts alone, with a word looked up.

    Only a copy without its policy runs a script that is not its own.
    """
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    alone = f'for (const each of document.querySelectorAll("section[id]")) each.hidden = each.id !== "{part}";'
    script = 'field("word").value = "house"; lookUp(); ' + (alone if part != "summary" else "")
    return page.replace("</body>", f"<script>{script}</script></body>")


if __name__ == "__main__":
    main()
