"""Small models of SentencePiece and Hugging Face, trained on text that was made up for it."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

SENTENCES = (
    "the old house stands near the river",
    "a small cat sleeps in the warm kitchen",
    "the cats and the houses are old and warm",
    "la vieille maison est près de la rivière",
    "le petit chat dort dans la cuisine chaude",
    "Straße und Häuser, Bäume und Wälder",
    "он читает книгу дома",
    "她 在 家 里 看 书",
) * 3
SENTENCE_PIECE: dict[str, dict[str, Any]] = {
    "unigram": {},
    "bytes": {"byte_fallback": True, "vocab_size": 400},
    "bpe": {"model_type": "bpe"},
    "bpe-bytes": {"model_type": "bpe", "byte_fallback": True, "vocab_size": 400},
    "rare": {"character_coverage": 0.98, "vocab_size": 100},
    "as-it-is": {"normalization_rule_name": "identity", "remove_extra_whitespaces": False},
    "small-letters": {"normalization_rule_name": "nmt_nfkc_cf"},
    "suffix": {"treat_whitespace_as_suffix": True},
    "no-prefix": {"add_dummy_prefix": False},
    "phrases": {"split_by_whitespace": False, "vocab_size": 250},
}
HUGGING_FACE = ("byte-level", "trimmed", "bert", "metaspace", "stripped", "llama")


def train_all(folder: Path) -> dict[str, Path]:
    """Train every model, and say where each is."""
    return train_sentence_piece(folder) | train_hugging_face(folder)


def train_sentence_piece(folder: Path) -> dict[str, Path]:
    from sentencepiece import SentencePieceTrainer

    paths = {}
    for name, options in SENTENCE_PIECE.items():
        model = io.BytesIO()
        more = {"vocab_size": 150, "hard_vocab_limit": False, "minloglevel": 2} | options
        SentencePieceTrainer.train(sentence_iterator=iter(SENTENCES), model_writer=model, **more)
        paths[name] = folder / f"{name}.model"
        paths[name].write_bytes(model.getvalue())
    return paths


def train_hugging_face(folder: Path) -> dict[str, Path]:
    from tokenizers import models, normalizers, pre_tokenizers, processors, trainers

    quiet: dict[str, Any] = {"show_progress": False}
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    of_bytes = trainers.BpeTrainer(vocab_size=400, initial_alphabet=alphabet, **quiet)
    template = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)])
    spaced = [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    plain = [normalizers.NFD(), normalizers.StripAccents(), normalizers.Lowercase()]
    made = {
        "byte-level": _trained(models.BPE(), of_bytes, pre_tokenizers.ByteLevel(add_prefix_space=False)),
        "trimmed": _trained(
            models.BPE(), of_bytes, pre_tokenizers.ByteLevel(add_prefix_space=True), None, processors.ByteLevel()
        ),
        "bert": _trained(
            models.WordPiece(unk_token="[UNK]"),
            trainers.WordPieceTrainer(vocab_size=200, special_tokens=["[UNK]", "[CLS]", "[SEP]"], **quiet),
            pre_tokenizers.BertPreTokenizer(),
            normalizers.BertNormalizer(lowercase=True),
            template,
        ),
        "metaspace": _trained(
            models.Unigram(),
            trainers.UnigramTrainer(vocab_size=150, unk_token="<unk>", special_tokens=["<unk>"], **quiet),
            pre_tokenizers.Metaspace(),
            normalizers.NFKC(),
        ),
        "stripped": _trained(
            models.BPE(unk_token="<unk>"),
            trainers.BpeTrainer(vocab_size=200, special_tokens=["<unk>"], **quiet),
            pre_tokenizers.Whitespace(),
            normalizers.Sequence(plain),
        ),
        "llama": _trained(
            models.BPE(byte_fallback=True, unk_token="<unk>"),
            trainers.BpeTrainer(
                vocab_size=500, special_tokens=["<unk>", *(f"<0x{k:02X}>" for k in range(256))], **quiet
            ),
            None,
            normalizers.Sequence(spaced),
        ),
    }
    for name, tokenizer in made.items():
        tokenizer.save(str(folder / f"{name}.json"))
    return {name: folder / f"{name}.json" for name in made}


def _trained(model: Any, trainer: Any, pre: Any, normalizer: Any = None, post: Any = None) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer(model)
    parts: Iterable[tuple[str, Any]] = {"pre_tokenizer": pre, "normalizer": normalizer, "post_processor": post}.items()
    for part, value in parts:
        if value is not None:
            setattr(tokenizer, part, value)
    tokenizer.train_from_iterator(SENTENCES, trainer)
    return tokenizer
