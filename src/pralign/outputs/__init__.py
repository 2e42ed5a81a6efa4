"""Where results go: files and directories that appear under their names only when they are whole, all together."""

from __future__ import annotations

from pralign.outputs.checks import check_directory, check_writable
from pralign.outputs.directories import OutputDirectory, open_directory
from pralign.outputs.files import Output, open_binary_output, open_output, open_outputs
from pralign.outputs.publication import together
from pralign.outputs.standard import ReaderGoneError, silence_standard_output

__all__ = [
    "Output",
    "OutputDirectory",
    "ReaderGoneError",
    "check_directory",
    "check_writable",
    "open_binary_output",
    "open_directory",
    "open_output",
    "open_outputs",
    "silence_standard_output",
    "together",
]
