import { afterAll, beforeAll } from 'vitest';
import { freePorts } from './free-ports';
import { type Running, startProgram } from './process';
import { TEST_SECRET_KEY } from './runtime';
import { UNLIMITED } from './unlimited';

export interface WebProcess {
  readonly live: string;
  readonly sandbox: string;
  readonly pid: number;
}

/** Starts the built web process on a test's database before the tests. Returns a function that gives its two addresses. */
export function testWebProcess(databaseUrl: () => string, env: Readonly<Record<string, string>> = {}): () => WebProcess {
  let running: Running | undefined;
  let web: WebProcess | undefined;
  beforeAll(async () => {
    const [live = 0, sandbox = 0] = await freePorts(2);
    running = startProgram(['web'], {
      ...UNLIMITED,
      DATABASE_URL: databaseUrl(),
      SECRET_KEY: TEST_SECRET_KEY,
      PORT: String(live),
      SANDBOX_PORT: String(sandbox),
      ...env,
    });
    await running.printed('web is listening');
    web = { live: `http://127.0.0.1:${live}`, sandbox: `http://127.0.0.1:${sandbox}`, pid: running.child.pid ?? 0 };
  });
  afterAll(async () => {
    await running?.kill('SIGTERM');
  });
  return () => {
    if (!web) throw new Error('the web process is started before the tests run: call this inside a test');
    return web;
  };
}
