"""A causal language model fine-tuned on training files, as in SwissGov-RSD: adapters, trained on the answers.

Low-rank adapters (Hu et al. 2022) on all linear layers are trained with the cross-entropy of the answers' tokens; the
request before an answer is only read. Training stops when the loss on the validation file no longer falls, and the best
epoch is kept. Ours: the models' own precision instead of 4-bit weights.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assist.methods.base import MethodError
from assist.methods.encoder.pretrained import display_name, load_model, model_commit
from assist.phrases.model_phrases import NO_LOSS_LLM

Message = dict[str, str]
IGNORED = -100
"""The label of tokens that have no loss."""
ROLES = ("system", "user", "assistant")


class TrainingFileError(ValueError):
    """A training file that can't be used; the message says which line and why."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """How a model is fine-tuned: adapters of ``rank``, at most ``epochs`` times over the examples, ``batch`` a step.

    ``length`` is the largest number of subwords of an example; ``parts`` the number of parts of a batch that are
    computed one after the other, so that a large batch fits.
    """

    rank: int = 16
    rate: float = 2e-4
    epochs: int = 10
    batch: int = 16
    parts: int = 16
    length: int = 8192
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Tuned:
    """What training gave: the validation loss of each epoch, the epoch kept (from 1), and how many were too long."""

    revision: str
    losses: tuple[float, ...]
    epoch: int
    trained_on: int
    too_long: int


def read_examples(file: Path) -> list[list[Message]]:
    """The examples of a training file: messages, the answer last. Raises TrainingFileError."""
    examples = []
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise TrainingFileError(f"{file.name}: not valid UTF-8") from error
    # Not `splitlines`, which ends a line within a text too, at a separator that JSON does not escape.
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else (), 1):
        try:
            messages = json.loads(line)["messages"]
            roles = [each["role"] for each in messages]
            texts = [each["content"] for each in messages]
        except (ValueError, KeyError, TypeError) as error:
            raise TrainingFileError(f"{file.name}, line {number}: must be an object with 'messages'") from error
        if roles[-1:] != ["assistant"] or len(roles) < 2 or any(role not in ROLES for role in roles):
            raise TrainingFileError(f"{file.name}, line {number}: a request, then the answer of 'assistant'")
        if not all(isinstance(each, str) for each in texts):
            raise TrainingFileError(f"{file.name}, line {number}: every 'content' must be a text")
        examples.append([{"role": role, "content": text} for role, text in zip(roles, texts, strict=True)])
    return examples


def finetune(
    model: str,
    revision: str | None,
    train: Sequence[Sequence[Message]],
    dev: Sequence[Sequence[Message]],
    out: Path,
    tuning: Tuning,
    report: Callable[[str], None],
) -> Tuned:
    """Train adapters and write them to ``out``, with the tokenizer. MethodError if the model can't be used or trained.

    Without ``dev`` the last epoch is kept.
    """
    import peft
    import transformers

    tokenizer, network = load_model(model, revision, "language model", "AutoModelForCausalLM")
    commit = model_commit(model, revision, network.config)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    rows = [encode(tokenizer, each) for each in train]
    checked = [encode(tokenizer, each) for each in dev]
    limit = min(tuning.length, int(getattr(network.config, "max_position_embeddings", None) or tuning.length))
    used = [row for row in rows if len(row["input_ids"]) <= limit]
    used_dev = [row for row in checked if len(row["input_ids"]) <= limit]
    too_long = len(rows) + len(checked) - len(used) - len(used_dev)
    if not used:
        raise TrainingFileError(f"all examples are longer than {limit} subwords: set another unit, or a larger length")
    transformers.set_seed(tuning.seed)
    network = peft.get_peft_model(
        network,
        peft.LoraConfig(
            r=tuning.rank,
            lora_alpha=2 * tuning.rank,
            lora_dropout=0.0,
            target_modules="all-linear",
            task_type="CAUSAL_LM",
        ),
    )
    with tempfile.TemporaryDirectory() as folder:
        trainer = transformers.Trainer(
            model=network,
            args=_arguments(folder, tuning, bool(used_dev)),
            train_dataset=used,
            eval_dataset=used_dev or None,
            data_collator=transformers.DataCollatorForSeq2Seq(tokenizer, padding=True, label_pad_token_id=IGNORED),
            callbacks=[transformers.EarlyStoppingCallback(1)] if used_dev else [],
        )
        trainer.remove_callback(transformers.PrinterCallback)
        trainer.add_callback(_reporter(report))
        trainer.train()
        losses = tuple(each["eval_loss"] for each in trainer.state.log_history if "eval_loss" in each)
        last = [each["train_loss"] for each in trainer.state.log_history if "train_loss" in each]
        if not all(map(math.isfinite, (*losses, *last))):
            raise MethodError(NO_LOSS_LLM.with_params(name=display_name(model)))
        trainer.model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    best = losses.index(min(losses)) + 1 if losses else tuning.epochs
    return Tuned(commit, losses, best, len(used), too_long)


def encode(tokenizer: Any, messages: Sequence[Message]) -> dict[str, list[int]]:
    """An example's subwords, and as labels those of the answer and of its end; the others are ``IGNORED``.

    In the tokenizer's chat template, or without one each message after its role.
    """
    if tokenizer.chat_template:
        before = tokenizer.apply_chat_template(messages[:-1], tokenize=False, add_generation_prompt=True)
        whole = tokenizer.apply_chat_template(messages, tokenize=False)
        if not whole.startswith(before):
            whole = before + messages[-1]["content"] + (tokenizer.eos_token or "")
        special = False
    else:
        before = "".join(f"{each['role']}:\n{each['content']}\n\n" for each in messages[:-1]) + "assistant:\n"
        whole = before + messages[-1]["content"] + (tokenizer.eos_token or "")
        special = True
    # The two are encoded apart: a subword never has letters of both.
    request = tokenizer(before, add_special_tokens=special)["input_ids"]
    if special and tokenizer.eos_token_id is not None and request[-1:] == [tokenizer.eos_token_id]:
        request = request[:-1]
    answer = tokenizer(whole[len(before) :], add_special_tokens=False)["input_ids"]
    ids = [*request, *answer]
    return {"input_ids": ids, "attention_mask": [1] * len(ids), "labels": [IGNORED] * len(request) + answer}


def _arguments(folder: str, tuning: Tuning, has_dev: bool) -> Any:
    import torch
    import transformers

    each_epoch = "epoch" if has_dev else "no"
    # As many parts as were asked for, or the next number that divides the batch.
    parts = next(each for each in range(min(tuning.parts, tuning.batch), tuning.batch + 1) if tuning.batch % each == 0)
    return transformers.TrainingArguments(
        output_dir=folder,
        num_train_epochs=tuning.epochs,
        per_device_train_batch_size=tuning.batch // parts,
        per_device_eval_batch_size=tuning.batch // parts,
        gradient_accumulation_steps=parts,
        learning_rate=tuning.rate,
        warmup_steps=0.1,
        eval_strategy=each_epoch,
        save_strategy=each_epoch,
        save_total_limit=1,
        load_best_model_at_end=has_dev,
        metric_for_best_model="eval_loss" if has_dev else None,
        greater_is_better=False if has_dev else None,
        logging_strategy="epoch",
        report_to=[],
        disable_tqdm=True,
        seed=tuning.seed,
        dataloader_pin_memory=False,
        bf16=torch.cuda.is_available() and torch.cuda.is_bf16_supported(),
    )


def _reporter(report: Callable[[str], None]) -> Any:
    import transformers

    class Reporter(transformers.TrainerCallback):  # type: ignore[misc]
        """Says the validation loss of each epoch."""

        def on_evaluate(self, args: Any, state: Any, control: Any, metrics: Any = None, **_: Any) -> None:
            report(f"epoch {round(state.epoch)}: validation loss {metrics['eval_loss']:.4f}")

    return Reporter()
