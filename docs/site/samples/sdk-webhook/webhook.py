# webhook.py
import os
from wsgiref.simple_server import make_server
from bili import Webhook, wsgi_webhook


def on_webhook(event):
    # Store event.id and the bill's id here. Your shop reads the bill afterwards.
    print("Webhook", event.id, "bill", event.bill.id, "is", event.bill.status, flush=True)


application = wsgi_webhook(Webhook(os.environ["BILI_WEBHOOK_SECRET"]), on_webhook)
make_server("127.0.0.1", int(os.environ.get("PORT", 8080)), application).serve_forever()
