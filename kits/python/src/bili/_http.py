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
from email.message import Message
from typing import Any, Callable, Mapping, Optional, Tuple, TypeVar
from urllib.parse import urlencode, urlsplit

from .errors import BiliApiError, BiliConnectionError, BiliError

Result = TypeVar("Result")
_PAUSE_MAX = 8.0
_WORD = re.compile(r"[!-~]+")
_PRINTABLE = re.compile(r"[ -~]{1,255}")
_LOOPBACK = re.compile(r"(localhost|127(\.[0-9]+){3}|::1)")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect could lead the secret to another server."""

    def redirect_request(self, *_args: Any, **_named: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


class Http:
    def __init__(
        self, base_url: str, key_id: str, secret: str, timeout: float, max_retries: int, retry_pause: float,
        max_retry_after: float, allow_http: bool, scenario: Optional[str],
    ) -> None:
        url = urlsplit(base_url or "")
        is_local = _LOOPBACK.fullmatch(url.hostname or "") is not None
        if not url.hostname or (url.scheme != "https" and not (url.scheme == "http" and (allow_http or is_local))):
            raise BiliError(
                "base_url must begin with https://, for example https://pay.example.com, because every request carries the secret. "
                "http:// works for this machine (http://localhost:3001); for other hosts, it needs allow_http."
            )
        # A value that was read from a file often ends with a line break.
        key_id, secret = (key_id or "").strip(), (secret or "").strip()
        if not _WORD.fullmatch(key_id) or not _WORD.fullmatch(secret):
            raise BiliError("key_id and secret are required, and contain no spaces or line breaks")
        self._base = f"{url.scheme}://{url.netloc}{re.sub(r'(/api/v3)?/*$', '', url.path)}/api/v3"
        self._headers = {"Authorization": f"ApiKey {key_id}:{secret}", "Accept": "application/json", "User-Agent": "bili-python/0.1.0"}
        if scenario is not None:
            self._headers["Bili-Sandbox-Scenario"] = _printable(scenario, "scenario")
        self._timeout, self._max_retries = timeout, max_retries
        self._retry_pause, self._max_retry_after = retry_pause, max_retry_after

    def send(
        self, method: str, path: str, read: Callable[[Any], Result], *, query: Optional[Mapping[str, Any]] = None,
        body: Optional[bytes] = None, idempotency_key: Optional[str] = None,
    ) -> Result:
        """Sends a request until it is answered, and reads the JSON of the answer.

        Raises BiliApiError if Bili refuses it or fails after the last retry, and BiliConnectionError if no answer came.
        """
        return read(self.answer(method, path, query=query, body=body, idempotency_key=idempotency_key)[0])

    def answer(
        self, method: str, path: str, *, query: Optional[Mapping[str, Any]] = None, body: Optional[bytes] = None,
        idempotency_key: Optional[str] = None,
    ) -> Tuple[Any, Message]:
        """Sends a request as ``send`` does. Returns the JSON of the answer and its headers."""
        headers = dict(self._headers)
        if body is not None:
            headers["Content-Type"] = "application/json"
        if idempotency_key is not None:
            headers["Idempotency-Key"] = _printable(str(idempotency_key), "The Idempotency-Key")
        retry = 0
        while True:
            try:
                return self._send_once(method, path, query or {}, body, headers)
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
        pause = min(_PAUSE_MAX, self._retry_pause * 2.0**retry) * (0.5 + random.random() / 2)
        if not isinstance(error, BiliApiError):
            return pause
        if not error.retryable:
            return None
        if error.retry_after is None:
            return pause
        return None if error.retry_after > self._max_retry_after else error.retry_after + pause * 0.2

    def _send_once(
        self, method: str, path: str, query: Mapping[str, Any], body: Optional[bytes], headers: Mapping[str, str]
    ) -> Tuple[Any, Message]:
        parameters = urlencode({name: value for name, value in query.items() if value is not None})
        url = f"{self._base}/{path.lstrip('/')}" + (f"?{parameters}" if parameters else "")
        request = urllib.request.Request(url, data=body, headers=dict(headers), method=method)
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
            return value, answer
        message = value.get("error") if isinstance(value, dict) else None
        if not isinstance(message, str):
            message = f"The server answered {status} without JSON. Check the base URL."
        raise BiliApiError(status, message, answer.get("Bili-Error"), answer.get("X-Request-Id"), _retry_after(answer.get("Retry-After")))


def body_bytes(body: Any) -> Optional[bytes]:
    """Returns a body as bytes. Bytes and a text are JSON already."""
    if body is None or isinstance(body, bytes):
        return body
    return (body if isinstance(body, str) else json.dumps(body)).encode()


def _printable(value: str, name: str) -> str:
    # The value is not shown: it could be the secret.
    if not _PRINTABLE.fullmatch(value):
        raise BiliError(f"{name} must be 1 to 255 printable ASCII characters")
    return value


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
