"""Images are fetched before chapters run; what was lacking is said, and never mixed."""

import nbformat
import pytest
import yaml

from featurebook import images
from featurebook.press.book.places import BookError, chapters, find_chapter
from featurebook.press.run import freshness, parameters, pictures, workers
from featurebook.press.run.job import Job

LOADS = """
# %%
import os
from featurebook import images
print(images.digits().source, "| offline:", os.environ["FEATUREBOOK_OFFLINE"])
try:
    images.cifar10(split="train")
except images.MissingDataError as error:
    print(error)
"""


@pytest.fixture(autouse=True)
def nothing_failed(monkeypatch):
    monkeypatch.setattr(pictures, "_failed", {})


@pytest.fixture
def reader(book, monkeypatch, tmp_path):
    """A chapter on images; the folder of images is the user's own, and empty."""
    monkeypatch.setenv(images.DATA_VARIABLE, str(tmp_path))
    chapter = find_chapter(book, "toy")
    chapter.notebook.write_text(chapter.notebook.read_text(encoding="utf-8") + LOADS)
    return chapter


def test_what_a_chapter_needs_is_read_from_its_cells(reader):
    assert pictures.needed(reader) == {("MNIST", "test"), ("CIFAR-10", "train")}


def test_what_is_not_there_is_tried_once(reader, monkeypatch):
    tried, said = [], []

    def fetch(kind, split, say=None):
        tried.append((kind, split))
        raise images.MissingDataError("no connection")

    monkeypatch.setattr(images, "fetch", fetch)
    for _ in range(2):
        pictures.fetch([reader], said.append)
    assert tried == [("CIFAR-10", "train"), ("MNIST", "test")]
    pictures.announce([reader], said.append)
    assert said[0].startswith("images: without CIFAR-10 and MNIST; scikit-learn's bundled 8x8")
    assert said[1:] == ["  no connection"]


def test_a_damaged_file_of_the_users_own_ends_the_build(reader, tmp_path):
    for name in images.MNIST_FILES["test"]:
        (tmp_path / name).write_text("damaged")
    with pytest.raises(BookError, match="is damaged"):
        pictures.fetch([reader], print)


def test_a_chapter_never_fetches_and_its_notebook_says_what_was_lacking(reader):
    job = Job(reader, parameters.final_values(reader), "quick", reader.executed)
    (state,) = workers.execute_all([job], 1, lambda _: None)
    assert state.error == ""
    text = reader.executed.read_text(encoding="utf-8")
    assert "8x8 digits, not MNIST | offline: 1" in text
    assert pictures.without(reader.executed) == ["CIFAR-10 train", "MNIST test"]
    said = pictures.stand_ins(reader.root)
    assert said.startswith("without MNIST and CIFAR-10: scikit-learn's bundled 8x8 digits stand in")
    assert said.endswith(", in toy/story")


def made(chapter, lacking):
    notebook = nbformat.v4.new_notebook()
    notebook.metadata[freshness.METADATA] = {pictures.LACKING: lacking}
    nbformat.write(notebook, chapter.executed)


def test_a_book_in_which_some_pages_have_real_images_is_refused(reader):
    toc = reader.root / "_toc.yml"
    contents = yaml.safe_load(toc.read_text())
    contents["parts"][1]["chapters"][0]["sections"] = [{"file": "notebooks/toy/other"}]
    toc.write_text(yaml.safe_dump(contents))
    (reader.part.folder / "other.py").write_text(reader.notebook.read_text())
    story, other = chapters(reader.root)
    made(story, [])
    made(other, [])
    assert pictures.mixed(reader.root) == []
    made(other, ["MNIST test"])
    (line,) = pictures.mixed(reader.root)
    assert line.startswith("MNIST, test images: toy/story had them, toy/other did not")
    made(story, ["MNIST test"])
    assert pictures.mixed(reader.root) == []
    assert pictures.stand_ins(reader.root).startswith("without MNIST: ")
