"""Sends requests to Bili, and repeats those that can succeed later."""

import email.utils
import http.client
import json
import random
import re
import time
import urllib.error
import urllib.request
from decimal import Decimal
from typing import Any, Callable, Mapping, Optional, TypeVar
from urllib.parse import urlencode, urlsplit

from .errors import BiliApiError, BiliConnectionError, BiliError

Result = TypeVar("Result")
_PAUSE_MAX = 8.0
_LOOPBACK = re.compile(r"(localhost|127(\.[0-9]+){3}|::1)")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect could lead the secret to another server."""

    def redirect_request(self, *_args: Any, **_named: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


class Http:
    def __init__(
        self, base_url: str, key_id: str, secret: str, timeout: float, max_retries: int, retry_pause: float,
        max_retry_after: float, allow_http: bool,
    ) -> None:
        url = urlsplit(base_url)
        is_local = _LOOPBACK.fullmatch(url.hostname or "") is not None
        if not url.hostname or (url.scheme != "https" and not (url.scheme == "http" and (allow_http or is_local))):
            raise BiliError("base_url must begin with https://, because every request carries the secret. Plain HTTP needs allow_http.")
        if not key_id or not secret:
            raise BiliError("key_id and secret are required")
        self._base = f"{url.scheme}://{url.netloc}{url.path.rstrip('/')}/api/v3"
        self._authorization = f"ApiKey {key_id}:{secret}"
        self._timeout, self._max_retries = timeout, max_retries
        self._retry_pause, self._max_retry_after = retry_pause, max_retry_after

    def send(
        self, method: str, path: str, read: Callable[[Any], Result], *, query: Optional[Mapping[str, Any]] = None,
        body: Optional[bytes] = None, idempotency_key: Optional[str] = None,
    ) -> Result:
        """Sends a request until it is answered.

        Raises BiliApiError if Bili refuses it or fails after the last retry, and BiliConnectionError if no answer came.
        """
        retry = 0
        while True:
            try:
                return read(self._send_once(method, path, query or {}, body, idempotency_key))
            except (BiliApiError, BiliConnectionError) as error:
                pause = self._pause_before(retry, error)
                if pause is None:
                    raise
            time.sleep(pause)
            retry += 1

    def _pause_before(self, retry: int, error: BiliError) -> Optional[float]:
        if retry >= self._max_retries:
            return None
        # Random, so that clients that failed together do not come back together.
        pause = min(_PAUSE_MAX, self._retry_pause * 2**retry) * (0.5 + random.random() / 2)
        if not isinstance(error, BiliApiError):
            return pause
        if not error.retryable:
            return None
        if error.retry_after is None:
            return pause
        return None if error.retry_after > self._max_retry_after else error.retry_after + pause * 0.2

    def _send_once(
        self, method: str, path: str, query: Mapping[str, Any], body: Optional[bytes], idempotency_key: Optional[str]
    ) -> Any:
        parameters = urlencode({name: value for name, value in query.items() if value is not None})
        url = self._base + path + (f"?{parameters}" if parameters else "")
        headers = {"Authorization": self._authorization, "Accept": "application/json", "User-Agent": "bili-python/0.1.0"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        request = urllib.request.Request(url, data=body, headers=headers, method=method)
        try:
            with _opener.open(request, timeout=self._timeout) as response:
                status, answer, text = response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            with error:
                try:
                    status, answer, text = error.code, error.headers, error.read()
                except (OSError, http.client.HTTPException) as broken:
                    raise BiliConnectionError(f"{method} {path}: the connection failed") from broken
        except (OSError, http.client.HTTPException) as error:
            raise BiliConnectionError(f"{method} {path}: {error or 'the connection failed'}") from error
        try:
            # Decimal keeps amounts exact.
            value = json.loads(text, parse_float=Decimal)
        except ValueError:
            value = None
        if 200 <= status < 300 and value is not None:
            return value
        message = value.get("error") if isinstance(value, dict) else None
        if not isinstance(message, str):
            message = f"The server answered {status} without JSON. Check the base URL."
        raise BiliApiError(status, message, answer.get("Bili-Error"), answer.get("X-Request-Id"), _retry_after(answer.get("Retry-After")))


def _retry_after(value: Optional[str]) -> Optional[float]:
    """Reads seconds or an HTTP date."""
    if value is None:
        return None
    if re.fullmatch(r"[0-9]+", value):
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
