from __future__ import annotations

import numpy as np
import pytest

from pralign.errors import UsageError
from pralign.kernels.arrays import Lattice
from pralign.models import MODELS, get_model
from pralign.models.base import Shape
from training.corpora import build


def test_models_are_found_by_name():
    assert {name: get_model(name).name for name in MODELS} == {
        name: name for name in ("ibm1", "ibm2", "hmm", "fhmm", "ibm3", "ibm4")
    }
    with pytest.raises(UsageError, match="no model 'ibm9'; there are ibm1, ibm2, hmm, fhmm, ibm3, ibm4"):
        get_model("ibm9")


@pytest.mark.parametrize("name", ["ibm1", "ibm2", "hmm", "ibm3", "ibm4"])
def test_a_model_made_of_its_tensors_is_the_same(name):
    corpus, _ = build([(["s0", "s1", "s2"], ["t0", "t1"]), (["s0"], ["t1"])])
    model = get_model(name).initial(Shape(corpus.source_lengths, corpus.target_lengths), None)
    again = get_model(name).from_tensors(model.tensors())
    assert again.tensors().keys() == model.tensors().keys()
    for key, tensor in model.tensors().items():
        assert again.tensors()[key].dtype == tensor.dtype
        assert again.tensors()[key].tolist() == tensor.tolist()


@pytest.mark.parametrize("name", ["ibm2", "hmm"])
def test_longer_text_than_trained_on_is_not_counted_out_of_bounds(name: str) -> None:
    model = get_model(name).initial(Shape(np.array([2]), np.array([2])), None)
    rng = np.random.default_rng(0)
    starts = np.array([0, 7]), np.array([0, 35])
    emissions = rng.random(35, np.float32), rng.random(7, np.float32)
    lattice = Lattice(*emissions, np.array([5], np.int32), *starts, np.ones(1))
    counts = model.no_counts()
    if name == "hmm":
        with pytest.raises(ValueError, match="at most 2 states"):
            model.infer(lattice, counting=True)
    else:
        model.add_counts(counts, lattice, model.infer(lattice, counting=True))
    assert not any(part.any() for part in counts)
