"""Get a value instead of a text: dataclasses, TypedDicts, pydantic, msgspec, unions, lists."""

from dataclasses import dataclass
from enum import Enum

from example_model import example_model

from majordomo.contract import InvalidOutput


class Size(Enum):
    SMALL = "small"
    LARGE = "large"


@dataclass
class City:
    """A city of the world.

    Attributes:
        people: how many live there

    """

    name: str
    people: int
    size: Size = Size.LARGE


SCRIPT = (
    '{"name": "Paris"}',  # it forgets something: it is told, and asked again
    '{"name": "Paris", "people": 2100000, "size": "large"}',
    '{"value": [{"name": "Oslo", "people": 700000}, {"name": "Bergen", "people": 290000}]}',
)


def main() -> None:
    with example_model(*SCRIPT) as model:
        try:
            print(model.sync.generate_as(City, "Which city is the capital of France?"))
            for city in model.sync.generate_as(list[City], "Name two cities in Norway."):
                print(f"{city.name}: {city.people:,}")
        except InvalidOutput as failure:
            print("It never gave what was asked for:", *failure.violations, sep="\n- ")
            print(f"Its last words were: {failure.text}")


if __name__ == "__main__":
    main()
