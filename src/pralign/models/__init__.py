"""The alignment models. To add one, write a :class:`~pralign.models.base.DirectionalModel` and register it here."""

from __future__ import annotations

from pralign.models.base import DirectionalModel
from pralign.models.fertile_hmm import FertileHMM
from pralign.models.hmm import HMM
from pralign.models.ibm1 import IBM1
from pralign.models.ibm2 import IBM2
from pralign.models.ibm3 import IBM3
from pralign.models.ibm4 import IBM4
from pralign.registry import Registry

MODELS = Registry[type[DirectionalModel]]("model")
get_model = MODELS.get


def register_model(model: type[DirectionalModel]) -> type[DirectionalModel]:
    """Make a model available under its name; usable as a class decorator."""
    return MODELS.register(model.name, model)


for _model in (IBM1, IBM2, HMM, FertileHMM, IBM3, IBM4):
    register_model(_model)
