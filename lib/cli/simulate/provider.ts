import { randomBytes } from 'node:crypto';
import { print, UserError } from '@/lib/cli/terminal/output';
import { ANY_OTHER_MEANING, NUMBERS } from '@/lib/providers/simulation/behaviours';
import { SIMULATORS } from '@/lib/providers/simulators';

export interface SimulateOptions {
  readonly port: number;
  readonly callbackUrl?: string;
  readonly json: boolean;
}

/** Starts the simulator of a provider, and prints its address, what its test phone numbers do, and the credentials of an account. */
export async function simulateProvider(name: string, { port, callbackUrl, json }: SimulateOptions): Promise<{ stop(): Promise<void> }> {
  const simulator = SIMULATORS[name];
  if (!simulator) throw new UserError(`There is no simulator "${name}": use ${Object.keys(SIMULATORS).join(', ')}.`);
  const options = {
    clock: () => new Date(),
    random: (bytes: number) => new Uint8Array(randomBytes(bytes)),
    port,
    callbackUrl: callbackUrl ?? null,
  };
  const running = await simulator.start(options).catch((error: unknown) => refusePort(error, port));
  const { url, credentials } = running;
  print(json, { url, control: `${url}/control`, credentials }, [
    `Simulated ${simulator.title} at ${url}. Ctrl-C stops it and deletes its data.`,
    `Its behaviour, the reason of each refusal, and its complaints about the client: ${url}/control (GET shows them; POST changes the members that the JSON body contains)`,
    'The last digits of the mobile number decide the outcome:',
    ...NUMBERS.map(({ digits, meaning }) => `  ${digits}  ${meaning}`),
    `  any other: ${ANY_OTHER_MEANING}`,
    'Credentials of a simulated account:',
    JSON.stringify(credentials, null, 2),
  ]);
  return running;
}

/** Throws an error that names the port if the simulator could not listen on it. */
export function refusePort(error: unknown, port: number): never {
  if (error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')) {
    throw new UserError(`Port ${port} is in use or not allowed. Choose another with --port.`);
  }
  throw error;
}
