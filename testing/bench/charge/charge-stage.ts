import { z } from 'zod';
import { createMerchant } from '@/lib/backoffice/merchants/create-merchant';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { operatorAccess } from '@/lib/identity/accounts/access/grant-access';
import { createKey } from '@/lib/identity/keys/change-keys';
import { operatorActor } from '@/lib/platform/core/actor';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { addAccount } from '@/lib/providers/accounts/manage-account';
import { createRegistry } from '@/lib/providers/registry';
import type { Undo } from '@/testing/bench/run-bench';
import type { Running } from '@/testing/bench/servers';
import { startStage } from '@/testing/bench/webhooks/stage';
import { freePorts } from '@/testing/free-ports';
import { UNLIMITED } from '@/testing/unlimited';

const ACTOR = operatorActor('bench');
/** An operator with hundreds of charges per second agrees with the provider on more parallel calls than the default of 25. */
const CALLS_AT_ONCE = 100;

interface StageOptions {
  readonly merchants: number;
  /** The median time until a customer pays, milliseconds. `p99Ms` is the 99th percentile. */
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** The processes that handle charges, from the request of a merchant to the webhook. */
export interface ChargeStage {
  readonly runtime: Runtime;
  /** The address of the live API. */
  readonly url: string;
  /** The Authorization header of each merchant. */
  readonly keys: readonly string[];
  readonly provider: Running;
  readonly receiver: Running;
  /** The root of each process tree. */
  readonly pids: Readonly<Record<'web' | 'worker' | 'database' | 'provider' | 'receiver', number>>;
}

/** Starts the product, a simulated provider with an account of the operator, and a receiver of the webhooks of some live merchants. */
export async function startChargeStage(undo: Undo, { merchants, medianMs, p99Ms }: StageOptions): Promise<ChargeStage> {
  const stage = await startStage(undo, { ...UNLIMITED, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
  const { runtime, startWeb, startWorker } = await stage.database('charge');
  const [port] = await freePorts(1);
  const receiver = await stage.startProgram('charge-receiver', { PORT: String(port) });
  const provider = await stage.startProgram('charge-provider', { MEDIAN_MS: String(medianMs), P99_MS: String(p99Ms) });

  const opened: { key: string; secret: string }[] = [];
  for (let index = 0; index < merchants; index += 1)
    opened.push(await openMerchant(runtime, `merchant-${index}`, `http://127.0.0.1:${port}/${index}`));
  await receiver.ask({ secrets: opened.map(({ secret }) => secret) });

  const callbackPath = await openAccount(runtime, provider.hello);
  const web = await startWeb();
  await provider.ask({ callbackUrl: `${web.liveUrl}${callbackPath}` });
  const worker = await startWorker();
  const pids = { web: web.pid, worker: worker.pid, database: stage.postmaster, provider: provider.pid, receiver: receiver.pid };
  return { runtime, url: web.liveUrl, keys: opened.map(({ key }) => key), provider, receiver, pids };
}

async function openMerchant(runtime: Runtime, name: string, url: string): Promise<{ key: string; secret: string }> {
  const created = await createMerchant(runtime, { name, email: `${name}@example.com`, live: 'active' });
  if (!created.ok) throw new Error(created.error);
  const access = operatorAccess(ACTOR, { merchantId: created.value.merchant.id, environment: 'live' });
  const key = await createKey(runtime, access, { label: 'Bench' });
  if (!key.ok) throw new Error(key.error);
  const endpoint = await setEndpoint(runtime, access, url);
  if (!endpoint.ok) throw new Error(endpoint.error);
  return { key: `ApiKey ${key.value.id}:${key.value.secret}`, secret: endpoint.value.secret };
}

/** Adds the operator's account at the simulated provider. Returns the path of its callbacks. */
async function openAccount(runtime: Runtime, simulated: unknown): Promise<string> {
  const credentials = z.looseObject({ env: z.string() }).parse(simulated);
  const added = await addAccount(
    { ...runtime, providers: createRegistry(runtime, null) },
    {
      provider: 'mpesa',
      environment: 'live',
      merchantId: null,
      label: 'M-Pesa',
      networks: null,
      credentials: JSON.stringify({ ...credentials, env: 'openapi', callsAtOnce: CALLS_AT_ONCE }),
      actor: ACTOR,
    },
  );
  if (!added.ok) throw new Error(added.error.join(' '));
  return new URL(added.value.callbackUrl).pathname;
}
