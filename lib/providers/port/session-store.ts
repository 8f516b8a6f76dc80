import { createHash } from 'node:crypto';
import { z } from 'zod';
import { providerSession } from '@/lib/platform/db/generated/tables';
import { bytea, neverNull, nullable, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { SessionOwner, SessionStore, SharedSession } from './sessions';

const FIND_SESSION = statement({
  name: 'find the session of an account',
  text: `SELECT encrypted_token AS sealed, opened_at AS "openedAt", usable_at AS "usableAt", ends_at AS "endsAt" FROM provider_session
         WHERE account_id = $accountId AND credentials_hash = $hash AND num_nulls(encrypted_token, opened_at, usable_at, ends_at) = 0`,
  parameters: { accountId: providerSession.accountId, hash: bytea },
  columns: {
    sealed: neverNull(providerSession.encryptedToken),
    openedAt: neverNull(providerSession.openedAt),
    usableAt: neverNull(providerSession.usableAt),
    endsAt: neverNull(providerSession.endsAt),
  },
});

// A row is obsolete if it was stored for other credentials than those given: a worker can claim it even while another worker has a lease.
const CLAIM_SESSION = statement({
  name: 'claim the session of an account',
  text: `
INSERT INTO provider_session AS s (account_id, credentials_hash, lease_until, lease_token) VALUES ($accountId, $hash, $leaseUntil, 1)
ON CONFLICT (account_id) DO UPDATE SET
  credentials_hash = $hash, lease_until = $leaseUntil, lease_token = s.lease_token + 1,
  encrypted_token = CASE WHEN s.credentials_hash = $hash THEN s.encrypted_token END,
  opened_at = CASE WHEN s.credentials_hash = $hash THEN s.opened_at END,
  usable_at = CASE WHEN s.credentials_hash = $hash THEN s.usable_at END,
  ends_at = CASE WHEN s.credentials_hash = $hash THEN s.ends_at END
WHERE s.credentials_hash <> $hash OR (s.opened_at IS NOT DISTINCT FROM $replaces AND (s.lease_until IS NULL OR s.lease_until <= $now))
RETURNING lease_token AS "leaseToken"`,
  parameters: {
    accountId: providerSession.accountId,
    hash: bytea,
    now: timestamptz,
    leaseUntil: timestamptz,
    replaces: nullable(timestamptz),
  },
  columns: { leaseToken: providerSession.leaseToken },
});

const NO_SESSION = { encryptedToken: null, openedAt: null, usableAt: null, endsAt: null };

const sealedSchema = z.object({
  token: z.string(),
  previous: z.object({ token: z.string(), endsAt: z.coerce.date() }).nullable(),
});

/** Creates a store in the database, one row per account. Tokens are encrypted with SECRET_KEY. */
export function createSessionStore({ db, secrets }: Pick<Runtime, 'db' | 'secrets'>): SessionStore {
  const seal = ({ id }: SessionOwner, { token, previous, openedAt, usableAt, endsAt }: SharedSession) => {
    const encryptedToken = secrets.encrypt(JSON.stringify({ token, previous }), sessionContext(id));
    return { encryptedToken, openedAt, usableAt, endsAt };
  };

  return {
    async find(owner) {
      const row = await FIND_SESSION.first(db, { accountId: owner.id, hash: hashOf(owner) });
      if (!row) return null;
      const { sealed, ...instants } = row;
      return { ...instants, ...sealedSchema.parse(JSON.parse(secrets.decrypt(sealed, sessionContext(owner.id)))) };
    },
    async claim(owner, options) {
      const claimed = await CLAIM_SESSION.first(db, { ...options, accountId: owner.id, hash: hashOf(owner) });
      return claimed?.leaseToken ?? null;
    },
    async save(owner, leaseToken, session) {
      const data = { ...seal(owner, session), leaseUntil: null };
      await db.prisma.providerSession.updateMany({ where: { accountId: owner.id, leaseToken }, data });
    },
    async release(owner, leaseToken) {
      await db.prisma.providerSession.updateMany({ where: { accountId: owner.id, leaseToken }, data: { leaseUntil: null } });
    },
    async invalidate(owner, openedAt, remaining) {
      const where = { accountId: owner.id, credentialsHash: hashOf(owner), openedAt };
      await db.prisma.providerSession.updateMany({ where, data: remaining ? seal(owner, remaining) : NO_SESSION });
    },
  };
}

export function sessionContext(accountId: string): string {
  return `provider-session:${accountId}`;
}

function hashOf({ credentials }: SessionOwner): Buffer<ArrayBuffer> {
  const hash = createHash('sha256').update(credentials ?? '');
  return Buffer.from(hash.digest());
}
