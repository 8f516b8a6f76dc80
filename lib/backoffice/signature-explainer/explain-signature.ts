import type { Endpoint } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { findEndpoint, webhookContext } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { messageId } from '@/lib/gateway/webhooks/rules';
import { type Access, type AccessRefusal, authorize } from '@/lib/identity/accounts/access/grant-access';
import { countAttempt } from '@/lib/identity/accounts/sign-in/throttle-store';
import { isUuid } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { ENVIRONMENTS, type Scope } from '@/lib/platform/core/scope';
import { webhookDelivery } from '@/lib/platform/db/generated/tables';
import { array, int4, pick, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type ExplainInput, explain, type Finding, finding, type KnownSecret, readHeaders } from './explain-rules';

/** Limits the explanations of one member, because each may take a tenth of a second of the web process. */
const LIMITS = [{ attempts: 20, seconds: 60 }];
/** How many of a delivery's last attempts are searched for the timestamp of a signature. */
const MAX_ATTEMPTS = 30;

/** What a merchant pasted. `body`: the bytes or text that the merchant's code used as the raw body. */
type Pasted = Omit<ExplainInput, 'body' | 'now' | 'known'> & { readonly body: Uint8Array | string };

/**
 * Explains why a merchant's code does not accept a webhook. If the webhook-id is known, compares the pasted values with what was
 * sent. Stores nothing. @returns findings without secrets, the most important one first.
 */
export async function explainSignature(
  runtime: Pick<Runtime, 'db' | 'clock' | 'secrets'>,
  access: Access,
  { body, ...pasted }: Pasted,
): Promise<Result<Finding[], AccessRefusal | 'too_many_explanations'>> {
  const refusal = authorize(access, 'webhooks.view');
  if (refusal) return fail(refusal);
  const { db, clock } = runtime;
  const { scope } = access;
  const counters = access.role === null ? [] : [{ key: `explain/${access.user.id}`, windows: LIMITS }];
  if ((await countAttempt(runtime, counters)) !== null) return fail('too_many_explanations');
  const webhookId = readHeaders(pasted.headers).id;
  const id = webhookId.slice(messageId('').length);
  const ours = isUuid(id) && webhookId === messageId(id);
  const [endpoints, delivery] = await Promise.all([
    Promise.all(ENVIRONMENTS.map((environment) => findEndpoint(db, { ...scope, environment }))),
    ours ? FIND.first(db, { ...scope, id, maxAttempts: MAX_ATTEMPTS }) : undefined,
  ]);
  const known = {
    secrets: endpoints.flatMap((endpoint) => (endpoint ? knownSecrets(runtime, scope, endpoint) : [])),
    delivery: delivery ?? null,
  };
  return ok(explain({ ...pasted, body: Buffer.from(body), now: clock(), known }));
}

function knownSecrets({ secrets, clock }: Pick<Runtime, 'secrets' | 'clock'>, scope: Scope, endpoint: Endpoint): KnownSecret[] {
  const read = (encrypted: Uint8Array) => secrets.decrypt(encrypted, webhookContext(endpoint));
  const { environment, encryptedPreviousSecret: previous, previousSecretUntil: until } = endpoint;
  const secret = read(endpoint.encryptedSecret);
  if (environment !== scope.environment) return [{ secret, problems: finding('secret_of_other_environment', { environment }) }];
  const old = previous ? [{ secret: read(previous), problems: until && until > clock() ? [] : finding('secret_old') }] : [];
  return [{ secret, problems: [] }, ...old];
}

const FIND = statement({
  name: 'find the body and the attempts of a webhook-id',
  text: `SELECT d.body, ARRAY(
           SELECT started_at FROM (
             SELECT a.started_at FROM webhook_attempt a WHERE a.delivery_id = d.id ORDER BY a.started_at DESC LIMIT $maxAttempts::int) last
           ORDER BY started_at) AS "attemptTimes"
         FROM webhook_delivery d WHERE d.id = $id AND d.merchant_id = $merchantId AND d.environment = $environment`,
  parameters: { ...pick(webhookDelivery, 'id merchantId environment'), maxAttempts: int4 },
  columns: { body: webhookDelivery.body, attemptTimes: array(timestamptz) },
});
