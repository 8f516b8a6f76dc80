import { afterEach, beforeAll, expect } from 'vitest';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { parseFailPoint } from '@/lib/platform/config/fail-point';
import { testReceiver } from '@/testing/fakes/receiver';
import type { Receiver } from '@/testing/fakes/start-receiver';
import { freePorts } from '@/testing/free-ports';
import { type Env, type Running, runProgram, SHORT_LIVED, startProgram } from '@/testing/process';
import { runCommand } from '@/testing/run-command';
import { makeMerchant, TEST_SECRET_KEY, type TestMerchant, type TestRuntime, testRuntime } from '@/testing/runtime';
import { UNLIMITED } from '../unlimited';
import type { Death } from './cases';

/** The simulated provider's account, which every database has. */
export const SANDBOX_ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';

export type Role = 'web' | 'worker';

/** A deployment of the built program with its own database. Its processes can be killed. */
export interface World {
  readonly runtime: TestRuntime;
  readonly merchant: TestMerchant;
  /** The merchant's receiver, and the secret with which it verifies signatures. */
  readonly receiver: Receiver;
  readonly secret: string;
  readonly sandboxUrl: string;
  /** Starts a process and waits until it is ready. If `death` is given, the process dies there. @param env additional settings. */
  start(role: Role, death?: Death | null, env?: Env): Promise<Running>;
  /** Runs a command. If `death` is given, the command dies there, and null is returned. Otherwise returns the output of the command. */
  bili(args: readonly string[], death?: Death): Promise<string | null>;
}

const READY: Readonly<Record<Role, string>> = { web: 'web is listening', worker: 'worker is running' };

/** Returns a function that returns the deployment for a test file. @param delayFactor multiplies the delays of the simulated provider. */
export function testWorld(delayFactor: number): () => World {
  const runtime = testRuntime({ SANDBOX_DELAY_FACTOR: String(delayFactor) });
  const receiver = testReceiver();
  const started = new Set<Running>();
  let world: World | undefined;
  beforeAll(async () => {
    const [live = 0, sandbox = 0] = await freePorts(2);
    const env: Env = {
      ...UNLIMITED,
      NODE_ENV: 'test',
      DATABASE_URL: runtime().settings.DATABASE_URL,
      SECRET_KEY: TEST_SECRET_KEY,
      PORT: String(live),
      SANDBOX_PORT: String(sandbox),
      SANDBOX_DELAY_FACTOR: String(delayFactor),
    };
    const armed = (death: Death | null | undefined): Env => (death ? { ...env, FAILPOINT: death } : env);
    const merchant = await makeMerchant(runtime());
    const set = await setEndpoint(runtime(), merchant.operator('sandbox'), receiver.url());
    if (!set.ok) throw new Error(set.error);
    world = {
      runtime: runtime(),
      merchant,
      receiver,
      secret: set.value.secret,
      sandboxUrl: `http://127.0.0.1:${sandbox}`,
      async start(role, death, own = {}) {
        const running = startProgram([role], { ...armed(death), ...own }, undefined, SHORT_LIVED);
        started.add(running);
        running.exited.then(() => started.delete(running));
        // A process with due work may die before it reports that it is ready.
        await (death ? Promise.race([running.printed(READY[role]), running.exited]) : running.printed(READY[role]));
        return running;
      },
      async bili(args, death) {
        const { code, stdout, stderr } = await (death ? runProgram : runCommand)([...args, '--json'], armed(death));
        if (death && code === null && stderr.includes(deathCry(death))) return null;
        if (code !== 0 || death) throw new Error(`bili ${args.join(' ')} ended with ${code}: ${stderr}`);
        return stdout;
      },
    };
  });
  // A process of a failed test would do the work of the next test.
  afterEach(async () => {
    for (const running of started) await running.kill('SIGKILL');
  });
  return () => {
    if (!world) throw new Error('the world is there once the tests run');
    return world;
  };
}

/** Waits until a process has died at its fail point by SIGKILL. A fail point that is not reached fails the test. */
export async function hasDied(running: Running, death: Death): Promise<void> {
  await expect.poll(() => running.child.signalCode ?? running.child.exitCode, { interval: 10 }).toBe('SIGKILL');
  await running.exited;
  expect(running.output()).toContain(deathCry(death));
}

function deathCry(death: Death): string {
  return `killed at ${parseFailPoint(death)?.point}`;
}
