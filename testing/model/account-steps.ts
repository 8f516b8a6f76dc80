import { addAccount, disableAccount } from '@/lib/providers/accounts/manage-account';
import { TILLS, type Till, variantOf } from '../fakes/fake-record';
import { MODEL } from './actor';
import { pick } from './gateway-steps';
import { insertTillAccount } from './stage';
import { HONEST, type World } from './world';

/**
 * Disables the newest account of a till. If `later` is 0, a new account of the same till replaces it at once. Otherwise the till has no
 * active account until a later call with `later` 0, if there is one.
 */
export async function renewAccount(world: World, { till: index, later }: { till: number; later: number }): Promise<void> {
  const till = pick(TILLS, index) ?? 'signed';
  const accounts = world.tills[till];
  const current = accounts.at(-1);
  if (current) await disableAccount(world.runtime, { id: current.id, actor: MODEL });
  if (later === 0) accounts.push(await insertTillAccount(world.runtime, world.merchants, till, world.service));
}

/** No customer of the model has a number of this network, so that nothing is sent through an account that serves only this network. */
const UNUSED_NETWORK = 'yas';

/**
 * Two owners add the same application of a provider.
 * @param taken 0: an application that no account has, at the same time. Otherwise: the application of a till, which has another owner.
 */
export async function shareApplication(world: World, { till: index, taken }: { till: number; taken: number }): Promise<void> {
  if (world.frozen) return;
  const till = pick(TILLS, index) ?? 'signed';
  const [first, second] = world.merchants.map(({ merchant }) => merchant.id);
  if (taken === 0) {
    const application = `application ${await countAccounts(world)}`;
    const added = await Promise.all([addTo(world, first ?? null, till, application), addTo(world, null, till, application)]);
    if (added.filter((isAdded) => isAdded).length !== 1) throw new Error(`${application} has two owners or none`);
  } else if (await isActive(world, till)) {
    for (const owner of till === 'own' ? [null, second ?? null] : [first ?? null, second ?? null])
      if (await addTo(world, owner, till, till)) throw new Error(`the application of ${till} has another owner, too`);
  }
}

/** Adds an account. It serves no network afterwards, so that another one can be added. @returns whether it was added. */
async function addTo(world: World, merchantId: string | null, till: Till, credentials: string): Promise<boolean> {
  const about = { provider: `fake-${variantOf(till)}`, environment: 'sandbox', merchantId, label: 'shared', actor: MODEL } as const;
  try {
    const added = await addAccount(world.process(HONEST), { ...about, networks: [UNUSED_NETWORK], credentials });
    return added.ok;
  } catch (error) {
    // At the same time, both pass the check. Then the database refuses one.
    if (error instanceof Error && error.message.includes('another owner has the till identity')) return false;
    throw error;
  } finally {
    await world.runtime.db.query({ text: "UPDATE provider_account SET networks = '{}' WHERE label = 'shared'" });
  }
}

async function countAccounts({ runtime }: World): Promise<number> {
  return (await runtime.db.query({ text: 'SELECT id FROM provider_account' })).length;
}

async function isActive({ runtime, tills }: World, till: Till): Promise<boolean> {
  const id = tills[till].at(-1)?.id;
  return (await runtime.db.query({ text: 'SELECT id FROM provider_account WHERE id = $1 AND disabled_at IS NULL' }, [id])).length > 0;
}
