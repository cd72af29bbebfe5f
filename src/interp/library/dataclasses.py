"""Data classes made by a call."""

from dataclasses import dataclass
from typing import Any


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, **options):
    """A data class of names, pairs of a name and a type, or those with a default."""
    annotations, body = {}, dict(namespace or {})
    for item in fields:
        parts = (item, Any) if isinstance(item, str) else tuple(item)
        if len(parts) not in (2, 3):
            raise TypeError(f"Invalid field: {item!r}")
        name = parts[0]
        if not isinstance(name, str) or not name.isidentifier():
            raise TypeError(f"Field names must be valid identifiers: {name!r}")
        if name in annotations:
            raise TypeError(f"Field name duplicated: {name!r}")
        annotations[name] = parts[1]
        if len(parts) == 3:
            body[name] = parts[2]
    body["__annotations__"] = annotations
    return dataclass(type(cls_name, tuple(bases), body), **options)
