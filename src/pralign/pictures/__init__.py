"""A sentence pair as people look at it: on a terminal, as a picture, in a notebook, in a paper."""
