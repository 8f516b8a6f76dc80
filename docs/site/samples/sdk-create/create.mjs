import { Bili } from '@bili/sdk';

const bili = new Bili({
  baseUrl: process.env.BILI_URL,
  keyId: process.env.BILI_KEY_ID,
  secret: process.env.BILI_SECRET,
});

const bill = await bili.createBill({ amount: 5000, reference: 'ORDER-1', mobile: '0712345001' }, { idempotencyKey: 'ORDER-1' });
console.log(bill.id, bill.webPayUrl);

const paid = await bili.waitUntilPaid(bill.id, { deadlineMs: 60_000 });
console.log(paid.status, paid.paidAmount); // FULLY_PAID 5000.00
