const { BILI_URL, BILI_KEY_ID, BILI_SECRET } = process.env;

const answer = await fetch(`${BILI_URL}/api/v3/bills/create`, {
  method: 'POST',
  headers: {
    Authorization: `ApiKey ${BILI_KEY_ID}:${BILI_SECRET}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': 'ORDER-1',
  },
  body: JSON.stringify({ amount: 5000, reference: 'ORDER-1', mobile: '0712345001' }),
  signal: AbortSignal.timeout(30_000),
});
if (!answer.ok) throw new Error(await answer.text());
const bill = await answer.json();
console.log(bill.id, bill.webPayUrl);
