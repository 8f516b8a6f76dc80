import { expect, merchantServer, test } from './product';
import { text } from './texts';

interface Row {
  readonly ends: string;
  readonly status: string;
  /** How much of a bill of 5,001 shillings is paid in the end, in shillings. */
  readonly paid: number;
  /** The final text of the payment page. */
  readonly says: string;
}

/**
 * The general text for a failed payment request. The page shows the reason only to the device that requested the prompt. Here the API
 * requested it.
 */
const ENDED = text('ReasonTitle.not_completed');

/** The table of sandbox numbers in the API contract. */
const ROWS: readonly Row[] = [
  { ends: '001', status: 'FULLY_PAID', paid: 5001, says: text('Pay.paidTitle') },
  { ends: '002', status: 'NOT_PAID', paid: 0, says: ENDED },
  { ends: '003', status: 'NOT_PAID', paid: 0, says: ENDED },
  { ends: '004', status: 'NOT_PAID', paid: 0, says: ENDED },
  { ends: '005', status: 'NOT_PAID', paid: 0, says: ENDED },
  { ends: '006', status: 'NOT_PAID', paid: 0, says: ENDED },
  { ends: '007', status: 'FULLY_PAID', paid: 5001, says: text('Pay.paidTitle') },
  { ends: '008', status: 'FULLY_PAID', paid: 5001, says: text('Pay.paidTitle') },
  { ends: '009', status: 'PARTIALLY_PAID', paid: 2501, says: text('Pay.partTitle') },
  { ends: '010', status: 'FULLY_PAID', paid: 5001, says: text('Pay.paidTitle') },
  { ends: '011', status: 'FULLY_PAID', paid: 5001, says: text('Pay.paidTitle') },
  { ends: '012', status: 'FULLY_PAID', paid: 5001, says: text('Pay.paidTitle') },
  { ends: '013', status: 'NOT_PAID', paid: 0, says: text('ReasonTitle.provider_unavailable') },
  { ends: '678', status: 'FULLY_PAID', paid: 5001, says: text('Pay.paidTitle') },
];

const page = async (url: string) => (await fetch(`${url}&lang=en`)).text();

test('each sandbox number has the documented outcome', { tag: '@full' }, async ({ product }) => {
  const server = merchantServer(product);
  const bills = await Promise.all(
    ROWS.map(async (row) => ({
      ...row,
      bill: await server.create({ amount: 5001, reference: `SANDBOX-${row.ends}`, mobile: `0712345${row.ends}` }),
    })),
  );
  const settled = bills.map(async ({ ends, bill, status, paid, says }) => {
    await expect.poll(() => page(bill.webPayUrl), { message: `number ending in ${ends}`, timeout: 45_000 }).toContain(says);
    expect(await server.get(bill.id), ends).toMatchObject({ status, paidAmount: paid });
  });

  // The prompt to the number that ends in 011 expires before the money arrives.
  const late = bills.find(({ ends }) => ends === '011');
  await expect.poll(() => page(late?.bill.webPayUrl ?? '')).toContain(ENDED);
  await Promise.all(settled);
});
