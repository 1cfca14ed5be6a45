"""Trainings and chapters run on a device that is not the processor, as on a GPU."""

from pathlib import Path

import jupytext
import pytest
import torch
from IPython import display

import far
import trainings as plain
from featurebook import core
from featurebook.core import Execution
from featurebook.press.book.places import find_chapter, find_root, papers
from featurebook.press.run import parameters

pytestmark = pytest.mark.skipif(not far.AVAILABLE, reason="this torch has no backends in Python")

SHORT = {
    "cone_sets/kernels", "contrastive_decoupling/firing", "feature_emergence/six_methods",
    "icl_scale/language_models", "looped_transformers/variations", "ntk_autoencoders/width",
}  # fmt: skip
"""One chapter of each part that trains where one likes; the others are for `make devices`."""
OF_THE_PRESS = ("show.card(", "show.records(", "show.knobs(", "show.roadmap(", "show.entries(")
ROOT = Path(__file__).parents[1]


def test_mixing_devices_is_an_error_and_copying_is_none():
    near = torch.arange(6.0).reshape(2, 3)
    with far.device() as there:
        x = near.to(there)
        assert (x.device.type, (x @ x.T).device.type) == ("far", "far")
        assert torch.equal((x @ x.T).cpu(), near @ near.T)
        assert torch.equal(x[torch.tensor([1])].cpu(), near[1:])
        with pytest.raises(RuntimeError, match="one device"):
            x + near
        with pytest.raises(TypeError, match="cpu"):
            x.numpy()
        assert torch.zeros(2, device=there).add_(1).tolist() == [1, 1]
        assert torch.tensor([1, 2], device=there).device == there


@pytest.mark.parametrize("optimizer", [plain.SGD, plain.ADAM], ids=["sgd", "adam"])
@pytest.mark.parametrize("mode", plain.MODES)
def test_a_training_elsewhere_gives_the_same(mode, optimizer):
    expected = plain.run(plain.SEEDS, mode, optimizer)
    with far.device() as there:
        found = plain.run(plain.SEEDS, mode, optimizer, execution=Execution(device=there))
        assert found.params["w"].device == found.observed["v"].device == there
        plain.close(found.params["w"].cpu(), expected.params["w"])
        plain.close(found.observed["v"].cpu(), expected.observed["v"])


def test_a_training_takes_place_where_its_parameters_are():
    with far.device() as there:
        start = {name: p.to(there) for name, p in plain.start(plain.SEEDS).items()}
        found = core.train(
            plain.loss, start, plain.data(plain.SEEDS), steps=3, seeds=plain.SEEDS,
            optimizer=plain.SGD,
        )  # fmt: skip
        assert found.params["w"].device == there


def chapters():
    """Those with a parameter `device`; the long ones marked."""
    for part in papers(find_root()):
        for chapter in part.chapters:
            if "device" in parameters.final_values(chapter, "tiny"):
                long = () if chapter.address in SHORT else (pytest.mark.long,)
                yield pytest.param(chapter.address, id=chapter.address, marks=long)


@pytest.mark.parametrize("address", list(chapters()))
def test_a_chapter_runs_elsewhere(address, monkeypatch):
    chapter = find_chapter(ROOT, address)
    monkeypatch.setattr(display, "display", lambda *_, **__: None)
    monkeypatch.chdir(ROOT)
    names = {"__name__": "__main__"}
    cells = [c for c in jupytext.read(chapter.notebook).cells if c.cell_type == "code"]
    assert sum("parameters" in c.metadata.get("tags", []) for c in cells) == 1
    with far.device() as there:
        monkeypatch.setattr(core, "pick_device", lambda name: there)
        for cell in cells:
            if not any(call in cell.source for call in OF_THE_PRESS):
                exec(compile(cell.source, address, "exec"), names)
            if "parameters" in cell.metadata.get("tags", []):
                names |= parameters.final_values(chapter, "tiny")
