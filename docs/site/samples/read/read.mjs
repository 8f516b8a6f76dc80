const { BILI_URL, BILI_KEY_ID, BILI_SECRET, BILL_ID } = process.env;

const answer = await fetch(`${BILI_URL}/api/v3/bills/${BILL_ID}`, {
  headers: { Authorization: `ApiKey ${BILI_KEY_ID}:${BILI_SECRET}` },
  signal: AbortSignal.timeout(30_000),
});
if (!answer.ok) throw new Error(await answer.text());
const bill = await answer.json();
console.log(bill.status, bill.paidAmount, 'of', bill.amount);
