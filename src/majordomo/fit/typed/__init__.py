"""Python types as JSON Schema, and JSON as values of those types."""

from .compile import form_of
from .docstring import Doc, read_docstring
from .form import Form, schema_of
from .parameters import Parameters, parameters_of
from .prefix import Prefix
from .shape import Shape, shape_of

__all__ = [
    "Doc",
    "Form",
    "Parameters",
    "Prefix",
    "Shape",
    "form_of",
    "parameters_of",
    "read_docstring",
    "schema_of",
    "shape_of",
]
