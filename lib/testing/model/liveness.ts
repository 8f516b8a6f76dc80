import { DAY_MS, MINUTE_MS } from '@/lib/core/clock';
import { type Prompt, variantOf } from '../fakes/fake-record';
import type { World } from './world';

/**
 * Payments that the provider could have told of, by callbacks and status queries alone, and that the ledger does not have: as
 * sentences. To be asked when the workers have nothing left to do, before any statement is read.
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
      // A status query tells of the first payment of a prompt, and a prompt that has one is not asked about any more.
      if (prompt?.till !== till || first?.receipt !== receipt) return false;
      if (more.some((other) => booked.has(`${till} ${other.receipt}`))) return false;
      return wasOpen(world, reference) || wasHinted(world, prompt) || wasFollowedUp(world, prompt, first.at);
    })
    .map(({ till, receipt }) => `${till} ${receipt} could have been known, and is not in the ledger`);
}

/** Whether the gateway had to go on asking: nobody said, rightly or not, that the prompt had ended otherwise. */
function wasOpen({ heard, told, books }: World, reference: string): boolean {
  const attempt = books.attempts.find(({ our_reference }) => our_reference === reference);
  const said = (word: string) => heard.words.has(`${reference} ${word}`) || told.has(`${reference} ${word}`);
  const givenUp = attempt?.due_at === null && attempt.state === 'UNKNOWN';
  // Sent again and again because the provider denied that it had the prompt.
  const denied = attempt?.failure_reason === 'provider_unavailable' && said('lie');
  return !said('failed') && !said('expired') && !givenUp && !denied;
}

/** Whether a callback about the prompt was taken after its payment, and claimed the payment or was not followed by a denial. */
function wasHinted({ hinted, claimed, heard }: World, { till, reference, paidMoment }: Prompt): boolean {
  const hint = hinted.get(reference) ?? 0;
  if (variantOf(till) === 'signed' || paidMoment === null || hint < paidMoment) return false;
  return claimed.has(reference) || hint > (heard.denied.get(reference) ?? 0);
}

/** Whether the prompt had run out, was paid within a day, and the provider has not denied that since. */
function wasFollowedUp({ books, heard }: World, { reference, paidMoment }: Prompt, paidAt: Date): boolean {
  const attempt = books.attempts.find(({ our_reference }) => our_reference === reference);
  if (attempt?.state !== 'EXPIRED' || attempt.settled_at === null || paidMoment === null) return false;
  const inTime = paidAt.getTime() < Date.parse(attempt.settled_at) + DAY_MS - MINUTE_MS;
  return inTime && paidMoment > (heard.denied.get(reference) ?? 0);
}
