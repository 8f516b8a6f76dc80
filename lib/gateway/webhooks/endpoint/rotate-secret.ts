import { formatSecret } from '@/lib/gateway/webhooks/rules';
import { type Access, authorizeProven, type ProvenRefusal } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/core/clock';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Runtime, WriteRuntime } from '@/lib/platform/runtime/runtime';
import { lockEndpoint, webhookContext } from './endpoint-store';

/** How long webhooks are also signed with the previous secret, in milliseconds. `none` is for a previous secret that has leaked. */
const OVERLAPS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, none: 0 } as const;

type RotateRefusal =
  | { readonly code: ProvenRefusal | 'overlap_unknown' }
  /** The overlap of the previous rotation is still running: until `until`, webhooks are signed with two secrets. */
  | { readonly code: 'overlap_running'; readonly until: Date };

export interface RotatedSecret {
  readonly secret: string;
  /** Until when webhooks are also signed with the previous secret; null if there is no overlap. */
  readonly previousUntil: Date | null;
}

/**
 * Creates a new signing secret. During the overlap, each webhook is signed with both the new and the previous secret, so that the merchant
 * can change the receiver at any time during the overlap. Fails with `overlap_running` if an earlier overlap is running and a new overlap
 * is requested, because the new overlap would end the earlier one too soon.
 * @param overlap the length of the overlap in milliseconds, or the name of a length from the form.
 */
export async function rotateSecret(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets'>,
  access: Access,
  overlap: { readonly ms: number } | { readonly named: string },
): Promise<Result<RotatedSecret, RotateRefusal>> {
  const refusal = authorizeProven(access, 'webhooks.change', runtime.clock());
  if (refusal) return fail({ code: refusal });
  const overlapMs = 'ms' in overlap ? overlap.ms : isOverlap(overlap.named) ? OVERLAPS[overlap.named] : null;
  if (overlapMs === null) return fail({ code: 'overlap_unknown' });
  const { scope, actor } = access;
  return runtime.db.transaction(async (tx) => {
    const now = runtime.clock();
    const endpoint = await lockEndpoint(tx, scope);
    const running = endpoint.previousSecretUntil;
    if (overlapMs > 0 && running && running > now) return fail({ code: 'overlap_running', until: running });
    const secret = formatSecret(runtime.random(32));
    const previousUntil = overlapMs > 0 ? addMs(now, overlapMs) : null;
    await tx.prisma.webhookEndpoint.updateMany({
      where: { id: endpoint.id },
      data: {
        encryptedSecret: runtime.secrets.encrypt(secret, webhookContext(scope)),
        encryptedPreviousSecret: previousUntil && Buffer.from(endpoint.encryptedSecret),
        previousSecretUntil: previousUntil,
        updatedAt: now,
      },
    });
    const data = { previousUntil: previousUntil?.toISOString() ?? null };
    await recordEntry(runtime, { ...scope, actor, action: 'webhook.secret_rotated', subject: endpoint.id, data }, tx);
    return ok({ secret, previousUntil });
  });
}

function isOverlap(text: string): text is keyof typeof OVERLAPS {
  return Object.hasOwn(OVERLAPS, text);
}

/**
 * Ends the overlap after a rotation: from now on, webhooks are signed only with the new secret. Fails with `over` if no overlap is running.
 */
export async function endOverlap(runtime: WriteRuntime, access: Access): Promise<Result<null, ProvenRefusal | 'over'>> {
  const refusal = authorizeProven(access, 'webhooks.change', runtime.clock());
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  return runtime.db.transaction(async (tx) => {
    const now = runtime.clock();
    const endpoint = await lockEndpoint(tx, scope);
    const { previousSecretUntil: until } = endpoint;
    if (until === null || until <= now) return fail('over');
    const ended = { encryptedPreviousSecret: null, previousSecretUntil: null, updatedAt: now };
    await tx.prisma.webhookEndpoint.updateMany({ where: { id: endpoint.id }, data: ended });
    const data = { was: until.toISOString() };
    await recordEntry(runtime, { ...scope, actor, action: 'webhook.overlap_ended', subject: endpoint.id, data }, tx);
    return ok(null);
  });
}
