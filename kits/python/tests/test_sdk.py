import asyncio
import io
import json
import unittest
import uuid
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

from bili import Bili, BiliConnectionError, BiliError, BiliWebhookError, Webhook, wsgi_webhook
from bili._new_bill import amount_json, list_item_json, new_bill_json, refund_json
from bili.history import read_refund

SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
BODY = (
    b'{"bill":{"id":"0193aa10-0000-7000-8000-000000000001","mobile":"0712345001","amount":5000.0,'
    b'"status":"FULLY_PAID","reference":"ORDER-1"}}'
)
HEADERS = {
    "webhook-id": "msg_0193aa11-0000-7000-8000-000000000001",
    "webhook-timestamp": "1795213486",
    "webhook-signature": "v1,mpt1OWpdIBDwfEwiMYi069hYw2NH4lJdIg45f5xweMI=",
}
WEBHOOK = Webhook(SECRET, now=lambda: 1795213486)


class Request:
    """Has the members that Flask, Django and FastAPI give to a request."""

    def __init__(self, body):
        self.body = body
        self.headers = HEADERS

    def get_data(self):
        return self.body


class AsyncRequest:
    headers = HEADERS

    async def body(self):
        return BODY


class Amounts(unittest.TestCase):
    def test_exact_amounts_are_written_as_given(self):
        for given, expected in [(5000, "5000"), ("12500.50", "12500.50"), (Decimal("0.10"), "0.10"), (Decimal("1E+3"), "1000"), ("007", "7")]:
            self.assertEqual(amount_json(given), expected)

    def test_amounts_that_may_be_rounded_are_refused(self):
        for given in [0.1, True, "1e3", "1.005", Decimal("1.005"), "", "-1", "١"]:
            with self.assertRaises(BiliError):
                amount_json(given)


class NewBills(unittest.TestCase):
    def test_the_names_of_create_bill_and_of_the_api_mean_the_same(self):
        day = datetime(2027, 1, 31, 12, tzinfo=timezone(timedelta(hours=3)))
        own = {"amount": "10.50", "reference": "A", "due_at": day, "customer_name": "Asha", "idempotency_key": "A", "mobile": None}
        api = {"amount": "10.50", "reference": "A", "dueAt": 1801386000000, "customer": {"name": "Asha", "email": None}, "idempotencyKey": "A"}
        self.assertEqual(json.loads(new_bill_json(own)), json.loads(list_item_json(api)))
        self.assertEqual(json.loads(new_bill_json(own))["dueAt"], 1801386000000)

    def test_times_without_a_time_zone_are_refused(self):
        for given in [datetime(2027, 1, 31), date(2027, 1, 31), "2027-01-31", True]:
            with self.assertRaises(BiliError):
                new_bill_json({"amount": 1, "reference": "A", "expires_at": given})

    def test_bills_that_are_no_mapping_or_no_json_are_refused(self):
        for given in ["A", None, {"amount": 1, "metadata": {"total": Decimal("1")}}]:
            with self.assertRaises(BiliError):
                new_bill_json(given)
        with self.assertRaises(BiliError):
            Bili("https://pay.example.com", "key", "secret").create_bills({"amount": 1, "reference": "A"})


class Refunds(unittest.TestCase):
    def test_the_amount_of_a_refund_is_written_as_given(self):
        self.assertEqual(refund_json("Damaged", Decimal("12500.50"), None), b'{"amount":12500.50, "reason": "Damaged"}')
        self.assertEqual(json.loads(refund_json("Damaged", None, "p-1")), {"reason": "Damaged", "payment": "p-1"})
        for given in [0.1, True, "", "1e3"]:
            with self.assertRaises(BiliError):
                Bili("http://127.0.0.1:9", "key", "secret").refund("b-1", "Damaged", amount=given)

    def test_a_refund_is_read(self):
        raw = {"id": "r-1", "bill": "b-1", "payment": "p-1", "amount": Decimal("12500.5"), "state": "DONE", "way": "hand"}
        raw.update({"reason": "Damaged", "failure": None, "receipt": None, "createdAt": 1795213485580, "doneAt": 1795213485581})
        refund = read_refund(raw)
        self.assertEqual((refund.amount, refund.state, refund.receipt), (Decimal("12500.50"), "DONE", None))
        self.assertGreater(refund.done_at, refund.created_at)
        with self.assertRaises(BiliError):
            read_refund({**raw, "amount": "12500.50"})


