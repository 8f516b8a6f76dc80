"""Calls the Python package for the conformance tests."""

import dataclasses
import json
import sys
from datetime import datetime
from decimal import Decimal

import bili

client = None


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def plain(value):
    if dataclasses.is_dataclass(value):
        return {camel(field.name): plain(getattr(value, field.name)) for field in dataclasses.fields(value) if field.name != "raw"}
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def configure(baseUrl, keyId, secret, retryPauseMs, maxRetries=4, scenario=None):
    global client
    client = bili.Bili(baseUrl, keyId, secret, retry_pause=retryPauseMs / 1000, max_retries=maxRetries, scenario=scenario)


def events(after=None, limit=None):
    found = list(client.events(after, limit))
    return {"events": plain(found), "cursor": found[-1].cursor if found else after}


def verify(secrets, body, headers, now=None):
    clock = {} if now is None else {"now": lambda: now}
    return bili.Webhook(secrets, **clock).verify(body, headers)


COMMANDS = {
    "configure": configure,
    "createBill": lambda idempotencyKey=None, **bill: client.create_bill(**bill, idempotency_key=idempotencyKey),
    "getBill": lambda id: client.get_bill(id),
    "waitUntilPaid": lambda id, deadlineMs, pollMs, stopOnFailure=False: client.wait_until_paid(
        id, deadline=deadlineMs / 1000, poll=pollMs / 1000, stop_on_failure=stopOnFailure
    ),
    "events": events,
    "post": lambda path, body: client.request("POST", path, body=body.encode()),
    "controlSandboxTime": lambda advanceSeconds=None, delayPercent=None: client.control_sandbox_time(advanceSeconds, delayPercent),
    "createBills": lambda bills, idempotencyKey=None: client.create_bills(bills, idempotency_key=idempotencyKey),
    "validateBill": lambda **bill: client.validate_bill(bill),
    "listBills": lambda **query: client.list_bills(**query),
    "listPayments": lambda id: client.list_payments(id),
    "listPaymentRequests": lambda id: client.list_payment_requests(id),
    "listBillEvents": lambda id: client.list_bill_events(id),
    "pushBill": lambda id, mobile=None, idempotencyKey=None: client.push_bill(id, mobile, idempotency_key=idempotencyKey),
    "closeBill": lambda id, reason=None: client.close_bill(id, reason),
    "reopenBill": lambda id, reason=None: client.reopen_bill(id, reason),
    "refund": lambda id, reason, idempotencyKey=None, **part: client.refund(id, reason, **part, idempotency_key=idempotencyKey),
    "refunds": lambda id: client.refunds(id),
    "askInstruments": lambda id: client.ask_instruments(id),
    "instruments": lambda id: client.instruments(id),
    "recordPayment": lambda id, amount, kind, receivedAt=None, idempotencyKey=None, **part: client.record_payment(
        id, amount, kind, received_at=receivedAt, idempotency_key=idempotencyKey, **part
    ),
    "readMobile": lambda text: {"mobile": bili.read_mobile(text)},
    "readShillings": lambda text: {"shillings": bili.read_shillings(text)},
    "networks": lambda: client.networks(),
    "verifyWebhook": verify,
}


def describe(error):
    message = str(error)
    if isinstance(error, bili.BiliApiError):
        facts = {"status": error.status, "code": error.code, "requestId": error.request_id, "retryable": error.retryable}
        return {"type": "api", "message": message, **facts}
    if isinstance(error, bili.BiliConnectionError):
        return {"type": "connection", "message": message}
    if isinstance(error, bili.BiliNotPaidError):
        return {"type": "not_paid", "message": message, "reason": error.reason, "bill": plain(error.bill)}
    if isinstance(error, bili.BiliWebhookError):
        return {"type": "webhook", "message": message, "reason": error.reason}
    return {"type": "argument" if isinstance(error, bili.BiliError) else "other", "message": repr(error)}


for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = {"result": plain(COMMANDS[request["command"]](**request["args"]))}
    except Exception as error:
        answer = {"error": describe(error)}
    print(json.dumps(answer), flush=True)
