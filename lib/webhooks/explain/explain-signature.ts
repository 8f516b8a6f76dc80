import { type Access, type AccessRefusal, authorize } from '@/lib/accounts/access/grant-access';
import { countAttempt } from '@/lib/accounts/sign-in/throttle-store';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { ENVIRONMENTS, type Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Endpoint, findEndpoint, webhookContext } from '@/lib/webhooks/endpoint/endpoint-store';
import { messageId } from '@/lib/webhooks/rules';
import { explain } from './explain-rules';
import { findSentWebhook } from './explain-store';
import { MAX_ATTEMPTS } from './find-match';
import type { Finding } from './finding';
import { readHeaders } from './pasted-headers';
import type { KnownSecret } from './secret-findings';

/** Limits the explanations of one member, because each may take a tenth of a second of the web process. */
const LIMITS = [{ attempts: 20, seconds: 60 }];

interface Pasted {
  /** The bytes or text that the merchant's code used as the raw body. */
  readonly body: Uint8Array | string;
  readonly headers: string;
  readonly secret: string;
  /** The signature that the merchant's code computed, if the merchant knows it. */
  readonly computed?: string | undefined;
}

/**
 * Explains why a merchant's code does not accept a webhook. If the webhook-id is known, compares the pasted values with what was
 * sent. Stores nothing. @returns findings without secrets, the verdict first.
 */
export async function explainSignature(
  runtime: Pick<Runtime, 'db' | 'clock' | 'secrets'>,
  access: Access,
  { body, ...pasted }: Pasted,
): Promise<Result<Finding[], AccessRefusal | 'too_many_explanations'>> {
  const refusal = authorize(access, 'webhooks.view');
  if (refusal) return fail(refusal);
  const { db, clock, secrets } = runtime;
  const { scope } = access;
  const counters = access.role === null ? [] : [{ key: `explain/${access.user.id}`, windows: LIMITS }];
  if ((await countAttempt(runtime, counters)) !== null) return fail('too_many_explanations');
  const id = deliveryId(readHeaders(pasted.headers).id);
  const [endpoints, delivery] = await Promise.all([
    Promise.all(ENVIRONMENTS.map((environment) => findEndpoint(db, { ...scope, environment }))),
    id === null ? undefined : findSentWebhook(db, scope, id, MAX_ATTEMPTS),
  ]);
  const known = {
    secrets: endpoints.flatMap((endpoint) => (endpoint ? knownSecrets(secrets, scope, endpoint) : [])),
    delivery: delivery ?? null,
  };
  return ok(explain({ ...pasted, body: typeof body === 'string' ? Buffer.from(body) : body, now: clock(), known }));
}

function deliveryId(webhookId: string | undefined): string | null {
  const id = webhookId?.slice(messageId('').length) ?? '';
  return isUuid(id) && webhookId === messageId(id) ? id : null;
}

function knownSecrets(secrets: Runtime['secrets'], scope: Scope, endpoint: Endpoint): KnownSecret[] {
  const read = (encrypted: Uint8Array) => secrets.decrypt(encrypted, webhookContext(endpoint));
  const { environment, encryptedPreviousSecret: previous, previousSecretUntil: until } = endpoint;
  const secret = read(endpoint.encryptedSecret);
  if (environment !== scope.environment) return [{ secret, role: 'other_environment', environment }];
  return [{ secret, role: 'current' }, ...(previous && until ? [{ secret: read(previous), role: 'previous', until } as const] : [])];
}
