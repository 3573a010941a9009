"""JSON Schema lowered to what one kind of target takes; nothing is dropped without a word."""

from msgspec import Struct

from majordomo.contract import Json, JsonObject

from .describe import described
from .merge import (
    STRUCTURE,
    Unlowerable,
    alternatives,
    as_schema,
    implied_type,
    merge,
    target_of,
    types_of,
    without,
)
from .shape import WIDER, about, flat, is_open, item_of, names, object_at, only_constrains, or_null
from .subset import Subset
from .undo import WRAPPED, Undo

_UNROLLED = 2  # how often a schema that contains itself is written out
_MAX_NODES = 20_000
_SCALARS = frozenset({"string", "number", "integer", "boolean", "null"})
_OBJECT_KEYS = frozenset({"type", "properties", "required", "additionalProperties", "description"})
_ARRAY_KEYS = frozenset({"type", "items", "prefixItems", "description"})


class Lowered(Struct, frozen=True, kw_only=True):
    schema: JsonObject
    undo: Undo | None  # None: values of the lowered schema are values of the original


def lower(schema: JsonObject, subset: Subset, *, object_root: bool = False) -> Lowered:
    """Raises `Unlowerable` with the reason when the subset cannot say it."""
    lowering = _Lowering(schema, subset)
    lowered, undo = lowering.node(schema, (), 1)
    if (subset.object_root or object_root) and lowered.get("type") != "object":
        lowered, undo = _wrapped(lowered, undo, subset)
    lowering.check()
    return Lowered(schema=lowered, undo=undo if undo.needed else None)


def _wrapped(schema: JsonObject, undo: Undo, subset: Subset) -> tuple[JsonObject, Undo]:
    wrapper: JsonObject = {
        "type": "object",
        "properties": {WRAPPED: schema},
        "required": [WRAPPED],
    }
    if subset.closed:
        wrapper["additionalProperties"] = False
    return wrapper, Undo(unwrap=True, properties={WRAPPED: undo})


