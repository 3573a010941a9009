"""Every field of every dialect's request type is accounted for, and the account is true."""

from pathlib import Path

import pytest

from majordomo.contract import (
    Capabilities,
    DialectName,
    Json,
    JsonObject,
    Options,
    Request,
    Tool,
    ToolChoice,
    user,
)
from majordomo.dialects.dialect import Wire
from majordomo.dialects.json import object_at, read
from majordomo.dialects.lookup import dialect
from majordomo.dialects.ollama.generate import decode_generate_request
from majordomo.fit import fit
from majordomo.fit.ledger import DIALECTS, MODELLED, OWN, REFUSED, fate, fields, written
from majordomo.fit.words import BOXES

_ROOT = Path(__file__).parents[2]
_SCHEMAS = _ROOT / "tests" / "wire" / "schemas"
_FILES: dict[DialectName, tuple[str, ...]] = {
    "openai_chat": ("openai.chat.request",),
    "openai_responses": ("openai.responses.request",),
    "anthropic": ("anthropic.request",),
    "ollama": ("ollama.request", "ollama.generate.request"),
    "gemini": ("gemini.request",),
}


def fields_of(document: JsonObject, node: JsonObject) -> dict[str, JsonObject]:
    """The properties of a type, through references and unions."""
    found: dict[str, JsonObject] = {}
    reference = node.get("$ref")
    if isinstance(reference, str):
        definitions = object_at(document["$defs"], "$defs")
        name = reference.rpartition("/")[2]
        return fields_of(document, object_at(definitions[name], name))
    properties = node.get("properties")
    if isinstance(properties, dict):
        found |= {name: object_at(value, name) for name, value in properties.items()}
    for key in ("anyOf", "oneOf", "allOf"):
        options = node.get(key)
        for option in options if isinstance(options, list) else []:
            found |= fields_of(document, object_at(option, key))
    return found


def declared(name: DialectName) -> set[str]:
    """Every field the SDKs' types have; of boxes, what is in them."""
    found: set[str] = set()
    for file in _FILES[name]:
        document = object_at(read((_SCHEMAS / f"{file}.json").read_bytes()), file)
        for field, value in fields_of(document, document).items():
            inner = fields_of(document, value) if field in BOXES else {}
            found |= {f"{field}.{one}" for one in inner} or {field}
    return found


@pytest.mark.parametrize("name", DIALECTS)
def test_every_field_of_the_request_type_is_accounted_for(name: DialectName) -> None:
    assert declared(name) - set(fields(name)) == set()


@pytest.mark.parametrize("name", DIALECTS)
def test_nothing_is_accounted_for_that_does_not_exist(name: DialectName) -> None:
    assert set(fields(name)) - declared(name) == set()


@pytest.mark.parametrize("name", DIALECTS)
def test_no_field_is_entered_twice(name: DialectName) -> None:
    entries = [*MODELLED[name], *OWN[name], *REFUSED[name]]
    assert len(entries) == len(set(entries))


def test_the_document_is_what_the_code_says() -> None:
    assert (_ROOT / "docs" / "ledger.md").read_text() == written()


MINIMAL: dict[DialectName, JsonObject] = {
    "openai_chat": {"model": "m", "messages": [{"role": "user", "content": "q"}]},
    "openai_responses": {"model": "m", "input": "q"},
    "anthropic": {
        "model": "m",
        "max_tokens": 9,
        "messages": [{"role": "user", "content": "q"}],
    },
    "ollama": {"model": "m", "messages": [{"role": "user", "content": "q"}]},
    "gemini": {"model": "m", "contents": [{"role": "user", "parts": [{"text": "q"}]}]},
}
OWN_ROWS = [(name, field) for name in DIALECTS for field in OWN[name]]


def asked(name: DialectName, field: str) -> Request:
    """Read a client's request that sets this field."""
    outer, _, inner = field.partition(".")
    sample: Json = "sample"
    value: Json = {inner: sample} if inner else sample
    body = {**MINIMAL[name], outer: value}
    if name == "ollama" and "suffix template raw width height steps".find(outer) >= 0:
        return decode_generate_request({"model": "m", "prompt": "q", outer: value}).request
    return dialect(name).decode_request(body).request


