import { z } from 'zod';
import type { Scope } from '@/lib/core/scope';
import type { Connection } from '@/lib/db/database';

/** The audit actions in an endpoint's history. Test webhooks and receiver checks are not included: they have their own list. */
const HISTORY_ACTIONS = [
  'webhook.set',
  'webhook.proposed',
  'webhook.proposal_withdrawn',
  'webhook.proposal_refused',
  'webhook.paused',
  'webhook.resumed',
  'webhook.disabled',
  'webhook.failing',
  'webhook.secret_rotated',
  'webhook.secret_shown',
  'webhook.overlap_ended',
] as const;
const entriesSchema = z.array(
  z.object({
    id: z.string(),
    action: z.enum(HISTORY_ACTIONS),
    /** `user:<email>`, `operator:<login>`, `system:worker`. */
    actor: z.string(),
    at: z.date(),
    data: z.record(z.string(), z.unknown()),
  }),
);
export type HistoryEntry = Readonly<z.infer<typeof entriesSchema>[number]>;
export type HistoryAction = HistoryEntry['action'];

export async function findEndpointId({ prisma }: Connection, { merchantId, environment }: Scope): Promise<string | null> {
  const where = { merchantId_environment: { merchantId, environment } };
  const endpoint = await prisma.webhookEndpoint.findUnique({ where, select: { id: true } });
  return endpoint?.id ?? null;
}

/** Returns the history of an endpoint from the audit log, newest first. */
export async function listEndpointHistory(
  { prisma }: Connection,
  { merchantId, environment }: Scope,
  { endpointId, limit }: { readonly endpointId: string | null; readonly limit: number },
): Promise<HistoryEntry[]> {
  if (endpointId === null) return [];
  const rows = await prisma.auditEntry.findMany({
    where: { merchantId, environment, subject: endpointId, action: { in: [...HISTORY_ACTIONS] } },
    select: { id: true, action: true, actor: true, at: true, data: true },
    orderBy: { id: 'desc' },
    take: limit,
  });
  return entriesSchema.parse(rows);
}
