import { addMs, SECOND_MS } from '@/lib/core/clock';
import { isNetwork, type Network } from '@/lib/core/network';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import type { PhoneVisit } from './link';
import { holdPhones, listPhones, listRings, type Ring } from './store';

/**
 * How long test phones receive prompts after a request of their page. The time exceeds a minute, because a hidden page sends only one
 * request a minute.
 */
const HOLD_MS = 90 * SECOND_MS;
const RENEW_MS = 80 * SECOND_MS;
const HISTORY = 6;

/** A prompt that a test phone received. */
export type PhonePrompt = Ring;

/** One test phone. */
export interface Phone {
  readonly mobile: string;
  readonly network: Network;
  readonly isOn: boolean;
  readonly hasMoney: boolean;
  /** The prompt that waits for an answer; null if there is none. */
  readonly ringing: Ring | null;
  /** The prompts that no longer wait for an answer, newest first. */
  readonly past: readonly Ring[];
}

/**
 * Returns the test phones with these numbers, in the given order. Makes them receive the prompts to their numbers for HOLD_MS more. If
 * several prompts wait for an answer on a phone, the oldest is shown first.
 */
export async function showPhones({ db, clock }: ReadRuntime, { scope }: PhoneVisit, mobiles: readonly string[]): Promise<Phone[]> {
  const now = clock();
  await holdPhones(db, scope, { mobiles, until: addMs(now, HOLD_MS), renewBefore: addMs(now, RENEW_MS) });
  const phones = await listPhones(db, scope, mobiles);
  const rings = await listRings(db, scope, { mobiles, now, limit: HISTORY });
  return mobiles.flatMap((mobile) => {
    const phone = phones.find((one) => one.mobile === mobile);
    if (!phone) return [];
    const own = rings.filter((ring) => ring.mobile === mobile);
    const open = own.filter(({ status, missed }) => status === null && !missed);
    const ringing = phone.isOn ? (open.at(-1) ?? null) : null;
    return [
      {
        ...phone,
        network: isNetwork(phone.network) ? phone.network : ('other' as const),
        ringing,
        past: own.filter((ring) => !open.includes(ring)),
      },
    ];
  });
}
