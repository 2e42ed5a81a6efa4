"""A folder for ``PYTHONPATH``: what is in it has the names of other people's packages, and stands in for them."""
