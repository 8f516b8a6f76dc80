import { DAY_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { type Prompt, signsCallbacks, variantOf } from '../fakes/fake-record';
import type { World } from './world';

/**
 * Returns a sentence for each payment that is not in the ledger although the provider could have reported it by callbacks or status
 * queries. Call it when the workers have nothing left to do, before any statement is reconciled.
 */
export function findUntold(world: World): string[] {
  const { provider, books } = world;
  const booked = new Set(
    books.payments.map(
      ({ provider_account_id, provider_transaction_id }) => `${world.tillOf(provider_account_id)} ${provider_transaction_id}`,
    ),
  );
  return provider.transactions
    .filter(({ kind, till, receipt }) => kind === 'payment' && !booked.has(`${till} ${receipt}`))
    .filter(({ till, reference, receipt }) => {
      const prompt = provider.prompts.get(reference);
      const [first, ...more] = provider.paymentsFor(till, reference);
      // Later payments of an attempt are not expected here: a status query reports only the first payment, and a paid attempt is not
      // queried again.
      if (prompt?.till !== till || first?.receipt !== receipt) return false;
      if (more.some((other) => booked.has(`${till} ${other.receipt}`))) return false;
      if (variantOf(till) === 'repeating' && !wasAnswered(world, reference)) return false;
      return wasOpen(world, reference) || wasHinted(world, prompt) || wasFollowedUp(world, prompt, first.at);
    })
    .map(({ till, receipt }) => `${till} ${receipt} could have been known, and is not in the ledger`);
}

/** Returns whether the gateway got the provider's own reference of the attempt. */
function wasAnswered({ books }: World, reference: string): boolean {
  return books.attempts.some(({ our_reference, provider_reference }) => our_reference === reference && provider_reference !== null);
}

/**
 * Returns whether the gateway had to continue its status queries for an attempt. It had to if nobody had reported, truly or falsely, that
 * the attempt failed or expired, and the gateway had not stopped the queries for another reason.
 */
function wasOpen({ heard, told, books }: World, reference: string): boolean {
  const attempt = books.attempts.find(({ our_reference }) => our_reference === reference);
  const said = (word: string) => heard.words.has(`${reference} ${word}`) || told.has(`${reference} ${word}`);
  const givenUp = attempt?.due_at === null && attempt.state === 'UNKNOWN';
  // The provider denied that it had the attempt, so the gateway sent the request again several times and then settled the attempt as
  // failed.
  const denied = attempt?.failure_reason === 'provider_unavailable' && said('lie');
  return !said('failed') && !said('refused') && !said('expired') && !givenUp && !denied;
}

/**
 * Returns whether an unsigned callback came after the payment, and one of two things is true: a callback reported the payment, or the
 * provider has not denied the payment since the last callback.
 */
function wasHinted({ hinted, claimed, heard }: World, { till, reference, paidMoment }: Prompt): boolean {
  const hint = hinted.get(reference) ?? 0;
  if (signsCallbacks(till) || paidMoment === null || hint < paidMoment) return false;
  return claimed.has(reference) || hint > (heard.denied.get(reference) ?? 0);
}

/**
 * Returns whether the attempt had expired, was paid within a day after that, and the provider has not denied this payment since it was
 * made.
 */
function wasFollowedUp({ books, heard }: World, { reference, paidMoment }: Prompt, paidAt: Date): boolean {
  const attempt = books.attempts.find(({ our_reference }) => our_reference === reference);
  if (attempt?.state !== 'EXPIRED' || attempt.settled_at === null || paidMoment === null) return false;
  const inTime = paidAt.getTime() < Date.parse(attempt.settled_at) + DAY_MS - MINUTE_MS;
  return inTime && paidMoment > (heard.denied.get(reference) ?? 0);
}