class Client(unittest.TestCase):
    def test_line_breaks_in_credentials_are_removed_or_refused_without_showing_them(self):
        client = Bili("http://127.0.0.1:9/api/v3/", "key\n", "s3cret\r\n", max_retries=0)
        with self.assertRaises(BiliConnectionError):
            client.get_bill(uuid.UUID(int=1))
        for key, secret in [("key", "s3\ncret"), ("", "s3cret"), (None, "s3cret"), ("key", "s3 cret")]:
            with self.assertRaises(BiliError) as caught:
                Bili("https://pay.example.com", key, secret)
            self.assertNotIn("s3", str(caught.exception))
        with self.assertRaises(BiliError):
            Bili("https://pay.example.com", "key", "secret", scenario="paid\nX: y")

    def test_a_missing_base_url_is_refused(self):
        for url in ["", None, "localhost:3001"]:
            with self.assertRaises(BiliError):
                Bili(url, "key", "secret")

    def test_a_signing_secret_may_end_with_a_line_break(self):
        self.assertEqual(Webhook(SECRET + "\n", now=lambda: 1795213486).verify(BODY, HEADERS).bill.reference, "ORDER-1")
        with self.assertRaises(BiliWebhookError):
            Webhook(None)

    def test_plain_http_is_refused_except_on_this_machine(self):
        with self.assertRaises(BiliError):
            Bili("http://pay.example.com", "key", "secret")
        Bili("http://localhost:3001", "key", "secret")
        self.assertIsNotNone(Bili("http://bili:3001", "key", "secret", allow_http=True))

    def test_the_secret_is_not_shown_with_the_client(self):
        self.assertNotIn("s3cret", repr(Bili("https://pay.example.com", "key", "s3cret")))


class Frameworks(unittest.TestCase):
    def test_requests_of_frameworks(self):
        self.assertEqual(WEBHOOK.verify_flask(Request(BODY)).bill.reference, "ORDER-1")
        self.assertEqual(WEBHOOK.verify_django(Request(BODY)).bill.amount, Decimal("5000.00"))
        self.assertEqual(asyncio.run(WEBHOOK.verify_fastapi(AsyncRequest())).id, HEADERS["webhook-id"])
        with self.assertRaises(BiliWebhookError) as caught:
            WEBHOOK.verify_flask(Request({"bill": {}}))
        self.assertEqual(caught.exception.reason, "body_not_raw")

    def test_flask_itself(self):
        try:
            import flask
        except ImportError:
            self.skipTest("Flask is not installed")
        app = flask.Flask("shop")
        app.post("/bili")(lambda: (WEBHOOK.verify_flask(flask.request).bill.reference, 200))
        answer = app.test_client().post("/bili", data=BODY, headers=HEADERS, content_type="application/json")
        self.assertEqual(answer.get_data(as_text=True), "ORDER-1")

    def test_the_wsgi_application(self):
        bills, statuses = [], []
        application = wsgi_webhook(WEBHOOK, lambda event: bills.append(event.bill.reference))

        def send(body, method="POST"):
            headers = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in HEADERS.items()}
            environ = {"REQUEST_METHOD": method, "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body), **headers}
            application(environ, lambda status, _headers: statuses.append(status[:3]))

        send(BODY)
        send(BODY + b" ")
        send(b"", "GET")
        self.assertEqual((statuses, bills), (["200", "401", "405"], ["ORDER-1"]))


if __name__ == "__main__":
    unittest.main()
