import { createHash } from 'node:crypto';
import { z } from 'zod';
import { bytea, int4, neverNull, nullable, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { Runtime } from '@/lib/runtime/runtime';
import type { SessionOwner, SessionStore, SharedSession } from './session-port';

const FIND_SESSION = statement({
  name: 'find the session of an account',
  text: `SELECT encrypted_token AS sealed, opened_at AS "openedAt", usable_at AS "usableAt", ends_at AS "endsAt" FROM provider_session
         WHERE account_id = $accountId AND credentials_hash = $hash AND num_nulls(encrypted_token, opened_at, usable_at, ends_at) = 0`,
  parameters: { accountId: uuid, hash: bytea },
  columns: {
    sealed: neverNull(bytea),
    openedAt: neverNull(timestamptz),
    usableAt: neverNull(timestamptz),
    endsAt: neverNull(timestamptz),
  },
});

// A row with other credentials is obsolete: it can be claimed even while a lease is on it.
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
  parameters: { accountId: uuid, hash: bytea, now: timestamptz, leaseUntil: timestamptz, replaces: nullable(timestamptz) },
  columns: { leaseToken: int4 },
});

const SAVE_SESSION = statement({
  name: 'save the session of an account',
  text: `UPDATE provider_session SET encrypted_token = $sealed, opened_at = $openedAt, usable_at = $usableAt, ends_at = $endsAt, lease_until = NULL
         WHERE account_id = $accountId AND lease_token = $leaseToken`,
  parameters: { accountId: uuid, leaseToken: int4, sealed: bytea, openedAt: timestamptz, usableAt: timestamptz, endsAt: timestamptz },
  columns: {},
});

const RELEASE_SESSION = statement({
  name: 'release the session of an account',
  text: 'UPDATE provider_session SET lease_until = NULL WHERE account_id = $accountId AND lease_token = $leaseToken',
  parameters: { accountId: uuid, leaseToken: int4 },
  columns: {},
});

const INVALIDATE_SESSION = statement({
  name: 'invalidate a token of a session',
  text: `UPDATE provider_session SET encrypted_token = $sealed, opened_at = $remainingOpenedAt, usable_at = $usableAt, ends_at = $endsAt
         WHERE account_id = $accountId AND credentials_hash = $hash AND opened_at = $openedAt`,
  parameters: {
    accountId: uuid,
    hash: bytea,
    openedAt: timestamptz,
    sealed: nullable(bytea),
    remainingOpenedAt: nullable(timestamptz),
    usableAt: nullable(timestamptz),
    endsAt: nullable(timestamptz),
  },
  columns: {},
});

const sealedSchema = z.object({
  token: z.string(),
  previous: z.object({ token: z.string(), endsAt: z.coerce.date() }).nullable(),
});

/** Creates a store in the database, one row per account. Tokens are encrypted with SECRET_KEY. */
export function createSessionStore({ db, secrets }: Pick<Runtime, 'db' | 'secrets'>): SessionStore {
  const seal = ({ id }: SessionOwner, { token, previous }: SharedSession) =>
    Buffer.from(secrets.encrypt(JSON.stringify({ token, previous }), contextOf(id)));

  return {
    async find(owner) {
      const row = await FIND_SESSION.first(db, { accountId: owner.id, hash: hashOf(owner) });
      if (!row) return null;
      const { sealed, ...instants } = row;
      return { ...instants, ...sealedSchema.parse(JSON.parse(secrets.decrypt(sealed, contextOf(owner.id)))) };
    },
    async claim(owner, options) {
      const claimed = await CLAIM_SESSION.first(db, { ...options, accountId: owner.id, hash: hashOf(owner) });
      return claimed?.leaseToken ?? null;
    },
    async save(owner, leaseToken, session) {
      const { openedAt, usableAt, endsAt } = session;
      await SAVE_SESSION.rows(db, { accountId: owner.id, leaseToken, sealed: seal(owner, session), openedAt, usableAt, endsAt });
    },
    async release(owner, leaseToken) {
      await RELEASE_SESSION.rows(db, { accountId: owner.id, leaseToken });
    },
    async invalidate(owner, openedAt, remaining) {
      await INVALIDATE_SESSION.rows(db, {
        accountId: owner.id,
        hash: hashOf(owner),
        openedAt,
        sealed: remaining && seal(owner, remaining),
        remainingOpenedAt: remaining?.openedAt ?? null,
        usableAt: remaining?.usableAt ?? null,
        endsAt: remaining?.endsAt ?? null,
      });
    },
  };
}

function contextOf(accountId: string): string {
  return `provider-session:${accountId}`;
}

function hashOf({ credentials }: SessionOwner): Buffer {
  return createHash('sha256')
    .update(credentials ?? '')
    .digest();
}
