import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '@/lib/config/settings';
import { SECOND_MS } from '@/lib/core/clock';
import { portProblem } from '@/lib/processes/port-problem';
import { StartError } from '@/lib/processes/start-settings';

/** Throws a StartError if a port is in use, before anything else is started. */
export async function checkPorts({ PORT, SANDBOX_PORT, HOST }: Settings): Promise<void> {
  for (const port of [PORT, SANDBOX_PORT]) {
    // A web process whose supervisor was killed releases its ports within seconds.
    const deadline = Date.now() + 3 * SECOND_MS;
    for (;;) {
      const problem = await findPortProblem(port, HOST);
      if (problem === null) break;
      if (Date.now() > deadline) throw new StartError(portProblem(problem, port, HOST));
      await delay(100);
    }
  }
}

async function findPortProblem(port: number, host: string | undefined): Promise<unknown> {
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
