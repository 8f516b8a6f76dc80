import json, os, urllib.error, urllib.request

request = urllib.request.Request(
    os.environ["BILI_URL"] + "/api/v3/bills/create",
    data=json.dumps({"amount": 5000, "reference": "ORDER-1", "mobile": "0712345001"}).encode(),
    headers={
        "Authorization": f"ApiKey {os.environ['BILI_KEY_ID']}:{os.environ['BILI_SECRET']}",
        "Content-Type": "application/json",
        "Idempotency-Key": "ORDER-1",
    },
)
try:
    with urllib.request.urlopen(request, timeout=30) as answer:
        bill = json.load(answer)
except urllib.error.HTTPError as error:
    raise SystemExit(f"Error: {error.read().decode()}")
print(bill["id"], bill["webPayUrl"])
