import { DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { isNetwork, WALLETS } from '@/lib/platform/core/network';
import type { MailText } from '@/lib/platform/mail/queue-mail';

/** A provider that has not answered for this long is down. A shorter disturbance causes no notification. */
export const DOWN_AFTER_MS = 15 * SECOND_MS;

/** The end of refusals is reported only this long after their beginning, so that an account that is often refused causes few mails. */
export const REFUSED_AT_LEAST_MS = MINUTE_MS;

/** How long a notice to the operator is stored after it was sent or the last retry failed. */
export const NOTICE_RETENTION_MS = 30 * DAY_MS;

/** The beginning or the end of an outage of a provider account, or of a period in which the provider refuses the account's owner. */
export interface Outage {
  readonly kind: 'outage' | 'refusal';
  readonly id: string;
  readonly provider: string;
  readonly label: string;
  readonly environment: string;
  readonly networks: readonly string[];
  /** The slug of the merchant who owns the account; null for the operator's account. */
  readonly merchant: string | null;
  readonly since: Date;
  /** The error of the last call, or the answer to it; null if the outage or the refusals have ended. */
  readonly error: string | null;
}

/** Returns the wallets that an account serves: `M-Pesa, Airtel Money`. */
function walletsOf({ networks }: Pick<Outage, 'networks'>): string {
  return networks.map((network) => (isNetwork(network) ? WALLETS[network] : network)).join(', ');
}

export function writeOutage(outage: Outage, now: Date): MailText {
  const { kind, label, provider, environment, id, merchant, since, error } = outage;
  const account = `The account "${label}" at ${provider} (${environment}, ${merchant === null ? "the operator's" : `of ${merchant}`}, ${id})`;
  const wallets = walletsOf(outage);
  const subject = (what: string) => `${wallets} ${what}: ${label} (${environment})`.replace(/[\p{Cc}\u2028\u2029]/gu, ' ');
  if (kind === 'refusal') {
    if (error === null)
      return {
        subject: subject('is accepted again'),
        text: `${account} is accepted by its provider again. It had been refused since ${since.toISOString()}.\n\nStatus queries of open payment requests are sent now.\n`,
      };
    return {
      subject: subject('is refused'),
      text: `The provider refuses ${account.charAt(0).toLowerCase()}${account.slice(1)} since ${since.toISOString()}. It answers, so this is no outage.

Last answer: ${error}

Payment requests fail at once without reaching the customer, unless another account serves the network. No money moves by them.
The payment page, the dashboard and GET /api/v3/networks say that ${wallets} has problems, and which networks work.
Bili checks every minute whether the provider accepts the account, and notifies you when a payment request was accepted again.

What you can do: "bili provider test ${id}" shows whether the credentials are accepted; "bili provider update ${id}" replaces them.
If they are accepted, ask the provider whether the account is suspended.
`,
    };
  }
  if (error === null) {
    const minutes = Math.max(1, Math.round((now.getTime() - since.getTime()) / (60 * SECOND_MS)));
    const text = `${account} answers again. It had not answered since ${since.toISOString()}, for about ${minutes} min.\n\nPrompts are sent again.\n`;
    return { subject: subject('answers again'), text };
  }
  return {
    subject: subject('does not answer'),
    text: `${account} has not answered since ${since.toISOString()}.

Last error: ${error}

New prompts wait in the queue for up to five minutes and then fail without being sent. Prompts that were already sent stay open
until the provider reports their outcome. The payment page, the dashboard and GET /api/v3/networks say that ${wallets} has problems, and which networks work.
Bili checks the provider every few seconds and notifies you when it answers again.

What you can do: "bili provider test ${id}"; "bili provider update ${id}" if the credentials have changed.
`,
  };
}

const NOTICE_TYPES = {
  outage: { begin: 'provider_account.down', end: 'provider_account.recovered' },
  refusal: { begin: 'provider_account.refused', end: 'provider_account.accepted' },
} as const;

/** Returns the JSON body for OPERATOR_WEBHOOK_URL. */
export function describeOutage(noticeId: string, { kind, id, since, error, ...account }: Outage, now: Date) {
  return {
    id: noticeId,
    type: NOTICE_TYPES[kind][error === null ? 'end' : 'begin'],
    at: now.toISOString(),
    account: { id, ...account },
    since: since.toISOString(),
    error,
  };
}
