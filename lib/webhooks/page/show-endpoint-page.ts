import { type Access, may } from '@/lib/accounts/access/grant-access';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import { findEndpointId, type HistoryAction, type HistoryEntry, listEndpointHistory } from '@/lib/webhooks/endpoint/history-store';
import { type ShownEndpoint, showEndpoint } from './show-endpoint';

export type { HistoryAction, HistoryEntry };

const HISTORY_SHOWN = 30;

interface EndpointPage extends ShownEndpoint {
  /** Its audit entries, newest first. */
  readonly history: readonly HistoryEntry[];
}

/** Returns a merchant's endpoint with its health and history; undefined if the role may not see it. */
export async function showEndpointPage(runtime: ReadRuntime, access: Access): Promise<EndpointPage | undefined> {
  if (!may(access, 'webhooks.view')) return undefined;
  const { scope } = access;
  const id = await findEndpointId(runtime.db, scope);
  const [endpoint, history] = await Promise.all([
    showEndpoint(runtime, scope),
    listEndpointHistory(runtime.db, scope, { endpointId: id, limit: HISTORY_SHOWN }),
  ]);
  return { ...endpoint, history };
}
