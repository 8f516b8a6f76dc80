import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { operatorAccess } from '@/lib/accounts/access/grant-access';
import { PROJECT_ROOT } from '@/lib/config/project-root';
import { operatorActor } from '@/lib/core/actor';
import type { Environment } from '@/lib/core/scope';
import { seedBills } from '@/lib/demo/seed-bills';
import { createKey } from '@/lib/keys/create-key';
import { createMerchant } from '@/lib/merchants/manage/create-merchant';
import type { Runtime } from '@/lib/runtime/runtime';
import { sessionCookie } from '@/lib/server/auth';
import { makeSession } from '@/lib/testing/data/access';
import { median } from '../load';
import { table } from '../report';
import { runBench, say, type Undo } from '../run-bench';
import { startStage } from '../webhooks/stage';
import type { FloodOrder } from './flood-sender';
import { runSteadily, type Waits } from './steady';

const ROUNDS = 3;
const SECONDS = 10;
const PER_SECOND = 40;
const CONNECTIONS = 100;
/** The time until the flood has its full rate. */
const LEAD_MS = 2_000;
const ADDRESSES = 20;
const EXPORTED_BILLS = 50_000;
const EXPORTS_AT_ONCE = 4;

const reportSchema = z.object({ answers: z.number(), refused: z.number(), failed: z.number() });

interface Shop {
  readonly authorization: string;
  readonly merchantId: string;
  /** The merchant's name in the URLs of the dashboard. */
  readonly slug: string;
  readonly email: string;
}

async function main(undo: Undo): Promise<void> {
  say('Starting PostgreSQL and a web process…');
  const stage = await startStage(undo);
  const database = await stage.database('flood');
  const web = await database.startWeb({ TRUSTED_PROXIES: '127.0.0.1' });
  const quiet = await openShop(database.runtime, 'quiet', 'live');
  const loud = await openShop(database.runtime, 'loud', 'sandbox');
  const loudLive = await openShop(database.runtime, 'loud-live', 'live');

  const create = (url: string, { authorization }: Shop, index: number) =>
    fetch(`${url}/api/v3/bills/create`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.7' },
      body: JSON.stringify({ amount: 5_000, reference: `QUIET-${index}` }),
    });
  const bill = z.object({ id: z.string() }).parse(await (await create(web.sandboxUrl, loud, 0)).json());

  say(`Creating ${EXPORTED_BILLS} bills…`);
  await seedBills(database.runtime, {
    scope: { merchantId: loud.merchantId, environment: 'sandbox' },
    uniqueReferences: false,
    bills: EXPORTED_BILLS,
    onProgress: () => undefined,
  });

  const body = JSON.stringify({ amount: 5_000, reference: 'LOUD' });
  const headers = ({ authorization }: Shop) => ({ authorization, 'content-type': 'application/json' });
  const floods: Readonly<Record<string, FloodOrder | null>> = {
    'nothing else': null,
    'a flood of the sandbox': {
      url: web.sandboxUrl,
      connections: CONNECTIONS,
      seconds: SECONDS + 2 * (LEAD_MS / 1_000),
      requests: [{ method: 'POST', path: '/api/v3/bills/create', headers: headers(loud), body }],
    },
    'a flood of another live key': {
      url: web.liveUrl,
      connections: CONNECTIONS,
      seconds: SECONDS + 2 * (LEAD_MS / 1_000),
      requests: [{ method: 'POST', path: '/api/v3/bills/create', headers: headers(loudLive), body }],
    },
    'a flood of payment pages': {
      url: web.sandboxUrl,
      connections: CONNECTIONS,
      seconds: SECONDS + 2 * (LEAD_MS / 1_000),
      requests: Array.from({ length: ADDRESSES }, (_, n) => ({
        method: 'GET',
        path: `/pay?bill=${bill.id}`,
        headers: { 'x-forwarded-for': `203.0.113.${n + 1}` },
      })),
    },
    [`exports of ${EXPORTED_BILLS} bills, ${EXPORTS_AT_ONCE} at a time`]: {
      url: web.liveUrl,
      connections: EXPORTS_AT_ONCE,
      seconds: SECONDS + 2 * (LEAD_MS / 1_000),
      requests: [
        {
          method: 'GET',
          path: `/m/${loud.slug}/sandbox/bills/export`,
          headers: { cookie: await cookieOf(database.runtime, web.liveUrl, loud.email), 'x-forwarded-for': '203.0.113.99' },
        },
      ],
    },
  };

  const rounds = new Map<string, { waits: Waits; flood: string }[]>();
  const measure = () => runSteadily({ perSecond: PER_SECOND, seconds: SECONDS, send: (index) => create(web.liveUrl, quiet, index) });
  await measure();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, order] of Object.entries(floods)) {
      say(`Measuring: a live merchant beside ${name}…`);
      const flood = order === null ? null : startFlood(order);
      if (flood) await delay(LEAD_MS);
      const waits = await measure();
      const reported = flood ? await flood : null;
      const answers = reported ? `${(reported.answers / (order?.seconds ?? 1)).toFixed(0)}/s, ${reported.refused} refused` : '–';
      rounds.set(name, [...(rounds.get(name) ?? []), { waits, flood: answers }]);
    }
  }

  const alone = rounds.get('nothing else') ?? [];
  const rows = [...rounds].map(([name, measured]) => [
    name,
    median(measured.map(({ waits }) => waits.p50)).toFixed(1),
    median(measured.map(({ waits }) => waits.p99)).toFixed(1),
    median(measured.map(({ waits }, index) => waits.p99 / (alone[index]?.waits.p99 ?? Number.NaN))).toFixed(2),
    measured.at(-1)?.flood ?? '–',
  ]);
  process.stdout.write(`
A live merchant creates ${PER_SECOND} bills a second for ${SECONDS} s, beside what another one, or nobody in particular, sends over
${CONNECTIONS} connections (payment pages: from ${ADDRESSES} addresses), or beside exports in the dashboard. Medians of ${ROUNDS} rounds; ratios of p99 are taken round by round.
Limits are those of a fresh installation.

${table(['beside', 'p50 ms', 'p99 ms', 'ratio of p99', 'the flood'], rows)}
`);
}

async function openShop(runtime: Runtime, name: string, environment: Environment): Promise<Shop> {
  const email = `${name}@example.com`;
  const created = await createMerchant(runtime, { name, email, live: 'active' });
  if (!created.ok) throw new Error(created.error);
  const { id: merchantId, slug } = created.value.merchant;
  const scope = { merchantId, environment };
  const made = await createKey(runtime, operatorAccess(operatorActor('bench'), scope), { label: 'Bench' });
  if (!made.ok) throw new Error(made.error);
  const { id, secret } = made.value;
  return { authorization: `ApiKey ${id}:${secret}`, merchantId, slug, email };
}

/** Signs a person in, and returns the value of the Cookie header. The name of the cookie contains the port. */
async function cookieOf(runtime: Runtime, url: string, email: string): Promise<string> {
  const settings = { ...runtime.settings, PORT: Number(new URL(url).port) };
  const { name, value } = await sessionCookie({ ...runtime, settings }, await makeSession(runtime, email));
  return `${name}=${value}`;
}

/** Sends the flood from a separate process, so that the flood slows down only the server and not the measurement. */
async function startFlood(order: FloodOrder): Promise<z.infer<typeof reportSchema>> {
  const program = join(PROJECT_ROOT, '.build', 'bench', 'flood-sender.mjs');
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, FLOOD: JSON.stringify(order) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`The flood ended with ${code}.`);
  return reportSchema.parse(JSON.parse(said));
}

await runBench(main);
