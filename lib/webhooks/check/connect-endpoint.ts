import { type AccessRefusal, authorize, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { countAttempt } from '@/lib/accounts/sign-in/throttle-store';
import { fail, ok, type Result } from '@/lib/core/result';
import { judgeUrl, type Refusal } from '@/lib/outbound/address-rules';
import type { NotifyRuntime } from '@/lib/runtime/runtime';
import type { EndpointStatus } from '@/lib/webhooks/endpoint/endpoint-store';
import { setEndpoint } from '@/lib/webhooks/endpoint/set-endpoint';
import { receiverRules } from '@/lib/webhooks/rules';
import { type ProposalRefusal, proposeEndpoint } from './propose-endpoint';
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
