"""What stands for a program of pralign in examples: hands its arguments, folder and streams to ``server.py``."""

from __future__ import annotations

import json
import os  # and no pathlib, which takes longer to import than all else takes
import socket
import sys

address, entry, name, *words = sys.argv[1:]
request = {"entry": entry, "arguments": [name, *words], "folder": os.getcwd(), "environment": dict(os.environ)}  # noqa: PTH109
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect(address)
    socket.send_fds(connection, [json.dumps(request).encode()], [0, 1, 2])
    answer = connection.recv(1)
sys.exit(answer[0] if answer else 1)
