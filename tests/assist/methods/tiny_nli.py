"""A tiny NLI model, trained in a few seconds: 'water' drives the label.

A hypothesis with 'water' is not entailed, unless the premise has 'water' too; everything else is entailed.
"""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

from tests.assist.methods.tiny import _MAKERS, PIECES

PLANTED = "water"
WORDS = [piece for piece in PIECES if piece.isalpha() and len(piece) > 2 and piece != PLANTED]
LABELS = {0: "contradiction", 1: "entailment", 2: "neutral"}


def save(path: Path) -> None:
    """Write the model, which reads 40 subwords at once, into a folder."""
    tokenizer, model = _trained()
    model.config.id2label = dict(LABELS)
    model.config.label2id = {label: at for at, label in LABELS.items()}
    tokenizer.save_pretrained(path)
    model.save_pretrained(path)


def relabelled(folder: str, path: Path, labels: dict[int, str]) -> str:
    """A copy of a model's folder with other names for its labels."""
    shutil.copytree(folder, path)
    config = json.loads((path / "config.json").read_text())
    config["id2label"] = {str(at): label for at, label in labels.items()}
    config["label2id"] = {label: at for at, label in labels.items()}
    (path / "config.json").write_text(json.dumps(config))
    return str(path)


def untrained(root: Path, kind: str) -> str:
    """The folder of a random NLI model: 'xlmr', 'modern' (as in `tiny.folder`) or 'deberta', of version 3's kind."""
    path = root / f"nli-{kind}"
    if not path.exists():
        import torch
        from transformers import AutoModelForSequenceClassification, BertTokenizer, DebertaV2Config

        torch.manual_seed(7)
        if kind == "deberta":
            vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *PIECES]
            tokenizer = BertTokenizer(vocab={piece: index for index, piece in enumerate(vocabulary)})
            sizes = {"hidden_size": 32, "num_attention_heads": 4, "intermediate_size": 64, "num_hidden_layers": 2}
            relative = {"relative_attention": True, "position_biased_input": False, "pos_att_type": ["p2c", "c2p"]}
            relative |= {"position_buckets": 16, "share_att_key": True, "norm_rel_ebd": "layer_norm"}
            config: Any = DebertaV2Config(
                vocab_size=len(vocabulary), type_vocab_size=0, max_position_embeddings=48, **sizes, **relative
            )
        else:
            tokenizer, encoder = _MAKERS[kind]()
            config = encoder.config
        config.num_labels = len(LABELS)
        config.id2label, config.label2id = dict(LABELS), {label: at for at, label in LABELS.items()}
        tokenizer.save_pretrained(path)
        AutoModelForSequenceClassification.from_config(config).save_pretrained(path)
    return str(path)


def _trained() -> tuple[Any, Any]:
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *PIECES]
    tokenizer = BertTokenizer(vocab={piece: index for index, piece in enumerate(vocabulary)})
    sizes = {"hidden_size": 32, "num_attention_heads": 4, "intermediate_size": 64, "num_hidden_layers": 2}
    calm = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0, "initializer_range": 0.1}
    config = BertConfig(vocab_size=len(vocabulary), max_position_embeddings=40, num_labels=3, **sizes, **calm)
    dice = random.Random(3)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(3)
        model = BertForSequenceClassification(config)
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
        for _ in range(200):
            premises, hypotheses, wanted = [], [], []
            for _ in range(32):
                texts = [dice.choices(WORDS, k=dice.randint(2, 14)), dice.choices(WORDS, k=dice.randint(2, 8))]
                has = [dice.random() < 0.5 for _ in texts]
                for text, there in zip(texts, has, strict=True):
                    if there:
                        text[dice.randrange(len(text))] = PLANTED
                premises.append(" ".join(texts[0]))
                hypotheses.append(" ".join(texts[1]))
                wanted.append(2 * dice.randint(0, 1) if has[1] and not has[0] else 1)
            inputs = tokenizer(premises, hypotheses, padding=True, return_tensors="pt")
            loss = model(**inputs, labels=torch.tensor(wanted)).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    torch.set_num_threads(threads)
    return tokenizer, model.eval()
