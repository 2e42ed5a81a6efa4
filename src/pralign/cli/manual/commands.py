"""What is said of each command besides its options: its group in the overview, a line about it, and examples.

Examples are pairs of what a line does and the line itself. Files in them are called ``source.txt``, ``target.txt``,
``links.txt``, ``hand.gold`` and ``model`` throughout; a test runs or parses every one.
"""

from __future__ import annotations

from typing import NamedTuple

Example = tuple[str, str]


class Entry(NamedTuple):
    """What is said of a command: a line, no longer than 64 characters, and examples."""

    summary: str
    examples: tuple[Example, ...] = ()


MORE = "More"
"""Where commands are shown that this table does not know."""

GROUPS: dict[str, tuple[str, ...]] = {
    "Start here": ("demo", "check", "align", "plan"),
    "Work with models": ("train", "inspect", "merge", "match", "serve"),
    "Align by hand": ("label", "sample", "agreement"),
    "Look and judge": ("show", "report", "evaluate", "experiment"),
    "Files of links and words": ("convert", "symmetrize", "classes"),
    "What links are for": ("transfer", "lexicon", "shortlist", "phrases", "rules"),
    "Help and setting up": ("help", "completion", "warm-up"),
}

PROGRAM = Entry(
    "Which word translates which, learned from parallel sentences.",
    (
        ("See it work on a small sample.", "pralign demo"),
        ("Align your own text, a sentence a line.", "pralign align source.txt target.txt -o links.txt"),
        ("Look at the third pair.", "pralign show source.txt target.txt links.txt --line 3"),
    ),
)

