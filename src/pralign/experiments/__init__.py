"""Experiments: texts, systems and tables that a file describes, run to the end, with everything kept that is done."""

from __future__ import annotations

from pralign.experiments.description import CorpusDescription, Experiment, LabelUse, SystemDescription
from pralign.experiments.outline import outline
from pralign.experiments.reading import read_experiment
from pralign.experiments.results import ExperimentResults
from pralign.experiments.run import ExperimentRun
from pralign.experiments.tables import TABLE_KINDS, ResultTable, Row, Slice, register_table
from pralign.experiments.training import Resources

__all__ = [
    "TABLE_KINDS",
    "CorpusDescription",
    "Experiment",
    "ExperimentResults",
    "ExperimentRun",
    "LabelUse",
    "Resources",
    "ResultTable",
    "Row",
    "Slice",
    "SystemDescription",
    "outline",
    "read_experiment",
    "register_table",
]
