"""The bodies of requests that create and refund bills, and record payments."""

import json
import re
from datetime import datetime
from decimal import Decimal
from typing import Any, Callable, Dict, Mapping, Optional, Union

from .errors import BiliError

Amount = Union[int, str, Decimal]
_DECIMAL = re.compile(r"[0-9]{1,15}(\.[0-9]{1,2})?")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?")
_API_NAMES = {
    "due_at": "dueAt",
    "expires_at": "expiresAt",
    "return_url": "returnUrl",
    "idempotency_key": "idempotencyKey",
}


def amount_json(amount: Any) -> str:
    """Returns an amount as JSON number. A float is refused, because it may already be rounded."""
    if isinstance(amount, bool) or not isinstance(amount, (int, str, Decimal)):
        raise BiliError('amount must be an int, a Decimal or a text such as "12500.50"')
    text = format(amount, "f") if isinstance(amount, Decimal) else str(amount)
    if not isinstance(amount, int) and not _DECIMAL.fullmatch(text):
        raise BiliError('amount must be digits with at most two decimals, such as "12500.50"')
    return re.sub(r"^0+(?=[0-9])", "", text)


def new_bill_json(bill: Mapping[str, Any]) -> bytes:
    """Returns a bill as JSON. Its members have the names of the parameters of ``create_bill``, or those of the API."""
    return _bill_json(bill, amount_json)


def list_item_json(bill: Any) -> bytes:
    """Returns a bill of a list as JSON. Bili itself refuses a wrong bill, so that the others are created."""
    return _bill_json(bill, _unchecked_amount_json) if isinstance(bill, Mapping) else _dumps(bill).encode()


def refund_json(reason: str, amount: Optional[Amount], payment: Optional[str]) -> bytes:
    """Returns a refund as JSON, without an amount if there is none."""
    members = {"amount": amount, "reason": reason, "payment": payment}
    return _bill_json(members, lambda given: None if given is None else amount_json(given))


def payment_json(amount: Amount, members: Mapping[str, Any]) -> bytes:
    """Returns a payment that a person received as JSON."""
    return _bill_json({**members, "amount": amount}, amount_json)


def unix_ms(instant: Any, name: str) -> Optional[int]:
    """Returns Unix milliseconds. A datetime without a time zone is refused: it could mean that of the server or UTC."""
    if instant is None or (isinstance(instant, int) and not isinstance(instant, bool)):
        return instant
    if not isinstance(instant, datetime) or instant.utcoffset() is None:
        raise BiliError(f"{name} must be a datetime with a time zone, for example datetime.now(timezone.utc)")
    return round(instant.timestamp() * 1000)


def _bill_json(bill: Any, write_amount: Callable[[Any], Optional[str]]) -> bytes:
    if not isinstance(bill, Mapping):
        raise BiliError('A bill must be a mapping, such as {"amount": 5000, "reference": "ORDER-1"}')
    members = _api_members(bill)
    amount = write_amount(members.pop("amount", None))
    rest = _dumps({name: value for name, value in members.items() if value is not None})[1:-1]
    # Written by hand, because json.dumps cannot write a Decimal exactly.
    return ("{" + ", ".join(part for part in ["" if amount is None else f'"amount":{amount}', rest] if part) + "}").encode()


def _api_members(bill: Mapping[str, Any]) -> Dict[str, Any]:
    members = {_API_NAMES.get(name, name): value for name, value in bill.items()}
    customer = {"name": members.pop("customer_name", None), "email": members.pop("customer_email", None)}
    if any(customer.values()):
        members["customer"] = customer
    for name in ("dueAt", "expiresAt"):
        members[name] = unix_ms(members.get(name), name)
    return members


def _unchecked_amount_json(amount: Any) -> Optional[str]:
    if amount is None:
        return None
    try:
        return amount_json(amount)
    except BiliError:
        # A float becomes a text, so that Bili refuses it like create_bill does.
        text = format(amount, "f") if isinstance(amount, Decimal) else str(amount)
        return text if not isinstance(amount, float) and _NUMBER.fullmatch(text) else json.dumps(text)


def _dumps(value: Any) -> str:
    try:
        return json.dumps(value)
    except (TypeError, ValueError) as error:
        raise BiliError(f"The request cannot be written as JSON: {error}") from error
