from typing import Annotated

import typer

from featurebook.press.book.console import say
from featurebook.press.book.places import BookError, find_chapter, find_root


def serve(
    lab: Annotated[
        str | None, typer.Option(help="Instead, open PART/CHAPTER in JupyterLab.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any free port.")] = 8000,
    browser: Annotated[bool, typer.Option(help="Whether to open the page.")] = True,
) -> None:
    """Open the built site in a browser, served to this machine only; or a chapter in JupyterLab."""
    if lab is not None:
        from featurebook.press.run.lab import open_chapter

        open_chapter(find_chapter(find_root(), lab), browser)
        return
    from featurebook.press.site import serve as serving

    first = find_root() / "_build" / "html" / "index.html"
    if not first.is_file():
        raise BookError("the site is not built yet: featurebook build")
    server = serving.server(first.parent, port)
    address = f"http://127.0.0.1:{server.server_port}/"
    say(f"{address} (Ctrl-C stops)")
    serving.serve(server, address if browser else None)
