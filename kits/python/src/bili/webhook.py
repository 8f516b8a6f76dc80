"""Verifies webhooks of Bili, which are signed as Standard Webhooks describes."""

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any, Callable, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from .errors import BiliError, BiliWebhookError
from .models import BillSummary, read_summary

_BODY_MAX = 64 * 1024


@dataclass(frozen=True)
class WebhookEvent:
    """A verified webhook."""

    #: It is the same when Bili sends the webhook again: store it, and ignore an id that you know.
    id: str
    #: When this request was sent.
    timestamp: datetime
    #: The bill as it was at the time of the event. Read it with get_bill before you hand over the goods: its status may have changed since.
    bill: BillSummary


class Webhook:
    """Verifies webhooks. Give several secrets while one replaces another.

    tolerance: how far the timestamp may be from now, in seconds. now: Unix seconds, for tests.
    """

    def __init__(
        self, secrets: Union[str, Sequence[str]], *, tolerance: float = 300, now: Callable[[], float] = time.time
    ) -> None:
        self._keys = [_read_secret(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets or [])]
        if not self._keys:
            raise BiliWebhookError("secret_invalid", "There is no signing secret")
        self._tolerance = tolerance
        self._now = now

    def verify(self, body: Union[bytes, str], headers: Mapping[str, Union[str, Sequence[str]]]) -> WebhookEvent:
        """Verifies a webhook by its raw body and its headers. A value may be a list, as some frameworks represent it.

        Raises BiliWebhookError if the webhook is not accepted.
        """
        if not isinstance(body, (bytes, str)):
            raise BiliWebhookError("body_not_raw", "The body was parsed before the verification. Pass the raw body.")
        raw = body.encode() if isinstance(body, str) else body
        found = {name.lower(): value for name, value in headers.items()}
        message_id, timestamp, signatures = (_header(found, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
        seconds = self._check_timestamp(timestamp)
        if not self._matches(f"{message_id}.{timestamp}.".encode("utf-8", "surrogateescape") + raw, signatures):
            raise BiliWebhookError("signature_mismatch", "No signature matches. Check the secret, and that the body is the raw one.")
        return WebhookEvent(message_id, datetime.fromtimestamp(seconds, timezone.utc), _read_body(raw))

    def verify_wsgi(self, environ: Mapping[str, Any]) -> WebhookEvent:
        """Verifies a WSGI request. Reads its body."""
        length = int(environ.get("CONTENT_LENGTH") or 0)
        body = environ["wsgi.input"].read(min(length, _BODY_MAX))
        headers = {name[5:].replace("_", "-"): value for name, value in environ.items() if name.startswith("HTTP_WEBHOOK_")}
        return self.verify(body, headers)

    def verify_flask(self, request: Any) -> WebhookEvent:
        """Verifies a request of Flask."""
        return self.verify(request.get_data(), request.headers)

    def verify_django(self, request: Any) -> WebhookEvent:
        """Verifies a request of Django. The view needs @csrf_exempt and @require_POST."""
        return self.verify(request.body, request.headers)

    async def verify_fastapi(self, request: Any) -> WebhookEvent:
        """Verifies a request of FastAPI or Starlette."""
        return self.verify(await request.body(), request.headers)

    def _check_timestamp(self, timestamp: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", timestamp):
            raise BiliWebhookError("timestamp_invalid", "webhook-timestamp is not a number of seconds")
        age = self._now() - int(timestamp)
        if age > self._tolerance:
            raise BiliWebhookError("timestamp_too_old", "The webhook is too old. Check the clock.")
        if age < -self._tolerance:
            raise BiliWebhookError("timestamp_too_new", "The webhook is from the future. Check the clock.")
        return int(timestamp)

    def _matches(self, signed: bytes, signatures: str) -> bool:
        given = [one.encode("utf-8", "surrogateescape") for one in signatures.split(" ")]
        expected = [b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()) for key in self._keys]
        return any(hmac.compare_digest(one, other) for one in expected for other in given)


def wsgi_webhook(webhook: Webhook, handler: Callable[[WebhookEvent], None]) -> Callable[..., Iterable[bytes]]:
    """Returns a WSGI application that answers 200 to verified webhooks, 401 to others, and 405 to other methods."""

    def application(environ: Mapping[str, Any], start_response: Callable[[str, List[Tuple[str, str]]], Any]) -> Iterable[bytes]:
        status = "200 OK"
        event: Optional[WebhookEvent] = None
        if environ.get("REQUEST_METHOD") != "POST":
            status = "405 Method Not Allowed"
        else:
            try:
                event = webhook.verify_wsgi(environ)
            except BiliWebhookError:
                status = "401 Unauthorized"
        if event:
            handler(event)
        start_response(status, [("Content-Length", "0")])
        return [b""]

    return application


def _read_secret(secret: str) -> bytes:
    try:
        key = base64.b64decode(re.sub(r"^whsec_", "", secret.strip()), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) < 16:
        raise BiliWebhookError("secret_invalid", "The signing secret must be whsec_ and base64")
    return key


def _header(headers: Mapping[str, Any], name: str) -> str:
    value = headers.get(name)
    if isinstance(value, (list, tuple)):
        value = value[0] if value else None
    if not isinstance(value, str) or not value:
        raise BiliWebhookError("header_missing", f"The header {name} is missing")
    return value


def _read_body(body: bytes) -> BillSummary:
    try:
        return read_summary(json.loads(body, parse_float=Decimal)["bill"])
    except (BiliError, KeyError, TypeError, ValueError) as error:
        raise BiliWebhookError("body_invalid", f"The webhook is signed, but is not about a bill: {error}") from error
