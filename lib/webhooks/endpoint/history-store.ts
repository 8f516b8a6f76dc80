import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';

/** What the audit log says of endpoints, apart from tests and checks, which have a list of their own. */
const HISTORY_ACTIONS = [
  'webhook.set',
  'webhook.paused',
  'webhook.resumed',
  'webhook.disabled',
  'webhook.failing',
  'webhook.secret_rotated',
  'webhook.secret_shown',
  'webhook.overlap_ended',
] as const;
export type HistoryAction = (typeof HISTORY_ACTIONS)[number];

export interface HistoryEntry {
  readonly id: string;
  readonly action: HistoryAction;
  /** `user:<email>`, `operator:<login>`, `system:worker`. */
  readonly actor: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

export async function findEndpointId(db: Queryable, scope: Scope): Promise<string | null> {
  const [endpoint] = await db.query<{ id: string }>(
    { text: 'SELECT id FROM webhook_endpoint WHERE merchant_id = $1 AND environment = $2' },
    [scope.merchantId, scope.environment],
  );
  return endpoint?.id ?? null;
}

/** @returns what the audit log says about one endpoint, newest first. */
export async function listEndpointHistory(
  db: Queryable,
  scope: Scope,
  { endpointId, limit }: { readonly endpointId: string | null; readonly limit: number },
): Promise<HistoryEntry[]> {
  return db.query<HistoryEntry>(
    {
      text: `SELECT id, action, actor, at, data FROM audit_entry
             WHERE merchant_id = $1 AND environment = $2 AND subject = $3 AND action = ANY ($4::text[]) ORDER BY id DESC LIMIT $5`,
    },
    [scope.merchantId, scope.environment, endpointId, HISTORY_ACTIONS, limit],
  );
}
