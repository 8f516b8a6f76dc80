import asyncio
import io
import unittest
from decimal import Decimal

from bili import Bili, BiliError, BiliWebhookError, Webhook, wsgi_webhook
from bili.models import amount_json

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


class Client(unittest.TestCase):
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
