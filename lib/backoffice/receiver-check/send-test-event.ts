import { webhookJson } from '@/lib/gateway/bills/bill-json';
import type { BillStatus } from '@/lib/gateway/bills/rules';
import { type CallReport, callEndpoint } from '@/lib/gateway/webhooks/deliver/call-endpoint';
import { nextHealth } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { findEndpoint, lockEndpoint, signingSecrets, updateEndpointHealth } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { messageId, signatureHeaders } from '@/lib/gateway/webhooks/rules';
import { type Access, type AccessRefusal, authorize } from '@/lib/identity/accounts/access/grant-access';
import { countAttempt } from '@/lib/identity/accounts/sign-in/throttle-store';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import type { Random } from '@/lib/platform/core/clock';
import { newId, newPaymentReference } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Scope } from '@/lib/platform/core/scope';
import type { NotifyRuntime, ReadRuntime } from '@/lib/platform/runtime/runtime';

interface Options {
  /** The status in the webhook. In live only NOT_PAID is allowed, so that nobody ships goods because of a test. */
  readonly status?: BillStatus | undefined;
  /** The address to call instead of the endpoint's address. The caller must have validated it. */
  readonly url?: string;
}

export interface TestEvent extends CallReport {
  readonly reference: string;
  readonly billStatus: BillStatus;
}

export type TestRefusal = 'no_address' | 'status_only_in_sandbox' | 'too_many_tests';

/** Limits how many calls the members of a merchant can cause, because each goes to an address that they have chosen. */
const TESTS = [{ attempts: 60, seconds: 3_600 }];

/**
 * Sends a test webhook about a bill that does not exist: at once, without retries, and signed like every webhook. It works also while
 * the endpoint is paused or disabled, because that is when merchants test. The bill has no mobile number, because any number could
 * belong to a real person.
 */
export async function sendTestEvent(
  runtime: NotifyRuntime,
  access: Access,
  { status, url: proposed }: Options = {},
): Promise<Result<TestEvent, AccessRefusal | TestRefusal>> {
  const refusal = authorize(access, 'webhooks.change');
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  const live = scope.environment === 'live';
  if (live && status !== undefined && status !== 'NOT_PAID') return fail('status_only_in_sandbox');
  const endpoint = await findEndpoint(runtime.db, scope);
  const url = proposed ?? endpoint?.url;
  if (!endpoint || !url) return fail('no_address');
  // The caller that proposes an address counts these calls itself.
  const counters = access.role === null || proposed !== undefined ? [] : [{ key: `webhook-test/${scope.merchantId}`, windows: TESTS }];
  if ((await countAttempt(runtime, counters)) !== null) return fail('too_many_tests');
  const billStatus = status ?? (live ? 'NOT_PAID' : 'FULLY_PAID');
  const reference = testReference('TEST', runtime.random);
  const body = Buffer.from(webhookJson({ id: newId(runtime), mobile: null, amount: TEST_AMOUNT, status: billStatus, reference }));
  const id = messageId(newId(runtime));
  const data = { messageId: id, reference, status: billStatus };
  await recordEntry(runtime, { ...scope, actor, action: 'webhook.tested', subject: endpoint.id, data });
  const at = runtime.clock();
  const headers = signatureHeaders(signingSecrets(runtime, endpoint, at), { id, at, body });
  const call = { trigger: 'test', actor: actor.name, url, messageId: id, number: 1, headers, body } as const;
  const report = await callEndpoint(runtime, endpoint, call);
  if (report.failure === null) await noteSuccess(runtime, scope, report);
  return ok({ ...report, reference, billStatus });
}

/** Counts an accepted test as a successful probe, so that waiting deliveries are sent at once. A failed test does not count. */
async function noteSuccess({ db, clock }: ReadRuntime, scope: Scope, { url, startedAt }: CallReport): Promise<void> {
  await db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, scope);
    if (endpoint.url !== url || endpoint.status !== 'active' || endpoint.failureCount === 0) return;
    const outcome = { delivered: true, overloaded: false, retryAfter: null, startedAt, endedAt: clock() };
    await updateEndpointHealth(tx, endpoint.id, nextHealth(endpoint, outcome));
  });
}

/** The amount of the bills of test webhooks and receiver checks, in senti: TZS 1,000. */
export const TEST_AMOUNT = 100_000n;

/** Returns a reference that nobody mistakes for an order: the name and eight random letters and digits. */
export function testReference(name: 'TEST' | 'CHECK', random: Random): string {
  return `${name}-${newPaymentReference(random).slice(0, 8)}`;
}
