import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import type { Database } from '@/lib/platform/db/database';
import { runProgram } from '@/testing/process';
import { UNLIMITED } from '@/testing/unlimited';
import { oneServer } from '../run-scenario';
import type { Drive } from '../scenario';
import { askDoctor } from '../verdict';
import { prepareMachine, type Slot } from '../world';
import { compareLedger, compareStatements, compareWebhooks, expectedSums, readBooks } from './compare-books';
import { type Customer, type Served, serveCustomers } from './customers';
import { openShops, type Shop } from './shops';

/** A worker is killed so often, and is started again after a pause. */
const KILL_EACH_MS = 6 * SECOND_MS;
const DEAD_MS = 2 * SECOND_MS;
/** After the last customer, everything must be known within this time. Selcom is asked for the first time after three minutes. */
const SETTLED_MS = 15 * MINUTE_MS;
/** At most this many examples of a problem are reported. */
const EXAMPLES = 5;

export const everyWay: Drive = {
  name: 'every-way',
  what: 'bills are paid in all ways at once, with lost callbacks and lost answers, while workers are killed',
  async drive({ undo, ...options }, { bills, perSecond }) {
    const from = new Date(Date.now() - MINUTE_MS);
    const layout = await oneServer({ ...options, undo });
    const machine = await prepareMachine(layout, { folder: options.folder, undo }, { ...UNLIMITED, TRUSTED_PROXIES: '127.0.0.1/32' });
    const { db } = machine.runtime;
    const { shops, arrivals, badWebhooks } = await openShops(machine.runtime, undo);
    await machine.start();

    const begun = performance.now();
    const killing = new AbortController();
    undo(async () => killing.abort());
    const killed = killWorkers(machine.worker, killing.signal);
    const served = await serveCustomers({ origins: machine.origins, shops, bills, perSecond });
    const servedAt = performance.now();
    killing.abort();
    const kills = await killed;
    process.stderr.write(`  every customer has paid after ${seconds(servedAt - begun)} s; waiting until everything is known…\n`);
    const { unsettled, neverArrived } = await waitUntilSettled(db, shops, served);
    const { customers, problems } = served;
    const settled = performance.now();

    const books = readBooks(shops);
    const env = machine.env(layout.cluster);
    const findings = await askDoctor(machine, layout.cluster);
    const found: Record<string, readonly string[]> = {
      customers: problems,
      settled: unsettled,
      bills: await compareAnswers(machine.origins, customers, expectedSums(customers, books)),
      ledger: await compareLedger(db, books, customers),
      statements: await compareStatements(shops, books, { folder: options.folder, env, from }),
      webhooks: [...badWebhooks.map((body) => `a webhook is wrong: ${body}`), ...(await compareWebhooks(db, arrivals))],
      instruments: [
        ...(await compareInstruments(db)),
        ...shops.flatMap(({ name, books }) => books.complaints.map(({ rule, detail }) => `${name}: ${rule}: ${detail}`)),
      ],
      reviews: await listReviews(env),
      doctor: findings.flatMap(({ level, text, details }) => (level === 'wrong' ? [`${text} ${details.join('; ')}`] : [])),
      processes: [...machine.web, ...machine.worker].flatMap(({ name, runs }) => (runs() ? [] : [`${name} ended by itself`])),
    };
    return {
      lines: [
        `time           ${customers.length} bills in ${seconds(servedAt - begun)} s, then ${seconds(settled - servedAt)} s until everything was known; ${kills} workers killed`,
        `books          ${books.length} payments of TZS ${books.reduce((sum, { amount }) => sum + amount, 0)}`,
        `paid by        ${await describeWays(db)}`,
        `instruments    ${await describeInstruments(db)}; ${customers.filter(({ hasFallenBack }) => hasFallenBack).length} customers got none in time and used a prompt`,
        `prompts        ${neverArrived} never reached the provider, because a worker was killed; their customers paid without a prompt`,
        `webhooks       ${arrivals.length} received, ${new Set(arrivals.map(({ id }) => id)).size} different ones`,
        `refusals       ${describeRefusals(shops)}`,
      ],
      problems: Object.entries(found).flatMap(([about, sentences]) => shorten(about, sentences)),
    };
  },
};

const seconds = (ms: number) => (ms / SECOND_MS).toFixed(0);

function shorten(about: string, sentences: readonly string[]): string[] {
  const shown = sentences.slice(0, EXAMPLES).map((sentence) => `${about}: ${sentence}`);
  return sentences.length > EXAMPLES ? [...shown, `${about}: and ${sentences.length - EXAMPLES} more`] : shown;
}

/** Kills one worker after the other until the signal. Both run at the end. Returns how many were killed. */
async function killWorkers(workers: readonly [Slot, Slot], signal: AbortSignal): Promise<number> {
  let kills = 0;
  const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);
  for (await pause(KILL_EACH_MS); !signal.aborted; await pause(KILL_EACH_MS)) {
    const victim = workers[kills % 2 === 0 ? 0 : 1];
    await victim.stop('SIGKILL');
    kills += 1;
    await pause(DEAD_MS);
    await victim.start();
  }
  return kills;
}

/**
 * Waits until each bill has what the books say, and nothing is open or due any more. If a worker was killed before a prompt reached the
 * provider, the product cannot know that: the attempt stays unknown, and the customer pays without a prompt. Returns what is missing in the
 * end, as sentences, and the number of these prompts.
 */
