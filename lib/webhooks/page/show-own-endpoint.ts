import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import type { Runtime } from '@/lib/runtime/runtime';
import { findEndpointId, type HistoryAction, type HistoryEntry, listEndpointHistory } from '@/lib/webhooks/endpoint/history-store';
import { type ShownEndpoint, showEndpoint } from './show-endpoint';

export type { HistoryAction, HistoryEntry };

const HISTORY_SHOWN = 30;

interface OwnEndpoint extends ShownEndpoint {
  /** What became of it, newest first. */
  readonly history: readonly HistoryEntry[];
}

/** @returns a merchant's endpoint with its health and history; undefined when the role may not see it. */
export async function showOwnEndpoint(runtime: Pick<Runtime, 'db' | 'clock'>, access: MerchantAccess): Promise<OwnEndpoint | undefined> {
  if (!may(access, 'webhooks.view')) return undefined;
  const { scope } = access;
  const id = await findEndpointId(runtime.db, scope);
  const [endpoint, history] = await Promise.all([
    showEndpoint(runtime, scope),
    listEndpointHistory(runtime.db, scope, { endpointId: id, limit: HISTORY_SHOWN }),
  ]);
  return { ...endpoint, history };
}
