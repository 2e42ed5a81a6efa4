from __future__ import annotations

import numpy as np
import pytest

from kernels.lattices import summary_of
from pralign.errors import UsageError
from pralign.kernels.arrays import Lattice
from pralign.models import MODELS, get_model
from pralign.models.base import CorpusSummary


def test_models_are_found_by_name():
    assert {name: get_model(name).name for name in MODELS} == {
        name: name for name in ("ibm1", "ibm2", "hmm", "fhmm", "ibm3", "ibm4")
    }
    with pytest.raises(UsageError, match="no model 'ibm9'; there are ibm1, ibm2, hmm, fhmm, ibm3, ibm4"):
        get_model("ibm9")


@pytest.mark.parametrize("name", list(MODELS))
def test_a_model_made_of_its_tensors_is_the_same(name):
    classes = np.array([0, 1, 0], np.int32), np.array([1, 0], np.int32)
    model = get_model(name).initial(CorpusSummary(np.array([0, 1, 0, 2]), 3, 2, *classes), None)
    again = get_model(name).from_tensors(model.tensors())
    assert again.tensors().keys() == model.tensors().keys()
    for key, tensor in model.tensors().items():
        assert again.tensors()[key].dtype == tensor.dtype
        assert again.tensors()[key].tolist() == tensor.tolist()


@pytest.mark.parametrize("name", ["ibm2", "hmm"])
def test_longer_text_than_trained_on_is_not_counted_out_of_bounds(name: str) -> None:
    model = get_model(name).initial(summary_of(np.array([2]), np.array([2])), None)
    rng = np.random.default_rng(0)
    starts = np.array([0, 7]), np.array([0, 35])
    emissions = rng.random(35, np.float32), rng.random(7, np.float32)
    lattice = Lattice(*emissions, np.array([5], np.int32), *starts, np.ones(1))
    counts = model.zero_statistics()
    if name == "hmm":
        with pytest.raises(ValueError, match="at most 2 states"):
            model.infer(lattice, counts)
    else:
        model.infer(lattice, counts)
    assert not any(part.any() for part in counts.values())
