"""The methods of the client that find, check, change and refund bills."""

import json
import uuid
from datetime import datetime
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union
from urllib.parse import quote

from ._http import Http
from ._new_bill import Amount, list_item_json, new_bill_json, payment_json, refund_json, unix_ms
from .errors import BiliError
from .history import (
    BillPage, BulkResult, Instrument, Payment, PaymentRequest, RecordedPayment, Refund, ValidatedBill, read_bill_page, read_bulk_results,
    read_instruments, read_payment_request, read_payment_requests, read_payments, read_recorded_payment, read_refund, read_refunds,
    read_validated,
)
from .models import BillDetails, Event, read_bill_details, read_bill_events


class BillMethods:
    _http: Http

    def create_bills(self, bills: Sequence[Mapping[str, Any]], *, idempotency_key: Optional[str] = None) -> List[BulkResult]:
        """Creates up to 500 bills, each by itself, so that one mistake does not refuse the others.

        bills: each with the parameters of ``create_bill`` by name: ``amount``, ``reference``, ``mobile``, ``idempotency_key`` and so
        on. The names of the API, such as ``idempotencyKey``, work too. Returns the results in their order.
        """
        if isinstance(bills, (str, bytes, Mapping)):
            raise BiliError("bills must be a list of bills")
        body = b'{"bills":[' + b",".join(list_item_json(bill) for bill in bills) + b"]}"
        key = idempotency_key if idempotency_key is not None else str(uuid.uuid4())
        return self._http.send("POST", "/bills/bulk", read_bulk_results, body=body, idempotency_key=key)

    def validate_bill(self, bill: Mapping[str, Any]) -> ValidatedBill:
        """Says what creating a bill would do, without creating it. Fails as creating it would."""
        return self._http.send("POST", "/bills/validate", read_validated, body=new_bill_json(bill))

    def list_bills(
        self, *, status: Optional[str] = None, reference: Optional[str] = None, from_: Optional[datetime] = None,
        to: Optional[datetime] = None, after: Optional[str] = None, limit: Optional[int] = None,
        mobile: Optional[str] = None, metadata: Optional[Mapping[str, str]] = None,
    ) -> BillPage:
        """Reads one page of the bills, newest first. ``from_`` and ``to`` are times of creation."""
        query: Dict[str, Any] = {"status": status, "reference": reference, "mobile": mobile, "after": after, "limit": limit}
        query.update({f"metadata[{name}]": text for name, text in (metadata or {}).items()})
        query.update({"from": unix_ms(from_, "from_"), "to": unix_ms(to, "to")})
        return self._http.send("GET", "/bills", read_bill_page, query=query)

    def list_payments(self, bill_id: str) -> List[Payment]:
        return self._http.send("GET", _path(bill_id, "/payments"), read_payments)

    def list_payment_requests(self, bill_id: str) -> List[PaymentRequest]:
        return self._http.send("GET", _path(bill_id, "/attempts"), read_payment_requests)

    def list_bill_events(self, bill_id: str) -> List[Event]:
        """Returns the events of one bill, without cursors."""
        return self._http.send("GET", _path(bill_id, "/events"), read_bill_events)

    def push_bill(self, bill_id: str, mobile: Optional[str] = None, *, idempotency_key: Optional[str] = None) -> PaymentRequest:
        """Asks a phone to pay what is left of the bill: the bill's own, or another."""
        key = idempotency_key if idempotency_key is not None else str(uuid.uuid4())
        body = json.dumps({"mobile": mobile}).encode()
        return self._http.send("POST", _path(bill_id, "/push"), read_payment_request, body=body, idempotency_key=key)

    def close_bill(self, bill_id: str, reason: Optional[str] = None) -> BillDetails:
        """Closes a bill: nobody can pay it any more."""
        return self._change(_path(bill_id, "/close"), reason)

    def reopen_bill(self, bill_id: str, reason: Optional[str] = None) -> BillDetails:
        return self._change(_path(bill_id, "/reopen"), reason)

    def refund(
        self, bill_id: str, reason: str, *, amount: Optional[Amount] = None, payment: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Refund:
        """Returns money of a payment to the customer. The money is seldom back when this method returns: see the state.

        The API key needs the scope ``refund``.
        amount: whole shillings, a Decimal, or a text such as "12500.50"; by default what is left of the payment.
        payment: that of an entry of ``list_payments``; required if the bill has money of several payments.
        idempotency_key: by default a random key. Give the number of the return, so that it is never refunded twice.
        """
        key = idempotency_key if idempotency_key is not None else str(uuid.uuid4())
        body = refund_json(reason, amount, payment)
        return self._http.send("POST", _path(bill_id, "/refunds"), read_refund, body=body, idempotency_key=key)

    def refunds(self, bill_id: str) -> List[Refund]:
        """Returns the refunds of a bill, newest first."""
        return self._http.send("GET", _path(bill_id, "/refunds"), read_refunds)

    def ask_instruments(self, bill_id: str) -> List[Instrument]:
        """Asks for the ways to pay the bill without a payment request: a number, a QR code or a link.

        Asking again changes nothing. The provider issues them after this method has returned: read them with ``instruments`` until they
        are ACTIVE.
        """
        return self._http.send("POST", _path(bill_id, "/instruments"), read_instruments)

    def instruments(self, bill_id: str) -> List[Instrument]:
        """Returns the payment instruments of a bill, oldest first. Read them again before you show them later."""
        return self._http.send("GET", _path(bill_id, "/instruments"), read_instruments)

    def record_payment(
        self, bill_id: str, amount: Amount, kind: str, *, received_at: Optional[Union[datetime, str]] = None, slip: Optional[str] = None,
        note: Optional[str] = None, overpay: bool = False, idempotency_key: Optional[str] = None,
    ) -> RecordedPayment:
        """Records money that a person received for a bill, for example cash. The API key needs the scope ``record``.

        kind: cash, bank or other.
        received_at: a datetime with a time zone, or a day such as "2026-11-20"; by default now.
        slip: the number of the slip; a merchant may use it once.
        overpay: whether the amount may be more than what is left of the bill.
        idempotency_key: by default a random key. Give your own number of the payment, so that it is recorded once.
        """
        if isinstance(received_at, datetime):
            unix_ms(received_at, "received_at")
            received_at = received_at.isoformat()
        key = idempotency_key if idempotency_key is not None else str(uuid.uuid4())
        members = {"kind": kind, "receivedAt": received_at, "slip": slip, "note": note, "overpay": overpay}
        body = payment_json(amount, members)
        return self._http.send("POST", _path(bill_id, "/payments"), read_recorded_payment, body=body, idempotency_key=key)

    def _change(self, path: str, reason: Optional[str]) -> BillDetails:
        return self._http.send("POST", path, read_bill_details, body=json.dumps({"reason": reason}).encode())


def _path(bill_id: str, below: str = "") -> str:
    if not bill_id:
        raise BiliError("The id of the bill is required")
    return f"/bills/{quote(str(bill_id), safe='')}{below}"
