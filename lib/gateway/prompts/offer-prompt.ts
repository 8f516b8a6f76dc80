import { type Bill, isClosed, payableAmount } from '@/lib/gateway/bills/rules';
import { type Attempt, reserves } from '@/lib/gateway/payments/rules';
import { findProfile } from '@/lib/identity/merchants/profile-store';
import { knownMobile } from '@/lib/platform/core/mobile';
import type { Senti } from '@/lib/platform/core/money';
import type { OperatedNetwork } from '@/lib/platform/core/network';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type AmountChoice, amountChoice } from './decide-prompt';
import { offerNetworks } from './offer-networks';

/** Whether the dashboard can send a prompt for a bill now, and with which values. */
export type PromptOffer =
  | {
      readonly kind: 'offered';
      /** The highest amount of a prompt, senti. */
      readonly payable: Senti;
      /** Null if only the whole payable amount can be requested. */
      readonly amounts: AmountChoice | null;
      readonly networks: readonly OperatedNetwork[];
      /** The networks whose accounts are all suspended now. */
      readonly down: readonly OperatedNetwork[];
      /** The bill's phone number. If the bill has none, the number of its last attempt. Null if that number has an open attempt. */
      readonly mobile: string | null;
    }
  | { readonly kind: 'closed' | 'paid' | 'inactive' | 'all_asked' | 'unserved' };

/**
 * Returns what the dashboard offers for a bill. The limits are checked only when the prompt is requested.
 * @param attempts the attempts of the bill, oldest first.
 */
export async function offerPrompt(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  bill: Bill & { readonly expiresAt: Date | null },
  attempts: readonly Attempt[],
): Promise<PromptOffer> {
  const [profile, { networks, down }] = await Promise.all([findProfile(db, bill), offerNetworks({ db, clock }, bill, undefined)]);
  const payable = payableAmount(bill);
  if (bill.status === 'FULLY_PAID') return { kind: 'paid' };
  if (isClosed(bill, clock())) return { kind: 'closed' };
  if (profile?.status !== 'active') return { kind: 'inactive' };
  if (networks.length === 0) return { kind: 'unserved' };
  if (payable === 0n) return { kind: 'all_asked' };
  const mobile = knownMobile(bill.mobile ?? attempts.at(-1)?.mobile ?? null);
  const open = attempts.some((attempt) => attempt.mobile === mobile && reserves(attempt));
  return {
    kind: 'offered',
    payable,
    amounts: amountChoice(payable, bill, profile.partialPayments),
    networks,
    down,
    mobile: open ? null : mobile,
  };
}
