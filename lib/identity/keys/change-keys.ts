import { type Access, authorizeProven, type ProvenRefusal } from '@/lib/identity/accounts/access/grant-access';
import { USUAL_KEY_SCOPES } from '@/lib/identity/accounts/key-scopes';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/core/clock';
import { formatApiAmount } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Connection } from '@/lib/platform/db/database';
import type { WriteRuntime } from '@/lib/platform/runtime/runtime';
import { type KeyFormProblem, type KeyFormValues, parseKeyForm } from './key-form';
import { hashSecret, isKeyId, isUsable, type KeyPair, makeKeyPair } from './rules';
import { findScopedKey, insertKey, type KeyChange, type KeyLimits, type KeyRow, markRevoked, updateKey } from './store';

interface CreateKeyOptions {
  readonly label: string;
  /** When the key expires. If null or absent, the key never expires. */
  readonly expiresAt?: Date | null;
  readonly limits?: KeyLimits;
  /** The old key that the new key replaces. The new key continues the daily total of the old key. */
  readonly replaces?: Pick<KeyRow, 'id' | 'firstId'> | null;
}

export const NO_LIMITS: KeyLimits = { scopes: USUAL_KEY_SCOPES, networks: [], billMax: null, dayMax: null };

/** Creates an API key and returns it with its secret, which is shown once, because only its hash is stored. */
export async function createKey(runtime: WriteRuntime, access: Access, options: CreateKeyOptions): Promise<Result<KeyPair, ProvenRefusal>> {
  const refusal = authorizeProven(access, 'keys.change', runtime.clock());
  return refusal ? fail(refusal) : ok(await runtime.db.transaction((tx) => createKeyInTransaction(runtime, tx, access, options)));
}

/** Creates a key in the transaction of a caller that has authorized it. The key and its audit entry are committed together. */
async function createKeyInTransaction(
  runtime: WriteRuntime,
  tx: Connection,
  { scope, actor }: Access,
  { label, expiresAt = null, limits = NO_LIMITS, replaces = null }: CreateKeyOptions,
): Promise<KeyPair> {
  const pair = makeKeyPair(scope.environment, runtime.random);
  const change = { label, expiresAt, ...limits };
  const secretHash = hashSecret(pair.secret);
  const line = { replacesId: replaces?.id ?? null, firstId: replaces?.firstId ?? pair.id };
  await insertKey(tx, scope, { ...change, ...line, id: pair.id, secretHash, createdBy: actor.name, createdAt: runtime.clock() });
  const data = { ...keyAuditData(change), ...(replaces && { replaces: replaces.id }) };
  await recordEntry(runtime, { ...scope, actor, action: 'key.created', subject: pair.id, data }, tx);
  return pair;
}

/** Returns the fields of a key that can be changed, for the audit log. Amounts are in shillings. */
function keyAuditData({ label, expiresAt, scopes, networks, billMax, dayMax }: KeyChange) {
  return {
    label,
    expiresAt: expiresAt?.toISOString() ?? null,
    scopes: [...scopes],
    networks: [...networks],
    billMax: billMax === null ? null : formatApiAmount(billMax),
    dayMax: dayMax === null ? null : formatApiAmount(dayMax),
  };
}

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

/** Revokes an API key. It stops working within half a second. `not_found`: the scope has no such key, or it was revoked before. */
export async function revokeKey(runtime: WriteRuntime, access: Access, id: string): Promise<Result<null, ProvenRefusal | 'not_found'>> {
  const refusal = authorizeProven(access, 'keys.change', runtime.clock());
  if (refusal) return fail(refusal);
  if (!isKeyId(id)) return fail('not_found');
  const { scope, actor } = access;
  return runtime.db.transaction(async (tx) => {
    if (!(await markRevoked(tx, scope, id, runtime.clock()))) return fail('not_found');
    await recordEntry(runtime, { ...scope, actor, action: 'key.revoked', subject: id }, tx);
    return ok(null);
  });
}

/** Creates an API key from the values of a form. Returns it with its secret, which is shown once. */
export async function createKeyFromForm(
  runtime: WriteRuntime,
  access: Access,
  values: KeyFormValues,
): Promise<Result<KeyPair, ProvenRefusal | KeyFormProblem>> {
  const now = runtime.clock();
  const refusal = authorizeProven(access, 'keys.change', now);
  if (refusal) return fail(refusal);
  const read = parseKeyForm(values, now);
  if (!read.ok) return read;
  const { label, expiresAt, ...limits } = read.value;
  return ok(await runtime.db.transaction((tx) => createKeyInTransaction(runtime, tx, access, { label, expiresAt, limits })));
}

/** Changes the name, expiry and limits of a usable key. Every process uses the new values within half a second. */
export async function changeKey(
  runtime: WriteRuntime,
  access: Access,
  { id, values }: { id: string; values: KeyFormValues },
): Promise<Result<{ readonly changed: boolean }, ProvenRefusal | KeyFormProblem | 'not_found'>> {
  const refusal = authorizeProven(access, 'keys.change', runtime.clock());
  if (refusal) return fail(refusal);
  if (!isKeyId(id)) return fail('not_found');
  return runtime.db.transaction(async (tx) => {
    const now = runtime.clock();
    const key = await findScopedKey(tx, access.scope, id, { lock: true });
    if (!key || !isUsable(key, now)) return fail('not_found');
    const read = parseKeyForm(values, now, key.expiresAt);
    if (!read.ok) return read;
    const before = keyAuditData(key);
    const after = keyAuditData(read.value);
    if (JSON.stringify(before) === JSON.stringify(after)) return ok({ changed: false });
    await updateKey(tx, id, read.value);
    const data = { before, after };
    await recordEntry(runtime, { ...access.scope, actor: access.actor, action: 'key.changed', subject: id, data }, tx);
    return ok({ changed: true });
  });
}
