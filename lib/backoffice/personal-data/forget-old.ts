import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { lowestId } from '@/lib/platform/core/ids';
import type { Queryable } from '@/lib/platform/db/database';
import { forgetSource } from '@/lib/platform/db/generated/tables';
import { nullable, text, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { registerVariants, statement, variant } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import {
  forgetAttempts,
  forgetBills,
  forgetDeliveries,
  forgetImports,
  forgetMessages,
  forgetNotes,
  forgetPaidBills,
  forgetPayments,
  forgetStatements,
} from './forget-rows';
import type { Period } from './personal-columns';

type ForgetRuntime = Pick<Runtime, 'db' | 'clock' | 'settings' | 'secrets'>;

/** A table whose personal data ends with time. A worker reads it once, in the order of its ids, which is the order of creation. */
interface Source {
  readonly table: string;
  readonly period: Period;
  /** Rows per transaction. */
  readonly batch: number;
  /** SQL for the lowest id at which the worker must wait, because something in progress still needs the data. */
  readonly waitsAt?: string;
  readonly forget: (tx: Queryable, runtime: ForgetRuntime, ids: readonly string[]) => Promise<void>;
}

const OPEN_REFUNDS = "refund r JOIN payment p ON p.id = r.payment_id WHERE r.state NOT IN ('DONE', 'FAILED')";
const OPEN_ATTEMPTS = "push_attempt a WHERE a.state = 'UNKNOWN'";

const SOURCES: readonly Source[] = [
  {
    table: 'bill',
    period: 'KEEP_CUSTOMERS_DAYS',
    batch: 500,
    waitsAt: `SELECT a.bill_id AS id FROM ${OPEN_ATTEMPTS}`,
    forget: (tx, _, ids) => forgetBills(tx, ids),
  },
  {
    table: 'push_attempt',
    period: 'KEEP_CUSTOMERS_DAYS',
    batch: 500,
    waitsAt: `SELECT a.id FROM ${OPEN_ATTEMPTS} UNION ALL SELECT p.attempt_id FROM ${OPEN_REFUNDS}`,
    forget: (tx, { secrets }, ids) => forgetAttempts(tx, secrets, ids),
  },
  {
    table: 'payment',
    period: 'KEEP_CUSTOMERS_DAYS',
    batch: 500,
    waitsAt: `SELECT p.id FROM ${OPEN_REFUNDS}`,
    forget: async (tx, { secrets }, ids) => {
      await forgetPayments(tx, secrets, ids);
      await forgetPaidBills(tx, ids);
    },
  },
  { table: 'bill_note', period: 'KEEP_CUSTOMERS_DAYS', batch: 500, forget: (tx, _, ids) => forgetNotes(tx, ids) },
  { table: 'bill_import', period: 'KEEP_CUSTOMERS_DAYS', batch: 1, forget: (tx, _, ids) => forgetImports(tx, ids) },
  { table: 'reconciliation', period: 'KEEP_CUSTOMERS_DAYS', batch: 1, forget: (tx, _, ids) => forgetStatements(tx, ids) },
  {
    table: 'provider_message',
    period: 'KEEP_MESSAGES_DAYS',
    batch: 500,
    waitsAt: 'SELECT m.id FROM provider_message m WHERE m.handled_at IS NULL',
    forget: (tx, _, ids) => forgetMessages(tx, ids),
  },
  { table: 'webhook_delivery', period: 'KEEP_MESSAGES_DAYS', batch: 500, forget: (tx, _, ids) => forgetDeliveries(tx, ids) },
];

const LOCK = statement({
  name: 'lock a source of personal data',
  text: 'SELECT read_to AS "readTo" FROM forget_source WHERE name = $name FOR NO KEY UPDATE SKIP LOCKED',
  parameters: { name: text },
  columns: { readTo: forgetSource.readTo },
});
const ADVANCE = statement({
  name: 'advance a source of personal data',
  text: 'UPDATE forget_source SET read_to = $readTo WHERE name = $name',
  parameters: { name: text, readTo: uuid },
});

const STATEMENTS = SOURCES.map((source) => ({
  ...source,
  list: variant({
    name: `list old rows of ${source.table}`,
    text: `SELECT id FROM ${source.table} WHERE id > $after AND id < $until ORDER BY id LIMIT ${source.batch}`,
    parameters: { after: uuid, until: uuid },
    columns: { id: uuid },
  }),
  wait: variant({
    name: `find where the forgetting of ${source.table} waits`,
    // MATERIALIZED, so that PostgreSQL reads the few open rows by their partial index, and not the whole table in the order of the ids.
    text: `WITH open AS MATERIALIZED (${source.waitsAt ?? 'SELECT NULL::uuid AS id'})
           SELECT (SELECT id FROM open WHERE id IS NOT NULL ORDER BY id LIMIT 1) AS id`,
    parameters: {},
    columns: { id: nullable(uuid) },
  }),
}));
registerVariants(STATEMENTS.flatMap(({ list, wait }) => [list, wait]));

/**
 * Forgets a batch of the personal data that is older than its period: see docs/personal-data.md. Any number of workers may run it at the same
 * time: each table is one worker's at a time. If a worker is killed, its batch is done again. Returns whether there may be more.
 */
export async function forgetOld(runtime: ForgetRuntime): Promise<boolean> {
  const { db, clock, settings } = runtime;
  let more = false;
  for (const source of STATEMENTS) {
    const until = lowestId(addMs(clock(), -settings[source.period] * DAY_MS).getTime());
    more = (await db.sqlTransaction((tx) => forgetBatch(runtime, tx, source, until))) || more;
  }
  return more || forgetOldRows(runtime);
}

/** Forgets the next batch of a table, unless another worker does. Returns whether the batch was full. */
async function forgetBatch(runtime: ForgetRuntime, tx: Queryable, source: (typeof STATEMENTS)[number], until: string): Promise<boolean> {
  const { table, batch, list, wait, forget } = source;
  const position = await LOCK.first(tx, { name: table });
  if (!position) return false;
  const rows = await list.rows(tx, { after: position.readTo, until });
  if (rows.length === 0) return false;
  const end = (await wait.first(tx, {}))?.id ?? until;
  const ids = rows.map(({ id }) => id).filter((id) => id < end);
  const last = ids.at(-1);
  if (last === undefined) return false;
  await forget(tx, runtime, ids);
  await ADVANCE.rows(tx, { name: table, readTo: last });
  return ids.length === batch;
}

const BEFORE = { before: timestamptz, lowest: uuid };
const OLD_ROWS = [
  `DELETE FROM session WHERE id IN (SELECT id FROM session WHERE id < $lowest AND least(expires_at, revoked_at) < $before ORDER BY id LIMIT 500)
   RETURNING id`,
  `DELETE FROM invitation WHERE id IN (SELECT id FROM invitation WHERE id < $lowest
     AND least(expires_at, accepted_at, revoked_at) < $before ORDER BY id LIMIT 500) RETURNING id`,
  `UPDATE cashier_device SET user_agent = NULL WHERE id < $lowest AND revoked_at < $before AND user_agent IS NOT NULL RETURNING id`,
  // Who has left every team, and has not signed in since. The id makes the address unique, and the account stays for who did what.
  `UPDATE "user" u SET email = 'erased:' || u.id, mobile = NULL, name = '' WHERE u.id < $lowest AND $before::timestamptz IS NOT NULL
     AND NOT u.operator AND u.email NOT LIKE 'erased:%' AND NOT EXISTS (SELECT 1 FROM membership m WHERE m.user_id = u.id)
     AND NOT EXISTS (SELECT 1 FROM session s WHERE s.user_id = u.id) RETURNING u.id`,
  `DELETE FROM sandbox_phone WHERE held_until < $before AND $lowest::uuid IS NOT NULL RETURNING merchant_id AS id`,
].map((sql, index) => variant({ name: `forget old devices and members ${index}`, text: sql, parameters: BEFORE, columns: { id: uuid } }));
const DELETE_REFUSALS = statement({
  name: 'delete old refusals',
  text: `DELETE FROM prompt_refusal WHERE requested_at < $before
           AND (state = 'LIFTED' AND decided_at < $before OR state = 'REQUESTED') RETURNING id`,
  parameters: { before: timestamptz },
  columns: { id: uuid },
});
registerVariants(OLD_ROWS);

/** Deletes or empties old rows of small tables. Returns whether it found any. */
async function forgetOldRows({ db, clock, settings }: ForgetRuntime): Promise<boolean> {
  const before = addMs(clock(), -settings.KEEP_DEVICES_DAYS * DAY_MS);
  const deleted = [await DELETE_REFUSALS.rows(db, { before: addMs(clock(), -settings.KEEP_CUSTOMERS_DAYS * DAY_MS) })];
  for (const statement of OLD_ROWS) deleted.push(await statement.rows(db, { before, lowest: lowestId(before.getTime()) }));
  return deleted.some((rows) => rows.length > 0);
}
