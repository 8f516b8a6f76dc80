import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '@/lib/config/settings';
import { SECOND_MS } from '@/lib/core/clock';
import { StartError } from '@/lib/processes/process-runtime';
import { portProblem } from '@/lib/server/web';

/** Throws a StartError with a sentence when a port is taken, before anything else has been started. */
export async function checkPorts({ PORT, SANDBOX_PORT, HOST }: Settings): Promise<void> {
  for (const port of [PORT, SANDBOX_PORT]) {
    // A web process whose supervisor was killed is about to let go of its ports.
    const deadline = Date.now() + 3 * SECOND_MS;
    for (;;) {
      const problem = await tryPort(port, HOST);
      if (problem === null) break;
      if (Date.now() > deadline) throw new StartError(portProblem(problem, port, HOST));
      await delay(100);
    }
  }
}

async function tryPort(port: number, host: string | undefined): Promise<unknown> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return null;
  } catch (error) {
    return error;
  } finally {
    if (server.listening) {
      server.close();
      await once(server, 'close');
    }
  }
}
