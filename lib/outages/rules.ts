import { SECOND_MS } from '@/lib/core/clock';
import { isNetwork, WALLETS } from '@/lib/core/network';
import type { MailText } from '@/lib/mail/write-mail';

/** A provider that has not answered for this long is down; a shorter disturbance is not worth a message. */
export const DOWN_AFTER_MS = 15 * SECOND_MS;

/** An account whose provider has stopped answering, or answers again. */
export interface Outage {
  readonly id: string;
  readonly provider: string;
  readonly label: string;
  readonly environment: string;
  readonly networks: readonly string[];
  /** Slug of the merchant whose own account it is; null for the operator's. */
  readonly merchant: string | null;
  readonly since: Date;
  /** What the last call that was not answered came to; null for an account that answers again. */
  readonly error: string | null;
}

/** @returns the names of the wallets that an account serves: `M-Pesa, Airtel Money`. */
function walletsOf({ networks }: Pick<Outage, 'networks'>): string {
  return networks.map((network) => (isNetwork(network) ? WALLETS[network] : network)).join(', ');
}

/** Pure. @returns what the operator reads by mail. */
export function writeOutage(outage: Outage, now: Date): MailText {
  const { label, provider, environment, id, merchant, since, error } = outage;
  const account = `The account "${label}" at ${provider} (${environment}, ${merchant === null ? "the operator's" : `of ${merchant}`}, ${id})`;
  const wallets = walletsOf(outage);
  const subject = (what: string) => `${wallets} ${what}: ${label} (${environment})`.replace(/[\p{Cc}\u2028\u2029]/gu, ' ');
  if (error === null) {
    const minutes = Math.max(1, Math.round((now.getTime() - since.getTime()) / (60 * SECOND_MS)));
    const text = `${account} answers again. It did not answer since ${since.toISOString()}, for about ${minutes} min.\n\nPrompts are sent again.\n`;
    return { subject: subject('answers again'), text };
  }
  return {
    subject: subject('does not answer'),
    text: `${account} has not answered since ${since.toISOString()}.

Last error: ${error}

New prompts wait in the queue for up to five minutes and then fail without having been sent. Prompts that were sent stay open
until the provider says what became of them. The payment page tells customers that ${wallets} does not answer.
Bili asks the provider every few seconds and tells you when it answers again.

What you can do: "bili provider test ${id}"; "bili provider update ${id}" if the credentials have changed.
`,
  };
}

/** Pure. @returns what is posted to the operator's address. */
export function describeOutage(noticeId: string, { id, since, error, ...account }: Outage, now: Date): Readonly<Record<string, unknown>> {
  return {
    id: noticeId,
    type: error === null ? 'provider_account.recovered' : 'provider_account.down',
    at: now.toISOString(),
    account: { id, ...account },
    since: since.toISOString(),
    error,
  };
}
