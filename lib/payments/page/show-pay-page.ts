import { type Bill, payableAmount } from '@/lib/bills/rules';
import { findBillByLink, type LinkedBill } from '@/lib/bills/store';
import { isUuid } from '@/lib/core/ids';
import type { Environment } from '@/lib/core/scope';
import { listPrefixes, type PrefixRow } from '@/lib/networks/store';
import { type AmountChoice, amountChoice } from '@/lib/payments/prompts/choose-amount';
import { type NetworkOffer, offerNetworks } from '@/lib/payments/prompts/offer-networks';
import { type Attempt, reserves } from '@/lib/payments/rules';
import { listAttempts } from '@/lib/payments/store';
import { listProviderNames } from '@/lib/providers/accounts/account-store';
import type { ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { newFormId } from './form-id';
import { pagePace } from './pay-pace';
import { type OpenPrompt, type PayState, payState } from './pay-state';

interface PayRuntime extends Pick<Runtime, 'db' | 'clock' | 'random'> {
  readonly providers: ProviderRegistry;
}

export interface PayPage {
  readonly bill: LinkedBill;
  readonly state: PayState;
  /** Prompts on other phones that hold a part of the bill. */
  readonly others: readonly OpenPrompt[];
  /** Whether any phone was asked for it. */
  readonly prompted: boolean;
  /** What can be asked for now; null where there is no form. */
  readonly form: PayFormOffer | null;
  /** The networks that the form offers; null where there is no form. */
  readonly offer: NetworkOffer | null;
  /** Changes whenever the page would say something else. */
  readonly version: string;
  /** How often an open page asks for the version; null for not by itself. */
  readonly pace: 'quick' | 'slow' | null;
}

/** What the form of the page can be used for. */
export interface PayFormOffer {
  /** All that can be paid now, senti. */
  readonly payable: bigint;
  readonly amounts: AmountChoice | null;
  /** The prefixes of the networks that are offered: `vodacom:74,75;yas:65`. */
  readonly prefixes: string;
  /** The form's own number, by which it is known when it is sent twice. */
  readonly id: string;
  /** What this device asked for last, if that did not end in a payment: the form offers to ask for it again. */
  readonly again: Attempt | null;
}

/**
 * @param ownAttemptId the attempt that the device which asks has proven to have made; null for none.
 * @returns what the page of a bill shows now; undefined for an id that is none of this environment's bills.
 */
export async function showPayPage(
  { db, clock, random, providers }: PayRuntime,
  environment: Environment,
  billId: string,
  ownAttemptId: string | null = null,
): Promise<PayPage | undefined> {
  const bill = isUuid(billId) ? await findBillByLink(db, environment, billId) : undefined;
  if (!bill) return undefined;
  const attempts = await listAttempts(db, bill.id);
  const own = attempts.find(({ id }) => id === ownAttemptId);
  const offer = await offerNetworks({ db }, bill, own);
  const names = attempts.some(reserves) ? await listProviderNames(db, bill.id) : new Map<string, string>();
  const now = clock();
  const { state, others, payable } = payState({
    bill,
    attempts,
    ownAttemptId,
    served: offer.networks.length > 0,
    down: offer.down,
    now,
    providerOf: ({ providerAccountId }) => {
      const name = providerAccountId === null ? undefined : names.get(providerAccountId);
      return name === undefined ? undefined : providers.find(name)?.capabilities;
    },
  });
  const most = payableAmount(bill);
  return {
    bill,
    state,
    others,
    prompted: attempts.length > 0,
    form: payable
      ? {
          payable: most,
          amounts: amountChoice(most, bill, bill.partialPayments),
          prefixes: describePrefixes(await listPrefixes(db), offer),
          id: newFormId(random),
          again: state.kind === 'ready' && state.failure?.own ? state.failure.attempt : null,
        }
      : null,
    offer: payable ? offer : null,
    version: [versionOf(bill, state, others, payable), ...(payable ? offer.down : [])].join('.'),
    pace: pagePace(bill, attempts, attempts.some(reserves), now),
  };
}

function describePrefixes(prefixes: readonly PrefixRow[], { networks }: NetworkOffer): string {
  const of = (network: string) => prefixes.filter((row) => row.network === network).map(({ prefix }) => prefix);
  return networks.map((network) => `${network}:${of(network).join()}`).join(';');
}

function versionOf(
  { status, paidAmount, reservedAmount, closedAt }: Bill,
  state: PayState,
  others: readonly OpenPrompt[],
  payable: boolean,
) {
  const first = 'attempt' in state ? [state] : state.kind === 'decline' ? state.prompts : [];
  const shown = [...first, ...others].map(
    ({ kind, attempt, helpDue }) => `${attempt.id.slice(-6)}${kind}${Number(attempt.sentAt !== null)}${Number(helpDue)}`,
  );
  const { failure } = state.kind === 'ready' ? state : { failure: null };
  const ended = failure ? `${failure.attempt.id.slice(-6)}${failure.reason}${Number(failure.mayStillBePaid)}` : '';
  return [status, paidAmount, reservedAmount, state.kind, Number(closedAt !== null), Number(payable), ended, ...shown].join('.');
}
