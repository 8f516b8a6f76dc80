import { randomBytes } from 'node:crypto';
import { OPERATIONS } from '@/lib/providers/mpesa/simulated-operations';
import { startMpesaSimulator } from '@/lib/providers/mpesa/simulator';
import { SIMULATORS } from '@/lib/providers/simulators';

/** The text that replaces the port in the addresses on the page. */
const PORT = '<port>';

/**
 * Returns the section of a provider's page about its simulator. Starts the simulator, so that the section lists what the simulator really
 * answers.
 */
export async function describeSimulator(name: string): Promise<string> {
  const [first, second] = [await readSimulator(name), await readSimulator(name)];
  const credentials = Object.entries(first.credentials).map(([member, value]) => {
    const fixed = JSON.stringify(second.credentials[member]) === JSON.stringify(value);
    return [member, fixed ? value : '(new at each start)'] as const;
  });
  return `\`bili simulate ${name}\` starts a [simulator](simulators.md). It answers these requests:

${first.routes.map((route) => `- \`${route.replaceAll(/:(\w+)/g, '{$1}')}\`\n`).join('')}
An account that uses it has these credentials:

\`\`\`json
${JSON.stringify(Object.fromEntries(credentials), null, 2)}
\`\`\`
`;
}

async function readSimulator(
  name: string,
): Promise<{ readonly routes: readonly string[]; readonly credentials: Readonly<Record<string, unknown>> }> {
  const options = { clock: () => new Date(), random: (bytes: number) => new Uint8Array(randomBytes(bytes)) };
  const simulator = SIMULATORS[name];
  const running = simulator ? await simulator.start(options) : await startMpesaSimulator({ ...options, mode: 'async', keyBits: 2048 });
  await running.stop();
  const text = JSON.stringify(running.credentials).replaceAll(new URL(running.url).port, PORT);
  const routes =
    'routes' in running ? running.routes : OPERATIONS.map(({ method, path }) => `${method} /{environment}/ipg/v2/{market}/${path}`);
  return { routes, credentials: JSON.parse(text) };
}
