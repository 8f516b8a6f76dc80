import { randomBytes } from 'node:crypto';
import { applyOutcome } from '@/lib/gateway/attempts/apply-outcome';
import { findBill } from '@/lib/gateway/bills/store';
import { recordUnmatched } from '@/lib/gateway/ledger/record-unmatched';
import type { Attempt } from '@/lib/gateway/payments/rules';
import { listAttempts } from '@/lib/gateway/payments/store';
import {
  type PreviewOptions,
  previewStatement,
  type ReconcileOptions,
  type ReconcileResult,
  reconcileStatement,
} from '@/lib/gateway/reconciliation/reconcile-statement';
import { listLines, type StoredLine } from '@/lib/gateway/reconciliation/store';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import type { Period } from '@/lib/platform/core/period';
import type { Database } from '@/lib/platform/db/database';
import { insertAccount } from '@/lib/providers/accounts/account-store';
import type { Outcome } from '@/lib/providers/port/outcome';
import { createRegistry } from '@/lib/providers/registry';
import { makeBill, makeMerchant, TEST_OPERATOR, type TestMerchant, type TestRuntime } from '../runtime';

const HEADER = 'transaction_id,type,amount,completed_at,reference,mobile,reversed_transaction_id';

/** A provider account that no other test reconciles, and its owner. */
export interface Till {
  readonly id: string;
  readonly merchant: TestMerchant;
}

type Options = Omit<ReconcileOptions, 'actor' | 'format' | 'ifIncomplete'> & Partial<Pick<ReconcileOptions, 'format' | 'ifIncomplete'>>;

export const uniqueId = (prefix: string) => `${prefix}${randomBytes(4).toString('hex').toUpperCase()}`;

/** Creates tills, unknown attempts, and statements about them. */
export function testReconciling(runtime: () => TestRuntime) {
  const now = () => runtime().clock().toISOString();
  const withProviders = (db: Database = runtime().db) => ({ ...runtime(), db, providers: createRegistry(runtime(), null) });

  const tools = {
    async makeTill(merchant?: TestMerchant, account: Partial<Parameters<typeof insertAccount>[1]> = {}): Promise<Till> {
      const owner = merchant ?? (await makeMerchant(runtime()));
      const id = account.id ?? newId(runtime());
      const { merchantId, environment } = owner.scope('sandbox');
      const about = { id, merchantId, environment, provider: 'sandbox', label: 'Till', networks: [], encryptedCredentials: null };
      await insertAccount(runtime().db, { ...about, createdAt: runtime().clock(), ...account });
      return { id, merchant: owner };
    },

    /** Creates an unknown attempt that was sent through the till. */
    async unknownAttempt({ id, merchant }: Till): Promise<Attempt> {
      const billId = await makeBill(runtime(), merchant, { amount: 5000, mobile: '0712345001' });
      await runtime().db.query(
        {
          text: `UPDATE push_attempt SET state = 'UNKNOWN', provider_account_id = $2, sent_at = $3, unknown_since = $3, due_at = $4 WHERE bill_id = $1`,
        },
        [billId, id, runtime().clock(), addMs(runtime().clock(), HOUR_MS)],
      );
      const [attempt] = await listAttempts(runtime().db, billId);
      if (!attempt) throw new Error('the bill has no attempt');
      return attempt;
    },

    /** Lets an account refuse an attempt, so that another account has it now. */
    async refuse(attempt: Attempt, refusing: Till, next: Till): Promise<void> {
      await runtime().db.query(
        { text: 'UPDATE push_attempt SET provider_account_id = $2, refused_account_ids = ARRAY[$3::uuid] WHERE id = $1' },
        [attempt.id, next.id, refusing.id],
      );
    },

    /** Lists the reviews about a bill, an attempt or a payment that mentions the receipt number. */
    reviewsOf: (receipt: string) =>
      runtime().db.query<{ kind: string; attempt_id: string | null; payment_id: string | null; merchant_id: string | null; open: boolean }>(
        {
          text: `SELECT kind, attempt_id, payment_id, merchant_id, resolved_at IS NULL AS open FROM review WHERE data->>'transactionId' = $1 ORDER BY id`,
        },
        [receipt],
      ),

    /** Applies an outcome as if the provider had reported it. */
    async report({ id }: Till, attempt: Attempt, outcome: Outcome, source: 'callback' | 'status' = 'callback'): Promise<void> {
      const pace = withProviders().providers.find('sandbox')?.capabilities;
      if (!pace) throw new Error('there is no sandbox');
      await applyOutcome(runtime(), { attempt, providerAccountId: id, outcome, pace, source, leaseToken: null });
    },

    /** Creates an attempt that was paid with this receipt number. All amounts here are 5,000 shillings. */
    async paidAttempt(till: Till, transactionId: string): Promise<Attempt> {
      const attempt = await tools.unknownAttempt(till);
      await tools.report(till, attempt, { kind: 'paid', transactionId, amount: 500_000n });
      return attempt;
    },

    keep: ({ id }: Till, transactionId: string) =>
      recordUnmatched(runtime(), {
        account: { id, environment: 'sandbox' },
        outcome: { kind: 'paid', transactionId, amount: 500_000n },
        mobile: null,
        source: 'callback',
      }),

    today: (): Period => ({ from: addMs(runtime().clock(), -DAY_MS), to: addMs(runtime().clock(), DAY_MS) }),
    payment: (id: string, amount: number, reference = '', at = now(), mobile = '') =>
      `${id},payment,${amount},${at},${reference},${mobile},`,
    reversal: (id: string, amount: number, of: string, at = now()) => `${id},reversal,${amount},${at},,,${of}`,
    csv: (...lines: string[]) => ({ name: 'statement.csv', bytes: Buffer.from([HEADER, ...lines].join('\n')) }),

    attempt: (options: Options, db?: Database) =>
      reconcileStatement(withProviders(db), { format: 'canonical', actor: TEST_OPERATOR, ifIncomplete: 'accept', ...options }),

    preview: (options: Omit<PreviewOptions, 'format'>) => previewStatement(withProviders(), { format: 'canonical', ...options }),

    async reconcile(options: Options, db?: Database): Promise<ReconcileResult> {
      const done = await tools.attempt(options, db);
      if (!done.ok) throw new Error(done.error.join(' '));
      return done.value;
    },

    linesOf: (runId: string): Promise<StoredLine[]> => listLines(runtime().db, { runId, findings: null, after: 0, limit: 1_000 }),
    billOf: ({ merchant }: Till, { billId }: Attempt) => findBill(runtime().db, merchant.scope('sandbox'), billId),
    stateOf: async ({ billId }: Attempt) => (await listAttempts(runtime().db, billId))[0]?.state,
    rows: (sql: string, ...values: unknown[]) => runtime().db.query({ text: sql }, values),
  };
  return tools;
}
