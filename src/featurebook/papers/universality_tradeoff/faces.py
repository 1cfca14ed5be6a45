"""Faces as an image set: a folder of one's own, or scikit-learn's Olivetti faces; no network."""

import numpy as np
import torch
from sklearn.datasets import fetch_olivetti_faces, get_data_home

from featurebook import folders
from featurebook import images as real

SIDE = 64
"""Pixels a side of the Olivetti faces, and to which those of a folder are brought."""


def faces() -> real.Images:
    """Labelled faces: those in faces/<person>/<image> of the data folder if there is one, else
    Olivetti's from scikit-learn's data home, (400, 1, 64, 64), ten each of 40 people.

    Raises:
        MissingDataError: if neither is there, saying how to get them.
    """
    place = real.folder() / "faces"
    if place.is_dir():
        return _of_folder()
    try:
        found = fetch_olivetti_faces(download_if_missing=False)
    except OSError as error:
        raise real.MissingDataError(
            f"there are no faces: neither a folder {place}/PERSON/IMAGE nor scikit-learn's "
            f"Olivetti faces in {get_data_home()}. Run sklearn.datasets.fetch_olivetti_faces() "
            "once where there is a network, or name the folder above faces/ in "
            f"{real.DATA_VARIABLE}"
        ) from error
    pixels = torch.from_numpy(np.asarray(found.images, dtype=np.float32)).unsqueeze(1)
    labels = torch.from_numpy(np.asarray(found.target, dtype=np.int64))
    return real.Images(pixels, labels, "scikit-learn's Olivetti faces", {})


def _of_folder() -> real.Images:
    place = real.folder() / "faces"
    files = [(file, k) for k, some in enumerate(folders.classes(place).values()) for file in some]
    if not files:
        raise real.MissingDataError(f"{place} has no faces: put PERSON/IMAGE files there")
    pixels = folders.read_all([file for file, _ in files], SIDE)
    labels = torch.tensor([k for _, k in files])
    return real.Images(pixels, labels, f"{len(files)} faces of the reader's own", {})
