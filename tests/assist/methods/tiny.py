"""Tiny random encoders of several architectures, saved to a folder, and pairs of nonsense for them."""

import random
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from assist.methods.base import PairInput, TextSide

_WORDS = (
    "a the dog dogs cat cats house houses new newest old runs seen sees big small city water , . ! re-new unknown é"
)
_PIECES = "a the dog cat house new old runs see big small city water , . ! - ##s ##ing ##est ##n re b c ##c"
WORDS, PIECES = _WORDS.split(), _PIECES.split()


def folder(kind: str, root: Path) -> str:
    """The folder of a tiny encoder: 'bert' (40 positions, 4 layers), 'xlmr' (48, 3), 'modern' (64, 4).

    'untrained' is a BERT of 2 layers with the usual small weights, which learns quickly.
    """
    path = root / kind
    if not path.exists():
        import torch

        torch.manual_seed(7)
        tokenizer, model = _MAKERS[kind]()
        tokenizer.save_pretrained(path)
        model.save_pretrained(path)
    return str(path)


def _sizes() -> dict[str, Any]:
    # Weights large enough for a word to be told from the same word elsewhere: ties are settled by rounding.
    return {"hidden_size": 32, "num_attention_heads": 4, "intermediate_size": 64, "initializer_range": 0.3}


def _bert(**more: Any) -> tuple[Any, Any]:
    from transformers import BertConfig, BertModel, BertTokenizer

    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *PIECES]
    tokenizer = BertTokenizer(vocab={piece: index for index, piece in enumerate(vocabulary)})
    sizes = {"num_hidden_layers": 4, "max_position_embeddings": 40, **_sizes(), **more}
    config = BertConfig(vocab_size=len(vocabulary), **sizes)
    return tokenizer, BertModel(config)


def _xlmr() -> tuple[Any, Any]:
    from transformers import XLMRobertaConfig, XLMRobertaModel, XLMRobertaTokenizer

    pieces = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁", -2.0)]
    pieces += [(f"▁{word}", -3.0) for word in ("dog", "cat", "the", "new", "house")]
    pieces += [(letter, -5.0) for letter in "abcdefghijklmnopqrstuvwxyz,.!-"] + [("<mask>", 0.0)]
    config = XLMRobertaConfig(
        vocab_size=len(pieces), num_hidden_layers=3, max_position_embeddings=50, pad_token_id=1, **_sizes()
    )
    return XLMRobertaTokenizer(vocab=pieces), XLMRobertaModel(config)


def _modern() -> tuple[Any, Any]:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
    from transformers import ModernBertConfig, ModernBertModel, PreTrainedTokenizerFast

    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    special = ["[CLS]", "[SEP]", "[PAD]", "[MASK]"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=320, special_tokens=special, initial_alphabet=alphabet)
    bpe.train_from_iterator([" ".join(WORDS)] * 5, trainer)
    bpe.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B [SEP]", special_tokens=[("[CLS]", 0), ("[SEP]", 1)]
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=bpe, cls_token="[CLS]", sep_token="[SEP]", pad_token="[PAD]", mask_token="[MASK]"
    )
    ids: dict[str, Any] = {
        "pad_token_id": 2,
        "bos_token_id": 0,
        "eos_token_id": 1,
        "cls_token_id": 0,
        "sep_token_id": 1,
    }
    config = ModernBertConfig(
        vocab_size=bpe.get_vocab_size(), num_hidden_layers=4, max_position_embeddings=64, **ids, **_sizes()
    )
    return tokenizer, ModernBertModel(config)


_MAKERS: dict[str, Callable[[], tuple[Any, Any]]] = {"bert": _bert, "xlmr": _xlmr, "modern": _modern}
_MAKERS["untrained"] = lambda: _bert(num_hidden_layers=2, initializer_range=0.05)


def side(words: Sequence[str], language: str = "en", per_sentence: int = 0) -> TextSide:
    """The words with a space between them, in sentences of so many words (0: none are given)."""
    ranges, at = [], 0
    for word in words:
        ranges.append((at, at + len(word)))
        at += len(word) + 1
    step = per_sentence or len(ranges) or 1
    sentences = [
        (part[0][0], part[-1][1]) for part in (ranges[low : low + step] for low in range(0, len(ranges), step))
    ]
    return TextSide(language, " ".join(words), ranges, sentences, sentences)


def pair(a: Sequence[str], b: Sequence[str], name: str = "p", **more: Any) -> PairInput:
    """A pair of English texts."""
    return PairInput(name, side(a), side(b), **more)


@cache
def nonsense(count: int, longest: int, seed: int = 0) -> tuple[tuple[list[str], list[str]], ...]:
    """Word lists of many lengths for the two sides of pairs."""
    dice = random.Random(seed)
    return tuple(
        (dice.choices(WORDS, k=dice.randint(1, longest)), dice.choices(WORDS, k=dice.randint(1, longest)))
        for _ in range(count)
    )
