"""JSON with exact decimals. The module `json` would write a Decimal only as a float."""
from __future__ import annotations

import json
from decimal import Decimal
from typing import Any, Dict, List, Tuple, Union

from .generated.decimals import DECIMALS


def decimal_text(value: Decimal) -> str:
    if not value.is_finite():
        raise ValueError(f"{value} is not an amount.")
    return format(value, "f")


def refuse_float(value: float) -> None:
    raise TypeError(f"{value!r} is a float, which is not exact: use Decimal, str or int.")


def encode(value: Any) -> str:
    if isinstance(value, Decimal):
        return decimal_text(value)
    if isinstance(value, float):
        refuse_float(value)
    if isinstance(value, dict):
        members = (f"{json.dumps(str(name))}:{encode(member)}" for name, member in value.items())
        return "{" + ",".join(members) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(encode, value)) + "]"
    return json.dumps(value)


def decode(text: Union[str, bytes]) -> Any:
    return json.loads(text, parse_float=Decimal, parse_constant=_refuse, object_pairs_hook=_members)


def _members(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    return {name: _exact(value) if name in DECIMALS else value for name, value in pairs}


def _exact(value: Any) -> Any:
    """A whole amount is a Decimal too."""
    return Decimal(value) if type(value) is int else value


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON.")
