"""Changes saved models at random: bits, values, shapes and names of arrays; fields of manifests; words."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np

from .saved import Saved

_TYPES = ["float64", "float32", "int64", "int32", "int8", "uint64", "uint32", "uint16", "uint8", "bool"]
_ODD_NUMBERS = [
    0, -1, 1, 2, 0.5, 1e-300, 1e-45, 1e-30, 1e-18, 1e-12, 1e-9, 1e-6, 100, 1e9, 2.0**37, 2.0**38, 2.0**52, 1e30, 1e38,
    1e300, -1e300, np.nan, np.inf, -np.inf,
]  # fmt: skip
_ODD_WHOLE = [0, -1, 1, 2, 3, 7, 100, 2**15, 2**31 - 1, -(2**31), 2**32, 2**37, 2**61, 2**62, 2**63 - 1, -(2**63)]


def odd_value(random: Random, depth: int = 0) -> Any:
    """Something that JSON can hold, rarely what is expected."""
    plain: list[Any] = [
        None, True, False, 0, 1, -1, 2, 3, 0.5, 1.0, -0.5, 10**6, 2**31, 2**63, 10**400, 1e308, 1e-300,
        float("nan"), float("inf"), float("-inf"), "", "x", "0", "auto", "hmm", "ibm1", "\x1b[31m", "é\ud800",
        "a" * 300, [], {}, [0.5], [0.5, 0.5, 0.5], [1, 2], ["x"], {"x": 1}, [[[[]]]], [None],
    ]  # fmt: skip
    if depth < 2 and random.random() < 0.1:
        return [odd_value(random, depth + 1) for _ in range(random.randrange(4))]
    return random.choice(plain)


# Arrays


def _odd_number(array: np.ndarray, random: Random) -> Any:
    with np.errstate(all="ignore"):
        if array.dtype.kind == "f":
            return np.array(random.choice(_ODD_NUMBERS)).astype(array.dtype)
        return np.array(random.choice(_ODD_WHOLE), np.int64).astype(array.dtype)


def _flip_bit(array: np.ndarray, random: Random) -> np.ndarray:
    data = bytearray(array.tobytes())
    if data:
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return np.frombuffer(bytes(data), array.dtype).reshape(array.shape).copy()


def _set_one(array: np.ndarray, random: Random) -> np.ndarray:
    array = array.copy()
    if array.size:
        array.reshape(-1)[random.randrange(array.size)] = _odd_number(array, random)
    return array


def _set_some(array: np.ndarray, random: Random) -> np.ndarray:
    for _ in range(random.randrange(1, 6)):
        array = _set_one(array, random)
    return array


def _set_all(array: np.ndarray, random: Random) -> np.ndarray:
    return np.full_like(array, _odd_number(array, random))


def _scale(array: np.ndarray, random: Random) -> np.ndarray:
    with np.errstate(all="ignore"):
        return (array * np.float64(random.choice([0, 0.5, 2, -1, 1e-6, 1e6, 1e-30, 1e30]))).astype(array.dtype)


def _nudge(array: np.ndarray, random: Random) -> np.ndarray:
    array = array.copy()
    if array.size and array.dtype.kind in "iu":
        with np.errstate(all="ignore"):
            array.reshape(-1)[random.randrange(array.size)] += np.array(random.choice([1, -1])).astype(array.dtype)
    elif array.size and array.dtype.kind == "f":
        with np.errstate(all="ignore"):
            array.reshape(-1)[random.randrange(array.size)] *= array.dtype.type(random.choice([0.5, 2, 1e-3, 1e3, -1]))
    return array


def _shuffle(array: np.ndarray, random: Random) -> np.ndarray:
    return np.random.default_rng(random.randrange(2**32)).permutation(array) if array.ndim else array


def _swap(array: np.ndarray, random: Random) -> np.ndarray:
    array = array.copy()
    if array.size > 1:
        flat = array.reshape(-1)
        i, j = random.randrange(array.size), random.randrange(array.size)
        flat[i], flat[j] = flat[j], flat[i]
    return array


def _shorten(array: np.ndarray, random: Random) -> np.ndarray:
    return array[: random.randrange(array.shape[0] + 1)] if array.ndim else array


def _lengthen(array: np.ndarray, random: Random) -> np.ndarray:
    more = random.choice([1, 2, 100])
    return np.concatenate([array, np.repeat(array[-1:], more, axis=0)]) if array.ndim and array.size else array


def _reshape(array: np.ndarray, random: Random) -> np.ndarray:
    return random.choice(
        [
            array.reshape(-1),
            array[None],
            array[..., None],
            array.T,
            array.reshape(-1)[:0],
            np.empty((0, 3), array.dtype),
        ]
    )


def _retype(array: np.ndarray, random: Random) -> np.ndarray:
    with np.errstate(all="ignore"):
        return array.astype(random.choice(_TYPES))


def _redraw(array: np.ndarray, random: Random) -> np.ndarray:
    """Other numbers from the range that there is, which is what a check of ranges cannot tell from the first."""
    draw = np.random.default_rng(random.randrange(2**32))
    if not array.size or array.dtype == np.bool_:
        return array
    low, high = array.min(), array.max()
    if array.dtype.kind != "f":
        return draw.integers(low, high, array.shape, array.dtype, endpoint=True)
    with np.errstate(all="ignore"):
        low, high = np.nan_to_num(np.clip([low, high], -1e30, 1e30).astype(float)).tolist()
        drawn = [
            draw.uniform(low, high, array.shape),
            np.where(draw.random(array.shape) < 0.5, low, high),
            np.exp(draw.uniform(np.log(max(low, 1e-30)), np.log(max(high, 1e-30)), array.shape)),
            np.exp(draw.uniform(-70, 0, array.shape)),
            np.where(draw.random(array.shape) < 0.2, array, random.choice([0, 1, 1e-12, 1e-18])),
        ]
        return random.choice(drawn).astype(array.dtype)


_OF_ARRAYS: list[Callable[[np.ndarray, Random], np.ndarray]] = [
    _flip_bit, _flip_bit, _set_one, _set_one, _set_some, _set_some, _set_all, _set_all, _scale, _nudge, _nudge, _nudge,
    _shuffle, _swap, _swap, _shorten, _lengthen, _reshape, _retype, _redraw, _redraw, _redraw, _redraw, _redraw,
]  # fmt: skip


def change_array(saved: Saved, random: Random) -> str:
    """Change an array, or which arrays there are."""
    names = sorted(saved.tensors)
    if not names:
        return "no arrays"
    name, other = random.choice(names), random.choice(names)
    what = random.random()
    if what < 0.02:
        del saved.tensors[name]
        return f"{name} removed"
    if what < 0.04:
        saved.tensors[random.choice(["x", name + "x", "forward.x", "lexicon.", "\x1b[31m"])] = saved.tensors[name]
        return f"{name} added"
    if what < 0.08:
        saved.tensors[name], saved.tensors[other] = saved.tensors[other], saved.tensors[name]
        return f"{name} and {other} exchanged"
    how = random.choice(_OF_ARRAYS)
    saved.tensors[name] = how(saved.tensors[name], random)
    return f"{name} {how.__name__}"


# Manifests and words


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to everything inside a value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way for key, each in inside for way in ((*path, key), *_places(each, (*path, key)))]


def change_manifest(saved: Saved, random: Random) -> str:
    """Replace, remove or add something in the manifest."""
    *way, last = random.choice(_places(saved.manifest))
    place: Any = saved.manifest
    for key in way:
        place = place[key]
    what = random.random()
    if what < 0.1:
        del place[last]
        return f"manifest {[*way, last]} removed"
    if what < 0.2:
        if isinstance(place, dict):
            place[random.choice(["x", "files", "model", "constraint", "own_constraint"])] = odd_value(random)
        else:
            place.insert(random.randrange(len(place) + 1), odd_value(random))
        return f"manifest {way} more"
    if what < 0.3:
        other = random.choice(_places(saved.manifest))
        value: Any = saved.manifest
        for key in other:
            value = value[key]
        place[last] = deepcopy(value)
        return f"manifest {[*way, last]} as {list(other)}"
    if what < 0.45 and type(place[last]) in (int, float):
        place[last] = place[last] * random.choice([-1, 0, 2, 0.5, 10, 1000])
        return f"manifest {[*way, last]} scaled"
    place[last] = odd_value(random)
    return f"manifest {[*way, last]} replaced"


def change_words(saved: Saved, random: Random) -> str:
    """Change the words of a side."""
    side = random.choice(sorted(saved.words))
    words = saved.words[side]
    if not isinstance(words, list) or not words:
        return "no words"
    place = random.randrange(len(words))
    what = random.choice(["twice", "removed", "odd", "swapped", "more", "other", "all", "side"])
    if what == "twice":
        words[place] = random.choice(words)
    elif what == "removed":
        del words[place]
    elif what == "odd":
        words[place] = odd_value(random)
    elif what == "swapped":
        other = random.randrange(len(words))
        words[place], words[other] = words[other], words[place]
    elif what == "more":
        words.insert(place, "surplus")
    elif what == "other":
        words[place] = random.choice(["", " ", "a b", "\n", "\t", "\ud800", "x" * 5000, "the ", "İ", "大学"])
    elif what == "side":
        saved.words["source"], saved.words["target"] = saved.words["target"], saved.words["source"]
    else:
        saved.words[side] = odd_value(random)
    return f"{side} words {what}"


def change(saved: Saved, random: Random) -> list[str]:
    """Change a saved model in place, once or a few times; says how."""
    done = []
    for _ in range(random.choice([1, 1, 1, 1, 1, 2, 3, 6])):
        chosen = saved.inner if saved.inner is not None and random.random() < 0.15 else saved
        how = random.choices([change_array, change_manifest, change_words], [70, 22, 8])[0]
        done.append(("inner " if chosen is saved.inner else "") + how(chosen, random))
    return done
