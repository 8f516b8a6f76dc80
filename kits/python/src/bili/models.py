"""What Bili answers. Amounts are Decimal with two decimals."""

from dataclasses import dataclass
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any, Callable, List, Mapping, Optional, TypeVar

from .errors import BiliError

Value = TypeVar("Value")
_STATUSES = ("NOT_PAID", "PARTIALLY_PAID", "FULLY_PAID")


@dataclass(frozen=True)
class BillSummary:
    """The members that a webhook and the event feed carry."""

    id: str
    mobile: Optional[str]
    amount: Decimal
    #: NOT_PAID, PARTIALLY_PAID or FULLY_PAID.
    status: str
    reference: str


@dataclass(frozen=True)
class Bill(BillSummary):
    web_pay_url: str
    date: datetime
    #: The answer as Bili sent it, with members that this version does not know.
    raw: Mapping[str, Any]


@dataclass(frozen=True)
class CreatedBill(Bill):
    #: The members of the request that Bili did not use, because it does not know them or because their value is invalid.
    ignored: List[str]


@dataclass(frozen=True)
class Attempt:
    """The newest payment request to a phone."""

    #: PENDING, UNKNOWN, SUCCEEDED, FAILED, EXPIRED or CANCELLED.
    state: str
    #: Why it failed. Bili may add reasons: treat an unknown one like "rejected".
    reason: Optional[str]
    at: datetime


@dataclass(frozen=True)
class BillDetails(Bill):
    paid_amount: Decimal
    remaining_amount: Decimal
    reversed_amount: Optional[Decimal]
    #: When the bill was fully paid for the first time.
    paid_at: Optional[datetime]
    #: Nobody can pay a closed bill.
    closed_at: Optional[datetime]
    last_attempt: Optional[Attempt]
    description: Optional[str]
    customer_name: Optional[str]
    due_at: Optional[datetime]
    customer_email: Optional[str]
    #: Your own texts by name.
    metadata: Optional[Mapping[str, str]]
    #: From then on, nobody is asked to pay the bill.
    expires_at: Optional[datetime]
    return_url: Optional[str]
    language: Optional[str]


@dataclass(frozen=True)
class Event:
    """A change of a bill's status."""

    #: The webhook-id. If you use webhooks too, ignore an id that you know.
    id: str
    date: datetime
    bill: BillSummary
    #: Store it after you have processed the event, and give it as ``after`` when you read on. Within a page, it is the cursor
    #: before the page, so that a crash skips no event. None within the first page.
    cursor: Optional[str]


@dataclass(frozen=True)
class EventPage:
    events: List[Event]
    cursor: str
    more: bool


@dataclass(frozen=True)
class NetworkStatus:
    network: str
    wallet: str
    #: working, problems or not_served.
    status: str


def read_summary(raw: Mapping[str, Any]) -> BillSummary:
    return BillSummary(**_summary(_fields(raw, "bill")))


def read_bill(raw: Any) -> Bill:
    return Bill(**_bill(raw))


def read_created_bill(raw: Any, ignored: Optional[str]) -> CreatedBill:
    return CreatedBill(**_bill(raw), ignored=[name for name in (ignored or "").split(", ") if name])


def read_bill_details(raw: Any) -> BillDetails:
    bill = _bill(raw)
    customer = raw.get("customer")
    return BillDetails(
        **bill,
        paid_amount=_amount(raw, "paidAmount"),
        remaining_amount=_amount(raw, "remainingAmount"),
        reversed_amount=_optional(_amount, raw, "reversedAmount"),
        paid_at=_optional(_date, raw, "paidAt"),
        closed_at=_optional(_date, raw, "closedAt"),
        last_attempt=_optional(_attempt, raw, "lastAttempt"),
        description=_optional(_text, raw, "description"),
        customer_name=_optional(_text, customer, "name") if isinstance(customer, dict) else None,
        due_at=_optional(_date, raw, "dueAt"),
        customer_email=_optional(_text, customer, "email") if isinstance(customer, dict) else None,
        metadata=raw.get("metadata"),
        expires_at=_optional(_date, raw, "expiresAt"),
        return_url=_optional(_text, raw, "returnUrl"),
        language=_optional(_text, raw, "language"),
    )


def read_event_page(raw: Any, after: Optional[str]) -> EventPage:
    cursor = _text(_fields(raw, "body"), "cursor")
    items = _list(raw, "events")
    events = [
        Event(
            id=_text(item, "id"),
            date=_date(item, "date"),
            bill=read_summary(_fields(_fields(item.get("body"), "body").get("bill"), "bill")),
            cursor=cursor if index == len(items) - 1 else after,
        )
        for index, item in enumerate(items)
    ]
    return EventPage(events=events, cursor=cursor, more=raw.get("more") is True)


def read_bill_events(raw: Any) -> List[Event]:
    return [
        Event(_text(item, "id"), _date(item, "date"), read_summary(_fields(_fields(item.get("body"), "body").get("bill"), "bill")), None)
        for item in _list(_fields(raw, "body"), "events")
    ]


def read_networks(raw: Any) -> List[NetworkStatus]:
    items = _list(_fields(raw, "body"), "networks")
    return [NetworkStatus(_text(item, "network"), _text(item, "wallet"), _text(item, "status")) for item in items]


def _summary(raw: Mapping[str, Any]) -> "dict[str, Any]":
    status = _text(raw, "status")
    if status not in _STATUSES:
        raise _wrong("status")
    return {
        "id": _text(raw, "id"),
        "mobile": _optional(_text, raw, "mobile"),
        "amount": _amount(raw, "amount"),
        "status": status,
        "reference": _text(raw, "reference"),
    }


def _bill(raw: Any) -> "dict[str, Any]":
    fields = _fields(raw, "body")
    return {**_summary(fields), "web_pay_url": _text(fields, "webPayUrl"), "date": _date(fields, "date"), "raw": fields}


def _attempt(raw: Mapping[str, Any], name: str) -> Attempt:
    attempt = _fields(raw[name], name)
    return Attempt(_text(attempt, "state"), _optional(_text, attempt, "reason"), _date(attempt, "at"))


def _wrong(name: str) -> BiliError:
    return BiliError(f'Unexpected answer: "{name}" is missing or wrong. Is this the address of a Bili server?')


def _fields(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(name)
    return value


def _list(raw: Mapping[str, Any], name: str) -> List[Any]:
    value = raw.get(name)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise _wrong(name)
    return value


def _text(raw: Mapping[str, Any], name: str) -> str:
    value = raw.get(name)
    if not isinstance(value, str):
        raise _wrong(name)
    return value


def _amount(raw: Mapping[str, Any], name: str) -> Decimal:
    value = raw.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise _wrong(name)
    return Decimal(value).quantize(Decimal("0.01"))


def _date(raw: Mapping[str, Any], name: str) -> datetime:
    value = raw.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong(name)
    return datetime.fromtimestamp(value / 1000, timezone.utc)


def _optional(read: Callable[[Mapping[str, Any], str], Value], raw: Mapping[str, Any], name: str) -> Optional[Value]:
    return None if raw.get(name) is None else read(raw, name)