@pytest.mark.parametrize(("name", "field"), OWN_ROWS)
def test_a_field_of_its_own_is_kept_for_its_dialect(name: DialectName, field: str) -> None:
    request = asked(name, field)
    fitted = fit(request, Capabilities(), dialect=name)
    assert field not in {note.what for note in fitted.notes}
    sent = dialect(name).encode_request(fitted.request, model="m", stream=False, wire=Wire())
    body = object_at(read(sent.body), "body")
    outer, _, inner = field.partition(".")
    if outer == "stream_options":  # only said with a stream
        return
    value = body[outer]
    assert value == "sample" or object_at(value, outer)[inner] == "sample"


@pytest.mark.parametrize(("name", "field"), OWN_ROWS)
def test_and_noted_for_every_other(name: DialectName, field: str) -> None:
    request = asked(name, field)
    for target in DIALECTS:
        if target == name:
            continue
        assert fate(field, name, target) == "noted"
        notes = fit(request, Capabilities(), dialect=target).notes
        assert field in {note.what for note in notes}


KNOBS: dict[str, Options] = {
    "max_tokens": {"max_tokens": 77},
    "temperature": {"temperature": 0.25},
    "top_p": {"top_p": 0.75},
    "top_k": {"top_k": 33},
    "presence_penalty": {"presence_penalty": 0.5},
    "frequency_penalty": {"frequency_penalty": 0.5},
    "stop": {"stop": ("END",)},
    "seed": {"seed": 7},
    "reasoning_effort": {"reasoning_effort": "low"},
    "reasoning_budget": {"reasoning_budget": 2048},
    "show_thinking": {"show_thinking": True},
    "metadata": {"metadata": {"user_id": "u"}},
    "schema": {"schema": {"type": "object", "properties": {"a": {"type": "string"}}}},
    "system": {"system": "be brief"},
    "tools": {"tools": (Tool(name="g"),)},
    "tool_choice": {"tool_choice": ToolChoice(mode="required")},
    "tool_choice.parallel": {"tool_choice": ToolChoice(parallel=False)},
}
MEANINGS = sorted({one for row in MODELLED.values() for one in row.values()} & set(KNOBS))


def body_of(request: Request, target: DialectName) -> bytes:
    """Fit for a model that takes whatever its dialect can say, and write it down."""
    choiceless = target == "ollama"
    capabilities = Capabilities(
        tool_choice=("auto",) if choiceless else ("auto", "none", "required", "named"),
        parallel_control=target not in {"ollama", "gemini"},
    )
    fitted = fit(request, capabilities, dialect=target)
    wire = dialect(target).encode_request(fitted.request, model="m", stream=False, wire=Wire())
    return wire.body


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("meaning", MEANINGS)
def test_mapped_means_that_it_is_on_the_wire_and_noted_that_it_is_not(
    meaning: str, target: DialectName
) -> None:
    plain = Request(messages=(user("q"),), tools=(Tool(name="f"),), max_tokens=9)
    said = body_of(plain, target) != body_of(plain.with_options(**KNOBS[meaning]), target)
    fates = {
        fate(field, source, target)
        for source in DIALECTS
        for field, modelled in MODELLED[source].items()
        if modelled == meaning
    }
    assert ("noted" not in fates) is said


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("meaning", MEANINGS)
def test_what_is_not_on_the_wire_has_its_note(meaning: str, target: DialectName) -> None:
    plain = Request(messages=(user("q"),), tools=(Tool(name="f"),), max_tokens=9)
    request = plain.with_options(**KNOBS[meaning])
    if body_of(plain, target) != body_of(request, target):
        return
    capabilities = Capabilities(tool_choice=("auto",), parallel_control=False)
    notes = fit(request, capabilities, dialect=target).notes
    assert meaning in {note.what for note in notes}


def test_every_meaning_is_a_field_of_the_contract() -> None:
    names = set(Request.__struct_fields__) | {"target", "stream", "tool_choice.parallel"}
    assert {one for row in MODELLED.values() for one in row.values()} <= names
    assert set(KNOBS) <= names
