import { randomBytes } from 'node:crypto';
import { print } from '@/lib/cli/terminal/output';
import { SECOND_MS } from '@/lib/core/clock';
import type { Environment } from '@/lib/core/scope';
import { MEANINGS } from '@/lib/providers/mpesa/behaviours';
import { type MpesaSimulator, startMpesaSimulator } from '@/lib/providers/mpesa/simulator';
import { refusePort } from './provider';

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
