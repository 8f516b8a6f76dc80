import { randomBytes } from 'node:crypto';
import { print, UserError } from '@/lib/cli/terminal/output';
import { SECOND_MS } from '@/lib/platform/core/clock';
import type { Environment } from '@/lib/platform/core/scope';
import { ANY_OTHER_MEANING, NUMBERS } from '@/lib/providers/kit/behaviours';
import type { ProviderManifest } from '@/lib/providers/kit/manifest';
import { MEANINGS } from '@/lib/providers/mpesa/simulated-platform';
import { type MpesaSimulator, startMpesaSimulator } from '@/lib/providers/mpesa/simulator';

export interface SimulateMpesaOptions {
  readonly port: number;
  readonly mode: 'sync' | 'async';
  /** The environment of the account that the printed credentials are for. */
  readonly environment: Environment;
  readonly callbackUrl?: string;
  readonly origin: string;
  /** Seconds until the simulator accepts a new session key. M-Pesa has such a delay, too. */
  readonly warmup: number;
  readonly json: boolean;
}

/** Starts the M-Pesa simulator, and prints its address and the credentials of an account. */
export async function simulateMpesa({
  port,
  mode,
  environment,
  callbackUrl,
  origin,
  warmup,
  json,
}: SimulateMpesaOptions): Promise<MpesaSimulator> {
  const simulator = await startMpesaSimulator({
    clock: () => new Date(),
    random: (bytes) => new Uint8Array(randomBytes(bytes)),
    port,
    mode,
    callbackUrl: callbackUrl ?? null,
    origin,
    warmupMs: warmup * SECOND_MS,
  }).catch((error: unknown) => refusePort(error, port));
  const { url } = simulator;
  const credentials = { ...simulator.credentials, env: environment === 'live' ? 'openapi' : 'sandbox' };
  print(json, { url, control: `${url}/control`, credentials }, [
    `Simulated M-Pesa at ${url}, ${mode === 'sync' ? 'synchronous' : 'asynchronous'}. Ctrl-C stops it and deletes its data.`,
    `Its behaviour: ${url}/control (GET shows it; POST changes the members that the JSON body contains)`,
    'The last digits of the mobile number decide the outcome:',
    ...MEANINGS.map(([ends, what]) => `  ${ends.padEnd(14)} ${what}`),
    `Credentials of a simulated account in ${environment}:`,
    JSON.stringify(credentials, null, 2),
  ]);
  return simulator;
}

export interface SimulateOptions {
  readonly port: number;
  readonly callbackUrl?: string;
  readonly json: boolean;
}

interface SimulatedProvider extends Pick<ProviderManifest, 'label'> {
  readonly startSimulator: NonNullable<ProviderManifest['startSimulator']>;
}

/** Starts the simulator of a provider, and prints its address, what its test phone numbers do, and the credentials of an account. */
export async function simulateProvider(
  { label, startSimulator }: SimulatedProvider,
  { port, callbackUrl, json }: SimulateOptions,
): Promise<{ stop(): Promise<void> }> {
  const options = {
    clock: () => new Date(),
    random: (bytes: number) => new Uint8Array(randomBytes(bytes)),
    port,
    callbackUrl: callbackUrl ?? null,
  };
  const running = await startSimulator(options).catch((error: unknown) => refusePort(error, port));
  const { url, credentials } = running;
  print(json, { url, control: `${url}/control`, credentials }, [
    `Simulated ${label} at ${url}. Ctrl-C stops it and deletes its data.`,
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
