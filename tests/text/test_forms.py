"""Classes of forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pralign.errors import InputError
from pralign.text.forms import LEVELS, Forms, order_by_forms, read_forms, spelling_keys
from pralign.text.normalisation import Normalisation

WORD = st.text(st.sampled_from("abcé大学人あ학교3.-"), min_size=1, max_size=6)
WORDS = st.lists(WORD, unique=True, max_size=12)


@pytest.mark.parametrize(
    "word, keys",
    [
        ("household", ("hou", "hous", "house", "househ")),
        ("at", ("at", "at", "at", "at")),
        ("été", ("été", "été", "été", "été")),
        ("книгами", ("кни", "книг", "книга", "книгам")),
        ("1907", ("190", "1907", "1907", "1907")),
        ("大学生", ("大", "-生", "大学", "大学生")),
        ("カタカナ", ("カ", "-ナ", "カタ", "カタカナ")),
        ("3月", ("3", "-月", "3月", "3月")),
        ("학교에서", ("학", "학교", "학교에", "학교에서")),
        ("مدرسة", ("مدر", "مدرس", "مدرسة", "مدرسة")),
    ],
)
def test_what_relatives_share_depends_on_the_script(word, keys):
    assert spelling_keys(word) == keys
    assert len(keys) == LEVELS


@given(WORDS, st.one_of(st.none(), st.dictionaries(WORD, WORD, max_size=4)), WORDS)
def test_words_are_in_one_class_if_they_share_a_key(words, listed, others):
    forms = Forms(words, listed)
    keys = [(*spelling_keys(word), *([] if listed is None else [listed.get(word, word)])) for word in words]
    assert forms.known.shape == (forms.levels, len(words)) == (4 + (listed is not None), len(words))
    assert forms.classes(words).tolist() == forms.known.tolist()
    for level in range(forms.levels):
        classes = forms.known[level].tolist()
        assert sorted(set(classes)) == list(range(forms.sizes[level]))
        for a, of_a in enumerate(classes):
            for b, of_b in enumerate(classes):
                assert (of_a == of_b) == (keys[a][level] == keys[b][level])
    for word, found in zip(others, forms.classes(others).T.tolist(), strict=True):
        mine = (*spelling_keys(word), *([] if listed is None else [listed.get(word, word)]))
        for level, number in enumerate(found):
            relatives = [n for n, theirs in enumerate(keys) if theirs[level] == mine[level]]
            assert number == (forms.known[level][relatives[0]] if relatives else -1)


@given(WORDS, st.randoms())
def test_relatives_stand_together(words, random):
    counts = np.array([random.randrange(1, 9) for _ in words], np.int64)
    order, families = order_by_forms(words, counts)
    assert sorted(order.tolist()) == list(range(len(words)))
    keys = [spelling_keys(words[n])[0] for n in order]
    assert [families[k] == families[k - 1] for k in range(1, len(keys))] == [
        keys[k] == keys[k - 1] for k in range(1, len(keys))
    ]
    assert len(set(keys)) == len(set(families.tolist()))
    totals = [sum(int(counts[m]) for m in range(len(words)) if spelling_keys(words[m])[0] == key) for key in keys]
    assert totals == sorted(totals, reverse=True)


def test_a_file_of_forms(tmp_path):
    path = tmp_path / "forms"
    path.write_text("Häuser\thaus\nmice mouse\n\nwent\tgo out\n", encoding="utf-8")
    assert read_forms(path, Normalisation()) == {"häuser": "haus", "mice": "mouse", "went": "go out"}


@pytest.mark.parametrize("line", ["alone", "one two three", "a\tb\tc", "many " * 1000])
def test_a_line_that_is_no_form_is_named(tmp_path, line):
    path = tmp_path / "forms"
    path.write_text(f"mice\tmouse\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match="forms, line 2: expected a word and its lemma, separated by a tab") as caught:
        read_forms(path, Normalisation())
    assert len(str(caught.value)) < 200 + len(str(path))
