import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { MAX_PARALLELISM } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { table } from '../report';
import { runBench, say, type Undo } from '../run-bench';
import { type Backlog, makeBacklog, OWED } from './backlog';
import { measureClaim, oweLater } from './claim-cost';
import { makeEndpoints } from './due-deliveries';
import { HEALTHY, measureIsolation, PER_SECOND, SECONDS } from './isolation';
import { type Latency, measureLatency } from './latency';
import { type Stage, startStage } from './stage';
import { measureThroughput, type Throughput } from './throughput';

const PARTS = ['throughput', 'latency', 'claim', 'isolation'];
const QUIET = { perSecond: 20, seconds: 15 };
const LATER = 10_000;

function readOptions() {
  const options = { only: { type: 'string' }, explain: { type: 'boolean', default: false }, webhooks: { type: 'string' } } as const;
  const { values } = parseArgs({ options });
  if (values.only !== undefined && !PARTS.includes(values.only)) throw new Error(`--only must be one of ${PARTS.join(', ')}`);
  return values;
}

async function main(undo: Undo): Promise<void> {
  const { only, explain, webhooks } = readOptions();
  const wanted = (part: string) => only === undefined || only === part;
  say('Starting PostgreSQL…');
  const stage = await startStage(undo);
  if (wanted('throughput')) await showThroughput(stage, Number(webhooks ?? '20000'));
  if (wanted('latency')) await showLatency(stage);
  if (!wanted('claim') && !wanted('isolation')) return;
  say(`Owing one endpoint ${OWED.toLocaleString('en')} webhooks…`);
  const backlog = await makeBacklog(stage);
  if (wanted('claim')) await showClaims(stage, backlog, explain);
  if (wanted('isolation')) await showIsolation(stage, backlog);
}

async function showThroughput(stage: Stage, webhooks: number): Promise<void> {
  const runs = [
    { name: 'many', deliveries: webhooks, endpoints: 50, workers: 1 },
    { name: 'one', deliveries: webhooks / 2, endpoints: 1, workers: 1 },
    { name: 'two', deliveries: webhooks, endpoints: 50, workers: 2 },
  ];
  const rows: string[][] = [];
  for (const run of runs) {
    const results: Throughput[] = [];
    for (const protocol of ['http', 'https'] as const) {
      say(`Measuring ${protocol}: ${run.deliveries.toLocaleString('en')} webhooks to ${run.endpoints} endpoints, workers: ${run.workers}…`);
      results.push(await measureThroughput(stage, { ...run, name: `${run.name}_${protocol}`, protocol }));
    }
    rows.push(...results.map(throughputRow), ratioRow(results));
  }
  print(
    `Throughput: webhooks that are due at once to a local receiver, each of its own bill, from the first call to the last recorded answer, log rows
included, over http and over https side by side. "per worker s" is the number of webhooks per processor second of the workers. The
other seconds of processor are what 1,000 webhooks took. A worker is one thread; it, PostgreSQL and the sink share the machine's
${availableParallelism()} processors. Where the machine is not all busy, waiting for the database's round trips limits it, with one endpoint its
${MAX_PARALLELISM} calls at once; where it is, by others too, they do.`,
    [
      'protocol',
      'endpoints',
      'workers',
      'webhooks',
      'per second',
      'per worker s',
      'worker s',
      'PostgreSQL s',
      'sink s',
      'busy: ours',
      'busy: machine',
      'connections per call',
    ],
    rows,
  );
}

function throughputRow(result: Throughput): string[] {
  const { protocol, endpoints, workers, deliveries, perSecond, seconds, cpu, machineBusy, connectionsPerCall } = result;
  const { worker, postgres, sink } = cpu;
  const perThousand = (used: number | null) => (used === null ? 'n/a' : ((used * 1_000) / deliveries).toFixed(2));
  return [
    protocol,
    String(endpoints),
    String(workers),
    String(deliveries),
    perSecond.toFixed(0),
    perWorkerSecond(result)?.toFixed(0) ?? 'n/a',
    perThousand(worker),
    perThousand(postgres),
    perThousand(sink),
    worker === null || postgres === null || sink === null ? 'n/a' : ((worker + postgres + sink) / seconds).toFixed(2),
    machineBusy.toFixed(2),
    connectionsPerCall.toFixed(2),
  ];
}

