"""Compiled functions on arrays. Nothing here knows files, words or classes; everything else stands on it.

Conventions shared by all kernels:

* Sentences are flat ``int32`` token arrays with a ``start`` array: sentence ``n`` is ``tokens[start[n]:start[n + 1]]``.
* In one direction of a model, the words that are generated are *observed* and the words that generate them are
  *states*. A pair's cells lie observed-major: the cell of observed word ``j`` and state ``i`` is ``j * states + i``.
* Kernels are single-threaded and release the interpreter lock; parallelism is over blocks of pairs, outside.
"""
