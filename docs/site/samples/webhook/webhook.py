# webhook.py
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def is_from_bili(secret, headers, body):
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not message_id or not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected, one.encode()) for one in given)


class Webhook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))  # the raw bytes
        valid = is_from_bili(os.environ["BILI_WEBHOOK_SECRET"], self.headers, body)
        if valid:
            bill = json.loads(body)["bill"]
            # Store the webhook-id and bill["id"] here. Your shop reads the bill afterwards.
            print("Webhook", self.headers["webhook-id"], "bill", bill["id"], "is", bill["status"], flush=True)
        self.send_response(200 if valid else 401)
        self.send_header("content-length", "0")
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8080))), Webhook).serve_forever()
