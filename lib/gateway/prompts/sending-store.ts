import { addMs } from '@/lib/platform/core/clock';
import { columnsOf } from '@/lib/platform/core/columns-of';
import type { Database } from '@/lib/platform/db/database';
import { bill, providerAccount } from '@/lib/platform/db/generated/tables';
import { array, boolean, nullable, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { unnestFew } from '@/lib/platform/db/unnest';
import { sharedQueue } from '@/lib/platform/queues/shared-queue';
import { ACCOUNT_COLUMNS, SELECTED_ACCOUNT } from '@/lib/providers/accounts/account-store';
import { LONGEST_WINDOW_MS } from './decide-prompt';
import { PROMPTS_BEFORE } from './prompt-store';

const WANTED = { attemptId: array(uuid), accountId: array(uuid) };
const READ_FACTS = statement({
  name: 'read-facts-before-sending',
  prepared: true,
  text: `SELECT w.attempt_id AS "attemptId", c.*, b.paid_amount + me.amount >= b.amount + 100 AS "tooMuch", p.status = 'active' AS "merchantActive", b.expires_at AS "expiresAt",
           EXISTS (SELECT 1 FROM prompt_refusal r WHERE r.environment = me.environment AND r.mobile = me.mobile AND r.state = 'ACTIVE') AS refused,
           EXISTS (SELECT 1 FROM ${PROMPTS_BEFORE}) AS prompted
         FROM ${unnestFew(WANTED, 'w')}
         JOIN push_attempt me ON me.id = w.attempt_id
         JOIN bill b ON b.id = me.bill_id
         JOIN merchant_profile p ON p.merchant_id = b.merchant_id AND p.environment = b.environment
         JOIN LATERAL (SELECT ${SELECTED_ACCOUNT}, disabled_at AS "disabledAt" FROM provider_account WHERE id = w.account_id) c ON true`,
  parameters: { ...WANTED, since: timestamptz },
  columns: {
    attemptId: nullable(uuid),
    ...ACCOUNT_COLUMNS,
    disabledAt: providerAccount.disabledAt,
    /** Whether the attempt's amount exceeds what is now unpaid of the bill, rounded up to whole shillings. */
    tooMuch: boolean,
    merchantActive: boolean,
    /** When the bill expires. */
    expiresAt: bill.expiresAt,
    /** The number is blocked. */
    refused: boolean,
    /** The number has had other prompts that count towards its limits. */
    prompted: boolean,
  },
});

/** What decides whether a waiting attempt is sent, with the account that would send it. */
export type SendingFacts = Awaited<ReturnType<typeof READ_FACTS.rows>>[number];

interface Wanted {
  readonly attemptId: string;
  readonly accountId: string;
  readonly now: Date;
}

const readShared = sharedQueue<Wanted, SendingFacts | null>({
  runBatch: readFacts,
  runAlone: async (db, wanted) => (await readFacts(db, [wanted]))[0] ?? null,
});

/**
 * Reads what may have changed while an attempt waited to be sent, in one statement with other attempts.
 * Returns null if the account does not exist.
 */
export async function readSendingFacts(db: Database, wanted: Wanted): Promise<SendingFacts | null> {
  return readShared(db, wanted.accountId, wanted);
}

async function readFacts(db: Database, wanted: readonly Wanted[]): Promise<(SendingFacts | null)[]> {
  const since = addMs(new Date(Math.min(...wanted.map(({ now }) => now.getTime()))), -LONGEST_WINDOW_MS);
  const found = new Map((await READ_FACTS.rows(db, { ...columnsOf(wanted, WANTED), since })).map((facts) => [facts.attemptId, facts]));
  return wanted.map(({ attemptId }) => found.get(attemptId) ?? null);
}
