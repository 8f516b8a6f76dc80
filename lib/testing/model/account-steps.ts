import { disableAccount } from '@/lib/providers/accounts/manage-account';
import { TILLS } from '../fakes/fake-record';
import { MODEL } from './actor';
import { pick } from './gateway-steps';
import { insertTillAccount } from './stage';
import type { World } from './world';

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
