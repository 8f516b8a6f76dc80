import { setTimeout as delay } from 'node:timers/promises';
import type { MpesaSimulator } from '@/lib/providers/mpesa/simulator';
import { makeCluster } from './cluster';
import { compareRecords, type Damage, type ProviderRecord } from './compare-records';
import { type Load, type Seen, startLoad } from './load';
import type { DriveResult, Layout, LayoutOptions, Scenario } from './scenario';
import { askDoctor } from './verdict';
import { waitForPrompts } from './wait-for-prompts';
import { type ReadinessWatch, watchReadiness } from './watch-readiness';
import { startWorld, type World } from './world';

/** How long the load runs before the fault, and after the recovery. */
const BEFORE_MS = 5_000;
const AFTER_MS = 3_000;
/** Matches log lines with a warning or an error. */
const LOUD = /"level":"(warn|error|fatal)"/;

/**
 * Times from the end of the fault, milliseconds: until all web processes are ready, until a bill is acknowledged, and until the provider
 * gets a request for a prompt. A time is null if this did not happen within `recoverySeconds`.
 */
export interface Recovery {
  readonly ready: number | null;
  readonly created: number | null;
  readonly prompted: number | null;
}

export interface Result {
  readonly seen: Seen;
  readonly notReadyMs: number;
  readonly recovery: Recovery;
  readonly damage: Damage;
  readonly paid: number;
  /** Attempts that never reached the provider. The product cannot know that, so they stay unknown. */
  readonly neverArrived: number;
  /** Warnings and errors in the logs of all processes. */
  readonly loudLines: number;
  /** Violations, as sentences. Empty if the scenario passed. */
  readonly problems: readonly string[];
}

export type Outcome =
  | { readonly kind: 'ran'; readonly result: Result }
  | ({ readonly kind: 'drove' } & DriveResult)
  /** This machine cannot run the scenario. */
  | { readonly kind: 'skipped'; readonly why: string }
  /** The scenario was not completed. */
  | { readonly kind: 'broken'; readonly why: string };

export function failed(outcome: Outcome): boolean {
  if (outcome.kind === 'drove') return outcome.problems.length > 0;
  return outcome.kind === 'broken' || (outcome.kind === 'ran' && outcome.result.problems.length > 0);
}

/** Runs a scenario under load. */
export async function runScenario(scenario: Scenario, options: LayoutOptions, perSecond: number): Promise<Outcome> {
  const layout = await (scenario.layout ?? oneServer)(options);
  if (typeof layout === 'string') return { kind: 'skipped', why: layout };
  const world = await startWorld(layout, options);
  const watch = watchReadiness(world.origins);
  options.undo(() => watch.stop());
  const load = startLoad({ origins: world.origins, key: world.key, perSecond: Math.min(perSecond, scenario.perSecondMax ?? perSecond) });
  options.undo(async () => load.abort());
  await delay(BEFORE_MS);
  const { survivor, problems = [] } = await scenario.fault(world);
  const recovery = await measureRecovery(world, load, watch, scenario.recoverySeconds * 1_000);
  await delay(AFTER_MS);
  const seen = await load.stop();
  await watch.stop();

  const { db } = survivor ? world.connect(survivor) : world.runtime;
  const { stuck, neverArrived } = await waitForPrompts(db, () => readProvider(world.simulator));
  const damage = await compareRecords(db, { acknowledged: seen.acknowledged, provider: readProvider(world.simulator) });
  const [{ paid } = { paid: 0 }] = await db.query<{ paid: number }>({
    text: "SELECT count(*)::int AS paid FROM bill WHERE status = 'FULLY_PAID'",
  });
  const findings = await askDoctor(world, survivor ?? layout.cluster);
  const unpaid = seen.acknowledged.size - paid - neverArrived;
  const result: Result = {
    seen,
    notReadyMs: watch.notReadyMs(),
    recovery,
    damage,
    paid,
    neverArrived,
    loudLines: [...world.web, ...world.worker].reduce(
      (sum, slot) =>
        sum +
        slot
          .output()
          .split('\n')
          .filter((line) => LOUD.test(line)).length,
      0,
    ),
    problems: [
      ...problems,
      ...describeDamage(damage),
      ...describeAnswers(seen),
      ...[...world.web, ...world.worker].flatMap(({ name, runs }) => (runs() ? [] : [`${name} ended by itself`])),
      ...Object.entries(recovery).flatMap(([what, ms]) => (ms === null ? [`not ${what} within ${scenario.recoverySeconds} s`] : [])),
      ...(stuck > 0 ? [`${stuck} prompts have not come to an end`] : []),
      ...(unpaid > 0 ? [`${unpaid} acknowledged bills are not paid, although every customer who was asked paid`] : []),
      ...findings.flatMap(({ level, text, details }) => (level === 'wrong' ? [`doctor: ${text} ${details.join('; ')}`] : [])),
    ],
  };
  return { kind: 'ran', result };
}

/** The default layout: one database server, to which the processes connect. */
export async function oneServer({ template, folder, undo }: LayoutOptions): Promise<Layout> {
  const cluster = await makeCluster(template, `${folder}/primary`);
  undo(() => cluster.stop('fast'));
  await cluster.start();
  return { cluster, frontPort: cluster.port };
}

async function measureRecovery(world: World, load: Load, watch: ReadinessWatch, boundMs: number): Promise<Recovery> {
  const [ended, endedAt] = [performance.now(), Date.now()];
  const found: Record<keyof Recovery, number | null> = { ready: null, created: null, prompted: null };
  const isTrue: Record<keyof Recovery, () => boolean> = {
    ready: () => !watch.ready.includes(false),
    created: () => load.lastAcknowledged() > ended,
    prompted: () => (world.simulator.transactions.at(-1)?.takenAt ?? 0) > endedAt,
  };
  const names = ['ready', 'created', 'prompted'] as const;
  while (names.some((name) => found[name] === null) && performance.now() - ended < boundMs) {
    for (const name of names) if (isTrue[name]()) found[name] ??= performance.now() - ended;
    await delay(20);
  }
  return found;
}

function readProvider({ transactions }: MpesaSimulator): ProviderRecord[] {
  // Every attempt counts as completed, because all customers of this load pay within two seconds.
  return transactions.map(({ thirdPartyConversationId, transactionId, amount }) => ({
    reference: thirdPartyConversationId,
    receipt: transactionId,
    amount,
    completed: true,
  }));
}

function describeDamage(damage: Damage): string[] {
  return Object.entries(damage).flatMap(([what, found]) => (found.length > 0 ? [`${what}: ${found.length}, for example ${found[0]}`] : []));
}

/**
 * Returns violations in the answers to clients, as sentences. A client may get a bill, 409 (an earlier request of the client for the same
 * bill is still running), 503, or a broken connection.
 */
function describeAnswers({ answers, abandoned }: Seen): string[] {
  const wrong = [...answers].filter(([name]) => /^\d+$/.test(name) && !['200', '409', '503'].includes(name));
  return [
    ...wrong.map(([status, count]) => `clients saw ${status} ${count} times`),
    ...(abandoned.length > 0 ? [`${abandoned.length} creates were never acknowledged`] : []),
  ];
}
