"""Client and webhook verification for Bili."""

from .client import Bili
from .errors import BiliApiError, BiliConnectionError, BiliError, BiliNotPaidError, BiliWebhookError
from .history import BillPage, BulkResult, Payment, PaymentRequest, Prompt, ValidatedBill
from .models import Attempt, Bill, BillDetails, BillSummary, Event, EventPage, NetworkStatus
from .webhook import Webhook, WebhookEvent, wsgi_webhook

__all__ = [
    "Attempt", "Bili", "BiliApiError", "BiliConnectionError", "BiliError", "BiliNotPaidError", "BiliWebhookError", "Bill",
    "BillDetails", "BillPage", "BillSummary", "BulkResult", "Event", "EventPage", "NetworkStatus", "Payment", "PaymentRequest",
    "Prompt", "ValidatedBill", "Webhook", "WebhookEvent", "wsgi_webhook",
]
