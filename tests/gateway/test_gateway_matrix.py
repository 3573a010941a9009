"""Every door over every upstream dialect, with the official SDKs, over real sockets."""

from collections.abc import Iterator

import pytest

from support.gateway_matrix import CELLS, EMULATIONS, HABITS, PAGE, Cell, Grid, grid, page

pytestmark = pytest.mark.filterwarnings(
    "ignore:Inheritance class AiohttpClientSession:DeprecationWarning"
)


@pytest.fixture(scope="module")
def play() -> Iterator[Grid]:
    with grid() as play:
        yield play


ALL = {**CELLS, **HABITS, **EMULATIONS}


@pytest.mark.parametrize("cell", [*ALL.values()], ids=[*ALL])
def test_a_cell_means_the_same_on_both_sides(cell: Cell, play: Grid) -> None:
    assert play(cell).problem == ""


def test_the_published_table_is_what_came_of_it(play: Grid) -> None:
    assert PAGE.read_text(encoding="utf-8") == page(play), "run `make matrix`"
