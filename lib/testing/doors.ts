import { afterAll, beforeAll } from 'vitest';
import { freePorts } from './free-ports';
import { type Running, startProgram } from './process';
import { TEST_SECRET_KEY } from './runtime';
import { UNLIMITED } from './unlimited';

export type Door = 'direct' | 'next';

export interface OpenDoor {
  readonly live: string;
  readonly sandbox: string;
  /** The web process. */
  readonly pid: number;
}

/**
 * Starts the built web process on a test's database, answering the hot routes itself or handing them to Next.js.
 * @returns a function that gives its two addresses.
 */
export function testDoor(door: Door, databaseUrl: () => string, env: Readonly<Record<string, string>> = {}): () => OpenDoor {
  let running: Running | undefined;
  let open: OpenDoor | undefined;
  beforeAll(async () => {
    const [live = 0, sandbox = 0] = await freePorts(2);
    running = startProgram(['web'], {
      ...UNLIMITED,
      DATABASE_URL: databaseUrl(),
      SECRET_KEY: TEST_SECRET_KEY,
      PORT: String(live),
      SANDBOX_PORT: String(sandbox),
      HTTP_DOOR: door,
      ...env,
    });
    await running.printed('web is listening');
    open = { live: `http://127.0.0.1:${live}`, sandbox: `http://127.0.0.1:${sandbox}`, pid: running.child.pid ?? 0 };
  });
  afterAll(async () => {
    await running?.kill('SIGTERM');
  });
  return () => {
    if (!open) throw new Error('the door is open once the tests run');
    return open;
  };
}
