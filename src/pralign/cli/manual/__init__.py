"""What the program says of itself: help of commands, topics, and the manual page, all made from the same objects.

``description`` reads a command of typer into plain data; ``commands`` and ``groups`` are the tables of what typer does
not know (summaries, examples, groups); ``page`` and ``man`` write both for a terminal and for ``man``.
"""
