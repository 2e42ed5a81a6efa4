"""Services on this machine: what answers requests as long as nobody stops it."""
