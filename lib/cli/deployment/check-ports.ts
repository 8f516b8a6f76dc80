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
    // If a supervisor was killed, its web process may still use the port, but ends within seconds. So a port in use is checked again.
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
