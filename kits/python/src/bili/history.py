"""What Bili answers to requests that find, check and change bills."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, List, Mapping, Optional, Tuple

from .models import Bill, BillDetails, _amount, _date, _fields, _list, _optional, _text, read_bill, read_bill_details


@dataclass(frozen=True)
class BillPage:
    bills: List[BillDetails]
    #: None after the last page.
    cursor: Optional[str]
    more: bool


@dataclass(frozen=True)
class Payment:
    """What was booked on a bill."""

    id: str
    #: payment, reversal or correction.
    kind: str
    #: The provider's number, as in the customer's SMS.
    receipt: str
    #: Negative if it takes money off the bill.
    amount: Decimal
    date: datetime


@dataclass(frozen=True)
class PaymentRequest:
    """A payment request to a phone."""

    id: str
    state: str
    reason: Optional[str]
    network: str
    amount: Decimal
    #: api, dashboard or payment_page.
    source: str
    #: None if the customer entered the number on the payment page.
    mobile: Optional[str]
    date: datetime
    at: datetime


@dataclass(frozen=True)
class Prompt:
    """The payment request that creating a bill would send."""

    network: str
    wallet: str
    amount: Decimal
    #: The name that the phone shows, if it is known.
    name: Optional[str]
    #: Why no payment request could be sent now.
    problem: Optional[str]


@dataclass(frozen=True)
class ValidatedBill:
    mobile: Optional[str]
    #: None for a bill without a number.
    prompt: Optional[Prompt]
    ignored: List[str]


@dataclass(frozen=True)
class BulkResult:
    #: created, replayed or failed.
    status: str
    bill: Optional[Bill]
    code: Optional[str]
    error: Optional[str]
    #: The members of this bill that Bili did not use.
    ignored: List[str]


@dataclass(frozen=True)
class SandboxTime:
    """How fast the sandbox is, and which events come sooner."""

    #: How long simulated phones take now, in percent of the usual time.
    delay_percent: int
    #: How many ``bills``, ``paymentRequests`` and ``webhooks`` come sooner.
    moved: Mapping[str, int]


def read_bill_page(raw: Any) -> BillPage:
    bills = [read_bill_details(item) for item in _list(_fields(raw, "body"), "bills")]
    return BillPage(bills=bills, cursor=_optional(_text, raw, "cursor"), more=raw.get("more") is True)


def read_payments(raw: Any) -> List[Payment]:
    return [
        Payment(_text(item, "id"), _text(item, "kind"), _text(item, "receipt"), _amount(item, "amount"), _date(item, "date"))
        for item in _list(_fields(raw, "body"), "payments")
    ]


def read_payment_requests(raw: Any) -> List[PaymentRequest]:
    return [read_payment_request(item) for item in _list(_fields(raw, "body"), "attempts")]


def read_payment_request(raw: Any) -> PaymentRequest:
    fields = _fields(raw, "body")
    return PaymentRequest(
        id=_text(fields, "id"),
        state=_text(fields, "state"),
        reason=_optional(_text, fields, "reason"),
        network=_text(fields, "network"),
        amount=_amount(fields, "amount"),
        source=_text(fields, "source"),
        mobile=_optional(_text, fields, "mobile"),
        date=_date(fields, "date"),
        at=_date(fields, "at"),
    )


def read_validated(raw: Any) -> ValidatedBill:
    fields = _fields(raw, "body")
    return ValidatedBill(_optional(_text, fields, "mobile"), _optional(_prompt, fields, "prompt"), list(fields.get("ignored") or []))


def read_bulk_results(raw: Any) -> List[BulkResult]:
    return [
        BulkResult(
            status=_text(item, "status"),
            bill=read_bill(item["bill"]) if item.get("bill") is not None else None,
            code=_optional(_text, item, "code"),
            error=_optional(_text, item, "error"),
            ignored=list(item.get("ignored") or []),
        )
        for item in _list(_fields(raw, "body"), "results")
    ]


def read_sandbox_time(raw: Any) -> Tuple[SandboxTime, Optional[str]]:
    """Returns what one request moved, and where the next one continues; None if everything has moved."""
    fields = _fields(raw, "body")
    return SandboxTime(fields["delayPercent"], _fields(fields.get("moved"), "moved")), _optional(_text, fields, "cursor")


def _prompt(raw: Mapping[str, Any], name: str) -> Prompt:
    prompt = _fields(raw[name], name)
    texts = _text(prompt, "network"), _text(prompt, "wallet")
    return Prompt(*texts, _amount(prompt, "amount"), _optional(_text, prompt, "name"), _optional(_text, prompt, "problem"))
