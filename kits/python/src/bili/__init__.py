"""Client and webhook verification for Bili."""

from .client import Bili
from .errors import BiliApiError, BiliConnectionError, BiliError, BiliNotPaidError, BiliWebhookError
from .models import Attempt, Bill, BillDetails, BillSummary, Event, EventPage, NetworkStatus
from .webhook import Webhook, WebhookEvent, wsgi_webhook

__all__ = [
    "Attempt", "Bili", "BiliApiError", "BiliConnectionError", "BiliError", "BiliNotPaidError", "BiliWebhookError", "Bill",
    "BillDetails", "BillSummary", "Event", "EventPage", "NetworkStatus", "Webhook", "WebhookEvent", "wsgi_webhook",
]
