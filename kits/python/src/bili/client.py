"""A client of Bili's merchant API."""

import time
import uuid
from datetime import datetime
from typing import Any, Dict, Iterator, List, Mapping, Optional

from ._bill_methods import BillMethods, _path
from ._http import Http, body_bytes
from ._new_bill import Amount, new_bill_json
from .errors import BiliApiError, BiliConnectionError, BiliNotPaidError
from .history import SandboxTime, read_sandbox_time
from .models import (
    BillDetails, CreatedBill, Event, EventPage, NetworkStatus, read_bill_details, read_created_bill, read_event_page, read_networks,
)


class Bili(BillMethods):
    """A client of Bili's merchant API. It can be shared by threads.

    Times are seconds. A request is repeated up to ``max_retries`` times after a lost connection, a time-out, 429 and 5xx.
    ``allow_http`` allows plain HTTP to other hosts than this machine; the secret is readable there. ``scenario`` is for tests: what
    happens to each request in the sandbox, such as "declined" or "rate-limited". Live ignores it.
    """

    def __init__(
        self, base_url: str, key_id: str, secret: str, *, timeout: float = 15, max_retries: int = 4, retry_pause: float = 0.5,
        max_retry_after: float = 60, allow_http: bool = False, scenario: Optional[str] = None,
    ) -> None:
        self._http = Http(base_url, key_id, secret, timeout, max_retries, retry_pause, max_retry_after, allow_http, scenario)

    def create_bill(
        self, amount: Amount, reference: str, mobile: Optional[str] = None, *, description: Optional[str] = None,
        customer_name: Optional[str] = None, customer_email: Optional[str] = None, due_at: Optional[datetime] = None,
        metadata: Optional[Mapping[str, str]] = None, expires_at: Optional[datetime] = None, return_url: Optional[str] = None,
        language: Optional[str] = None, idempotency_key: Optional[str] = None,
    ) -> CreatedBill:
        """Creates a bill. ``ignored`` of the result names what Bili did not use, for example an ``expires_at`` in the past.

        amount: whole shillings, a Decimal, or a text such as "12500.50".
        idempotency_key: by default a random key, which makes the retries of this call safe. Give your order number to be safe
        when your own process crashes and calls again, too.
        """
        bill = {
            "amount": amount,
            "reference": reference,
            "mobile": mobile,
            "description": description,
            "customer_name": customer_name,
            "customer_email": customer_email,
            "due_at": due_at,
            "metadata": metadata,
            "expires_at": expires_at,
            "return_url": return_url,
            "language": language,
        }
        key = idempotency_key if idempotency_key is not None else str(uuid.uuid4())
        raw, headers = self._http.answer("POST", "/bills/create", body=new_bill_json(bill), idempotency_key=key)
        return read_created_bill(raw, headers.get("Bili-Ignored"))

    def get_bill(self, bill_id: str) -> BillDetails:
        return self._http.send("GET", _path(bill_id), read_bill_details)

    def networks(self) -> List[NetworkStatus]:
        """Says whose customers can pay now."""
        return self._http.send("GET", "/networks", read_networks)

    def list_events(self, after: Optional[str] = None, limit: Optional[int] = None) -> EventPage:
        """Reads one page of the event feed."""
        query = {"after": after, "limit": limit}
        return self._http.send("GET", "/events", lambda raw: read_event_page(raw, after), query=query)

    def request(
        self, method: str, path: str, *, query: Optional[Mapping[str, Any]] = None, body: Any = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Sends any other request below /api/v3, with the same retries. Returns the JSON of the answer.

        body: a dict, or JSON as bytes or text.
        A POST without an idempotency key gets a random one, so that a retry does not repeat what the first try did.
        """
        key = str(uuid.uuid4()) if idempotency_key is None and method == "POST" else idempotency_key
        return self._http.send(method, path, lambda raw: raw, query=query, body=body_bytes(body), idempotency_key=key)

    def control_sandbox_time(self, advance_seconds: Optional[int] = None, delay_percent: Optional[int] = None) -> SandboxTime:
        """Lets future events of the sandbox come sooner, and makes its phones answer faster, for tests.

        A large sandbox needs several requests, which this sends.
        """
        given: Dict[str, Any] = {"advanceSeconds": advance_seconds, "delayPercent": delay_percent}
        moved: Dict[str, int] = {}
        while True:
            body = body_bytes({name: value for name, value in given.items() if value is not None})
            read, key = read_sandbox_time, str(uuid.uuid4())
            part, cursor = self._http.send("POST", "/sandbox/time", read, body=body, idempotency_key=key)
            moved = {kind: count + moved.get(kind, 0) for kind, count in part.moved.items()}
            if cursor is None:
                return SandboxTime(part.delay_percent, moved)
            given["after"] = cursor

    def events(self, after: Optional[str] = None, limit: Optional[int] = None, follow: Optional[float] = None) -> Iterator[Event]:
        """Iterates over the event feed. With ``follow``, it asks for new events after that many seconds instead of ending."""
        while True:
            page = self.list_events(after, limit)
            yield from page.events
            after = page.cursor
            if page.more:
                continue
            if follow is None:
                return
            time.sleep(follow)

    def wait_until_paid(
        self, bill_id: str, *, deadline: float = 180, poll: float = 1, poll_max: float = 10, stop_on_failure: bool = False
    ) -> BillDetails:
        """Reads the bill with growing pauses until it is fully paid.

        Raises BiliNotPaidError at the deadline, when the bill is closed, or with ``stop_on_failure`` when the last payment
        request failed. Otherwise the wait goes on after a failure, because the customer can try again. After ``EXPIRED``, it always
        goes on: the money can still come.
        It also raises the error when the bill was paid and its payment was reversed since the first read. If that was before the first
        read, it waits for another payment.
        """
        end = time.monotonic() + deadline
        first: Optional[BillDetails] = None
        bill: Optional[BillDetails] = None
        while True:
            bill = self._read_while_waiting(bill_id) or bill
            first = first or bill
            if bill and first:
                if bill.status == "FULLY_PAID":
                    return bill
                if bill.paid_at and not first.paid_at:
                    raise BiliNotPaidError("reversed", bill)
                if bill.closed_at:
                    raise BiliNotPaidError("closed", bill)
                if stop_on_failure and bill.last_attempt and bill.last_attempt.state == "FAILED":
                    raise BiliNotPaidError("attempt_failed", bill)
            left = end - time.monotonic()
            if left <= 0:
                raise BiliNotPaidError("deadline", bill)
            time.sleep(min(poll, left))
            poll = min(poll * 1.5, poll_max)

    def _read_while_waiting(self, bill_id: str) -> Optional[BillDetails]:
        """Returns None if Bili could not be reached: the wait goes on until its deadline."""
        try:
            return self.get_bill(bill_id)
        except BiliConnectionError:
            return None
        except BiliApiError as error:
            if error.retryable:
                return None
            raise
