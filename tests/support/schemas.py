"""The official SDKs' own types as JSON Schemas: everything we emit must be valid in them."""

from functools import cache
from pathlib import Path
from typing import cast

import jsonschema_rs

from majordomo.contract import Json, JsonObject
from majordomo.dialects.json import read

_FOLDER = Path(__file__).parents[1] / "wire" / "schemas"


def assert_valid(value: Json, schema: str) -> None:
    """Fail with every violation of `tests/wire/schemas/<schema>.json`."""
    errors = [
        f"{error.instance_path}: {error.message}" for error in _validator(schema).iter_errors(value)
    ]
    assert not errors, f"not a valid {schema}:\n" + "\n".join(errors)


def assert_valid_bytes(body: bytes, schema: str) -> None:
    assert_valid(read(body), schema)


@cache
def _validator(schema: str) -> jsonschema_rs.Draft202012Validator:
    document = cast("JsonObject", read((_FOLDER / f"{schema}.json").read_bytes()))
    return jsonschema_rs.Draft202012Validator(document)
