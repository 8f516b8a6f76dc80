import { setTimeout as delay } from 'node:timers/promises';
import { runProgram } from '@/testing/process';
import { hasPromtool, holdingAlerts } from '@/testing/promtool';
import { scrape } from '@/testing/scrape';
import type { Cluster } from './cluster';
import type { World } from './world';

/** What must say that a fault lasts. */
interface Verdict {
  /** A part of the reason that `/readyz` gives. */
  readonly reason?: string;
  /** The base addresses of the web processes that must not be ready. All by default. */
  readonly origins?: readonly string[];
  /** The check of `doctor` that must find a problem, and a part of its details. */
  readonly finding: string;
  readonly detail: string;
  /** The alert whose expression must hold. It is not checked on a system other than Linux without promtool. */
  readonly alert: string;
  readonly withinSeconds?: number;
}

const EACH_MS = 500;

/** Waits until `/readyz`, `doctor` and the alerts name the fault. Returns those that do not name it in time, as sentences. */
export async function waitForVerdict(
  world: World,
  { reason, origins = world.origins, finding, detail, alert, withinSeconds = 30 }: Verdict,
): Promise<string[]> {
  const limit = performance.now() + withinSeconds * 1_000;
  const notReady = origins.map((origin) => async () => {
    const text = await (await fetch(`${origin}/readyz`)).text();
    return reason === undefined || text.includes(reason) ? null : `/readyz of ${origin} says ${text}, not ${reason}`;
  });
  const alerted = async () => {
    const holding = await listAlerts(world);
    return holding.includes(alert) ? null : `the alert ${alert} does not hold: ${holding.join(', ') || 'none holds'}`;
  };
  const checks = [
    ...(reason === undefined ? [] : notReady),
    ...(hasPromtool() ? [alerted] : []),
    async () => {
      const found = (await askDoctor(world, world.layout.cluster)).find(({ name }) => name === finding);
      const details = found?.details.join('; ') ?? '';
      return found?.level === 'wrong' && details.includes(detail) ? null : `doctor says about ${finding}: ${found?.level} ${details}`;
    },
  ];
  const problems: string[] = [];
  for (const check of checks) {
    let problem = await check();
    while (problem !== null && performance.now() < limit) {
      await delay(EACH_MS);
      problem = await check();
    }
    if (problem !== null) problems.push(problem);
  }
  return problems;
}

async function listAlerts({ metricsPorts }: World): Promise<string[]> {
  // A process that the fault has stopped serves no metrics.
  const scraped = await Promise.all(metricsPorts.map((port) => scrape(port).catch(() => new Map<string, number>())));
  return scraped.filter(({ size }) => size > 0).flatMap(holdingAlerts);
}

interface DoctorFinding {
  readonly name: string;
  readonly level: string;
  readonly text: string;
  readonly details: readonly string[];
}

/** Returns the findings of `doctor`. Throws if it says nothing. */
export async function askDoctor(world: Pick<World, 'env'>, cluster: Cluster): Promise<DoctorFinding[]> {
  const { stdout, stderr } = await runProgram(['doctor', '--json'], world.env(cluster));
  if (stdout === '') throw new Error(`doctor said nothing: ${stderr}`);
  return JSON.parse(stdout);
}
