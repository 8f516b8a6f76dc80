import { type Bill, payableAmount } from '@/lib/bills/rules';
import { findBillByLink } from '@/lib/bills/store';
import type { Environment, Runtime } from '@/lib/config/runtime';
import { isUuid } from '@/lib/core/ids';
import type { Brand } from '@/lib/merchants/brand-rules';
import { type NetworkOffer, offerNetworks } from './offer-networks';
import type { FailureReason } from './outcome';
import { type Attempt, reserves } from './rules';
import { listAttempts } from './store';

/** What became of the last try, where that is no payment that counts. */
export type LastTry = FailureReason | 'expired' | 'released' | 'reversed';

/** What the payment page has to say about a bill: exactly one of these is true. */
export type PayState =
  | { readonly kind: 'ready'; readonly failure: LastTry | null }
  /** It has waited for longer than it takes to be sent. */
  | { readonly kind: 'queued'; readonly attempt: Attempt }
  | { readonly kind: 'prompted'; readonly attempt: Attempt }
  | { readonly kind: 'unknown'; readonly attempt: Attempt }
  | { readonly kind: 'paid' }
  | { readonly kind: 'inactive' };

export interface PayPage {
  readonly bill: Bill & Brand & { readonly merchantName: string };
  readonly state: PayState;
  /** What the button asks for, senti. */
  readonly payable: bigint;
  readonly latestAttemptId: string | null;
  /** What the form offers; null while there is no form. */
  readonly offer: NetworkOffer | null;
  /** Changes whenever the page would say something else. */
  readonly version: string;
}

/** @returns what the page of a bill shows now; undefined for an id that is none of this environment's bills. */
export async function showPayPage({ db }: Pick<Runtime, 'db'>, environment: Environment, billId: string): Promise<PayPage | undefined> {
  const bill = isUuid(billId) ? await findBillByLink(db, environment, billId) : undefined;
  if (!bill) return undefined;
  const attempts = await listAttempts(db, bill.id);
  const latest = attempts.at(-1);
  const state: PayState = bill.status === 'FULLY_PAID' ? { kind: 'paid' } : unpaidState(bill, attempts);
  return {
    bill,
    state,
    payable: payableAmount(bill),
    latestAttemptId: latest?.id ?? null,
    offer: state.kind === 'ready' ? await offerNetworks({ db }, bill, latest) : null,
    version: [bill.status, bill.paidAmount, state.kind, latest?.id.slice(-6) ?? '', latest?.state ?? ''].join('.'),
  };
}

function unpaidState({ paidAmount, merchantActive }: Bill & { merchantActive: boolean }, attempts: readonly Attempt[]): PayState {
  const open = attempts.filter(reserves);
  const unknown = open.find((attempt) => attempt.state === 'UNKNOWN');
  if (unknown) return { kind: 'unknown', attempt: unknown };
  const prompted = open.at(-1);
  if (prompted) return { kind: prompted.state === 'QUEUED' && prompted.sendCount > 0 ? 'queued' : 'prompted', attempt: prompted };
  if (!merchantActive) return { kind: 'inactive' };
  return { kind: 'ready', failure: lastTry(attempts.at(-1), paidAmount) };
}

function lastTry(latest: Attempt | undefined, paidAmount: bigint): LastTry | null {
  switch (latest?.state) {
    case 'EXPIRED':
      return 'expired';
    case 'UNKNOWN':
      return 'released';
    case 'SUCCEEDED':
      return paidAmount === 0n ? 'reversed' : null;
    default:
      return latest?.failureReason ?? null;
  }
}
