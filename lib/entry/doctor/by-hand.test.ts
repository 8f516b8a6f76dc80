import { expect, test } from 'vitest';
import { listAlerts } from '@/lib/backoffice/alerts/list-alerts';
import { listUnmatched } from '@/lib/gateway/ledger/listing-store';
import { recordPayment } from '@/lib/gateway/ledger/record-payment';
import { findStatementAccount } from '@/lib/gateway/reconciliation/ledger-store';
import { newId } from '@/lib/platform/core/ids';
import { listAccounts } from '@/lib/providers/accounts/account-store';
import { createRegistry } from '@/lib/providers/registry';
import { joinAs } from '@/testing/data/access';
import { makeBill, makeMerchant, testRuntime } from '@/testing/runtime';
import { examine } from './examine';

const runtime = testRuntime();

test('the account for money by hand is in no list, check or statement of providers', async () => {
  const shops = [await makeMerchant(runtime()), await makeMerchant(runtime())];
  for (const shop of shops) {
    const entered = { amount: 500_000n, source: 'cash', receivedAt: '', slip: '0001', note: '', overpay: true } as const;
    const billId = await makeBill(runtime(), shop);
    const recorded = await recordPayment(runtime(), shop.operator('sandbox'), { ...entered, billId, requestKey: newId(runtime()) });
    expect(recorded).toMatchObject({ ok: true });
  }
  const hands = await runtime().db.prisma.providerAccount.findMany({ where: { provider: 'hand' } });
  expect(hands).toHaveLength(2);
  expect((await listAccounts(runtime().db)).map(({ provider }) => provider)).not.toContain('hand');
  for (const { id } of hands) expect(await findStatementAccount(runtime().db, id)).toBeUndefined();
  expect(await listUnmatched(runtime().db, 10)).toEqual([]);
  for (const shop of shops) {
    const alerts = await listAlerts(runtime(), await joinAs(runtime(), shop, 'owner'), { topic: 'news', before: null });
    expect(alerts.alerts.map(({ kind }) => kind)).toContain('payment');
    expect(alerts.alerts.map(({ kind }) => kind)).not.toContain('unmatched');
  }
  const findings = await examine({ ...runtime(), providers: createRegistry(runtime(), null) });
  const named = ['accounts_usable', 'tills_separate', 'receipts_in_one_till', 'unmatched_money', 'ledger'];
  const about = findings.filter(({ name }) => named.includes(name));
  expect(about.length).toBeGreaterThan(2);
  expect(about.filter(({ level }) => level !== 'ok')).toEqual([]);
});
