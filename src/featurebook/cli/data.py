"""``featurebook data``."""

import os
from typing import Annotated

import typer

from featurebook.press.book.console import complain, say
from featurebook.press.book.places import BookError


def data(
    model: Annotated[str, typer.Option(help="Fetch a language model instead, smollm2.")] = "",
) -> None:
    """Fetch MNIST and CIFAR-10, or a language model; verify them, and say where they are.

    They go to your cache folder. FEATUREBOOK_DATA and FEATUREBOOK_MODEL name your own instead.
    """
    if model not in ("", "smollm2"):
        raise BookError(f"--model {model}: the only one that can be fetched is smollm2")
    if not (_model() if model else _images()):
        raise typer.Exit(1)


def _images() -> bool:
    """Whether all sets of images are available."""
    from featurebook import images

    own = images.DATA_VARIABLE in os.environ
    default = f"the default; set {images.DATA_VARIABLE} to use your own"
    say(f"folder: {images.folder()} ({f'from {images.DATA_VARIABLE}' if own else default})")
    complete = True
    for kind, load in (("MNIST", images.mnist), ("CIFAR-10", images.cifar10)):
        for split in ("test", "train"):
            try:
                images.fetch(kind, split, say)
                found = load(split)
                say(f"{found.source}: {len(found):,}, {', '.join(found.files)}")
            except images.DataError as error:
                complete = False
                complain(error)
    return complete


def _model() -> bool:
    """Fetch SmolLM2 unless it is there; returns whether it can be read."""
    from featurebook import language_models

    try:
        folder = language_models.fetch(say)
        llm = language_models.read(folder, language_models.SMOLLM2)
    except language_models.DataError as error:
        complain(error)
        return False
    count = sum(x.numel() for x in llm.model.parameters())
    say(f"{llm.source}: {count:,} parameters, in {folder}")
    return True
