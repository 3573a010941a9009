"""What mkdocs is taught: pages find their place by themselves, links out of docs/ are checked."""

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

_LINK = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+[^)#]*)(?:#[^)]*)?\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the decisions, and every page nobody put anywhere."""
    nav: list[Any] = [*_list(config)]
    folder = Path(config.docs_dir)
    known = set(re.findall(r"[\w/.-]+\.md", str(nav)))
    found = {str(path.relative_to(folder)) for path in folder.rglob("*.md")}
    decisions = sorted(page for page in found if page.startswith("decisions/"))
    others = sorted(found - known - set(decisions))
    config.nav = [*nav, *([{"More": others}] if others else []), {"Decisions": decisions}]
    return config


def _list(config: Any) -> list[Any]:
    """Mkdocs does not say what is in it."""
    return config.nav or []


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Say links to files beside docs/ as plain paths, after seeing that they lead somewhere."""
    del files
    docs = Path(config.docs_dir).resolve()
    here = (docs / page.file.src_uri).parent

    def plain(match: re.Match[str]) -> str:
        target = (here / match[2]).resolve()
        if target.is_relative_to(docs):
            return match[0]
        if not target.exists():
            raise PluginError(f"{page.file.src_uri}: {match[2]} leads nowhere")
        return f"{match[1]} (`{target.relative_to(docs.parent)}`)"

    return _LINK.sub(plain, markdown)
