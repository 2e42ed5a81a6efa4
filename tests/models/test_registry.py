from __future__ import annotations

import pytest

from pralign.errors import UsageError
from pralign.models import MODELS, get_model
from pralign.models.base import Shape
from training.corpora import build


def test_models_are_found_by_name():
    assert {name: get_model(name).name for name in MODELS} == {name: name for name in ("ibm1", "ibm2", "hmm")}
    with pytest.raises(UsageError, match="no model 'ibm9'; there are ibm1, ibm2, hmm"):
        get_model("ibm9")


@pytest.mark.parametrize("name", ["ibm1", "ibm2", "hmm"])
def test_a_model_made_of_its_tensors_is_the_same(name):
    corpus, _ = build([(["s0", "s1", "s2"], ["t0", "t1"]), (["s0"], ["t1"])])
    model = get_model(name).initial(Shape(corpus.source_lengths, corpus.target_lengths), None)
    again = get_model(name).from_tensors(model.tensors())
    assert again.tensors().keys() == model.tensors().keys()
    for key, tensor in model.tensors().items():
        assert again.tensors()[key].dtype == tensor.dtype
        assert again.tensors()[key].tolist() == tensor.tolist()
