"""The errors of this package."""

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from .models import BillDetails

_RETRYABLE_STATUSES = frozenset({429, 500, 502, 503, 504})
_RETRYABLE_CODES = frozenset({"idempotency_key_running", "body_incomplete"})
# For servers that send no Bili-Error.
_RETRYABLE_MESSAGES = frozenset({"A request with this Idempotency-Key is still running", "Request body is incomplete"})

_NOT_PAID = {
    "deadline": "The bill was not fully paid before the deadline",
    "closed": "The bill was closed before it was fully paid",
    "attempt_failed": "The payment request failed",
    "reversed": "The bill was paid, and its payment was reversed",
}


class BiliError(Exception):
    """The base of all errors of this package."""


class BiliApiError(BiliError):
    """Bili refused the request, or could not process it."""

    def __init__(
        self, status: int, message: str, code: Optional[str], request_id: Optional[str], retry_after: Optional[float]
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        #: The machine-readable code from the header Bili-Error; None if the server sent none.
        self.code = code
        #: Give this id to the operator when you ask about the request.
        self.request_id = request_id
        #: What Retry-After asked for, in seconds.
        self.retry_after = retry_after

    @property
    def retryable(self) -> bool:
        """Whether the same request can succeed later without a change."""
        if self.status in _RETRYABLE_STATUSES:
            return True
        return self.message in _RETRYABLE_MESSAGES if self.code is None else self.code in _RETRYABLE_CODES


class BiliConnectionError(BiliError):
    """No answer came: connection refused, reset or timed out. The request may have reached Bili."""


class BiliNotPaidError(BiliError):
    """wait_until_paid ended, and the bill is not fully paid."""

    def __init__(self, reason: str, bill: "Optional[BillDetails]") -> None:
        super().__init__(_NOT_PAID[reason])
        #: "deadline", "closed", "attempt_failed" or "reversed".
        self.reason = reason
        #: The bill as it was read last, or None if it could not be read.
        self.bill = bill


class BiliWebhookError(BiliError):
    """The webhook is not accepted. Answer 401.

    reason is one of: secret_invalid, body_not_raw, header_missing, timestamp_invalid, timestamp_too_old, timestamp_too_new,
    signature_mismatch, body_invalid.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