async function waitUntilSettled(db: Database, shops: readonly Shop[], served: Served) {
  const lost = new Set<string>();
  for (const deadline = Date.now() + SETTLED_MS; ; await delay(2 * SECOND_MS)) {
    const arrived = new Set(shops.flatMap(({ books }) => books.payments.map(({ reference }) => reference)));
    const attempts = await db.query<{ reference: string; billId: string; isUnknown: boolean }>({
      text: `SELECT our_reference AS reference, bill_id AS "billId", state = 'UNKNOWN' AND query_count > 0 AS "isUnknown"
             FROM push_attempt WHERE state NOT IN ('SUCCEEDED', 'FAILED', 'EXPIRED', 'CANCELLED')`,
    });
    const neverArrived = attempts.filter(({ reference, isUnknown }) => isUnknown && !arrived.has(reference));
    const open = attempts.length - neverArrived.length;
    const sums = expectedSums(served.customers, readBooks(shops));
    for (const { billId } of neverArrived) {
      if (lost.has(billId) || sums.get(billId) !== 0) continue;
      lost.add(billId);
      await served.payOtherwise(billId);
    }
    const bills = await db.query<{ id: string; paid: number }>({ text: 'SELECT id, (paid_amount / 100)::int AS paid FROM bill' });
    const missing = bills.filter(({ id, paid }) => paid === 0 || paid !== sums.get(id));
    const [others] = await db.query<Record<'instruments' | 'deliveries' | 'messages', number>>({
      text: `SELECT (SELECT count(*)::int FROM instrument WHERE state <> 'ENDED') AS instruments,
               (SELECT count(*)::int FROM webhook_delivery WHERE state <> 'DELIVERED') AS deliveries,
               (SELECT count(*)::int FROM provider_message WHERE handled_at IS NULL) AS messages`,
    });
    const waiting = Object.entries({ attempts: open, ...others }).flatMap(([what, count]) =>
      count > 0 ? [`${count} ${what} are still open`] : [],
    );
    const isSettled = missing.length === 0 && waiting.length === 0;
    if (!isSettled && Date.now() < deadline) continue;
    const unsettled = [...waiting, ...missing.map(({ id, paid }) => `bill ${id} has ${paid}, and the books say ${sums.get(id)}`)];
    return { unsettled, neverArrived: neverArrived.length };
  }
}

const answerSchema = z.object({ status: z.string(), paidAmount: z.number() });

/** Compares the answers of the API with the sums of the books. */
async function compareAnswers(
  origins: readonly string[],
  customers: readonly Customer[],
  sums: ReadonlyMap<string, number>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const { shop, billId, plan } of customers) {
    const headers = { authorization: `ApiKey ${shop.key.id}:${shop.key.secret}` };
    const { status, paidAmount } = answerSchema.parse(await (await fetch(`${origins[0]}/api/v3/bills/${billId}`, { headers })).json());
    const expected = sums.get(billId) ?? 0;
    if (paidAmount !== expected) problems.push(`the API says ${paidAmount} of bill ${billId} (${plan}), and the books say ${expected}`);
    if (status !== 'FULLY_PAID') problems.push(`bill ${billId} (${shop.name}, ${plan}) is ${status}`);
  }
  return problems;
}

/** An instrument is issued once, and only one of a kind is open. */
async function compareInstruments(db: Database): Promise<string[]> {
  const twice = await db.query<{ id: string; sent: number }>({
    text: `SELECT instrument_id AS id, count(*)::int AS sent FROM provider_message WHERE kind = 'instrument' GROUP BY instrument_id HAVING count(*) > 1`,
  });
  const sent = await db.query<{ id: string }>({ text: 'SELECT id FROM instrument WHERE send_count > 1' });
  return [
    ...twice.map(({ id, sent }) => `instrument ${id} has ${sent} answers to the request to issue it`),
    ...sent.map(({ id }) => `instrument ${id} was sent more than once`),
  ];
}

async function listReviews(env: Readonly<Record<string, string>>): Promise<string[]> {
  const { stdout, stderr } = await runProgram(['review', 'list', '--json'], env);
  if (stdout === '') return [`review list said nothing: ${stderr}`];
  const reviews = z.array(z.object({ kind: z.string() })).parse(JSON.parse(stdout));
  return reviews.map(({ kind }) => `a review asks about ${kind}`);
}

async function describeWays(db: Database): Promise<string> {
  const rows = await db.query<{ way: string; count: number }>({
    text: `SELECT CASE WHEN source <> 'provider' THEN 'by hand' WHEN instrument_id IS NOT NULL THEN a.provider || ' without a prompt'
             ELSE a.provider || ' by prompt' END AS way, count(*)::int
           FROM payment p JOIN provider_account a ON a.id = p.provider_account_id GROUP BY 1 ORDER BY 1`,
  });
  return rows.map(({ way, count }) => `${count} ${way}`).join(', ');
}

async function describeInstruments(db: Database): Promise<string> {
  const rows = await db.query<{ end: string; count: number }>({
    text: `SELECT coalesce(end_reason, state::text) AS end, count(*)::int FROM instrument GROUP BY 1 ORDER BY 1`,
  });
  return rows.map(({ end, count }) => `${count} ${end}`).join(', ');
}

function describeRefusals(shops: readonly Shop[]): string {
  const counts = Map.groupBy(
    shops.flatMap(({ name, books }) =>
      books.refusals.map(({ request, status }) => `${name} ${status} ${request.replace(/\/[\w-]{12,}/g, '/…')}`),
    ),
    (text) => text,
  );
  return [...counts].map(([text, all]) => `${all.length} × ${text}`).join(', ') || 'none';
}
