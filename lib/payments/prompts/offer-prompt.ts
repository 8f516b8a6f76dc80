import { type Bill, payableAmount } from '@/lib/bills/rules';
import type { Senti } from '@/lib/core/money';
import type { OperatedNetwork } from '@/lib/core/network';
import { findProfile } from '@/lib/merchants/profile-store';
import { type Attempt, reserves } from '@/lib/payments/rules';
import type { Runtime } from '@/lib/runtime/runtime';
import { type AmountChoice, amountChoice } from './choose-amount';
import { offerNetworks } from './offer-networks';

/** Whether a phone can be asked for a bill now, and what for. */
export type PromptOffer =
  | {
      readonly kind: 'offered';
      /** All that can be asked for, senti. */
      readonly payable: Senti;
      /** Null where only all of it can be. */
      readonly amounts: AmountChoice | null;
      readonly networks: readonly OperatedNetwork[];
      /** The bill's number, or the last that was asked; one that is being asked now is not proposed again. */
      readonly mobile: string | null;
    }
  | { readonly kind: 'closed' | 'paid' | 'inactive' | 'all_asked' | 'unserved' };

/** @param attempts the bill's, oldest first. @returns what the dashboard offers; what happens is decided when it is asked for. */
export async function offerPrompt({ db }: Pick<Runtime, 'db'>, bill: Bill, attempts: readonly Attempt[]): Promise<PromptOffer> {
  const [profile, { networks }] = await Promise.all([findProfile(db, bill), offerNetworks({ db }, bill, undefined)]);
  const payable = payableAmount(bill);
  if (bill.status === 'FULLY_PAID') return { kind: 'paid' };
  if (bill.closedAt !== null) return { kind: 'closed' };
  if (profile?.status !== 'active') return { kind: 'inactive' };
  if (networks.length === 0) return { kind: 'unserved' };
  if (payable === 0n) return { kind: 'all_asked' };
  const mobile = bill.mobile ?? attempts.at(-1)?.mobile ?? null;
  const open = attempts.some((attempt) => attempt.mobile === mobile && reserves(attempt));
  return {
    kind: 'offered',
    payable,
    amounts: amountChoice(payable, bill, profile.partialPayments),
    networks,
    mobile: open ? null : mobile,
  };
}
