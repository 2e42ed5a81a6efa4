"""Small texts, and small problems to learn from."""

from __future__ import annotations

from itertools import product

import numpy as np

from pralign.engine import ThreadEngine
from pralign.kernels.arrays import Point, Shapes
from pralign.kernels.margin import FORBIDDEN, Examples
from pralign.links.alignment import Alignment
from pralign.matching.association import Association
from pralign.matching.cells import Context
from pralign.matching.extraction import Extractor
from pralign.matching.features import get_feature
from pralign.matching.problem import LearningProblem
from pralign.matching.scaling import Scaling
from pralign.text.normalisation import Normalisation

# Lower case and already cut into words, so that plain Python can compare them too.
TEXT = [
    (source.split(), target.split())
    for source, target in [
        ("the house", "la maison"),
        ("the house is red", "la maison est rouge"),
        ("the pupil is in the house", "l' élève est dans la maison"),
        ("paris", "paris"),
        ("the cat , the dog", "le chat , le chien"),
        ("", "rien"),
        ("nothing", ""),
        ("a pupil in paris .", "un élève à paris ."),
        ("the the the", "la la"),
    ]
]
# With unknown words, equal ones among them; with one word on a side; and with a word that is too long to compare.
ASKED = [
    (source.split(), target.split())
    for source, target in [
        ("the house is red", "la maison est rouge"),
        ("zorro pupil", "elève zorro zórro"),
        ("paris", "paris"),
        ("house", "la maison rouge"),
        ("the red cat , nothing", "maison"),
        ("ae oui ab 12", "eau io ba 12"),
        (f"long {'x' * 49}yz", f"{'x' * 49}yzabc court"),
        ("the house the house the", "la maison la maison"),
    ]
]


def association(text=TEXT, threads=1):
    return Association.learn(text, Normalisation(), ThreadEngine(threads))


def extractor(*names, text=TEXT, predictions=0, model=None, settle_on=()):
    """Features of these groups, ready for use."""
    groups = tuple(get_feature(name)() for name in names)
    context = Context(association(text), predictions)
    for group in groups:
        group.settle(context, (Extractor(groups, context).text([pair]).cells(np.array([0])) for pair in settle_on))
    return Extractor(groups, context, model)


def all_cells(features, pairs, predictions=()):
    text = features.text(pairs, predictions)
    return text.cells(text.usable)


def flat(grids):
    """Grids of several pairs, one after the other, as cells are laid out."""
    return np.array([value for grid in grids for row in grid for value in row])


def built(features, pairs, golds, capacity=1, miss_cost=3.0):
    """The problem that labelled pairs pose, and how its numbers were scaled."""
    text = features.text(pairs)
    scaling = Scaling.of(features, [text.cells(text.usable)])
    return LearningProblem.build(features, text, golds, scaling, capacity, miss_cost), scaling


def random_problem(seed, pairs=6, most=4, numbers=3, kinds=2, capacity=2, noise=1.0, possible=0.1):
    """Cells with random numbers, higher where a link is right; the first number is always one."""
    rng = np.random.default_rng(seed)
    shapes = [(int(rng.integers(1, most + 1)), int(rng.integers(1, most + 1))) for _ in range(pairs)]
    gold, loss, further = [], [], ([], [])
    for rows, columns in shapes:
        right = np.zeros((rows, columns))
        for i, j in rng.permutation(list(product(range(rows), range(columns)))).tolist():
            if right[i].sum() < capacity and right[:, j].sum() < capacity and rng.random() < 0.5:
                right[i, j] = 1
        maybe = (right == 0) & (rng.random(right.shape) < possible)
        gold.append(right.ravel())
        loss.append(np.where(right, -3.0, np.where(maybe, FORBIDDEN, 1.0)).ravel())
        for side, axis in ((0, 1), (1, 0)):
            further[side].append(np.maximum(right.sum(axis=axis) - 1, 0))
    right = np.concatenate(gold)
    values = rng.normal(size=(right.size, numbers)) * noise
    values[:, 1:] += 2 * right[:, None]
    values[:, 0] = 1
    kind = rng.integers(-1, kinds, size=(right.size, 1)).astype(np.int32)
    kind[kind >= 0] += numbers
    layout = Shapes(*(np.concatenate([[0], np.cumsum(sizes)]) for sizes in sizes_of(shapes)))
    point = Point(right, np.concatenate(further[0]), np.concatenate(further[1]))
    losses = np.concatenate(loss)
    examples = Examples(values.astype(np.float32), kind, np.array([2.0]), losses, layout, point)
    return LearningProblem(examples, right > 0, (right > 0) | (losses == FORBIDDEN), numbers + kinds + 2, capacity, 0)


def sizes_of(shapes):
    rows, columns = zip(*shapes, strict=True)
    return [i * j for i, j in shapes], list(rows), list(columns)


def every(problem):
    return np.arange(problem.examples.shapes.cell_start.size - 1)


def gold_of(*links, possible=()):
    return Alignment.of(links, possible=possible)
