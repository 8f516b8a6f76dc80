import { operatorActor } from '@/lib/core/actor';
import { MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import type { Network } from '@/lib/core/network';
import type { Scope } from '@/lib/core/scope';
import { createMerchant } from '@/lib/merchants/manage/create-merchant';
import type { WorkerRuntime } from '@/lib/payments/attempts/call-provider';
import { addAccount } from '@/lib/providers/accounts/add-account';
import { createRegistry } from '@/lib/providers/registry';
import { SIMULATORS } from '@/lib/providers/simulators';
import type { Runtime } from '@/lib/runtime/runtime';
import type { Undo } from '../run-bench';

/** How the customers of a simulated provider behave, in this order again and again: how long each takes, and what happens then. */
const CUSTOMERS = [
  { afterMs: 4 * SECOND_MS, ending: 'paid' },
  { afterMs: 7 * SECOND_MS, ending: 'paid' },
  { afterMs: 11 * SECOND_MS, ending: 'paid' },
  { afterMs: 16 * SECOND_MS, ending: 'cancelled' },
  { afterMs: 22 * SECOND_MS, ending: 'paid' },
  { afterMs: 31 * SECOND_MS, ending: 'paid' },
  { afterMs: 50 * SECOND_MS, ending: 'insufficient_funds' },
  { afterMs: MINUTE_MS, ending: 'expired' },
  { afterMs: 95 * SECOND_MS, ending: 'paid' },
  { afterMs: 150 * SECOND_MS, ending: 'paid' },
] as const;

/** The highest simulated limit of requests per minute. A higher limit would make the benchmark longer, but not change its results. */
const BUDGET_MAX = 120;

/** The first digits of the numbers of each network. */
const PREFIXES: Readonly<Record<Network, string>> = {
  vodacom: '0754',
  yas: '0714',
  airtel: '0684',
  halotel: '0624',
  ttcl: '0734',
  other: '0754',
};

/** A merchant with an account at a simulated provider that sends no callbacks, and a clock that only the benchmark moves. */
export interface Shop {
  readonly runtime: WorkerRuntime;
  readonly scope: Scope;
  /** The account's limit of requests per minute; null if there is none. */
  readonly budget: number | null;
  advance(ms: number): void;
  /** Returns a new mobile number of the network that the account serves. */
  newMobile(): string;
  /** When the provider knew the outcome of each prompt, milliseconds since 1970, by the last nine digits of the mobile number. */
  readonly endings: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

export async function openShop(
  built: Runtime,
  { provider, network }: { readonly provider: string; readonly network: Network },
  undo: Undo,
): Promise<Shop> {
  let now = Date.now();
  const clock = () => new Date(now);
  const base = { ...built, clock };
  const runtime: WorkerRuntime = { ...base, providers: createRegistry(base, null) };
  const endings = new Map<string, number>();
  let asked = 0;
  let numbers = 0;
  const simulator = await SIMULATORS[provider]?.start({
    ...base,
    chooseBehaviour(mobile) {
      const { afterMs, ending } = CUSTOMERS[asked % CUSTOMERS.length] ?? CUSTOMERS[0];
      asked += 1;
      endings.set(mobile.slice(-9), now + afterMs);
      return { steps: [{ afterMs, ending, callbacks: 0 }] };
    },
  });
  if (!simulator) throw new Error(`${provider} has no simulator`);
  undo.push(() => simulator.stop());
  const created = await createMerchant(runtime, { name: 'Duka', email: 'duka@example.com', live: 'active' });
  if (!created.ok) throw new Error(created.error);
  const scope = { merchantId: created.value.merchant.id, environment: 'sandbox' } as const;
  const owned = { ...scope, provider, label: provider, networks: [network], actor: operatorActor('bench') };
  const budgetOf = (credentials: string) =>
    runtime.providers.find(provider)?.callsPerMinute({ ...owned, id: '', credentials, callbackUrl: '' }) ?? null;
  const own = budgetOf(JSON.stringify(simulator.credentials));
  const lowered = own !== null && own > BUDGET_MAX ? { callsPerMinute: BUDGET_MAX } : {};
  const credentials = JSON.stringify({ ...simulator.credentials, ...lowered });
  const added = await addAccount(runtime, { ...owned, credentials });
  if (!added.ok) throw new Error(added.error.join(' '));
  return {
    runtime,
    scope,
    budget: budgetOf(credentials),
    advance(ms) {
      now += ms;
    },
    newMobile() {
      numbers += 1;
      return `${PREFIXES[network]}${String(numbers).padStart(6, '0')}`;
    },
    endings,
    stop: () => simulator.stop(),
  };
}
