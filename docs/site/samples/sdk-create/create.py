import os
from bili import Bili

bili = Bili(os.environ["BILI_URL"], os.environ["BILI_KEY_ID"], os.environ["BILI_SECRET"])

bill = bili.create_bill(5000, "ORDER-1", "0712345001", idempotency_key="ORDER-1")
print(bill.id, bill.web_pay_url)

paid = bili.wait_until_paid(bill.id, deadline=60)
print(paid.status, paid.paid_amount)  # FULLY_PAID 5000.00