class _Lowering:
    def __init__(self, root: JsonObject, subset: Subset) -> None:
        self._root = root
        self._subset = subset
        self._nodes = 0
        self._properties = 0
        self._optional = 0
        self._unions = 0
        self._enum_values = 0
        self._name_chars = 0

    def node(self, raw: Json, refs: tuple[str, ...], depth: int) -> tuple[JsonObject, Undo]:
        self._nodes += 1
        if self._nodes > _MAX_NODES:
            raise Unlowerable(f"unfolds to more than {_MAX_NODES} nodes")
        schema, refs = self._resolved(raw, refs)
        if depth > self._subset.max_depth or max(map(refs.count, refs), default=0) > _UNROLLED:
            return self._free(schema, "nested too deeply to describe")
        options = None if only_constrains(schema) else alternatives(schema)
        if options is not None:
            return self._union(schema, options, refs, depth)
        match implied_type(schema):
            case "object":
                return self._object(schema, refs, depth)
            case "array":
                return self._array(schema, refs, depth)
            case kind if kind in _SCALARS:
                return self._scalar(schema, kind), Undo()
            case _:
                return self._free(schema, "any value")

    def check(self) -> None:
        """Limits on the whole, which no single node can see."""
        subset = self._subset
        for count, most, what in (
            (self._properties, subset.max_properties, "properties"),
            (self._optional, subset.max_optional, "optional properties"),
            (self._unions, subset.max_unions, "unions"),
            (self._enum_values, subset.max_enum_values, "listed values"),
            (self._name_chars, subset.max_name_chars, "characters of names"),
        ):
            if most is not None and count > most:
                raise Unlowerable(f"has {count} {what}; {most} are allowed")

    def _resolved(self, raw: Json, refs: tuple[str, ...]) -> tuple[JsonObject, tuple[str, ...]]:
        schema = as_schema(raw)
        while True:
            match schema:
                case {"$ref": str(reference)}:
                    if refs.count(reference) > _UNROLLED:
                        return {"description": f"See {reference}."}, (*refs, reference)
                    refs = (*refs, reference)
                    schema = merge(target_of(self._root, reference), without(schema, "$ref"))
                case {"allOf": list(parts)}:
                    schema = without(schema, "allOf")
                    for part in parts:
                        whole, refs = self._resolved(part, refs)
                        schema = merge(schema, whole)
                case {"const": value}:
                    schema = merge(without(schema, "const"), {"enum": [value]})
                case _:
                    return schema, refs

    def _union(
        self, schema: JsonObject, options: list[JsonObject], refs: tuple[str, ...], depth: int
    ) -> tuple[JsonObject, Undo]:
        if not options:
            return self._free(schema, "any value")
        if len(options) == 1:
            return self.node(merge(about(schema), options[0]), refs, depth)
        if not self._subset.unions:
            return self._widened(schema, options, refs, depth)
        self._unions += 1
        told = [self.node(option, refs, depth + 1) for option in options]
        distinct: list[Json] = []
        for one, _ in told:
            for option in flat(one):
                if option not in distinct:
                    distinct.append(option)
        undo = Undo(options=tuple(undo for _, undo in told))
        return {**described(schema, {}), "anyOf": distinct}, undo

    def _widened(
        self, schema: JsonObject, options: list[JsonObject], refs: tuple[str, ...], depth: int
    ) -> tuple[JsonObject, Undo]:
        """Where there are no unions: the one real option beside null, else anything, described."""
        real = [option for option in options if option.get("type") != "null"]
        if len(real) == 1:
            note: JsonObject = {"description": "May be null."} if len(options) > 1 else {}
            return self.node(merge(merge(about(schema), real[0]), note), refs, depth)
        return described(schema, {"one of": list(options)}), Undo()

    def _object(
        self, schema: JsonObject, refs: tuple[str, ...], depth: int
    ) -> tuple[JsonObject, Undo]:
        properties = object_at(schema, "properties")
        extra = schema.get("additionalProperties")
        if self._subset.closed and is_open(schema, properties, nested=depth > 1):
            return self._free(schema, "an object")
        required = [name for name in names(schema.get("required")) if name in properties]
        told = {name: self.node(value, refs, depth + 1) for name, value in properties.items()}
        children: JsonObject = {name: child for name, (child, _) in told.items()}
        optional = self._leave_out(children, required)
        self._properties += len(children)
        self._name_chars += sum(map(len, children))
        lowered: JsonObject = {"type": "object", **self._rest(schema, _OBJECT_KEYS, extra)}
        if children or self._subset.closed or depth == 1:
            lowered["properties"] = children
        needed: list[Json] = list(children) if self._subset.all_required else [*required]
        if needed or self._subset.all_required:
            lowered["required"] = needed
        if self._subset.closed:
            lowered["additionalProperties"] = False
        undos = {name: undo for name, (_, undo) in told.items() if undo.needed}
        return lowered, Undo(optional=optional, properties=undos, names=frozenset(children))

    def _leave_out(self, children: JsonObject, required: list[str]) -> frozenset[str]:
        """Say what may be missing; give the names for which null says that, and only that."""
        missing = children.keys() - required
        if not self._subset.all_required:
            self._optional += len(missing)
            return frozenset()
        optional: set[str] = set()
        for name in missing:
            child = children[name]
            if isinstance(child, dict):
                children[name], added = or_null(child)
                optional |= {name} if added else set()
        return frozenset(optional)

    def _rest(
        self, schema: JsonObject, structural: frozenset[str], extra: Json = None
    ) -> JsonObject:
        """Keep the constraints the target understands, describe the others."""
        kept: JsonObject = {}
        lost: dict[str, Json] = {}
        for key, value in schema.items():
            if key in structural or key in STRUCTURE:
                continue
            if self._subset.takes(key, value):
                kept[key] = value
            elif key in WIDER and self._subset.takes(WIDER[key], value):
                kept.setdefault(WIDER[key], value)
                lost[key] = value
            else:
                lost[key] = value
        if only_constrains(schema):
            lost |= {key: schema[key] for key in ("anyOf", "oneOf") if key in schema}
        if isinstance(extra, dict) and extra:
            lost["further properties"] = extra
        return {**kept, **described(schema, lost)}

    def _array(
        self, schema: JsonObject, refs: tuple[str, ...], depth: int
    ) -> tuple[JsonObject, Undo]:
        item, note = item_of(schema)
        rest = {**schema, **note}
        lowered: JsonObject = {"type": "array", **self._rest(rest, _ARRAY_KEYS)}
        minimum = schema.get("minItems")
        least = self._subset.most_min_items
        if least is not None and isinstance(minimum, int) and minimum > least:
            lowered["minItems"] = least  # as much of it as can be said
        lowered["items"], undo = self.node(item, refs, depth + 1)
        return lowered, Undo(items=undo if undo.needed else None)

    def _scalar(self, schema: JsonObject, kind: str) -> JsonObject:
        lowered: JsonObject = {"type": kind, **self._rest(schema, frozenset({"description"}))}
        values = schema.get("enum")
        if not isinstance(values, list) or kind == "null":
            return lowered
        kept = [value for value in values if kind in types_of(value)]
        if self._subset.string_enums and kind != "string":
            return {**lowered, **self._listed(schema, kind, kept)}
        self._enum_values += len(kept)
        self._name_chars += sum(len(value) for value in kept if isinstance(value, str))
        return {**lowered, "enum": kept}

    def _listed(self, schema: JsonObject, kind: str, values: list[Json]) -> JsonObject:
        """Numbers that cannot be listed are kept between the smallest and the largest."""
        numbers = [value for value in values if isinstance(value, int | float)]
        bounds: JsonObject = {}
        if numbers and kind != "boolean" and self._subset.takes("minimum", 0):
            bounds = {"minimum": min(numbers), "maximum": max(numbers)}
        return {**bounds, **described(schema, {"one of": values})}

    def _free(self, schema: JsonObject, what: str) -> tuple[JsonObject, Undo]:
        """Say something the subset has no words for: as JSON text, or as an open schema."""
        lost = {key: value for key, value in schema.items() if key != "description"}
        if self._subset.closed:
            note = f"Write {what} as JSON text."
            return {"type": "string", **described(schema, lost, note=note)}, Undo(text=True)
        kind = implied_type(schema)
        lost.pop("type", None)
        open_schema: JsonObject = {"type": kind} if kind else {}
        if kind == "array":
            open_schema["items"] = {}
        return {**open_schema, **described(schema, lost)}, Undo()
