"""Pages that are made are up to date; links lead somewhere; everything is written about."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from majordomo.cli.main import COMMANDS
from majordomo.config.option import OPTIONS
from support.docs_pages import PAGES, ROOT, name_of
from support.reference import pages as made_pages

_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("name", made_pages.PAGES)
def test_a_page_made_from_the_source_is_up_to_date(name: str) -> None:
    written = (made_pages.DOCS / name).read_text(encoding="utf-8")
    assert written == made_pages.made(name), "run `make reference`"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    text = _FENCED.sub("", page.read_text(encoding="utf-8"))
    for link in _LINK.findall(text):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{link} leads nowhere"
        assert target.is_relative_to(ROOT)
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{link} has no such heading"


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings
    }


def test_the_site_is_built_without_a_word(tmp_path: Path) -> None:
    command = ["build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", *command],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert (tmp_path / "site" / "guide" / "quickstart.html").is_file()


def test_every_command_and_option_is_written_about() -> None:
    commands = (ROOT / "docs" / "reference" / "cli.md").read_text()
    options = (ROOT / "docs" / "reference" / "dsn.md").read_text()
    assert all(f"## {name}\n" in commands for name in COMMANDS)
    assert all(f"| `{name}` |" in options for name in OPTIONS)


def test_no_setting_is_without_words() -> None:
    text = (ROOT / "docs" / "reference" / "config.md").read_text()
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    silent = [line for line in rows if line.rstrip().endswith("|  |") or line.endswith("| |")]
    assert silent == []
