import { findRequest, listRequestRows, type StoredRequest } from '@/lib/backoffice/requests/request-store';
import type { Replay } from '@/lib/backoffice/requests/rules';
import { mayReplay } from '@/lib/backoffice/requests/show-request';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { isUsable, type StoredKey } from '@/lib/identity/keys/rules';
import { findKey } from '@/lib/identity/keys/store';
import { isUuid, newId } from '@/lib/platform/core/ids';
import { isRecord } from '@/lib/platform/core/is-record';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { type ApiRoute, type ApiRuntime, answerRequest, routeFinder } from './api';
import { withoutQuery } from './request-facts';
import type { SentRequest } from './sent-request';

type ReplayProblem = 'not_found' | 'not_replayable' | 'key_inactive';

interface ReplayOptions {
  readonly id: string;
  /** All routes of the API. */
  readonly routes: readonly ApiRoute[];
}

/**
 * Sends a request of the sandbox's log again through the handler that answers the API. Uses the key of the first request, a new request id
 * and a new Idempotency-Key. Returns the id of the new request in the log, or null if the log could not be written.
 */
export async function replayRequest(
  runtime: ApiRuntime,
  access: MerchantAccess,
  { id, routes }: ReplayOptions,
): Promise<Result<{ readonly id: string | null }, ReplayProblem>> {
  const { scope, actor } = access;
  const stored = isUuid(id) ? await findRequest(runtime.db, scope, id) : undefined;
  if (!stored) return fail('not_found');
  if (!stored.complete || !mayReplay(access, stored)) return fail('not_replayable');
  const key = await findKey(runtime.db, stored.keyId);
  if (!key || key.merchantId !== scope.merchantId || key.environment !== scope.environment) return fail('not_found');
  if (!isUsable(key, runtime.clock())) return fail('key_inactive');

  const requestId = newId(runtime);
  await recordEntry(runtime, { ...scope, actor, action: 'request.replayed', subject: id });
  const { promise: recorded, resolve } = Promise.withResolvers<void>();
  const own = replayRuntime(runtime, { access, key, replay: { of: id, by: actor.name }, onRecorded: resolve });
  await answerRequest(own, sentAgain(stored, requestId), routeFinder(routes)(withoutQuery(stored.path)));
  await recorded;
  await runtime.requestRecorder.flush();
  const filter = { failed: false, statusClass: null, path: null, keyId: null, requestId };
  const [row] = await listRequestRows(runtime.db, scope, { ...filter, before: null, limit: 1 });
  return ok({ id: row?.id ?? null });
}

interface OwnParts {
  readonly access: MerchantAccess;
  readonly key: StoredKey;
  readonly replay: Replay;
  readonly onRecorded: () => void;
}

/** Returns the runtime of a replay. It accepts the key without the secret, which Bili does not know, and always records the request. */
function replayRuntime(runtime: ApiRuntime, { access, key, replay, onRecorded }: OwnParts): ApiRuntime {
  return {
    ...runtime,
    environmentOf: () => access.scope.environment,
    addressOf: () => access.actor.address,
    keys: { ...runtime.keys, authenticate: async () => ok(key) },
    requestRecorder: {
      ...runtime.requestRecorder,
      accepts: () => true,
      add(request) {
        runtime.requestRecorder.add({ ...request, replay });
        onRecorded();
      },
    },
  };
}

function sentAgain({ method, path, headers, body }: StoredRequest, requestId: string): SentRequest {
  const again = new Map<string, string>();
  if (isRecord(headers)) for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') again.set(name, value);
  again.set('x-request-id', requestId);
  // With the idempotency key of the first request, the API would only repeat the answer to that request.
  if (method === 'POST') again.set('idempotency-key', `replay-${requestId}`);
  // The check of the API key only requires that this header exists. The runtime of the replay supplies the key.
  again.set('authorization', 'ApiKey');
  return {
    method,
    path: withoutQuery(path),
    url: path,
    headers: { get: (name) => again.get(name) ?? null },
    readBody: async () => ok(body ?? new Uint8Array()),
    bodyRead: () => body,
  };
}
