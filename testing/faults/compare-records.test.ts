import { expect, test } from 'vitest';
import { testSandbox } from '@/testing/data/sandbox';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { compareRecords, type ProviderRecord } from './compare-records';

const runtime = testRuntime({ SANDBOX_BASE_URL: 'http://127.0.0.1:9' });
const sandbox = testSandbox(runtime);

test('detects everything that a fault must not leave behind', async () => {
  const { db } = runtime();
  const merchant = await makeMerchant(runtime());
  const make = async (reference: string): Promise<string> => {
    const id = await makeBill(runtime(), merchant, { reference, amount: 5_000, mobile: '0712345001' });
    await sandbox.settle(id);
    return id;
  };
  const [first, second, third] = [await make('FAULT-1'), await make('FAULT-2'), await make('FAULT-3')];
  const rows = await db.query<ProviderRecord>({
    text: `SELECT p.reference, p.receipt, p.amount::int AS amount, true AS completed
           FROM sandbox_prompt p JOIN push_attempt a ON a.our_reference = p.reference JOIN bill b ON b.id = a.bill_id ORDER BY b.reference`,
  });
  const acknowledged = new Map([
    ['FAULT-1', first],
    ['FAULT-2', second],
    ['FAULT-3', third],
  ]);
  expect(await compareRecords(db, { acknowledged, provider: rows })).toEqual({ lost: [], doubled: [], askedTwice: [], money: [] });

  const [paid, dearer, unknown] = rows;
  if (!paid || !dearer || !unknown) throw new Error('the provider has three prompts');
  await make('FAULT-2');
  const provider = [paid, { ...paid, receipt: 'AGAIN' }, { ...dearer, amount: 7_000 }, { ...unknown, completed: false }];
  const damage = await compareRecords(db, { acknowledged: new Map([...acknowledged, ['FAULT-4', first]]), provider });
  expect(damage).toMatchObject({ lost: ['FAULT-4'], doubled: ['FAULT-2'], askedTwice: [first] });
  expect(damage.money).toEqual([
    'AGAIN is not in the ledger',
    `${dearer.receipt} is in the ledger as 5000, not 7000`,
    `${unknown.receipt} is in the ledger only`,
    expect.stringMatching(/ is in the ledger only$/),
  ]);
});
