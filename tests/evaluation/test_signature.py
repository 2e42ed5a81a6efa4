import pytest

from pralign import __version__
from pralign.evaluation import Signature


def test_parts_keep_their_order_and_the_version_comes_last():
    signature = Signature.of(model="hmm", iterations="ibm1=5,hmm=5", threshold=0.5)
    assert str(signature) == f"model:hmm|iterations:ibm1=5,hmm=5|threshold:0.5|version:{__version__}"
    assert list(signature.as_dict()) == ["model", "iterations", "threshold", "version"]


def test_the_version_comes_last_wherever_it_is_given():
    assert str(Signature.of(version="9.9", model="hmm")) == "model:hmm|version:9.9"


def test_none_is_left_out_and_truth_values_read_yes_and_no():
    assert str(Signature.of(a=None, b=True, c=False, d=1, version="1")) == "b:yes|c:no|d:1|version:1"


def test_extending_puts_new_parts_before_the_version_and_replaces_old_ones():
    signature = Signature.of(model="hmm", null=0.2, version="1").extended(decoder="posterior", model="ibm1")
    assert str(signature) == "model:ibm1|null:0.2|decoder:posterior|version:1"


def test_equal_parts_make_equal_signatures():
    assert Signature.of(a=1) == Signature.of(a="1")
    assert Signature.of(a=1) != Signature.of(a=2)
    assert len({Signature.of(a=1), Signature.of(a="1")}) == 1


@pytest.mark.parametrize("parts", [{"a": "x|y"}, {"a:b": "x"}, {"a": ""}, {"": "x"}, {"a": "x\ny"}])
def test_parts_that_would_not_read_back_are_refused(parts):
    with pytest.raises(ValueError, match="cannot be part of a signature"):
        Signature.of(**parts)


@pytest.mark.parametrize(
    "parts",
    [
        (),
        (("a", "1"),),
        (("version", "1"), ("a", "1")),
        (("a", "1"), ("a", "2"), ("version", "1")),
    ],
)
def test_keys_must_be_distinct_and_end_with_the_version(parts):
    with pytest.raises(ValueError, match="must be distinct and end with 'version'"):
        Signature(parts)