COMMANDS: dict[str, Entry] = {
    "demo": Entry(
        "See it work on a bundled sample of English and French.",
        (
            ("Write the report to a file of your choice.", "pralign demo --report sample.html"),
            ("Only put the sample's files here: sample.en, sample.fr, sample.gold.", "pralign demo --copy ."),
        ),
    ),
    "check": Entry(
        "Look at a text before it is aligned, and say what is wrong.",
        (
            ("What would be read, and what looks wrong.", "pralign check source.txt target.txt"),
            ("The same for a program.", "pralign check source.txt target.txt --json"),
        ),
    ),
    "align": Entry(
        "Align parallel sentences: a line of links for each pair.",
        (
            ("Train on a text and align it.", "pralign align source.txt target.txt -o links.txt"),
            (
                "The best quality, with the probability of each link, and keep the model.",
                "pralign align source.txt target.txt --preset best --format scored\n--save model -o links.txt",
            ),
            (
                "Align more text with a saved model, from standard input, tab-separated.",
                "pralign align - --load model < new.tsv > new.links",
            ),
            (
                "The classic recipe: an HMM, Viterbi paths, grow-diag-final-and.",
                "pralign align source.txt target.txt --model hmm --decode viterbi\n-o links.txt",
            ),
            (
                "The ten likeliest alignments of each pair, with their probabilities.",
                "pralign align source.txt target.txt --nbest 10 -o many.jsonl",
            ),
            (
                "Text as people write it, two fields of JSON, links between its words.",
                "pralign align pairs.jsonl --columns en,fr --tokenize unicode\n--units words -o links.txt",
            ),
            (
                "All that Moses needs to go on from links.",
                "pralign align source.txt target.txt --moses folder -o links.txt",
            ),
        ),
    ),
    "plan": Entry(
        "Say what memory, disk and time a run will take.",
        (
            ("What each preset will take, and which command to run.", "pralign plan source.txt target.txt"),
            (
                "For a hundred times as much text, in 4 GB of memory.",
                "pralign plan source.txt target.txt --pairs 1000000 --memory 4G",
            ),
        ),
    ),
    "train": Entry(
        "Train a model and save it, to align other text with later.",
        (
            ("Train and save.", "pralign train source.txt target.txt --save model"),
            ("Go on from a saved model with more text.", "pralign train new.src new.tgt --from model --save larger"),
            (
                "Stop when labelled pairs get no better.",
                "pralign train source.txt target.txt --save model\n--dev dev.src dev.tgt dev.gold",
            ),
        ),
    ),
    "inspect": Entry(
        "Show what is in a saved model, or translations of a word.",
        (
            ("Settings and sizes.", "pralign inspect model"),
            ("The five likeliest translations of a word, both ways.", "pralign inspect model house -n 5"),
        ),
    ),
    "merge": Entry(
        "Make one model of several that were trained apart.",
        (("Add two models.", "pralign merge model larger --save both"),),
    ),
    "match": Entry(
        "Learn from about a hundred pairs aligned by hand.",
        (
            (
                "Learn from labelled pairs, then align.",
                "pralign match fit source.txt target.txt --save links\n--labelled dev.src dev.tgt dev.gold",
            ),
            ("", "pralign match align source.txt target.txt --load links -o links.txt"),
        ),
    ),
    "match fit": Entry(
        "Learn from labelled pairs which links are good.",
        (
            (
                "Learn from a hundred labelled pairs, and much text without labels.",
                "pralign match fit source.txt target.txt --save links\n--labelled dev.src dev.tgt dev.gold",
            ),
            (
                "The same with a model that is there already.",
                "pralign match fit source.txt target.txt --save links --model model\n"
                "--labelled dev.src dev.tgt dev.gold",
            ),
        ),
    ),
    "match align": Entry(
        "Align parallel sentences with what match fit has learned.",
        (
            (
                "Align new text, with the score of each link.",
                "pralign match align new.src new.tgt --load links -o new.links\n--format scored",
            ),
        ),
    ),
    "match weights": Entry(
        "Show what was learned: the weight of each feature.",
        (("The weights, and 5 pairs of common words.", "pralign match weights links -n 5"),),
    ),
    "label": Entry(
        "Align pairs by hand in a page that proposes links and learns.",
        (
            ("Label, or go on labelling.", "pralign label source.txt target.txt --gold hand.gold"),
            (
                "First a test set of fifty pairs, with proposals of a saved model.",
                "pralign label source.txt target.txt --gold hand.gold --model model\n--random 50",
            ),
            (
                "Settle what two annotators see differently.",
                "pralign label source.txt target.txt --gold settled.gold\n--settle hand.gold other.gold",
            ),
        ),
    ),
    "sample": Entry(
        "Choose the pairs whose labels should teach most.",
        (
            (
                "A hundred pairs with links to correct, for another tool.",
                "pralign sample source.txt target.txt --model model -n 100 -o todo",
            ),
        ),
    ),
    "show": Entry(
        "Draw the links of a sentence pair: a table, SVG or LaTeX.",
        (
            (
                "The first three pairs, compared with links made by hand.",
                "pralign show source.txt target.txt links.txt --line 1-3\n--gold hand.gold",
            ),
            (
                "A picture of pair 2 for a paper.",
                "pralign show source.txt target.txt links.txt --line 2\n--svg -o pair.svg",
            ),
        ),
    ),
    "report": Entry(
        "Write a page to look at: scores, pairs, curves, analysis.",
        (
            (
                "Two systems side by side, judged by hand-made links.",
                "pralign report source.txt target.txt --system mine=links.txt\n"
                "--system theirs=other.txt --gold hand.gold -o report.html",
            ),
            (
                "Without a gold: which pairs to label to find out which system is better.",
                "pralign report source.txt target.txt --system mine=links.txt\n"
                "--system theirs=other.txt --pairs-to-label todo",
            ),
        ),
    ),
    "evaluate": Entry(
        "Score links against a gold: precision, recall, AER and F.",
        (
            ("Score a file of links.", "pralign evaluate links.txt hand.gold"),
            (
                "Is another system better, or is that chance?",
                "pralign evaluate links.txt hand.gold --compare other.txt",
            ),
            ("For a program.", "pralign evaluate links.txt hand.gold --json"),
        ),
    ),
    "experiment": Entry(
        "Texts, systems and tables as a file says: train, score, compare.",
        (
            ("What would be done, and what is done already.", "pralign experiment study.toml --data corpora --dry-run"),
            ("Do it; the same command goes on where it was ended.", "pralign experiment study.toml --data corpora"),
            ("Try it with little text.", "pralign experiment study.toml --data corpora --pairs 1000 -o trial"),
        ),
    ),
    "agreement": Entry(
        "How far two annotators agree, and where they do not.",
        (
            ("Compare the links that two people have made.", "pralign agreement hand.gold other.gold"),
            (
                "With kappa, and the words of the pairs where they differ most.",
                "pralign agreement hand.gold other.gold --source source.txt\n--target target.txt --most 20",
            ),
        ),
    ),
    "convert": Entry(
        "Convert links from one file format to another.",
        (
            (
                "From Pharaoh to NAACL, which counts words from 1.",
                "pralign convert links.txt links.naacl --from pharaoh --to naacl",
            ),
            (
                "To a format that holds the words too.",
                "pralign convert links.txt links.jsonl --from pharaoh --to jsonl\n"
                "--source source.txt --target target.txt",
            ),
        ),
    ),
    "symmetrize": Entry(
        "Combine forward and reverse links, as Moses and atools do.",
        (
            (
                "Make one alignment of two directions.",
                "pralign symmetrize forward.txt reverse.txt -o links.txt\n--heuristic grow-diag-final-and",
            ),
        ),
    ),
    "lexicon": Entry(
        "Write which words translate which, and how probably.",
        (
            (
                "The tables of Moses, lex.f2e and lex.e2f.",
                "pralign lexicon source.txt target.txt links.txt\n--format moses -o lex",
            ),
            (
                "A dictionary to read, with examples, of words linked twice or more.",
                "pralign lexicon source.txt target.txt links.txt --min-count 2\n--format dictionary -o words.txt",
            ),
            ("The ten likeliest translations by a saved model.", "pralign lexicon --model model --top 10 -o words.tsv"),
        ),
    ),
    "shortlist": Entry(
        "Write a lexical shortlist for Marian and Bergamot.",
        (
            (
                "The 50 best, and those of the 50 most frequent words that go with each.",
                "pralign shortlist source.txt target.txt links.txt --best 50\n--first 50 -o shortlist.txt",
            ),
        ),
    ),
    "phrases": Entry(
        "Extract and score phrase pairs: the phrase table of Moses.",
        (
            (
                "The phrase table and the reordering table.",
                "pralign phrases source.txt target.txt links.txt -o table.gz\n--reordering reordering.gz",
            ),
            (
                "What the model expects, rather than what its links allow.",
                "pralign phrases source.txt target.txt links.txt -o table.gz\n--count posteriors --model model",
            ),
        ),
    ),
    "rules": Entry(
        "Extract and score rules with gaps: grammars of Moses and cdec.",
        (
            (
                "The rule table and the glue grammar of Moses.",
                "pralign rules source.txt target.txt links.txt -o table.gz\n--glue glue.txt",
            ),
            (
                "A grammar for cdec, by whole counts.",
                "pralign rules source.txt target.txt links.txt -o grammar.gz\n--format cdec --count whole",
            ),
        ),
    ),
    "transfer": Entry(
        "Carry trees, spans or inline tags to a translation.",
        (
            (
                "Dependency trees, along links that are sure enough.",
                "pralign transfer trees.conllu target.txt links.txt --threshold 0.9\n-o carried.conllu",
            ),
            (
                "A head for every word, by the links of a saved model.",
                "pralign transfer trees.conllu target.txt --model model --complete\n-o carried.conllu",
            ),
            (
                "Names and other spans of text.",
                "pralign transfer --spans names.jsonl target.txt links.txt\n-o carried.jsonl",
            ),
            (
                "Inline tags of segments, into their translations.",
                "pralign transfer --tags segments.xliff --model model -o tagged.xliff",
            ),
        ),
    ),
    "classes": Entry(
        "Put words that are used alike into classes.",
        (("Twenty classes of the words of a text.", "pralign classes source.txt -n 20 -o classes.tsv"),),
    ),
    "help": Entry(
        "Help on a command or a topic, such as formats or gold.",
        (
            ("The topics there are.", "pralign help"),
            ("What files of links look like.", "pralign help formats"),
            ("The same as pralign match fit --help.", "pralign help match fit"),
        ),
    ),
    "completion": Entry(
        "Print what lets a shell complete commands and options.",
        (
            ("For bash, in ~/.bashrc.", 'eval "$(pralign completion bash)"'),
            ("For zsh, in ~/.zshrc, after compinit.", 'eval "$(pralign completion zsh)"'),
            ("For fish, in ~/.config/fish/config.fish.", "pralign completion fish | source"),
        ),
    ),
    "serve": Entry(
        "Answer requests of programs on this machine with a model.",
        (
            ("At any free port, which is printed.", "pralign serve model"),
            ("At a port of your choice, with one thread.", "pralign serve model --port 8017 --threads 1"),
        ),
    ),
    "warm-up": Entry(
        "Compile everything now, so that later runs start at once.",
        (("Compile for this machine.", "pralign warm-up"),),
    ),
}


def group_of(command: str) -> str:
    """The title of the group that a command is in."""
    return next((title for title, names in GROUPS.items() if command in names), MORE)
