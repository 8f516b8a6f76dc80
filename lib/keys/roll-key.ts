import { type Access, authorizeProven, type ProvenRefusal } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import type { WriteRuntime } from '@/lib/runtime/runtime';
import { createKeyInTransaction } from './create-key';
import { isKeyId, isUsable, type KeyPair } from './rules';
import { findScopedKey, updateKey } from './store';

/** How long the old key works beside the new one, in milliseconds. `open`: no limit, until somebody revokes the old key. */
export const OVERLAPS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, open: null } as const;
export type Overlap = keyof typeof OVERLAPS;

function isOverlap(text: string): text is Overlap {
  return Object.hasOwn(OVERLAPS, text);
}

interface RollKeyOptions {
  readonly id: string;
  /** The value of a form, for example `day`. Only the names in OVERLAPS are valid. */
  readonly overlap: string;
}

interface RolledKey {
  readonly pair: KeyPair;
  /** When the old key expires. Null if the old key never expires, so that it works until somebody revokes it. */
  readonly oldEndsAt: Date | null;
}

/**
 * Creates the successor of a key, with the same name, limits and lifetime. The old key expires after the overlap, unless it expires
 * earlier anyway. Both keys share one daily total. Fails if the key already has a successor: somebody must revoke that successor first.
 * Returns the new key with its secret, which is shown once.
 */
export async function rollKey(
  runtime: WriteRuntime,
  access: Access,
  { id, overlap }: RollKeyOptions,
): Promise<Result<RolledKey, ProvenRefusal | 'not_found' | 'rolled_before' | 'overlap_unknown'>> {
  const refusal = authorizeProven(access, 'keys.change', runtime.clock());
  if (refusal) return fail(refusal);
  if (!isOverlap(overlap)) return fail('overlap_unknown');
  if (!isKeyId(id)) return fail('not_found');
  return runtime.db.transaction(async (tx) => {
    const now = runtime.clock();
    const key = await findScopedKey(tx, access.scope, id, { lock: true });
    if (!key || !isUsable(key, now)) return fail('not_found');
    if (key.replacedById !== null) return fail('rolled_before');
    const { label, expiresAt, scopes, networks, billMax, dayMax } = key;
    const endsAt = expiresAt && addMs(now, expiresAt.getTime() - key.createdAt.getTime());
    const limits = { scopes, networks, billMax, dayMax };
    const pair = await createKeyInTransaction(runtime, tx, access, { label, limits, replaces: key, expiresAt: endsAt });
    const ms = OVERLAPS[overlap];
    const end = ms === null ? null : addMs(now, ms);
    const oldEndsAt = end === null || (expiresAt !== null && expiresAt < end) ? expiresAt : end;
    await updateKey(tx, id, { label, expiresAt: oldEndsAt, ...limits });
    const data = { successor: pair.id, oldEndsAt: oldEndsAt?.toISOString() ?? null };
    await recordEntry(runtime, { ...access.scope, actor: access.actor, action: 'key.rolled', subject: id, data }, tx);
    return ok({ pair, oldEndsAt });
  });
}
