import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createRequest, firstAnswer, MOBILE, planRoutes, ROUTE_NAMES, type Route } from './api-routes';
import { type Bench, postmasterOf, prepare, startBare, startProduct, startWorker, type Target } from './api-servers';
import { cpuSeconds } from './cpu-time';
import { runLoad } from './load';
import { residentMemory, sharedMemory } from './memory';
import { measurePromptWait } from './prompt-wait';
import { type MeasuredCost, memoryTable, type Row, ratesTable } from './report';
import { runBench, say, type Undo } from './run-bench';

const WARM_UP_SECONDS = 2;
const WORKER_MS = 5_000;

type Options = ReturnType<typeof readOptions>;

function readOptions() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '1,32,128' },
      routes: { type: 'string', default: ROUTE_NAMES.join() },
      processes: { type: 'string', default: '1' },
    },
  });
  const connections = values.connections.split(',').map(Number);
  const { seconds, rounds, processes } = values;
  const options = { seconds: Number(seconds), rounds: Number(rounds), processes: Number(processes), connections };
  for (const [name, value] of Object.entries(options))
    if (![value].flat().every((number) => Number.isInteger(number) && number > 0))
      throw new Error(`--${name} must be a whole number above 0`);
  return { ...options, routes: new Set(values.routes.split(',')) };
}

async function main(undo: Undo): Promise<void> {
  const options = readOptions();
  say('Starting PostgreSQL and the servers…');
  const folder = await mkdtemp(join(tmpdir(), 'bili-bench-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const bench = await prepare(folder, undo);
  const bare = await startBare(bench);
  const product = await startProduct(bench, options.processes);
  const targets = [bare, product];
  const routes = await planRoutes(bench, targets);

  const promptWait = await promptWaitOf(bench, product);
  const rows: Row[] = [];
  for (const route of routes.filter(({ name }) => options.routes.has(name)))
    for (const connections of options.connections) rows.push(...(await measureRoute(bench, route, connections, targets, options)));
  const memory: [string, number | null][] = [
    ['bare', await residentMemory(bare.pid)],
    ['web', await residentMemory(product.pid)],
    ['database', await sharedMemory(await postmasterOf(folder))],
    ['worker', await workerMemory(bench)],
  ];

  const { seconds, rounds } = options;
  process.stdout.write(`
Medians of ${rounds} rounds of ${seconds} s each, one after another on each server; ratios are taken round by round. The hand-written server
has no Idempotency-Keys, so it is compared with its plain answers. The last columns are microseconds of processor time for each request.
No worker runs during the load.

${ratesTable(rows)}

Memory after the load. The database counts shared pages once and holds the connections of all servers;
the worker was started last and has sent prompts for ${WORKER_MS / 1_000} s.

${memoryTable(memory)}

From creating a bill to the provider's record of its prompt, one bill at a time on a worker that has nothing else to do:
median ${promptWait.toFixed(0)} ms.
`);
}

/** Interleaves the rounds of all servers, so that other load on the machine affects all of them equally. */
async function measureRoute(
  { folder }: Bench,
  route: Route,
  connections: number,
  targets: readonly Target[],
  { seconds, rounds }: Options,
): Promise<Row[]> {
  const database = await postmasterOf(folder);
  const used = (pid: number) => [pid, database].map((root) => cpuSeconds(root) ?? Number.NaN);
  const load = async ({ url, pid }: Target, duration: number): Promise<MeasuredCost> => {
    const before = used(pid);
    const measured = await runLoad({ ...route, url, connections, seconds: duration });
    const [serverMicros = 0, databaseMicros = 0] = used(pid).map((after, index) => ((after - (before[index] ?? 0)) * 1e6) / measured.count);
    return { ...measured, serverMicros, databaseMicros };
  };
  say(`Measuring: ${route.name}, ${connections} connections…`);
  for (const target of targets) await load(target, WARM_UP_SECONDS);
  const measured = new Map<string, MeasuredCost[]>(targets.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const target of targets) measured.get(target.name)?.push(await load(target, seconds));
  }
  const yardstick = measured.get('bare') ?? [];
  return [...measured].map(([server, results]) => ({ route: route.name, connections, server, rounds: results, yardstick }));
}

/** Measures the time until a prompt is sent. This runs first, while the queue is empty. */
async function promptWaitOf(bench: Bench, product: Target): Promise<number> {
  say('Measuring: from a bill to its prompt…');
  const worker = await startWorker(bench);
  try {
    return await measurePromptWait(bench.env.DATABASE_URL ?? '', (index) =>
      firstAnswer(product, createRequest(bench, { mobile: MOBILE, reference: `WAIT-${index}` })),
    );
  } finally {
    await worker.stop();
  }
}

/** Starts a worker and measures its memory. This runs last, so that the worker takes no processor time from the measured servers. */
async function workerMemory(bench: Bench): Promise<number | null> {
  const worker = await startWorker(bench);
  try {
    await delay(WORKER_MS);
    return await residentMemory(worker.pid);
  } finally {
    await worker.stop();
  }
}

await runBench(main);
