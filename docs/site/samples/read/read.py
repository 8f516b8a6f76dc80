import json, os, urllib.error, urllib.request

request = urllib.request.Request(
    f"{os.environ['BILI_URL']}/api/v3/bills/{os.environ['BILL_ID']}",
    headers={"Authorization": f"ApiKey {os.environ['BILI_KEY_ID']}:{os.environ['BILI_SECRET']}"},
)
try:
    with urllib.request.urlopen(request, timeout=30) as answer:
        bill = json.load(answer)
except urllib.error.HTTPError as error:
    raise SystemExit(f"Error: {error.read().decode()}")
print(bill["status"], bill["paidAmount"], "of", bill["amount"])
