"""Tiny Marian and M2M100 models with random weights, saved to a folder: nonsense, but always the same."""

import json
from pathlib import Path
from typing import Any

ENDING = 3.0
"""How much more a model ends a sentence than its random weights would."""

_WORDS = "the a dog cat house river sees likes finds old small cold is in and die der das hund katze haus fluss . ,"
WORDS = _WORDS.split()


def marian(root: Path, name: str = "opus-mt-en-de", *, targets: tuple[str, ...] = ()) -> str:
    """The folder of a Marian that reads 32 subwords; `targets`: codes such as 'deu' that it takes before the text."""
    path = root / name
    if not path.exists():
        path.mkdir(parents=True)
        from transformers import MarianConfig, MarianMTModel, MarianTokenizer

        _sentencepiece(path)
        pieces = ["</s>", "<unk>", *(f">>{code}<<" for code in targets), *_pieces(), "<pad>"]
        (path / "vocab.json").write_text(json.dumps({piece: index for index, piece in enumerate(pieces)}))
        tokenizer = MarianTokenizer(str(path / "source.spm"), str(path / "target.spm"), str(path / "vocab.json"))
        tokenizer.save_pretrained(path)
        eos, pad = tokenizer.eos_token_id, tokenizer.pad_token_id
        config = MarianConfig(
            vocab_size=len(pieces), pad_token_id=pad, eos_token_id=eos, decoder_start_token_id=pad, **_sizes()
        )
        _save(MarianMTModel, config, path, len(name))
    return str(path)


def m2m(root: Path) -> str:
    """The folder of an M2M100, whose tokenizer knows a hundred languages."""
    path = root / "m2m"
    if not path.exists():
        path.mkdir(parents=True)
        from transformers import M2M100Config, M2M100ForConditionalGeneration, M2M100Tokenizer

        _sentencepiece(path)
        pieces = ["<s>", "<pad>", "</s>", "<unk>", *_pieces()]
        (path / "vocab.json").write_text(json.dumps({piece: index for index, piece in enumerate(pieces)}))
        tokenizer = M2M100Tokenizer(str(path / "vocab.json"), str(path / "source.spm"))
        tokenizer.save_pretrained(path)
        words = len(pieces) + len(tokenizer.lang_code_to_id) + tokenizer.num_madeup_words
        special: dict[str, Any] = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2}
        config = M2M100Config(vocab_size=words, **special, **_sizes())
        _save(M2M100ForConditionalGeneration, config, path, 5)
    return str(path)


def _sizes() -> dict[str, Any]:
    halves = {
        f"{half}_{what}": value
        for half in ("encoder", "decoder")
        for what, value in (("layers", 1), ("attention_heads", 4), ("ffn_dim", 64))
    }
    return {"d_model": 32, "max_position_embeddings": 32, "init_std": 0.6, **halves}


def _pieces() -> list[str]:
    return [f"▁{word}" for word in WORDS]


def _save(cls: Any, config: Any, path: Path, seed: int) -> None:
    import torch

    torch.manual_seed(seed)
    model = cls(config)
    # Random weights rarely end a sentence.
    with torch.no_grad():
        model.get_output_embeddings().weight[config.eos_token_id] *= ENDING
    model.save_pretrained(path)


def _sentencepiece(path: Path) -> None:
    """A model of whole words, for both languages."""
    import sentencepiece

    corpus = path / "corpus.txt"
    corpus.write_text("\n".join(WORDS), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(corpus),
        model_prefix=str(path / "source"),
        model_type="word",
        vocab_size=len(WORDS) + 2,
        minloglevel=2,
        bos_id=-1,
    )
    corpus.unlink()
    (path / "source.vocab").unlink()
    (path / "source.model").rename(path / "source.spm")
    (path / "target.spm").write_bytes((path / "source.spm").read_bytes())
