import { createHash } from 'node:crypto';
import { findBillByLink, type LinkedBill } from '@/lib/gateway/bills/linked-bill';
import { payableAmount } from '@/lib/gateway/bills/rules';
import { listPrefixes, type PrefixRow } from '@/lib/gateway/networks/store';
import { reserves } from '@/lib/gateway/payments/rules';
import { listAttempts } from '@/lib/gateway/payments/store';
import { amountChoice } from '@/lib/gateway/prompts/decide-prompt';
import { type NetworkOffer, offerNetworks } from '@/lib/gateway/prompts/offer-networks';
import { newFormId } from '@/lib/gateway/prompts/request-prompt';
import { listReturns } from '@/lib/gateway/receipts/store';
import { isUuid } from '@/lib/platform/core/ids';
import { knownMobile } from '@/lib/platform/core/mobile';
import type { Environment } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { listPromptAccounts } from '@/lib/providers/accounts/account-store';
import type { ProviderRegistry } from '@/lib/providers/registry';
import { type OpenPrompt, type PayState, pagePace, payState } from './pay-state';

interface PayRuntime extends Pick<Runtime, 'db' | 'clock' | 'random'> {
  readonly providers: ProviderRegistry;
}

export type PayPage = NonNullable<Awaited<ReturnType<typeof showPayPage>>>;

/** The values of the payment form. */
export type PayFormOffer = NonNullable<PayPage['form']>;

/**
 * Returns the content of a bill's payment page; undefined if the environment has no bill with this id.
 * @param ownAttemptId the attempt that this device has proven to have started; null for none.
 */
export async function showPayPage(
  { db, clock, random, providers }: PayRuntime,
  environment: Environment,
  billId: string,
  ownAttemptId: string | null = null,
) {
  const read = isUuid(billId) ? await readBill(db, environment, billId) : undefined;
  if (!read) return undefined;
  const { bill, attempts } = read;
  const own = attempts.find(({ id }) => id === ownAttemptId);
  const offer = await offerNetworks({ db, clock }, bill, own);
  const accounts = attempts.some(reserves) ? await listPromptAccounts(db, bill.id) : [];
  const now = clock();
  const { state, others, payable } = payState({
    bill,
    attempts,
    ownAttemptId,
    served: offer.networks.length > 0,
    down: offer.down,
    now,
    providerOf: ({ providerAccountId }) => {
      const account = accounts.find(({ id }) => id === providerAccountId);
      const promptMs = account && providers.find(account.provider)?.capabilities.promptMs;
      return promptMs === undefined ? undefined : { promptMs, promptName: account?.promptName ?? null };
    },
  });
  const payableNow = payableAmount(bill);
  return {
    bill,
    state,
    /** All prompts that reserve a part of the bill and are not in `state`. */
    others,
    /** Whether the bill has any attempt. */
    prompted: attempts.length > 0,
    /** What the customers got back, the oldest first. */
    returns: await listReturns(db, bill),
    /** Null if the page has no form. */
    form: payable
      ? {
          /** The highest amount that can be paid now, senti. */
          payable: payableNow,
          amounts: amountChoice(payableNow, bill, bill.partialPayments),
          /** The prefixes of the offered networks: `vodacom:74,75;yas:65`. */
          prefixes: describePrefixes(await listPrefixes(db), offer),
          /** Identifies the form, so that a repeated submission is recognised. */
          id: newFormId(random),
          /** The last attempt of this device, if it has not paid the bill. The form offers to repeat it, unless its number was erased. */
          again:
            state.kind === 'ready' && state.failure?.own && knownMobile(state.failure.attempt.mobile) !== null
              ? state.failure.attempt
              : null,
        }
      : null,
    /** The networks of the form; null if the page has no form. */
    offer: payable ? offer : null,
    /** A text that changes whenever the content of the page changes. */
    version: [versionOf(bill, state, others, payable), ...(payable ? offer.down : [])].join('.'),
    /** How often an open page asks the server for the current `version`; null if it does not ask. */
    pace: pagePace(bill, attempts, attempts.some(reserves), now),
  };
}

/** How often the bill and its attempts are read if outcomes keep coming between the two reads. */
const MAX_READS = 3;

/**
 * Reads a bill and its attempts as they were at one moment. An outcome changes both: if it comes between the two reads, the attempts do
 * not reserve what the bill says, and both are read again.
 */
async function readBill(db: Queryable, environment: Environment, billId: string) {
  for (let reads = 1; ; reads += 1) {
    const bill = await findBillByLink(db, environment, billId);
    if (!bill) return undefined;
    const attempts = await listAttempts(db, bill.id);
    const reserved = attempts.filter(reserves).reduce((sum, { amount }) => sum + amount, 0n);
    if (reserved === bill.reservedAmount || reads === MAX_READS) return { bill, attempts };
  }
}

function describePrefixes(prefixes: readonly PrefixRow[], { networks }: NetworkOffer): string {
  const of = (network: string) => prefixes.filter((row) => row.network === network).map(({ prefix }) => prefix);
  return networks.map((network) => `${network}:${of(network).join()}`).join(';');
}

/**
 * The version of the page contains a hash of the bill's texts that the merchant can edit. The hash is shortened to this number of
 * characters, which is enough to notice an edit.
 */
const INFO_HASH_LENGTH = 6;

function versionOf(
  { status, paidAmount, reservedAmount, closedAt, description, customerName, dueAt }: LinkedBill,
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
  const info = JSON.stringify([description, customerName, dueAt]);
  const infoHash = createHash('sha256').update(info).digest('base64url').slice(0, INFO_HASH_LENGTH);
  return [status, paidAmount, reservedAmount, state.kind, Number(closedAt !== null), Number(payable), infoHash, ended, ...shown].join('.');
}
