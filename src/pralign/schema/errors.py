"""What is wrong with something saved."""

from __future__ import annotations


class SchemaError(Exception):
    """Something saved is not as it was declared.

    The message says what is wrong with what; who reads files adds where it was found.
    """


class ArrayError(SchemaError):
    """An array is not as it was declared.

    Attributes:
        name: The name of the array.
        problem: What is wrong with it, to follow its name.
    """

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"the array {name} {problem}")
        self.name, self.problem = name, problem

    def inside(self, prefix: str) -> ArrayError:
        """The same of an array whose whole name begins with a prefix."""
        return ArrayError(prefix + self.name, self.problem)
