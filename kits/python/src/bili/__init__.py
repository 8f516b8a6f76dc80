"""Client and webhook verification for Bili."""

from ._typed import read_mobile, read_shillings
from .client import Bili
from .errors import BiliApiError, BiliConnectionError, BiliError, BiliNotPaidError, BiliWebhookError
from .history import (
    BillPage, BulkResult, Instrument, Payment, PaymentRequest, Prompt, RecordedPayment, Refund, SandboxTime, ValidatedBill,
)
from .models import Attempt, Bill, BillDetails, BillSummary, CreatedBill, Event, EventPage, NetworkStatus
from .webhook import Webhook, WebhookEvent, wsgi_webhook

__all__ = [
    "Attempt", "Bili", "BiliApiError", "BiliConnectionError", "BiliError", "BiliNotPaidError", "BiliWebhookError", "Bill",
    "BillDetails", "BillPage", "BillSummary", "BulkResult", "CreatedBill", "Event", "EventPage", "Instrument", "NetworkStatus", "Payment",
    "PaymentRequest", "Prompt", "RecordedPayment", "Refund", "SandboxTime", "ValidatedBill", "Webhook", "WebhookEvent", "read_mobile", "read_shillings", "wsgi_webhook",
]
