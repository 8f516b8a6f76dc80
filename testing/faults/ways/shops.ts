import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { createMerchant } from '@/lib/backoffice/merchants/create-merchant';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { operatorAccess } from '@/lib/identity/accounts/access/grant-access';
import { KEY_SCOPES } from '@/lib/identity/accounts/key-scopes';
import { createKey, NO_LIMITS } from '@/lib/identity/keys/change-keys';
import type { KeyPair } from '@/lib/identity/keys/rules';
import { operatorActor } from '@/lib/platform/core/actor';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { addAccount } from '@/lib/providers/accounts/manage-account';
import { startClickpesaSimulator } from '@/lib/providers/clickpesa/simulator';
import type { SimulatedInstrument } from '@/lib/providers/kit/instruments';
import type { SimulatedPayment } from '@/lib/providers/kit/record';
import { createRegistry } from '@/lib/providers/registry';
import { startSelcomSimulator } from '@/lib/providers/selcom/simulator';
import { startSnippeSimulator } from '@/lib/providers/snippe/simulator';
import { answering, ok, type Received, startReceiver } from '@/testing/fakes/start-receiver';
import type { LayoutOptions } from '../scenario';

const ACTOR = operatorActor('faults');
/** More than the accounts need, because the limits of providers are not the subject. */
const CALLS_PER_MINUTE = 10_000;
/** The receiver refuses the first delivery of one webhook in so many. */
const REFUSED_EACH = 40;

/** What all simulators have that the customers and the comparisons use. */
export interface Books {
  readonly url: string;
  readonly payments: readonly SimulatedPayment[];
  readonly instruments: readonly SimulatedInstrument[];
  readonly complaints: readonly { readonly rule: string; readonly detail: string }[];
  readonly refusals: readonly { readonly request: string; readonly status: number; readonly why: string }[];
}

/** A merchant with one provider account. */
export interface Shop {
  readonly name: string;
  readonly key: KeyPair;
  readonly accountId: string;
  readonly books: Books;
}

/** A webhook as the merchants' server got it. */
export interface Arrival {
  readonly id: string;
  readonly billId: string;
  readonly status: string;
}

export interface Shops {
  readonly shops: readonly Shop[];
  /** The webhooks in the order of their arrival, also repetitions. */
  readonly arrivals: readonly Arrival[];
  /** Webhooks whose signature is not valid, or that are not as documented. */
  readonly badWebhooks: readonly string[];
}

const webhookSchema = z.object({
  bill: z.strictObject({ id: z.string(), status: z.string(), mobile: z.string().nullable(), amount: z.number(), reference: z.string() }),
});

/** Creates a merchant for each simulated provider that issues payment instruments, and a server that receives their webhooks. */
export async function openShops(runtime: Runtime, undo: LayoutOptions['undo']): Promise<Shops> {
  const receiver = await startReceiver();
  undo(() => receiver.stop());
  const secrets = new Map<string, string>();
  const arrivals: Arrival[] = [];
  const badWebhooks: string[] = [];
  const refused = new Set<string>();
  receiver.answer((request, response) => {
    const id = request.headers['webhook-id'] ?? '';
    if (refused.size * REFUSED_EACH < arrivals.length && !refused.has(id)) {
      refused.add(id);
      answering(503)(request, response);
      return;
    }
    const read = readWebhook(request, secrets.get(request.path) ?? '');
    if (read === null) badWebhooks.push(request.body);
    else arrivals.push({ id, ...read });
    ok(request, response);
  });

  const shops: Shop[] = [];
  const simulated = { clock: runtime.clock, random: runtime.random };
  const simulators = {
    selcom: await startSelcomSimulator(simulated),
    snippe: await startSnippeSimulator(simulated),
    clickpesa: await startClickpesaSimulator(simulated),
  };
  for (const [name, simulator] of Object.entries(simulators)) {
    undo(() => simulator.stop());
    const created = await createMerchant(runtime, { name: `Duka ${name}`, email: `${name}@example.com`, live: 'pending' });
    if (!created.ok) throw new Error(created.error);
    const { id: merchantId } = created.value.merchant;
    const access = operatorAccess(ACTOR, { merchantId, environment: 'sandbox' });
    const perMinute = name === 'selcom' ? {} : { callsPerMinute: CALLS_PER_MINUTE };
    const credentials = JSON.stringify({ ...simulator.credentials, ...perMinute });
    const account = { provider: name, environment: 'sandbox', merchantId, label: name, networks: null, credentials } as const;
    const added = await addAccount({ ...runtime, providers: createRegistry(runtime, null) }, { ...account, actor: ACTOR });
    if (!added.ok) throw new Error(added.error.join(' '));
    simulator.control({ callbackUrl: added.value.callbackUrl });
    const key = await createKey(runtime, access, { label: 'faults', limits: { ...NO_LIMITS, scopes: KEY_SCOPES } });
    if (!key.ok) throw new Error(key.error);
    const endpoint = await setEndpoint(runtime, access, receiver.url(`/${name}`));
    if (!endpoint.ok) throw new Error(endpoint.error);
    secrets.set(`/${name}`, endpoint.value.secret);
    shops.push({ name, key: key.value, accountId: added.value.id, books: simulator });
  }
  // The sandbox's own provider would issue instruments, too, and its payments are not in the comparison.
  await runtime.db.prisma.providerAccount.updateMany({ where: { provider: 'sandbox' }, data: { disabledAt: runtime.clock() } });
  return { shops, arrivals, badWebhooks };
}

/** Returns the bill of a webhook; null if the signature or the body is wrong. */
function readWebhook({ headers, body }: Received, secret: string): { readonly billId: string; readonly status: string } | null {
  try {
    const { bill } = webhookSchema.parse(new Webhook(secret).verify(body, headers));
    return { billId: bill.id, status: bill.status };
  } catch {
    // The signature is wrong, or the body is not the documented one.
    return null;
  }
}
