"""True bytes: what Gemini's real clients ask, and the golden stream."""

from pathlib import Path

import pytest

from majordomo.contract import (
    Artefact,
    Finish,
    Json,
    JsonObject,
    PartDone,
    Start,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    Usage,
)
from majordomo.dialects.dialect import Decoder, Wire
from majordomo.dialects.gemini import DIALECT
from majordomo.dialects.gemini.casing import camel
from majordomo.dialects.gemini.schema import decode_schema
from majordomo.dialects.json import list_at, object_at, read
from support.cuts import read_bytewise, read_whole

TESTS = Path(__file__).parents[2]
FOLDER = TESTS / "recordings" / "gemini" / "requests"
REQUESTS = sorted(path.name for path in FOLDER.iterdir())


@pytest.mark.parametrize("name", REQUESTS)
def test_loses_nothing_of_a_real_request(name: str) -> None:
    found = object_at(read((FOLDER / name).read_bytes()), name)
    body = object_at(found["body"], "body")
    ask = DIALECT.decode_request(body, model="m")
    call = DIALECT.encode_request(ask.request, model=ask.model, stream=ask.stream, wire=Wire())
    assert normal(object_at(read(call.body), "body")) == normal(body)


def test_reads_the_golden_stream() -> None:
    wire = (TESTS / "wire" / "golden" / "gemini.stream.sse").read_bytes()
    usage = Usage(input=11, cached=4, output=7, reasoning=2)
    signed = Artefact(dialect="gemini", value={"thoughtSignature": "RXFRQg=="})
    weather = ToolCall(id="fc1", name="get_weather", arguments='{"city":"Paris"}', artefact=signed)
    events = read_whole(decoder, wire)
    assert events == [
        Start(model="m", id="r1", usage=usage),
        ThinkingDelta(text="Need weather."),
        PartDone(part=Thinking(text="Need weather.")),
        TextDelta(text="Let me "),
        TextDelta(text="check."),
        PartDone(part=Text(text="Let me check.")),
        PartDone(part=weather),
        PartDone(part=ToolCall(id="fc2", name="now", arguments="{}")),
        Finish(reason="tool_calls", native="STOP", usage=usage),
    ]
    assert read_bytewise(decoder, wire) == events


def normal(body: JsonObject) -> JsonObject:
    """Bring to one form what may be written in two.

    Field names in camelCase, schemas as JSON Schema under the newer field, no empty
    configuration, no role on the instruction, an id on every result.
    """
    wire: JsonObject = dict(camel(body))
    wire["contents"] = [_content(item) for item in list_at(wire["contents"], "contents")]
    if system := wire.get("systemInstruction"):
        wire["systemInstruction"] = {"parts": object_at(system, "")["parts"]}
    if tools := wire.get("tools"):
        wire["tools"] = [_tool(tool) for tool in list_at(tools, "tools")]
    config = dict(camel(object_at(wire.pop("generationConfig", {}), "")))
    if schema := config.pop("responseSchema", None) or config.pop("responseJsonSchema", None):
        config["responseJsonSchema"] = decode_schema(schema, "")
    if thinking := config.get("thinkingConfig"):
        config["thinkingConfig"] = camel(object_at(thinking, ""))
    if config:
        wire["generationConfig"] = config
    return wire


def _content(item: Json) -> Json:
    content = dict(object_at(item, "content"))
    content["parts"] = [_part(part) for part in list_at(content["parts"], "parts")]
    return content


def _part(item: Json) -> Json:
    part = dict(camel(object_at(item, "part")))
    for name in ("inlineData", "functionCall", "functionResponse"):
        if name in part:
            part[name] = camel(object_at(part[name], name))
    if answer := part.get("functionResponse"):
        kept = object_at(answer, "")
        part["functionResponse"] = {k: v for k, v in kept.items() if k != "id"}
    return part


def _tool(item: Json) -> Json:
    tool = dict(camel(object_at(item, "tool")))
    declared = list_at(tool["functionDeclarations"], "")
    tool["functionDeclarations"] = [camel(object_at(one, "")) for one in declared]
    return tool


def decoder() -> Decoder:
    return DIALECT.decoder(stream=True)
