"""How much JSON Schema each kind of target takes. One row a target.

OpenAI: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
Anthropic: https://platform.claude.com/docs/en/build-with-claude/structured-outputs
Gemini: https://ai.google.dev/gemini-api/docs/structured-output#json_schema_support
"""

import re

from msgspec import Struct

from majordomo.contract import SchemaDialect

_STRING_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)
_BOUNDS = frozenset({"minimum", "maximum"})


class Subset(Struct, frozen=True, kw_only=True):
    keywords: frozenset[str] = frozenset()  # it understands, beside the structure
    formats: frozenset[str] = frozenset()
    closed: bool = False  # every object lists all its properties: no maps, no free objects
    all_required: bool = False  # what may be left out must be written as null instead
    object_root: bool = False
    unions: bool = True
    string_enums: bool = False  # other values cannot be listed
    most_min_items: int | None = None
    simple_patterns: bool = False
    max_depth: int = 24
    max_properties: int = 5_000
    max_optional: int | None = None
    max_unions: int | None = None
    max_enum_values: int | None = None
    max_name_chars: int | None = None

    def takes(self, keyword: str, value: object) -> bool:
        """Whether this constraint can be said as it is."""
        if keyword not in self.keywords:
            return False
        match keyword, value:
            case "format", str():
                return value in self.formats
            case "pattern", str():
                return not (self.simple_patterns and _HARD_PATTERN.search(value))
            case "minItems", int():
                return self.most_min_items is None or value <= self.most_min_items
            case _:
                return True


# Lookaround, back references, word boundaries: no compiler of grammars takes them.
_HARD_PATTERN = re.compile(r"\(\?[=!<]|\\[1-9bBk]")

SUBSETS: dict[SchemaDialect, Subset] = {
    "openai_strict": Subset(
        keywords=_BOUNDS
        | {
            "title",
            "format",
            "pattern",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "minItems",
            "maxItems",
        },
        formats=_STRING_FORMATS,
        closed=True,
        all_required=True,
        object_root=True,
        simple_patterns=True,
        max_depth=9,  # of ten: a root that is no object gets one around it
        max_enum_values=1_000,
        max_name_chars=120_000,
    ),
    "anthropic": Subset(
        keywords=frozenset({"title", "format", "pattern", "minItems"}),
        formats=_STRING_FORMATS | {"uri"},
        closed=True,
        most_min_items=1,
        simple_patterns=True,
        max_optional=24,
        max_unions=16,
    ),
    "gemini": Subset(
        keywords=_BOUNDS | {"title", "format", "minItems", "maxItems"},
        formats=frozenset({"date-time", "date", "time", "duration"}),
        string_enums=True,
    ),
    "plain": Subset(unions=False, string_enums=True),
}
