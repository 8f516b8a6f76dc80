import { proposalCommands } from '@/lib/gateway/webhooks/endpoint/decide-proposal';
import type { EndpointStatus } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { lockEndpoint } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { findProposal, saveProposal } from '@/lib/gateway/webhooks/endpoint/proposal-store';
import { setEndpoint } from '@/lib/gateway/webhooks/endpoint/set-endpoint';
import { receiverRules } from '@/lib/gateway/webhooks/rules';
import { type AccessRefusal, authorize, type MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { countAttempt } from '@/lib/identity/accounts/sign-in/throttle-store';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { addMs, HOUR_MS } from '@/lib/platform/core/clock';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Connection } from '@/lib/platform/db/database';
import { hasMailSince } from '@/lib/platform/mail/listing-store';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { judgeUrl, type Refusal } from '@/lib/platform/outbound/address-rules';
import type { NotifyRuntime } from '@/lib/platform/runtime/runtime';
import { sendTestEvent, type TestEvent } from './send-test-event';

/** Maximum length of a webhook address, in characters. */
export const URL_MAX = 2_000;
/** Limits how often Bili calls addresses that a merchant's members have entered. */
const CALL_LIMITS = [{ attempts: 30, seconds: 3_600 }];

export type ConnectRefusal =
  | { readonly kind: AccessRefusal | 'not_an_address' | 'too_many_tries' | ProposalRefusal }
  /** The address is one that webhooks of this environment must not call: see `receiverRules`. */
  | { readonly kind: 'address'; readonly reason: Refusal }
  /** The receiver did not accept the test webhook. Nothing was changed. */
  | { readonly kind: 'test_refused'; readonly test: TestEvent };

interface Connected extends TestEvent {
  /** Null if the address was only proposed. */
  readonly endpointStatus: EndpointStatus | null;
}

/**
 * Sends a signed test webhook to an address. If the receiver accepts the webhook, sets the address in the sandbox, or proposes the address
 * to the operator in live.
 */
export async function connectEndpoint(
  runtime: NotifyRuntime,
  access: MerchantAccess,
  entered: string,
): Promise<Result<Connected, ConnectRefusal>> {
  const refusal = authorize(access, 'webhooks.change');
  if (refusal) return fail({ kind: refusal });
  const { merchantId, environment } = access.scope;
  const text = entered.trim();
  const url = text.length <= URL_MAX ? URL.parse(text) : null;
  if (url?.hash !== '') return fail({ kind: 'not_an_address' });
  const reason = judgeUrl(url, receiverRules(runtime.settings, environment));
  if (reason) return fail({ kind: 'address', reason });
  const counter = { key: `webhook-address/${merchantId}`, windows: CALL_LIMITS };
  if ((await countAttempt(runtime, [counter])) !== null) return fail({ kind: 'too_many_tries' });
  const test = await sendTestEvent(runtime, access, { url: url.href });
  if (!test.ok) throw new Error(`the ${environment} endpoint of merchant ${merchantId} cannot be tested: ${test.error}`);
  if (test.value.failure !== null) return fail({ kind: 'test_refused', test: test.value });
  if (environment === 'live') {
    const proposed = await proposeEndpoint(runtime, access, url.href);
    return proposed.ok ? ok({ ...test.value, endpointStatus: null }) : fail({ kind: proposed.error });
  }
  const set = await setEndpoint(runtime, access, url.href, { isTested: true });
  return set.ok ? ok({ ...test.value, endpointStatus: set.value.endpointStatus }) : fail({ kind: 'not_an_address' });
}

/** `unchanged`: webhooks already go to this address. */
type ProposalRefusal = 'unchanged';

/**
 * Proposes a live webhook address to the operator, in place of the last proposal. The address of the endpoint stays as it is.
 * @param url an address that the rules allow and whose receiver has accepted a test webhook.
 */
async function proposeEndpoint(
  runtime: NotifyRuntime,
  access: MerchantAccess,
  url: string,
): Promise<Result<null, AccessRefusal | ProposalRefusal>> {
  const refusal = authorize(access, 'webhooks.change');
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  return runtime.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, scope);
    if (endpoint.url === url) return fail('unchanged');
    const last = await findProposal(tx, scope);
    if (last?.state === 'open' && last.url === url) return ok(null);
    await saveProposal(tx, scope, { url, proposedBy: actor.name, proposedAt: runtime.clock() });
    const data = { before: endpoint.url, after: url };
    await recordEntry(runtime, { ...scope, actor, action: 'webhook.proposed', subject: endpoint.id, data }, tx);
    await mailOperator(runtime, tx, access, data);
    return ok(null);
  });
}

const MAIL = 'webhook_proposal';

/** Mails the operator, but at most once an hour for each merchant, because a member could propose many addresses one after another. */
async function mailOperator(
  runtime: NotifyRuntime,
  tx: Connection,
  { scope: { merchantId }, merchant: { slug, name }, user }: MerchantAccess,
  { before, after }: { readonly before: string | null; readonly after: string },
): Promise<void> {
  const { OPERATOR_EMAIL: email } = runtime.settings;
  if (!email || (await hasMailSince(tx, { kind: MAIL, merchantId, since: addMs(runtime.clock(), -HOUR_MS) }))) return;
  const text = `${user.email} proposes an address for the live webhooks of "${name}" (${slug}).

Proposed address: ${after}
Current address: ${before ?? 'none'}

The receiver there has accepted a signed test webhook. Bili sends no other webhooks to it until you approve it. First make sure that
the address belongs to the merchant, for example by a call to a phone number that you know. Then run one of these commands:

${proposalCommands({ merchant: slug, url: after }).join('\n')}

"bili webhook proposals" lists all open proposals. Further proposals of this merchant within an hour cause no mail.
`;
  const write = () => ({ subject: `Webhook address to approve: ${slug}`, text });
  await queueMail(runtime, { to: [email], kind: MAIL, merchantId, language: 'en', write }, tx);
}
