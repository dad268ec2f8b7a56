"""Fine-tuning a causal language model: which tokens have a loss, what is learned, what is written, what is refused."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from assist.methods.language_models.finetuning import (
    IGNORED,
    Message,
    TrainingFileError,
    Tuning,
    _arguments,
    encode,
    read_examples,
)

WORDS = ("water", "city", "house", "dog", "cat", "runs", "old", "new")
TEMPLATE = (
    "{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}{{ eos_token }}{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny random Llama whose subwords are bytes."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {"<s>": 0, "</s>": 1, **{each: number for number, each in enumerate(alphabet, 2)}}
    bpe = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    bpe.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=bpe, bos_token="<s>", eos_token="</s>")
    torch.manual_seed(3)
    config = LlamaConfig(
        vocab_size=len(vocabulary),
        hidden_size=48,
        intermediate_size=96,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=256,
        initializer_range=0.2,
        bos_token_id=0,
        eos_token_id=1,
    )
    folder = tmp_path_factory.mktemp("llama")
    tokenizer.save_pretrained(folder)
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def example(dice: random.Random) -> list[Message]:
    """A request with a word, and its answer: whether it is 'water'."""
    word = "water" if dice.random() < 0.5 else dice.choice(WORDS[1:])
    answer = "yes" if word == "water" else "no"
    return [{"role": "user", "content": word}, {"role": "assistant", "content": answer}]


def files(folder: Path, train: int = 60, dev: int = 20) -> Path:
    dice = random.Random(5)
    folder.mkdir()
    for name, count in (("train", train), ("dev", dev)):
        lines = [json.dumps({"messages": example(dice)}) + "\n" for _ in range(count)]
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


def run(*given: Any) -> str:
    out = io.StringIO()
    call_command("finetune_llm", *map(str, given), stdout=out)
    return out.getvalue()


@pytest.mark.long
def test_adapters_learn_what_answers_say_and_are_written_with_a_card(model: Path, tmp_path: Path) -> None:
    import peft
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    out = tmp_path / "adapters"
    said = run(
        files(tmp_path / "files"), out, "--model", model, "--epochs", 12, "--rate", 0.02, "--batch", 8, "--parts", 2
    )
    losses = [float(line.rpartition(" ")[2]) for line in said.splitlines() if line.startswith("epoch")]
    assert min(losses) < losses[0] / 4
    kept = losses.index(min(losses)) + 1
    assert f"adapters: epoch {kept}, trained on 60 examples" in said
    assert not list(out.glob("*.bin")) and (out / "adapter_model.safetensors").is_file()
    card = (out / "README.md").read_text(encoding="utf-8")
    assert f"The epoch that was kept is {kept}." in card and "| rate | 0.02 |" in card and str(model.parent) not in card
    tokenizer = AutoTokenizer.from_pretrained(out)
    tuned = peft.PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(model), out).eval()
    for word in WORDS:
        given = tokenizer(f"user:\n{word}\n\nassistant:\n", return_tensors="pt")
        with torch.no_grad():
            made = tuned.generate(
                input_ids=given["input_ids"], attention_mask=given["attention_mask"], max_new_tokens=5, do_sample=False
            )
        answer = tokenizer.decode(made[0][given["input_ids"].shape[1] :], skip_special_tokens=True)
        assert answer == ("yes" if word == "water" else "no"), word


@pytest.mark.parametrize(
    ("batch", "parts", "wanted"),
    ((16, 16, (1, 16)), (20, 16, (1, 20)), (10, 4, (2, 5)), (8, 2, (4, 2)), (3, 16, (1, 3))),
)
def test_a_step_has_as_many_examples_as_asked_for(
    tmp_path: Path, batch: int, parts: int, wanted: tuple[int, int]
) -> None:
    made = _arguments(str(tmp_path), Tuning(batch=batch, parts=parts), has_dev=False)
    assert (made.per_device_train_batch_size, made.gradient_accumulation_steps) == wanted


@pytest.mark.parametrize("template", (None, TEMPLATE))
def test_only_the_answer_and_its_end_have_a_loss(model: Path, template: str | None) -> None:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(model)
    tokenizer.chat_template = template
    messages = [{"role": "system", "content": "Judge."}, *example(random.Random(1))]
    row = encode(tokenizer, messages)
    answer = [each for each in row["labels"] if each != IGNORED]
    assert tokenizer.decode(answer) == f"{messages[-1]['content']}</s>"
    assert row["input_ids"][-len(answer) :] == answer and len(row["labels"]) == len(row["input_ids"])
    before = tokenizer.decode(row["input_ids"][: -len(answer)])
    roles = "<system>Judge.</s><user>{}</s><assistant>" if template else "system:\nJudge.\n\nuser:\n{}\n\nassistant:\n"
    assert before == roles.format(messages[1]["content"])


def test_longer_examples_are_left_out_and_counted(model: Path, tmp_path: Path) -> None:
    made = files(tmp_path / "files", train=8, dev=3)
    with (made / "train.jsonl").open("a", encoding="utf-8") as file:
        long = [{"role": "user", "content": "x" * 300}, {"role": "assistant", "content": "no"}]
        file.write(json.dumps({"messages": long}) + "\n")
    said = run(made, tmp_path / "out", "--model", model, "--epochs", 1)
    assert "trained on 8 examples; 1 were longer and are excluded" in said
    with pytest.raises(CommandError, match="all examples are longer than 10 subwords"):
        run(made, tmp_path / "other", "--model", model, "--length", 10)
    assert not (tmp_path / "other").exists()


def test_a_separator_of_lines_within_a_text_ends_no_example(tmp_path: Path) -> None:
    texts = [{"role": role, "content": "one\u2028two\u0085three"} for role in ("user", "assistant")]
    file = tmp_path / "train.jsonl"
    file.write_text(json.dumps({"messages": texts}, ensure_ascii=False) + "\n", encoding="utf-8")
    assert read_examples(file) == [texts]
    file.write_bytes(b"\xff\n")
    with pytest.raises(TrainingFileError, match="not valid UTF-8"):
        read_examples(file)


@pytest.mark.parametrize(
    ("line", "why"),
    (
        ("{", "must be an object with 'messages'"),
        ('{"messages": "text"}', "must be an object with 'messages'"),
        ('{"messages": [{"role": "user", "content": "a"}]}', "then the answer of 'assistant'"),
        ('{"messages": [{"role": "tool", "content": "a"}, {"role": "assistant", "content": "b"}]}', "then the answer"),
        ('{"messages": [{"role": ["x"], "content": "a"}, {"role": "assistant", "content": "b"}]}', "then the answer"),
        ('{"messages": [{"role": "user", "content": 1}, {"role": "assistant", "content": "b"}]}', "must be a text"),
    ),
)
def test_a_damaged_training_file_is_refused_with_its_line(tmp_path: Path, line: str, why: str) -> None:
    good = json.dumps({"messages": example(random.Random(1))})
    (tmp_path / "train.jsonl").write_text(f"{good}\n{line}\n", encoding="utf-8")
    with pytest.raises(TrainingFileError, match=f"line 2: .*{why}"):
        read_examples(tmp_path / "train.jsonl")


def test_what_cannot_be_is_said_before_anything_is_trained(model: Path, tmp_path: Path) -> None:
    made = files(tmp_path / "files", 4, 2)
    with pytest.raises(CommandError, match="exists: name a folder that does not"):
        run(made, made, "--model", model)
    with pytest.raises(CommandError, match="--batch: must be more than 0"):
        run(made, tmp_path / "out", "--model", model, "--batch", 0)
    with pytest.raises(CommandError, match="--rate: must be more than 0"):
        run(made, tmp_path / "out", "--model", model, "--rate", "nan")
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="file"):
        run(made, tmp_path / "file" / "out", "--model", model)
    with pytest.raises(CommandError, match="No such file"):
        run(tmp_path / "none", tmp_path / "out", "--model", model)
    with pytest.raises(CommandError, match="language model 'none' is not on this machine"):
        run(made, tmp_path / "out", "--model", tmp_path / "none")
    assert not (tmp_path / "out").exists()
