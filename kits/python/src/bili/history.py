"""What Bili answers to requests that find, check, change and refund bills."""

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
    #: payment, reversal, refund or correction.
    kind: str
    #: The provider's number, as in the customer's SMS.
    receipt: str
    #: Negative if it takes money off the bill.
    amount: Decimal
    date: datetime
    #: The id of the payment that came in, or that the entry changes: a refund names it. None if the server is older than refunds.
    payment: Optional[str]


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
class Refund:
    """Money of a payment that goes back to the customer."""

    id: str
    #: The id of the bill; None if the operator returned the payment, whatever bills had its money.
    bill: Optional[str]
    #: The id of the payment.
    payment: str
    amount: Decimal
    #: ASKED: waits for the approval of a second person. APPROVED: a person returns the money by hand. QUEUED, SENDING: on its way.
    #: UNKNOWN: the outcome is not known yet; Bili keeps asking, and the money must not be returned in another way. DONE: the customer
    #: has the money. FAILED: the customer does not get it. Bili may add states.
    state: str
    #: How the money is returned: reversal, payout or hand.
    way: str
    reason: str
    #: Why it failed; None unless it has failed.
    failure: Optional[str]
    #: The receipt number of the money that was returned.
    receipt: Optional[str]
    created_at: datetime
    done_at: Optional[datetime]


@dataclass(frozen=True)
class Instrument:
    """A way to pay a bill without a payment request to a phone."""

    id: str
    #: PENDING, ACTIVE or ENDED. Give only an ACTIVE one to a customer.
    state: str
    #: The provider's word for this kind of instrument.
    kind: str
    amount: Decimal
    #: The number that the customer enters in the menu of the wallet.
    number: Optional[str]
    #: The text of a TANQR code, to be drawn as a QR code.
    qr: Optional[str]
    #: The provider's page, for example for cards.
    link: Optional[str]
    #: The networks whose wallets can pay the number.
    networks: List[str]
    #: exact: only this amount, once. open: payments of any amount.
    takes: str
    expires_at: Optional[datetime]
    ended_at: Optional[datetime]
    #: Why it has ended: paid, changed, closed, expired, refused or lost.
    reason: Optional[str]


@dataclass(frozen=True)
class RecordedPayment:
    """Money that a person received for a bill."""

    id: str
    #: The id of the bill.
    bill: str
    #: cash, bank or other.
    kind: str
    #: The number of the slip; the id of the payment if it has none.
    receipt: str
    amount: Decimal
    received_at: datetime
    created_at: datetime


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
        Payment(
            id=_text(item, "id"),
            kind=_text(item, "kind"),
            receipt=_text(item, "receipt"),
            amount=_amount(item, "amount"),
            date=_date(item, "date"),
            payment=_optional(_text, item, "payment"),
        )
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


def read_refunds(raw: Any) -> List[Refund]:
    return [read_refund(item) for item in _list(_fields(raw, "body"), "refunds")]


def read_refund(raw: Any) -> Refund:
    fields = _fields(raw, "body")
    return Refund(
        id=_text(fields, "id"),
        bill=_optional(_text, fields, "bill"),
        payment=_text(fields, "payment"),
        amount=_amount(fields, "amount"),
        state=_text(fields, "state"),
        way=_text(fields, "way"),
        reason=_text(fields, "reason"),
        failure=_optional(_text, fields, "failure"),
        receipt=_optional(_text, fields, "receipt"),
        created_at=_date(fields, "createdAt"),
        done_at=_optional(_date, fields, "doneAt"),
    )


def read_instruments(raw: Any) -> List[Instrument]:
    return [
        Instrument(
            id=_text(item, "id"),
            state=_text(item, "state"),
            kind=_text(item, "kind"),
            amount=_amount(item, "amount"),
            number=_optional(_text, item, "number"),
            qr=_optional(_text, item, "qr"),
            link=_optional(_text, item, "link"),
            networks=list(item.get("networks") or []),
            takes=_text(item, "takes"),
            expires_at=_optional(_date, item, "expiresAt"),
            ended_at=_optional(_date, item, "endedAt"),
            reason=_optional(_text, item, "reason"),
        )
        for item in _list(_fields(raw, "body"), "instruments")
    ]


def read_recorded_payment(raw: Any) -> RecordedPayment:
    fields = _fields(raw, "body")
    return RecordedPayment(
        id=_text(fields, "id"),
        bill=_text(fields, "bill"),
        kind=_text(fields, "kind"),
        receipt=_text(fields, "receipt"),
        amount=_amount(fields, "amount"),
        received_at=_date(fields, "receivedAt"),
        created_at=_date(fields, "createdAt"),
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
