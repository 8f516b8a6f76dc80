import { requestRow } from '@/lib/backoffice/requests/request-recorder';
import { insertRequests } from '@/lib/backoffice/requests/request-store';
import { newId } from '@/lib/platform/core/ids';
import type { Scope } from '@/lib/platform/core/scope';
import type { Runtime } from '@/lib/platform/runtime/runtime';

/** Adds a successful request to the log of its merchant, and returns its id in the log. */
export async function makeLoggedRequest(runtime: Pick<Runtime, 'db' | 'clock' | 'random'>, scope: Scope, keyId: string): Promise<string> {
  const row = requestRow(
    {
      scope,
      keyId,
      at: runtime.clock(),
      requestId: newId(runtime),
      method: 'GET',
      path: '/api/v3/networks',
      status: 200,
      ms: 1,
      code: null,
      refusal: null,
      address: null,
      headers: {},
      body: null,
      answerHeaders: {},
      answer: '{}',
      billId: null,
      replay: null,
    },
    runtime.random,
  );
  await insertRequests(runtime.db, [row]);
  return row.id;
}