/** Returns the number of webhooks per processor second of the workers. */
function perWorkerSecond({ deliveries, cpu }: Throughput): number | null {
  return cpu.worker === null ? null : deliveries / cpu.worker;
}

/** Compares a run over https with the same run over http. */
function ratioRow([http, https]: readonly Throughput[]): string[] {
  const ratio = (read: (result: Throughput) => number | null) => {
    const [plain, secure] = [http && read(http), https && read(https)];
    return plain && secure ? (secure / plain).toFixed(2) : 'n/a';
  };
  return ['https / http', '', '', '', ratio(({ perSecond }) => perSecond), ratio(perWorkerSecond), '', '', '', '', '', ''];
}

async function showLatency(stage: Stage): Promise<void> {
  say('Measuring: from commit to arrival…');
  const database = await stage.database('latency');
  const sink = await stage.startSink();
  const endpoints = await makeEndpoints(database.runtime, { count: 20, url: `${sink.url}/ok` });
  const worker = await database.startWorker();
  const latency = await measureLatency(database, sink, { endpoints, ...QUIET });
  await Promise.all([worker.stop(), sink.stop()]);
  await database.close();
  print(
    `Latency: from just before the commit that changes a bill's status to the request at the receiver, ${QUIET.perSecond} bills a second for ${QUIET.seconds} s,
one worker.`,
    LATENCY_HEAD,
    [latencyRow('20 endpoints', latency)],
  );
}

async function showClaims(stage: Stage, backlog: Backlog, explain: boolean): Promise<void> {
  say('Measuring: the cost of a claim…');
  const cases = [
    { name: 'nothing else due', database: await stage.database('claim_plain'), busy: undefined },
    { name: `${LATER} endpoints with one delivery each, not due yet`, database: await stage.database('claim_later'), busy: undefined },
    {
      name: `one endpoint with ${OWED} due deliveries, at its limit`,
      database: await backlog.copy('claim_backlog'),
      busy: backlog.endpoint,
    },
  ];
  const rows: string[][] = [];
  for (const { name, database, busy } of cases) {
    if (name.startsWith(String(LATER))) await oweLater(database.runtime, LATER);
    const { nothing, hundred, plan } = await measureClaim(database.runtime, busy);
    await database.close();
    rows.push([name, nothing.toFixed(2), hundred.toFixed(2)]);
    if (explain) process.stdout.write(`\n${name}:\n${plan}\n`);
  }
  print(
    'Cost of one claim, the whole transaction as the worker waits for it: one that finds nothing, and one that takes 100 of 200 endpoints with\none webhook due each. Medians.',
    ['database', 'nothing, ms', '100 taken, ms'],
    rows,
  );
}

async function showIsolation(stage: Stage, backlog: Backlog): Promise<void> {
  say('Measuring: healthy endpoints without and beside one that hangs…');
  const { quiet, beside, hung } = await measureIsolation(stage, backlog);
  print(
    `Isolation: ${HEALTHY} healthy endpoints, ${PER_SECOND} bills a second together for ${SECONDS} s, one worker; then the same beside one endpoint with
${OWED.toLocaleString('en')} webhooks due, whose receiver let ${hung} calls hang until they were cut.`,
    LATENCY_HEAD,
    [latencyRow('alone', quiet), latencyRow('beside the backlog', beside)],
  );
}

const LATENCY_HEAD = ['', 'webhooks', 'p50 ms', 'p99 ms', 'max ms'];

function latencyRow(name: string, { count, p50, p99, max }: Latency): string[] {
  return [name, String(count), p50.toFixed(0), p99.toFixed(0), max.toFixed(0)];
}

function print(sentence: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  process.stdout.write(`\n${sentence}\n\n${table(head, rows)}\n`);
}

await runBench(main);
