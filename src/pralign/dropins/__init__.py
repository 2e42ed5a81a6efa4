"""Programs that take the options of fast_align, atools and eflomal, and write what those write, with better links.

Scripts that call those tools go on as they are. Options that mean nothing here are named on standard error, once, with
the reason. ``docs/migration.md`` has them one by one.
"""
